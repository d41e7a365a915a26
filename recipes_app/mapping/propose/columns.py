"""Items of a list and cells of a table become named, typed columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urldefrag

from recipes_app.engine.document import Column, ExtractField, Step
from recipes_app.engine.values.states import HAD, NOT_HAD
from recipes_app.mapping.facts import ItemField, ListFacts, TableFacts
from recipes_app.mapping.propose.names import column_names
from recipes_app.mapping.propose.targets import css_target
from recipes_app.mapping.propose.words import VAGUE_CLASSES, snake
from recipes_app.mapping.vocabulary import words

MAX_COLUMNS = 12
# From how many rows on a column that all of them have is taken to belong to the list.
MANY_ROWS = 4
AMOUNT = r"-?\d[\d.,' \u00a0\u202f]*"
CURRENCY = r"(?:[€$£¥₹]|(?:US|CA|AU)\$|[A-Z]{3}|zł|kr|Kč)"
# What a shop says of what can be had and what cannot; the engine reads it as true and false.
IN_STOCK = re.compile(rf"^(?:{'|'.join(map(re.escape, (*HAD, *NOT_HAD)))})\b", re.IGNORECASE)
MONEY = re.compile(rf"^{CURRENCY}\s?{AMOUNT}$|^{AMOUNT}\s?{CURRENCY}$")
INTEGER = re.compile(r"^-?\d{1,3}(?:,\d{3})+$|^-?\d{1,9}$")
NUMBER = re.compile(r"^-?\d{1,9}\.\d+$")
ISO_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")
ISO_TIME = re.compile(r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
# What only one kind of thing looks like.
SHAPES = (
    ("email", re.compile(r"^\S+@\S+\.\w{2,}$")),
    ("phone", re.compile(r"^\+\d[\d ()/.-]{6,}$|^\(?0\d{1,5}\)?[ /-][\d ()/.-]{4,}$")),
)
PLAIN_COLUMNS = words("signs", "plain_columns")
KEEP_CLASSES = frozenset({"tag", "name", "badge"})
SCHEMAS: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string"},
    "url": {"type": "string", "format": "uri"},
    "boolean": {"type": "boolean"},
    "money": {
        "type": "object",
        "properties": {"amount": {"type": "string"}, "currency": {"type": ["string", "null"]}},
    },
}


@dataclass(frozen=True, slots=True)
class Named:
    name: str
    field: ItemField
    type: str


def type_of(values: Iterable[str | None]) -> str:
    """The type all values have; string when in doubt, or when a leading zero says it is a code."""
    known = [value.strip() for value in values if value and value.strip()]
    if not known or any(re.match(r"^0\d", value) for value in known):
        return "string"
    for name, pattern in (
        ("boolean", IN_STOCK),
        ("money", MONEY),
        ("integer", INTEGER),
        ("date", ISO_DATE),
        ("datetime", ISO_TIME),
    ):
        if all(pattern.match(value) for value in known):
            return name
    return "number" if all(NUMBER.match(v) or INTEGER.match(v) for v in known) else "string"


def list_columns(facts: ListFacts) -> tuple[Named, ...]:
    """What each item says, without what says the same everywhere ("Details") or twice."""
    kept: list[tuple[str, ItemField]] = []
    seen: set[tuple[str | None, ...]] = set()
    for field in sorted(facts.fields, key=lambda field: field.attr == "alt"):
        if field.values in seen or _says_nothing(field, facts):
            continue
        seen.add(field.values)
        kept.append((_column_word(field, [word for word, _ in kept]), field))
    names = column_names(word for word, _ in kept[:MAX_COLUMNS])
    return tuple(Named(name, field, _field_type(field)) for name, (_, field) in zip(names, kept, strict=False))


def _says_nothing(field: ItemField, facts: ListFacts) -> bool:
    values = [value for value in field.values if value]
    if not any(re.search(r"\w", value) for value in values):
        return True
    if field.attr == "href":
        return all(not value.startswith(("http:", "https:")) for value in values)
    same = len(set(values)) == 1 < len(values) and len(values) >= min(3, facts.total)
    return same and (field.link or not _meaning(field))


def _field_type(field: ItemField) -> str:
    return "url" if field.attr == "href" else type_of(field.values)


def _meaning(field: ItemField) -> str:
    """A name the page's author gave: itemprop, a label, the words before, a class."""
    given = field.itemprop or field.label or field.before
    if given and len(given) <= 30:
        return given
    word = snake(field.css_class.split("__")[-1].split("--")[0])
    parts = [part for part in word.split("_") if part]
    plain = next((part for part in parts if part in PLAIN_COLUMNS), None)
    if plain:
        return plain
    vague = bool(re.search(r"\d", word)) or all(part in VAGUE_CLASSES and part not in KEEP_CLASSES for part in parts)
    return "" if vague or len(parts) > 3 else word


def _column_word(field: ItemField, taken: Sequence[str]) -> str:
    fixed = {"href": _fresh_url(field, taken), "alt": "image"}
    if field.attr in fixed:
        return fixed[field.attr]
    if field.heading and "name" not in taken:
        return "question" if all((value or "?").endswith("?") for value in field.values) else "name"
    if _meaning(field):
        return _meaning(field)
    return _word_by_kind(field, taken)


def _fresh_url(field: ItemField, taken: Sequence[str]) -> str:
    return "url" if "url" not in taken else f"{_meaning(field) or 'link'}_url"


def _word_by_kind(field: ItemField, taken: Sequence[str]) -> str:
    if field.attr == "datetime" or field.tag == "time":
        return "date"
    if field.link and "name" not in taken:
        return "name"
    kind = type_of(field.values)
    if kind != "string":
        return {"boolean": "in_stock", "money": "price", "datetime": "time", "integer": "number"}.get(kind, kind)
    return next((name for name, shape in SHAPES if _all_match(field.values, shape)), None) or (
        "answer" if "question" in taken and "answer" not in taken else "text"
    )


def _all_match(values: Iterable[str | None], shape: re.Pattern[str]) -> bool:
    said = [value.strip() for value in values if value and value.strip()]
    return bool(said) and all(shape.match(value) for value in said)


def extract_list(facts: ListFacts, key: str) -> Step:
    fields = {column.name: _extract_field(column) for column in list_columns(facts)}
    return Step("extract_list", {"items": css_target(facts.items_css, facts.frames), "fields": fields, "key": key})


def _extract_field(column: Named) -> ExtractField:
    return ExtractField(css=column.field.css or None, attr=column.field.attr, type=column.type)


def extract_table(facts: TableFacts, key: str) -> Step:
    columns = {name: Column(header=header, type=kind) for name, header, kind in table_columns(facts)}
    return Step("extract_table", {"target": css_target(facts.css, facts.frames), "columns": columns, "key": key})


def table_columns(facts: TableFacts) -> list[tuple[str, str, str]]:
    """(name, header, type) of the columns with a header that is not about what can be done with a row."""
    actions = {action.name for action in facts.actions}
    kept: list[tuple[str, str]] = []
    for index, header in enumerate(facts.headers):
        cells = [row[index] for row in facts.rows if index < len(row)]
        only_actions = bool(cells) and all(not c or all(w in " ".join(actions) for w in c.split()) for c in cells)
        if header and header not in [h for _, h in kept] and not (only_actions and actions):
            kept.append((type_of(cells), header))
    names = column_names(_without_count(header) for _, header in kept[:MAX_COLUMNS])
    return [(name, header, kind) for name, (kind, header) in zip(names, kept, strict=False)]


def _without_count(header: str) -> str:
    """ "Title 1-50 of 90" is the title, however many there are today."""
    return re.sub(r"(?<=\w{3})\s*[(\[]?\d.*$", "", header) or header


def rows_schema(columns: Iterable[tuple[str, str]], always: Sequence[str] = ()) -> dict[str, Any]:
    """The JSON Schema of a list of objects with these (name, type) columns; a value may be missing.

    `always`: columns that every row had: of several rows some row has each, or it is not the list it was.
    """
    properties = {name: _nullable(SCHEMAS.get(kind, {"type": "string"})) for name, kind in columns}
    schema: dict[str, Any] = {"type": "array", "items": {"type": "object", "properties": properties}}
    if not always:
        return schema
    some = [{"contains": {"required": [name], "properties": {name: {"not": {"type": "null"}}}}} for name in always]
    return {**schema, "if": {"minItems": 2}, "then": {"allOf": some}}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


def list_schema(facts: ListFacts) -> dict[str, Any]:
    columns = list_columns(facts)
    full = [column.name for column in columns if all(value and value.strip() for value in column.field.values)]
    return rows_schema(((column.name, column.type) for column in columns), full if facts.total >= MANY_ROWS else ())


def table_schema(facts: TableFacts) -> dict[str, Any]:
    return rows_schema((name, kind) for name, _, kind in table_columns(facts))


def points_inside(facts: ListFacts, page_url: str) -> bool:
    """A table of contents: every link leads to a place in the same page."""
    links = [value for field in facts.fields if field.attr == "href" for value in field.values if value]
    here = urldefrag(page_url).url
    return bool(links) and all(urldefrag(link).url == here for link in links)
