"""A recording by hand as a tool: its entries, with what the person changed of them, as steps, parameters and values.

Entries are what recipes_app/mapping/tape.py writes, or what was kept of them in a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.document import DocumentError, parse_step, step_sentence
from recipes_app.engine.parameters import other_arguments

Json = dict[str, Any]
FILLING = frozenset({"type", "select", "choose", "check", "set_date", "upload"})
READING = frozenset({"extract", "extract_list", "extract_table"})
SENDING = frozenset({"click", "double_click", "press", "press_enter", "drag"})
MIN_BOUND = 3


@dataclass(frozen=True, slots=True)
class Edits:
    """What a person changed afterwards: steps left out, parameters renamed, values that stay as they were typed."""

    left_out: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)
    fixed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """One step as a person reads it. `name` is that of its parameter, if it has one."""

    id: int
    sentence: str
    name: str = ""
    fixed: bool = False
    secret: bool = False
    problem: str = ""
    sent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taped:
    """`problems` are steps that could not be said; with one of them nothing is to be made of the recording."""

    steps: list[Json]
    parameters: Json
    examples: Json
    others: Json
    returns: Json | None
    side_effect: str
    submit_index: int | None
    start_url: str
    problems: tuple[str, ...]


def edited(entries: Iterable[Mapping[str, Any]], edits: Edits) -> list[Json]:
    kept = []
    for entry in entries:
        if entry["id"] in edits.left_out:
            continue
        value = entry["value"]
        if value:
            secret = bool(value["secret"])
            fixed = entry["id"] in edits.fixed and not secret
            value = {**value, "name": edits.names.get(entry["id"], value["name"]), "fixed": fixed}
        kept.append({**entry, "value": value})
    return kept


def lines(entries: Iterable[Mapping[str, Any]], edits: Edits) -> list[Line]:
    return [_line(entry) for entry in edited(entries, edits)]


def write(entries: Iterable[Mapping[str, Any]], edits: Edits) -> Taped:
    kept = pruned(edited(entries, edits))
    values = {each["value"]["name"]: each["value"] for each in kept if each["value"] and not each["value"]["fixed"]}
    examples = {name: value["given"] for name, value in values.items()}
    steps, problems, submit = _steps(kept, examples)
    schema: Json = {"type": "object", "properties": {name: dict(value["schema"]) for name, value in values.items()}}
    schema |= {"required": sorted(values), "additionalProperties": False}
    rows = {name: value["other"] for name, value in values.items() if "other" in value}
    returns = {key: shape for entry in kept for key, shape in (entry.get("reads") or {}).items()}
    return Taped(
        steps=steps,
        parameters=schema,
        examples=examples,
        others={**other_arguments(schema, examples), **rows},
        returns={"type": "object", "properties": returns, "additionalProperties": False} if returns else None,
        side_effect=_effect(kept),
        submit_index=submit,
        start_url=next((str(step["url"]) for step in steps if step["op"] == "goto"), ""),
        problems=tuple(problems),
    )


# --- what leads nowhere


def pruned(entries: Sequence[Json]) -> list[Json]:
    """Without what the site refused and was sent again, and with one entry for each field that was filled twice."""
    kept: list[Json] = []
    for index, entry in enumerate(entries):
        again = any(_is_same(entry, later) for later in entries[index + 1 :])
        if entry.get("refused") and again:
            continue
        earlier = next((each for each in kept if _fills_same(each, entry)), None)
        if earlier is not None and _was_refused_since(entries, earlier, entry):
            earlier["value"] = {**entry["value"], "name": earlier["value"]["name"]}
            continue
        kept.append(dict(entry))
    return kept


def _is_same(one: Json, other: Json) -> bool:
    return bool(one["op"] == other["op"] and _place(one) == _place(other))


def _fills_same(one: Json, other: Json) -> bool:
    return bool(one["value"] and other["value"]) and one["op"] in FILLING and _is_same(one, other)


def _was_refused_since(entries: Sequence[Json], first: Json, second: Json) -> bool:
    return any(first["id"] < entry["id"] < second["id"] and entry.get("refused") for entry in entries)


def _place(entry: Json) -> Any:
    target = entry["target"] or {}
    return (target.get("locators"), target.get("within"), target.get("frames"))


# --- steps


def _steps(entries: Sequence[Json], examples: Json) -> tuple[list[Json], list[str], int | None]:
    steps: list[Json] = []
    problems: list[str] = []
    pages = {0: "main"}
    here, submit = 0, None
    for entry in entries:
        if entry["page"] != here and entry["page"] in pages:
            here = entry["page"]
            if not _follows_by_itself(steps, pages[here]):
                steps.append({"op": "switch_page", "to": pages[here]})
        step = _step(entry, examples)
        problem = entry["problem"] if entry["problem"] and not entry.get("target") else _why_no_step(step)
        if problem:
            problems.append(f"{_line(entry).sentence}: {problem}")
            continue
        steps.append(step)
        pages |= {number: f"opened_by:{len(steps) - 1}" for number in entry["opens"]}
        if entry["sent"] or (_may_send(step) and not _sent_before(entries, entry)):
            submit = len(steps) - 1
    return steps, problems, submit


def _follows_by_itself(steps: Sequence[Json], page: str) -> bool:
    """A page that the last step opened is the one in use from then on."""
    return bool(steps) and page == f"opened_by:{len(steps) - 1}"


def _may_send(step: Json) -> bool:
    return step["op"] in SENDING or bool(step.get("press_enter"))


def _sent_before(entries: Sequence[Json], entry: Json) -> bool:
    return any(each["sent"] for each in entries if each["id"] < entry["id"])


def _step(entry: Json, examples: Json) -> Json:
    if entry.get("step"):
        return dict(entry["step"])
    step: Json = {"op": entry["op"], **entry["fields"]}
    target = entry["target"]
    if target:
        step["target"] = _bound(entry, target, examples)
    value = entry["value"]
    if value and value["field"] != "row":
        step[value["field"]] = value["given"] if value["fixed"] else f"{{{{{value['name']}}}}}"
    expect = _expect(entry)
    return {**step, "expect": expect} if expect else step


def _expect(entry: Json) -> Json:
    expect = dict(entry["expect"] or {})
    if entry["op"] in FILLING and not entry["fields"].get("press_enter") and not entry["sent"]:
        expect.pop("url", None)
    if entry["opens"]:
        expect["page_opened"] = True
    if entry.get("dialog"):
        expect["dialog"] = {**entry["dialog"], "message": _varied(str(entry["dialog"].get("message", "")))}
    return expect


def _varied(message: str) -> str:
    return " ".join("*" if any(letter.isdigit() for letter in word) else word for word in message.split()) or "*"


def _bound(entry: Json, target: Json, examples: Json) -> Json:
    """The row is that of the argument; an element that is called as an argument says is found by the argument."""
    value, made = entry["value"], dict(target)
    if value and value["field"] == "row" and not value["fixed"]:
        made["within"] = {**target["within"], "text": f"{{{{{value['name']}}}}}"}
        return _without_values(made, value["given"])
    name = str((target.get("fingerprint") or {}).get("name") or "")
    known = next((key for key, given in examples.items() if given == name and len(name) >= MIN_BOUND), None)
    if known is None or entry["op"] not in SENDING:
        return made
    ways = [way for way in target.get("locators", ()) if name in {way.get("name"), way.get("text")}]
    made["locators"] = [
        {key: f"{{{{{known}}}}}" if text == name else text for key, text in way.items()} for way in ways
    ]
    return _without_values(made, name) if ways else dict(target)


def _without_values(target: Json, given: str) -> Json:
    """What stood near the element is forgotten where it shows the value."""
    mark = dict(target.get("fingerprint") or {})
    for part in ("near", "name"):
        if given in str(mark.get(part) or ""):
            mark.pop(part)
    return {**target, "fingerprint": mark} if mark else target


def _why_no_step(step: Json) -> str:
    try:
        parse_step(step)
    except DocumentError as error:
        return str(error)
    return ""


def _effect(entries: Iterable[Json]) -> str:
    sent = [entry for entry in entries if entry["sent"]]
    if not sent:
        return "read"
    return "destructive" if any(entry.get("destroys") for entry in sent) else "write"


# --- for people


def _line(entry: Json) -> Line:
    value = entry["value"] or {}
    return Line(
        id=entry["id"],
        sentence=_sentence(entry),
        name=str(value.get("name", "")),
        fixed=bool(value.get("fixed")),
        secret=bool(value.get("secret")),
        problem=str(entry["problem"] or (entry.get("refused") and f"The page said: {entry['refused']}") or ""),
        sent=tuple(entry["sent"]),
    )


def _sentence(entry: Json) -> str:
    try:
        return step_sentence(parse_step(_step(entry, {})))
    except DocumentError:
        words = f" “{entry['words']}”" if entry["words"] else ""
        return f"{(entry['op'] or 'Read').replace('_', ' ').capitalize()}{words}"


def parameters_of(entries: Iterable[Mapping[str, Any]], edits: Edits) -> Iterator[tuple[int, str]]:
    for line in lines(entries, edits):
        if line.name and not line.fixed:
            yield line.id, line.name
