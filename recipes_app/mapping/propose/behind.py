"""A page that a model points to and nobody had opened: once it is surveyed, the rules plan what the model wants of it.

A tool that can be planned so needs no model to be recorded; one that cannot stays as it was, for a pilot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from recipes_app.engine.document import Step
from recipes_app.mapping.facts import ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.draft import Draft, object_schema
from recipes_app.mapping.propose.forms import SUBMITS, Place, form_draft
from recipes_app.mapping.propose.lists import draft_of_list, draft_of_table
from recipes_app.mapping.propose.login import is_login
from recipes_app.mapping.propose.model_guard import graver
from recipes_app.mapping.propose.model_view import form_key
from recipes_app.mapping.propose.paging import paged
from recipes_app.mapping.propose.rules import frequent_words
from recipes_app.mapping.propose.words import snake
from recipes_app.mapping.propose.worth import good_lists, good_tables
from recipes_app.mapping.risks import words_of


def planned(draft: Draft, page: PageSurvey, known: Iterable[PageSurvey]) -> Draft:
    """With the rules' plan of what that page has of the kind wanted; as it was where there is none."""
    others = tuple(known)
    found = _of_forms(page, others) if draft.kind in {"action", "search"} else _of_rows(draft, page, others)
    best = max(found, key=lambda each: _likeness(each, draft), default=None)
    if best is None:
        return draft
    joined = _addressed(draft, best) if draft.kind == "list" else best
    return draft if joined is None else _named_as(draft, joined)


def _of_forms(page: PageSurvey, others: tuple[PageSurvey, ...]) -> Iterator[Draft]:
    """Forms that no other page shows."""
    seen = {form_key(form) for other in others for form in other.forms}
    for form in page.forms:
        if form_key(form) in seen or is_login(form, page):
            continue
        draft = form_draft(form, Place(page, None, frequent_words((page, *others))))
        if draft is not None:
            yield draft


def _of_rows(draft: Draft, page: PageSurvey, others: tuple[PageSurvey, ...]) -> Iterator[Draft]:
    """Lists and tables; a menu that other pages show as well is none."""
    if draft.kind != "list":
        return
    noun = snake(draft.name).partition("_")[2] or "items"
    menus = {_said(facts) for other in others for facts in other.lists}
    for table in good_tables(page):
        yield paged(draft_of_table(table, page, noun), page, table)
    for facts in good_lists(page):
        if _said(facts) not in menus:
            yield paged(draft_of_list(facts, page, noun), page, facts)


def _said(facts: ListFacts | TableFacts) -> object:
    return facts.texts if isinstance(facts, ListFacts) else facts.rows


def _likeness(found: Draft, draft: Draft) -> tuple[int, int, int]:
    """By kind, by words in common, then the larger one."""
    words = set(words_of(draft.name)) & set(words_of(f"{found.name} {found.reason}"))
    same = found.kind == draft.kind or (draft.kind == "action" and found.side_effect != "read")
    return (int(same), len(words), len(found.parameters["properties"]))


def _addressed(draft: Draft, found: Draft) -> Draft | None:
    """The page's address with the draft's parameters in it; None where one of them is no part of it."""
    url = found.start_url
    properties: Mapping[str, Any] = draft.parameters.get("properties", {})
    for name in properties:
        before = url
        url = _with_placeholder(url, name, str(draft.examples.get(name, "")))
        if url == before:
            return None
    own = found.parameters.get("properties", {})
    steps = tuple(Step("goto", {"url": url}) if step.op == "goto" else step for step in found.steps)
    needed = (*properties, *(found.parameters.get("required") or ()))
    return replace(
        found,
        parameters=object_schema({**properties, **own}, tuple(needed)),
        examples={**found.examples, **draft.examples},
        others={**found.others, **draft.others},
        start_url=url,
        steps=steps,
    )


def _with_placeholder(url: str, name: str, value: str) -> str:
    """Where exactly one segment of the path, or one value of the query, is the value."""
    parts = urlsplit(url)
    segments = parts.path.split("/")
    here = [index for index, segment in enumerate(segments) if value and unquote(segment) == value]
    pairs = [pair for pair in parse_qsl(parts.query) if pair[1] == value]
    placeholder = f"{{{{{name}}}}}"
    if len(here) == 1 and not pairs:
        segments[here[0]] = placeholder
        return f"{parts.scheme}://{parts.netloc}{'/'.join(segments)}{f'?{parts.query}' if parts.query else ''}"
    if len(pairs) == 1 and not here and parts.query.count(f"={value}") == 1:
        return url.replace(f"={value}", f"={placeholder}")
    return url


def _named_as(draft: Draft, found: Draft) -> Draft:
    effect = graver(draft.side_effect, found.side_effect)
    if draft.kind == "action":
        effect = graver(effect, "write")
    return replace(
        found,
        name=draft.name,
        description=draft.description,
        side_effect=effect,
        submits=found.submits if effect == found.side_effect else SUBMITS[effect],
        reason=f"{found.reason}; {draft.reason}",
        origin=draft.origin,
    )
