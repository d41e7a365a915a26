"""What a person typed or chose, offered as a parameter: its name, its schema, the value as an example."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from recipes_app.mapping.propose.words import LEADING, is_secret, snake

Json = dict[str, Any]
FORMATS = {"email": "email", "url": "uri"}
NUMBERS = frozenset({"number", "range"})
PATTERNS = {
    "month": r"^\d{4}-\d{2}$",
    "week": r"^\d{4}-W\d{2}$",
    "time": r"^\d{2}:\d{2}(:\d{2})?$",
    "datetime-local": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}",
}
MAX_WORDS = 3
SAMPLE_FILE = "data:text/plain;name=sample.txt;base64,QSBzYW1wbGUgZmlsZS4K"


def offer(kind: str, facts: Mapping[str, Any], given: Any, taken: Collection[str]) -> Json:
    """{"field", "name", "schema", "given", "secret"}: `field` is the step's field that takes the value."""
    schema, value = SCHEMAS[kind](facts, given)
    label = _label(facts)
    if label:
        schema["description"] = label
    made = {
        "field": FIELDS[kind],
        "name": free_name(name_of(facts), taken),
        "schema": schema,
        "given": value,
        "secret": schema.get("format") == "password",
    }
    # Terms that have to be accepted are accepted with other values, too; of a free list only what it offers is another.
    if kind == "check" and facts.get("required"):
        made["other"] = value
    if kind == "choose":
        made["other"] = next((each for each in facts.get("offered") or () if each != value), value)
    return made


def offer_row(words: str, facts: Mapping[str, Any], taken: Collection[str]) -> Json:
    """The words by which the row was found: another call means another row."""
    rows = facts.get("rows") or {}
    own, others, heads = (
        (rows.get("own") or [], rows.get("others") or [], rows.get("heads") or []) if rows else ([], [], [])
    )
    place = own.index(words) if words in own else -1
    peers = [row[place] for row in others if 0 <= place < len(row) and row[place] != words]
    head = snake(heads[place]) if 0 <= place < len(heads) else ""
    schema: Json = {"type": "string", "description": "Which row, by the words that only it has"}
    return {
        "field": "row",
        "name": free_name(head or "item", taken),
        "schema": schema,
        "given": words,
        "other": peers[0] if peers else words,
        "secret": False,
    }


def name_of(facts: Mapping[str, Any]) -> str:
    """From the words people see, where they are few; else from the field's own name."""
    shown = str(facts.get("group") or facts.get("label") or "")
    seen = _without_leading(snake(re.split(r"[(:]", shown)[0]))
    given = snake(str(facts.get("name") or "").replace("[]", "").split("[")[-1].rstrip("]"))
    if seen and len(seen.split("_")) <= MAX_WORDS and not seen[0].isdigit():
        return seen
    if given and not given[0].isdigit():
        return given
    words = seen or snake(str(facts.get("placeholder") or facts.get("words") or facts.get("id") or ""))
    return "_".join(words.split("_")[:4]).lstrip("0123456789_") or "value"


def free_name(name: str, taken: Collection[str]) -> str:
    name, number = name[:60], 2
    base = name
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    return name


def _label(facts: Mapping[str, Any]) -> str:
    shown = facts.get("group") or facts.get("label") or facts.get("placeholder") or ""
    return str(shown).rstrip(" *:")[:200]


def _without_leading(name: str) -> str:
    words = name.split("_")
    while len(words) > 1 and words[0] in LEADING:
        words = words[1:]
    return "_".join(words)


def _text(facts: Mapping[str, Any], given: Any) -> tuple[Json, Any]:
    kind, text = str(facts.get("type") or ""), str(given)
    if facts.get("secret") or (kind in {"", "text"} and is_secret(str(facts.get("name")), str(facts.get("label")))):
        return {"type": "string", "format": "password"}, text
    if kind in NUMBERS:
        return _number(facts, text)
    return {"type": "string", **({"format": FORMATS[kind]} if kind in FORMATS and text else {})}, text


def _number(facts: Mapping[str, Any], text: str) -> tuple[Json, Any]:
    try:
        value = float(text)
    except ValueError:
        return {"type": "string"}, text
    whole = value.is_integer() and str(facts.get("step") or "1").isdecimal()
    limits = {"minimum": facts.get("min"), "maximum": facts.get("max")}
    bounds = {key: float(str(limit)) for key, limit in limits.items() if _is_number(limit)}
    schema: Json = {"type": "integer" if whole else "number"}
    schema |= {key: int(limit) if limit.is_integer() else limit for key, limit in bounds.items()}
    return schema, int(value) if whole else value


def _is_number(text: Any) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", str(text or "")) is not None


def _choice(facts: Mapping[str, Any], given: Any) -> tuple[Json, Any]:
    offered = list(dict.fromkeys(str(each) for each in facts.get("offered") or []))
    one: Json = {"type": "string", **({"enum": offered} if len(offered) > 1 else {})}
    chosen = [str(each) for each in given] if isinstance(given, list) else [str(given)]
    if facts.get("many"):
        return {"type": "array", "items": one, "uniqueItems": True}, chosen
    value = chosen[0] if chosen else ""
    if "enum" in one and value not in one["enum"]:
        one["enum"].append(value)
    return one, value


def _free_choice(_facts: Mapping[str, Any], given: Any) -> tuple[Json, Any]:
    return {"type": "string"}, str(given)


def _tick(_facts: Mapping[str, Any], given: Any) -> tuple[Json, Any]:
    return {"type": "boolean"}, bool(given)


def _date(facts: Mapping[str, Any], given: Any) -> tuple[Json, Any]:
    kind = str(facts.get("type") or "")
    return {"type": "string", **({"pattern": PATTERNS[kind]} if kind in PATTERNS else {"format": "date"})}, str(given)


def _files(facts: Mapping[str, Any], _given: Any) -> tuple[Json, Any]:
    """What the person's own file held is not kept: the example is a file of ours."""
    one = {"type": "string", "format": "x-file"}
    if facts.get("many"):
        return {"type": "array", "items": one}, [SAMPLE_FILE]
    return dict(one), SAMPLE_FILE


SCHEMAS = {
    "type": _text,
    "select": _choice,
    "radio": _choice,
    "choose": _free_choice,
    "check": _tick,
    "date": _date,
    "files": _files,
}
FIELDS = {
    "type": "text",
    "select": "value",
    "radio": "value",
    "choose": "value",
    "check": "value",
    "date": "value",
    "files": "files",
}
