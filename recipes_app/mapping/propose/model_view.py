"""What a model is shown of a survey: the rules' drafts, and one page of each kind, within a number of tokens.

Pages with parts that no draft is made of come first. Each part has a number by which an answer refers to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from recipes_app.engine.naming import normalise
from recipes_app.llm.sizes import tokens_of
from recipes_app.mapping.facts import Box, FieldFacts, FormFacts, LinkFacts, ListFacts, PageSurvey, Survey, TableFacts
from recipes_app.mapping.propose.columns import list_columns
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.urls import page_url, same_site, shape_of

Part = FormFacts | ListFacts | TableFacts | LinkFacts | PageSurvey
FULL, LEAN, BARE = 0, 1, 2
MAX_LINKS = (12, 5, 0)
TEXT = (240, 0, 0)
MAX_PARTS = 8
MAX_OPTIONS = 6
MAX_VALUE = 40
MAX_ENUM = 4
MAX_PARAMETERS = 24
ALIKE = 2


@dataclass(frozen=True, slots=True)
class View:
    """`text` is what a model reads; `parts` what each number in it means, by page number and name of the part."""

    text: str
    drafts: tuple[Draft, ...]
    pages: Mapping[int, PageSurvey]
    parts: Mapping[tuple[int, str], Part]
    left_out: int = 0


@dataclass(slots=True)
class Shown:
    """One page with its parts, and how much is said of it."""

    number: int
    page: PageSurvey
    drafted: Mapping[str, list[str]]
    parts: dict[str, Part]
    detail: int = FULL
    texts: dict[int, str] = field(default_factory=dict)

    @property
    def weight(self) -> tuple[int, int]:
        """How much there is on it that no draft is made of."""
        fresh = sum(1 for name, part in self.parts.items() if name not in self.drafted and not _is_chrome(part))
        return (fresh, -self.page.depth)

    @property
    def text(self) -> str:
        if self.detail not in self.texts:
            self.texts[self.detail] = "\n".join(_page_lines(self, self.detail))
        return self.texts[self.detail]


def view_of(survey: Survey, drafts: Sequence[Draft], *, tokens: int) -> View:
    """Everything in full where it fits; else the pages with least to add are cut short, then left out."""
    chosen = list(_one_of_each_kind(survey.pages))
    drafted = _drafted(drafts, chosen, tokens * 2 // 3)
    told: set[object] = {url for page in survey.pages for url in (page.url, page.final_url)}
    told |= {form_key(form) for page in chosen for form in page.forms if _made_of(form, page, drafts)}
    shown = [_shown(number, page, drafts, told, survey.start_url) for number, page in enumerate(chosen, 1)]
    kept = _fitted(shown, max(tokens - tokens_of(drafted), 0))
    left_out = len(shown) - len(kept)
    more = f"\n({left_out} more pages are not shown.)" if left_out else ""
    text = f"DRAFTS\n{drafted or '(none)'}\n\nPAGES\n" + "\n".join(each.text for each in kept) + more
    parts = {(each.number, name): part for each in kept for name, part in _referable(each)}
    pages = {each.number: each.page for each in kept}
    return View(text, tuple(drafts), pages, parts, left_out)


def _drafted(drafts: Sequence[Draft], pages: Sequence[PageSurvey], tokens: int) -> str:
    """All of them, in fewer words each where they are many."""
    for detail in (FULL, LEAN, BARE):
        lines = [draft_line(draft, pages, detail) for draft in drafts]
        if tokens_of("\n".join(lines)) <= tokens:
            break
    return "\n".join(lines)


def _referable(shown: Shown) -> Iterable[tuple[str, Part]]:
    limit = MAX_LINKS[shown.detail]
    for name, part in shown.parts.items():
        if not isinstance(part, LinkFacts) or int(name.split()[1]) <= limit:
            yield name, part


def _fitted(shown: list[Shown], tokens: int) -> list[Shown]:
    by_weight = sorted(shown, key=lambda each: each.weight)
    for detail in (LEAN, BARE):
        for each in by_weight:
            if _size(shown) <= tokens:
                return shown
            each.detail = detail
    kept = list(shown)
    for each in by_weight:
        if _size(kept) <= tokens or len(kept) == 1:
            return kept
        kept.remove(each)
    return kept


def _size(shown: Iterable[Shown]) -> int:
    return sum(tokens_of(each.text) + 1 for each in shown)


def _one_of_each_kind(pages: Iterable[PageSurvey]) -> Iterable[PageSurvey]:
    """The first page of each make."""
    seen: set[str] = set()
    for page in pages:
        make = page.shape.rpartition("#")[2]
        if make not in seen:
            seen.add(make)
            yield page


def _shown(number: int, page: PageSurvey, drafts: Sequence[Draft], told: set[object], home: str) -> Shown:
    parts: dict[str, Part] = {f"form {n}": form for n, form in _forms(page, drafts, told)}
    parts |= {f"list {n}": facts for n, facts in enumerate(page.lists, 1) if _is_list(facts)}
    parts |= {f"table {n}": facts for n, facts in enumerate(page.tables, 1)}
    made = {name: _made_of(part, page, drafts) for name, part in parts.items()}
    links = list(_links(page, told, home))
    parts |= {f"link {n}": link for n, link in enumerate(links, 1)}
    return Shown(number, page, {name: found for name, found in made.items() if found}, parts)


def _forms(page: PageSurvey, drafts: Sequence[Draft], told: set[object]) -> Iterable[tuple[int, FormFacts]]:
    """Those that drafts are made of, and each of the others once on the whole site: headers repeat theirs."""
    for number, form in enumerate(page.forms, 1):
        key = form_key(form)
        if _made_of(form, page, drafts) or (key not in told and not form.in_row and (form.fields or form.buttons)):
            told.add(key)
            yield number, form


def form_key(form: FormFacts) -> object:
    names = tuple(field.attribute_name or field.label for field in form.fields)
    return (form.method, names, tuple(button.name for button in form.buttons))


def _is_list(facts: ListFacts) -> bool:
    """Not the rows of fields that a form is made of."""
    return not facts.chrome and facts.controls * 2 <= len(facts.texts)


def _made_of(part: Part, page: PageSurvey, drafts: Sequence[Draft]) -> list[str]:
    return [draft.name for draft in drafts if is_made_of(draft, part, page)]


def is_made_of(draft: Draft, part: Part, page: PageSurvey) -> bool:
    return draft.page_url == page.final_url and draft.box == _box_of(part)


def _box_of(part: Part) -> Box | None:
    return part.box if isinstance(part, FormFacts | ListFacts | TableFacts) else None


def _is_chrome(part: Part) -> bool:
    return bool(getattr(part, "chrome", False))


def _links(page: PageSurvey, told: set[object], home: str) -> Iterable[LinkFacts]:
    """Those that lead to pages nobody has seen, each once on the whole site, and two of a kind."""
    kinds: dict[str, int] = {}
    for link in page.links:
        url = page_url(link.url)
        if url is None or url in told or not link.text.strip() or not link.visible or not same_site(url, home):
            continue
        shape = shape_of(url)
        kind = shape if "{}" in shape else urlsplit(url).path.rstrip("/").rpartition("/")[0] or shape
        kinds[kind] = kinds.get(kind, 0) + 1
        if kinds[kind] <= ALIKE:
            told.add(url)
            yield link


def draft_line(draft: Draft, pages: Sequence[PageSurvey], detail: int = FULL) -> str:
    page = next((n for n, page in enumerate(pages, 1) if page.final_url == draft.page_url), 0)
    takes = "; ".join(_parameters(draft))
    gives = "; ".join(_returned(draft))
    where = f" page {page}" if page else ""
    name = f"{draft.name} [{draft.kind}, {draft.side_effect}]{where}"
    if detail == BARE:
        return name
    if detail == LEAN:
        return f"{name}: {short(draft.description, 100)}"
    lines = [f"{name}: {draft.description}", f" from: {short(draft.reason, 100)}"]
    lines += [f" takes: {takes}"] if takes else []
    lines += [f" returns: {short(gives, 120)}"] if gives else []
    return "\n".join(lines)


def _parameters(draft: Draft) -> Iterable[str]:
    needed = set(draft.parameters.get("required") or ())
    properties = list(draft.parameters.get("properties", {}).items())
    for name, schema in properties[:MAX_PARAMETERS]:
        yield f"{name}{'*' if name in needed else ''} {_kind_of(schema)}{_example(draft, name, schema)}"
    if len(properties) > MAX_PARAMETERS:
        yield f"{len(properties) - MAX_PARAMETERS} more"


def _returned(draft: Draft) -> Iterable[str]:
    for name, schema in (draft.returns or {}).get("properties", {}).items():
        columns = schema.get("items", {}).get("properties", {})
        yield f"{name} ({', '.join(columns)})" if columns else name


def _kind_of(schema: Mapping[str, Any]) -> str:
    choices = [str(choice) for choice in schema.get("enum") or ()]
    if choices:
        more = f"|… {len(choices)}" if len(choices) > MAX_ENUM else ""
        return f"[{'|'.join(short(choice, 16) for choice in choices[:MAX_ENUM])}{more}]"
    return str(schema.get("format") or schema.get("type") or "any")


def _example(draft: Draft, name: str, schema: Mapping[str, Any]) -> str:
    value = draft.examples.get(name)
    plain = isinstance(value, str) and not set(schema) & {"format", "enum", "pattern"}
    return f" “{short(str(value), 30)}”" if plain else ""


def _page_lines(shown: Shown, detail: int) -> Iterable[str]:
    page = shown.page
    title = short(page.title, 50) if page.heading and page.title != page.heading else ""
    called = f"“{short(page.heading or page.title, 60)}”{f' ({title})' if title else ''}"
    yield f"page {shown.number} {short(path_of(page.final_url), 80)} {called}"
    said = short(_own_text(page), TEXT[detail]) if TEXT[detail] and not shown.drafted else ""
    if said:
        yield f" says: {said}"
    fresh = 0
    for name, part in shown.parts.items():
        made = shown.drafted.get(name)
        if made:
            yield f" {name}: draft {', '.join(made)}{_sample(part) if detail == FULL else ''}"
        elif not isinstance(part, LinkFacts) and fresh < MAX_PARTS and detail < BARE:
            fresh += 1
            yield f" {name}: {_said(part)}"
    links = [
        f"{name.split()[1]} {short(part.text, 40)} ({short(path_of(part.url), 50)})"
        for name, part in shown.parts.items()
        if isinstance(part, LinkFacts)
    ]
    if links[: MAX_LINKS[detail]]:
        yield f" links: {'; '.join(links[: MAX_LINKS[detail]])}"


def _own_text(page: PageSurvey) -> str:
    """From its heading on, where menus and switches stand above it."""
    return page.text[max(page.text.find(page.heading), 0) :] if page.heading else page.text


def _said(part: Part) -> str:
    match part:
        case FormFacts():
            fields = ", ".join(map(_field, part.fields[:12])) or "no fields"
            buttons = ", ".join(f"“{short(button.name, 30)}”" for button in part.buttons[:3] if button.name)
            return f"{part.method or 'script'}{_under(part.context.heading)}; {fields}; buttons {buttons or 'none'}"
        case ListFacts():
            names = ", ".join(column.name for column in list_columns(part)) or "plain"
            samples = " / ".join(f"“{short(text, MAX_VALUE)}”" for text in part.texts[:2])
            return f"{part.total} items{_under(part.context.heading)} ({names}): {samples}"
        case TableFacts():
            rows = " / ".join(short(", ".join(row), 80) for row in part.rows[:1])
            return f"{part.total} rows{_under(part.context.heading)}; {short(', '.join(part.headers), 100)}; {rows}"
    return ""


def _sample(part: Part) -> str:
    """Values that are there to be found, so that examples can be real ones."""
    rows = (
        part.texts if isinstance(part, ListFacts) else map(", ".join, part.rows) if isinstance(part, TableFacts) else ()
    )
    samples = " / ".join(f"“{short(row, 70)}”" for row in list(rows)[:2])
    return f": {samples}" if samples else ""


def _field(facts: FieldFacts) -> str:
    label = short(facts.label or facts.name or facts.placeholder or facts.attribute_name, 30)
    options = [short(option.label, 14) for option in facts.options if option.label][:MAX_OPTIONS]
    return f"{label}{'*' if facts.required else ''} {facts.type}{f' [{chr(124).join(options)}]' if options else ''}"


def _under(heading: str) -> str:
    return f" under “{short(heading, 40)}”" if heading else ""


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def short(text: str, length: int) -> str:
    plain = normalise(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"
