"""Propose tools from a survey without a model.

1. addresses that differ in one place (templates)   2. the sign-in form   3. forms   4. what every row offers
5. lists and tables   6. pages that exist once per item   7. what several pages share counts once
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from recipes_app.engine.document import Target
from recipes_app.mapping.facts import FormFacts, ListFacts, PageSurvey, Survey
from recipes_app.mapping.propose.columns import list_columns, table_columns
from recipes_app.mapping.propose.details import detail_drafts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.forms import Place, form_draft
from recipes_app.mapping.propose.lists import list_drafts, row_drafts
from recipes_app.mapping.propose.login import is_login, login_draft
from recipes_app.mapping.propose.names import named_apart
from recipes_app.mapping.propose.templates import Template, templates_of
from recipes_app.mapping.propose.words import FILLER
from recipes_app.mapping.propose.worth import good_lists, good_tables
from recipes_app.mapping.risks import words_of

MIN_WORD = 4


def propose(survey: Survey) -> tuple[Draft, ...]:
    pages = survey.pages
    templates = templates_of(pages)
    login = login_draft(pages)
    found: list[Draft] = [login] if login else []
    found += _forms(pages, templates)
    found += [draft for page in _once(pages, templates) for draft in row_drafts(page, templates)]
    found += [draft for page in _once(pages, templates) for draft in list_drafts(page)]
    found += detail_drafts(pages, templates)
    return named_apart(_merged(found))


def _once(pages: Iterable[PageSurvey], templates: tuple[Template, ...]) -> Iterator[PageSurvey]:
    """Pages that stand for themselves: what one product's page lists is no tool of the site."""
    return (page for page in pages if not any(made.value_in(page.final_url) for made in templates))


def _forms(pages: tuple[PageSurvey, ...], templates: tuple[Template, ...]) -> list[Draft]:
    """Of a form that several pages show, the one in the page's own content with the most fields."""
    best: dict[object, tuple[tuple[int, int, int], FormFacts, PageSurvey]] = {}
    for order, page in enumerate(pages):
        for form in page.forms:
            if is_login(form, page):
                continue
            rank = (int(form.chrome), -len(form.fields), order)
            key = form_key(form, page, templates)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, form, page)
    words = frequent_words(pages)
    drafts = [form_draft(form, _place(page, templates, words)) for _, form, page in best.values()]
    return [draft for draft in drafts if draft is not None]


def _place(page: PageSurvey, templates: tuple[Template, ...], words: tuple[str, ...]) -> Place:
    made = next((made for made in templates if made.value_in(page.final_url)), None)
    own = frequent_words((page,))
    return Place(page, made, own if len(own) > 1 else words)


def form_key(form: FormFacts, page: PageSurvey, templates: tuple[Template, ...]) -> object:
    """Forms with one address and the same query field are one, whichever filters a page adds to it."""
    action = urlsplit(form.action).path if form.is_form else form.place
    for made in templates:
        value = made.value_in(page.final_url)
        action = action.replace(value, "{}") if value and len(value) > 1 else action
    names = tuple(sorted(field.attribute_name or field.label for field in form.fields))
    buttons = tuple(button.name for button in form.buttons) if not names else ()
    if form.method == "post" or not form.is_form:
        return (form.method, action, names, buttons, len(form.frames))
    return ("get", action, names[:1] if len(names) == 1 else min(names, default=""), len(form.frames))


def frequent_words(pages: Iterable[PageSurvey]) -> tuple[str, ...]:
    """Words the listed items are called by, those of several items but not of all first."""
    counts: Counter[str] = Counter()
    total = 0
    for page in pages:
        for titles in (*map(_titles, good_lists(page)), *_cells(page)):
            total += len(titles)
            for title in titles:
                counts.update({word for word in words_of(title) if len(word) >= MIN_WORD and word.isalpha()})
    usable = [(word, n) for word, n in counts.most_common(60) if n < max(total * 0.7, 2) and word not in FILLER]
    return tuple(word for word, _ in usable[:2])


def _titles(facts: ListFacts) -> list[str]:
    named = [c for c in list_columns(facts) if c.name in {"name", "title", "question"}]
    return [value for value in named[0].field.values if value] if named else []


def _cells(page: PageSurvey) -> Iterator[list[str]]:
    for table in good_tables(page):
        for _, header, kind in table_columns(table):
            index = table.headers.index(header)
            cells = [row[index] for row in table.rows if index < len(row)]
            if kind == "string" and len(set(cells)) > len(cells) * 0.8:
                yield cells
                break


def _merged(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """The same list of the same make on several pages is one tool: the page that has it first."""
    seen: set[object] = set()
    for draft in drafts:
        key = _identity(draft)
        if key not in seen:
            seen.add(key)
            yield draft


def _identity(draft: Draft) -> object:
    if draft.kind == "list":
        step = draft.steps[-1]
        items = step.fields.get("items") or step.fields.get("target")
        fields = step.fields.get("fields") or step.fields.get("columns")
        css = items.css if isinstance(items, Target) else ""
        return ("list", (css or "").rpartition(">")[2].strip(), repr(fields))
    if draft.submit_index is not None and draft.kind == "action":
        return (draft.name, draft.start_url, repr(draft.parameters))
    return (draft.kind, draft.name, draft.start_url)
