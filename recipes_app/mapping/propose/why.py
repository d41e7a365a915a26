"""Why a form, list or table of a page was not proposed, in plain words for the person who decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from recipes_app.mapping.facts import Box, FormFacts, ListFacts, PageSurvey, Survey, TableFacts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.fields import params_of
from recipes_app.mapping.propose.forms import whole, why_no_form
from recipes_app.mapping.propose.lists import why_no_action
from recipes_app.mapping.propose.login import is_login
from recipes_app.mapping.propose.names import plain_verb
from recipes_app.mapping.propose.templates import Template, templates_of
from recipes_app.mapping.propose.worth import good_lists, good_tables, why_no_list, why_no_table

Reason = dict[str, str]
MAX_REASONS = 30
MAX_WORDS = 60


def with_reasons(survey: Survey, drafts: Iterable[Draft]) -> Survey:
    """The survey, each page with what of it was not proposed and why."""
    made = list(drafts)
    templates = templates_of(survey.pages)
    pages = tuple(replace(page, why_not=tuple(_reasons(page, survey.pages, made, templates))) for page in survey.pages)
    return replace(survey, pages=pages)


def _reasons(
    page: PageSurvey, pages: Sequence[PageSurvey], drafts: list[Draft], templates: tuple[Template, ...]
) -> list[Reason]:
    here = [draft.box for draft in drafts if draft.page_url == page.final_url]
    found = [
        *_of_forms(page, pages, drafts, here),
        *_of_lists(page, drafts, templates, here),
        *_of_rows(page, drafts, templates),
        *_of_parts(page),
    ]
    if not found and not here:
        found = [_nothing_at_all(page, templates)]
    return _counted(found)[:MAX_REASONS]


def _counted(found: list[Reason]) -> list[Reason]:
    """What stands in every row is said once."""
    counts = Counter((reason["what"], reason["why"]) for reason in found)
    return [_reason(f"{what} ({count} times)" if count > 1 else what, why) for (what, why), count in counts.items()]


def _nothing_at_all(page: PageSurvey, templates: tuple[Template, ...]) -> Reason:
    kind = next((made for made in templates if made.value_in(page.final_url)), None)
    if kind is not None:
        noun = kind.noun.replace("_", " ")
        return _reason("the page", f"it is one {noun} of many; a tool is proposed for all of them")
    return _reason("the page", "it has no form, list or table: it is only read")


def _reason(what: str, why: str) -> Reason:
    return {"what": what, "why": why}


def _of_forms(page: PageSurvey, pages: Sequence[PageSurvey], drafts: list[Draft], here: list[Box]) -> Iterator[Reason]:
    for form in page.forms:
        if form.box in here or (is_login(form, page) and any(draft.kind == "login" for draft in drafts)):
            continue
        params = params_of(whole(form))
        why = why_no_form(form, params, page)
        yield _reason(_form_words(form), why or _same_elsewhere(form, page, pages, drafts))


def _same_elsewhere(form: FormFacts, page: PageSurvey, pages: Sequence[PageSurvey], drafts: list[Draft]) -> str:
    """It would be a tool, but another page's form, or another tool, is the same one."""
    names = {field.attribute_name or field.label for field in form.fields}
    for other in pages:
        for twin in other.forms:
            if other is page or {field.attribute_name or field.label for field in twin.fields} != names:
                continue
            draft = next((d for d in drafts if d.page_url == other.final_url and d.box == twin.box), None)
            if draft is not None:
                return f"the same form is proposed as {draft.name}, from {urlsplit(other.final_url).path}"
    return "what it does is done by another proposed tool"


def _form_words(form: FormFacts) -> str:
    button = next((b.name for b in form.buttons if b.name), "")
    fields = ", ".join(dict.fromkeys(field.label or field.name or field.attribute_name for field in form.fields[:4]))
    said = f"form “{form.context.heading}”" if form.context.heading else "form"
    detail = f" with {fields}" if fields.strip(", ") else ""
    return _short(f"{said}{detail}{f' and the button “{button}”' if button else ''}")


def _of_lists(
    page: PageSurvey, drafts: list[Draft], templates: tuple[Template, ...], here: list[Box]
) -> Iterator[Reason]:
    kept = [*good_lists(page), *good_tables(page)]
    menus = 0
    structures: list[ListFacts | TableFacts] = [*page.tables, *page.lists]
    for facts in structures:
        if facts.box in here:
            continue
        why = why_no_table(facts) if isinstance(facts, TableFacts) else why_no_list(facts, page)
        if why and isinstance(facts, ListFacts) and (facts.chrome or facts.chrome_words):
            menus += 1
        elif why or facts in kept:
            yield _reason(_list_words(facts), why or _why_no_tool(page, drafts, templates))
    if menus:
        yield _reason(f"{menus} menus and bars" if menus > 1 else "a menu", "parts around the content, no tool")


def _why_no_tool(page: PageSurvey, drafts: list[Draft], templates: tuple[Template, ...]) -> str:
    kind = next((made for made in templates if made.value_in(page.final_url)), None)
    if kind is not None:
        return f"it belongs to the page of one {kind.noun.replace('_', ' ')}"
    if any(draft.kind == "list" for draft in drafts):
        return "the same list is proposed from another page, or it is a menu of pages of different kinds"
    return "its links lead to pages of different kinds, as a menu's do"


def _list_words(facts: ListFacts | TableFacts) -> str:
    heading = f" “{facts.context.heading}”" if facts.context.heading else ""
    if isinstance(facts, TableFacts):
        return _short(f"table{heading} with {', '.join(h for h in facts.headers if h)}")
    sample = next((text for text in facts.texts if text), "")
    return _short(f"list{heading} of {facts.total}{f', such as “{sample[:40]}”' if sample else ''}")


def _of_rows(page: PageSurvey, drafts: list[Draft], templates: tuple[Template, ...]) -> Iterator[Reason]:
    for name, why in why_no_action(page, templates):
        if not any(draft.kind == "action" and f"“{name}”" in draft.reason for draft in drafts):
            yield _reason(f"“{name}” in each row", why)


def _of_parts(page: PageSurvey) -> Iterator[Reason]:
    """Parts of a form that are shown only after another part was sent."""
    for form in page.forms:
        sending = (button for button in form.buttons if button.type == "submit")
        next_part = next((button for button in sending if plain_verb(button.name) == "continue"), None)
        if next_part is not None and not form.earlier:
            yield _reason(
                f"what comes after “{next_part.name}”",
                "the next part is only shown after this one was sent: it is filled in when the tool is recorded",
            )


def _short(text: str) -> str:
    return text if len(text) <= MAX_WORDS * 2 else f"{text[: MAX_WORDS * 2].rsplit(' ', 1)[0]} …"
