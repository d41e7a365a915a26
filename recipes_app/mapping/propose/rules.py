"""Propose tools from a survey without a model.

1. addresses that differ in one place (templates)   2. the sign-in form   3. forms   4. what every row offers
5. lists and tables   6. pages that exist once per item   7. what several pages share counts once
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from recipes_app.engine.document import Target
from recipes_app.mapping.facts import FormFacts, ListFacts, PageSurvey, Survey
from recipes_app.mapping.propose.columns import list_columns, table_columns
from recipes_app.mapping.propose.details import detail_drafts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.forms import Place, form_draft
from recipes_app.mapping.propose.lists import list_drafts, row_drafts
from recipes_app.mapping.propose.login import is_login, login_draft
from recipes_app.mapping.propose.names import named_apart
from recipes_app.mapping.propose.sending import as_senders
from recipes_app.mapping.propose.templates import Template, templates_of
from recipes_app.mapping.propose.with_details import detailed_drafts
from recipes_app.mapping.propose.words import FILLER
from recipes_app.mapping.propose.worth import good_lists, good_tables
from recipes_app.mapping.risks import words_of

MIN_WORD = 4
MIN_MENU = 3
# From so many texts on, a word that only one of them has is none to search for.
SEVERAL = 8


def propose(survey: Survey) -> tuple[Draft, ...]:
    pages = survey.pages
    templates = templates_of(pages)
    login = login_draft(pages)
    found: list[Draft] = [login] if login else []
    alone = list(_once(pages, templates))
    rows = [draft for page in alone for draft in row_drafts(page, templates)]
    found += _richest([*rows, *_forms(pages, templates)])
    for page in alone:
        found += list_drafts(page, is_menu=lambda facts: leads_apart(facts, pages))
    details = list(as_senders(detail_drafts(pages, templates), pages))
    found = [draft for draft in found if not _leads_to(draft, details)] + details
    found += detailed_drafts(alone, templates, details)
    return named_apart(_merged(as_senders(found, pages)))


def _leads_to(draft: Draft, details: Iterable[Draft]) -> bool:
    """A field for the number of one thing that only opens that thing's page, which is a tool already."""
    alone = draft.kind == "search" and _size(draft) == 1
    return alone and any(draft.name == detail.name and draft.parameters["required"] for detail in details)


def _once(pages: Iterable[PageSurvey], templates: tuple[Template, ...]) -> Iterator[PageSurvey]:
    """Pages that stand for themselves, each list and table where it is seen first.

    What one product's page lists is no tool of the site, and a category's page lists what the catalogue lists.
    """
    seen: set[object] = set()
    for page in pages:
        if any(made.value_in(page.final_url) for made in templates):
            continue
        make = page.shape.rpartition("#")[2]
        lists = tuple(facts for facts in page.lists if _new((make, facts.items_css), seen))
        tables = tuple(facts for facts in page.tables if _new((make, facts.css, facts.headers), seen))
        yield replace(page, lists=lists, tables=tables)


def _new(key: object, seen: set[object]) -> bool:
    if key in seen:
        return False
    seen.add(key)
    return True


def _forms(pages: tuple[PageSurvey, ...], templates: tuple[Template, ...]) -> list[Draft]:
    """Of a form that several pages show, the one in the page's own content with the most fields."""
    best: dict[object, tuple[tuple[int, int, int], FormFacts, PageSurvey]] = {}
    seen: dict[object, list[str]] = {}
    for order, page in enumerate(pages):
        for form in page.forms:
            if is_login(form, page):
                continue
            rank = (int(form.chrome), -len(form.fields), order)
            key = form_key(form, page, templates)
            seen.setdefault(key, []).append(page.final_url)
            if key not in best or rank < best[key][0]:
                best[key] = (rank, form, page)
    words = frequent_words(pages)
    placed = [(form, _place_of_all(page, pages, seen[key], templates, words)) for key, (_, form, page) in best.items()]
    return [draft for form, place in placed if (draft := form_draft(form, place)) is not None]


def _place(page: PageSurvey, templates: tuple[Template, ...], words: tuple[str, ...]) -> Place:
    made = next((made for made in templates if made.value_in(page.final_url)), None)
    own = _telling(_names_on((page,), least=1))
    return Place(page, made, tuple(dict.fromkeys((*own, *words)))[:2])


def _place_of_all(
    page: PageSurvey,
    pages: tuple[PageSurvey, ...],
    seen: list[str],
    templates: tuple[Template, ...],
    words: tuple[str, ...],
) -> Place:
    unlike = tuple(other.final_url for other in pages if other.final_url not in seen)
    return replace(_place(page, templates, words), twins=tuple(seen), unlike=unlike)


def form_key(form: FormFacts, page: PageSurvey, templates: tuple[Template, ...]) -> object:
    """Forms with one address and the same query field are one, whichever filters a page adds to it."""
    action = urlsplit(form.action).path if form.is_form else form.place
    for made in templates:
        value = made.value_in(page.final_url)
        action = "/".join("{}" if unquote(part) == value else part for part in action.split("/")) if value else action
    names = tuple(sorted(field.attribute_name or field.label for field in form.fields))
    buttons = tuple(button.name for button in form.buttons) if not names else ()
    if form.method == "post" or not form.is_form:
        return (form.method, action, names, buttons, len(form.frames))
    return ("get", action, names[:1] if len(names) == 1 else min(names, default=""), len(form.frames))


def frequent_words(pages: Iterable[PageSurvey]) -> tuple[str, ...]:
    """Words to search for: those several listed items are called by, else those of some of the pages' texts."""
    seen = list(pages)
    found = _telling(_names_on(seen))
    return found if len(found) > 1 else (*found, *_telling([page.text[:3000] for page in seen]))[:2]


def _names_on(pages: Iterable[PageSurvey], least: int = MIN_MENU) -> list[str]:
    """What the items of all lists and the rows of all tables (of `least` rows) are called."""
    found: list[str] = []
    for page in pages:
        for names in (*map(_titles, good_lists(page)), *_cells(page, least)):
            found += names
    return found


def _telling(texts: list[str]) -> tuple[str, ...]:
    """The two commonest words that are in several texts but not in all of them; else the commonest."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({word for word in words_of(text) if len(word) >= MIN_WORD and word.isalpha()})
    usable = [word for word, _ in counts.most_common(80) if word not in FILLER]
    least = 2 if len(texts) >= SEVERAL else 1
    telling = [word for word in usable if least <= counts[word] < max(len(texts) * 0.7, 2)]
    return tuple((telling + [word for word in usable if word not in telling])[:2])


def _titles(facts: ListFacts) -> list[str]:
    named = [c for c in list_columns(facts) if c.name in {"name", "title", "question"}]
    values = [value for value in named[0].field.values if value] if named else []
    return values if _are_names(values) else []


def _are_names(values: list[str]) -> bool:
    """The author that all of them have is none of them's name."""
    return len(set(values)) > len(values) * 0.8


def _cells(page: PageSurvey, least: int) -> Iterator[list[str]]:
    for table in good_tables(page):
        for _, header, kind in table_columns(table):
            index = table.headers.index(header)
            cells = [row[index] for row in table.rows if index < len(row)]
            if kind == "string" and len(cells) >= least and _are_names(cells):
                yield cells
                break


def _richest(drafts: Iterable[Draft]) -> list[Draft]:
    """What a row offers and what the item's own page offers is one action: the one with more parameters."""
    best: dict[object, Draft] = {}
    for draft in drafts:
        placed = draft.kind == "action" and set(draft.parameters["properties"]) & {draft.name.partition("_")[2]}
        key = draft.name if placed or draft.kind == "action" else (draft.name, draft.start_url)
        earlier = best.get(key)
        if earlier is None or _size(draft) > _size(earlier):
            best[key] = draft
    return list(best.values())


def _size(draft: Draft) -> int:
    return len(draft.parameters["properties"])


def leads_apart(facts: ListFacts, pages: Iterable[PageSurvey]) -> bool:
    """A menu: of the pages it leads to, several were seen and no two are made alike."""
    urls = {value for field in facts.fields if field.attr == "href" for value in field.values if value}
    makes = [page.shape.rpartition("#")[2] for page in pages if page.final_url in urls or page.url in urls]
    return len(makes) >= MIN_MENU and len(set(makes)) == len(makes)


def _merged(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """The same list on several pages is one tool: the page that has it first, the plainest address."""
    seen: set[object] = set()
    for draft in drafts:
        key = _identity(draft)
        if key not in seen:
            seen.add(key)
            yield draft


def _identity(draft: Draft) -> object:
    if draft.kind != "list":
        return (draft.kind, draft.name, draft.start_url)
    step = draft.steps[-1]
    if step.op == "repeat":
        step = step.fields["steps"][0]  # type: ignore[index]
    items = step.fields.get("items") or step.fields.get("target")
    return ("list", items.css if isinstance(items, Target) else "", urlsplit(draft.start_url).path)
