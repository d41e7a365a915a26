"""Recipes and schemas put into words and rows for pages."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.engine.document import DocumentError, Step, Target, expect_words, parse_step, step_sentence
from recipes_app.engine.parameters import secret_names
from recipes_app.engine.substitution import placeholders
from recipes_app.models import JobPicture, Proposal

CROP_MARGIN, CROP_LEAST = 48, 560
SOURCE_ONLY = frozenset({"css", "xpath", "test_id"})  # what only the page's source says
FIELD_ROLES = {"select": "combobox", "choose": "radio", "check": "checkbox"}
TYPE_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "object": "several values",
    "null": "nothing",
    "date-time": "date and time",
    "uri": "web address",
    "email": "e-mail address",
    "password": "secret text",
    "x-file": "a file",
    "anything": "anything",
}
MANY = {"text": "texts", "whole number": "whole numbers", "number": "numbers", "date": "dates"}


@dataclass(frozen=True)
class SaidStep:
    """One step for a reader; `inner` are the steps of its branches."""

    op: str
    sentence: str
    note: str
    then: str
    inner: tuple["SaidStep", ...] = ()


def say_steps(steps: Iterable[Any], version: int = 2, *, parameters: dict[str, Any] | None = None) -> list[SaidStep]:
    """Steps as stored, in this version of the format; one that does not parse says so, and hides no other.

    A field known by its place in the page's source only is called by the words of the parameter that fills it.
    """
    return [say_one(step, version, parameters or {}) for step in steps]


def say_one(data: Any, version: int, parameters: dict[str, Any]) -> SaidStep:
    try:
        return say_parsed(in_words_of(parse_step(data, format=version), parameters))
    except DocumentError as error:
        return SaidStep("?", f"A step that cannot be read: {error}", "", "")


def in_words_of(step: Step, parameters: dict[str, Any]) -> Step:
    target = step.fields.get("target")
    if not isinstance(target, Target) or not is_unnamed(target):
        return step
    named = placeholders({key: value for key, value in step.fields.items() if key != "target"})
    words = next((label_of(parameters, name) for name in sorted(named)), "")
    if not words:
        return step
    said = Target(role=FIELD_ROLES.get(step.op, "textbox"), name=words, within=target.within, frames=target.frames)
    return replace(step, fields={**step.fields, "target": said})


def is_unnamed(target: Target) -> bool:
    worded = target.name or target.text or target.role
    return not worded and all(locator.kind in SOURCE_ONLY for locator in target.locators)


def label_of(parameters: dict[str, Any], name: str) -> str:
    content = (parameters.get("properties") or {}).get(name) or {}
    words = str(content.get("title") or content.get("description") or "").split("(")[0].strip(" .:")
    return words if 0 < len(words) <= 40 else name.replace("_", " ")


def say_parsed(step: Step) -> SaidStep:
    then = f"Then {expect_words(step.expect)}" if step.expect else ""
    inner = step.fields.get("then") or step.fields.get("steps") or ()
    nested = inner if isinstance(inner, tuple) else ()
    return SaidStep(step.op, step_sentence(step), step.note, then, tuple(say_parsed(each) for each in nested))


@dataclass(frozen=True)
class ParameterRow:
    name: str
    type: str
    required: bool
    example: Any
    about: str
    choices: tuple[Any, ...]


def parameter_rows(schema: dict[str, Any], examples: dict[str, Any]) -> list[ParameterRow]:
    required, secret = schema.get("required", []), secret_names(schema)
    return [
        ParameterRow(
            name,
            type_in_words(field),
            name in required,
            "" if name in secret else examples.get(name, field.get("default", "")),
            field.get("description", ""),
            choices_of(field),
        )
        for name, field in schema.get("properties", {}).items()
    ]


def type_in_words(schema: dict[str, Any]) -> str:
    """For a reader: `whole number`, `one or more of`, `a file`."""
    if "enum" in schema:
        return "one of"
    kind, kept = schema.get("type", "anything"), schema.get("format")
    if kept in TYPE_WORDS:
        return TYPE_WORDS[kept]
    if isinstance(kind, list):
        return " or ".join(TYPE_WORDS.get(each, str(each)) for each in kind)
    if kind == "array":
        return many_in_words(items_of(schema))
    return TYPE_WORDS.get(kept or kind, str(kept or kind))


def many_in_words(items: dict[str, Any]) -> str:
    if "enum" in items:
        return "one or more of"
    inner = type_in_words(items)
    return "one or more files" if inner == "a file" else f"list of {MANY.get(inner, inner)}"


def items_of(schema: dict[str, Any]) -> dict[str, Any]:
    """`true` and `false` are schemas as well: of anything, and of nothing."""
    items = schema.get("items")
    return items if isinstance(items, dict) else {}


def choices_of(schema: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(schema.get("enum") or items_of(schema).get("enum") or ())


def returns_in_words(schema: dict[str, Any] | None, *, recorded: bool = True) -> str:
    """`list of {name, price}`, as deep as a reader needs."""
    if not schema:
        return "Nothing is read." if recorded else "What appears after the last step, decided while recording."
    properties = schema.get("properties")
    if properties:
        parts = [f"{name}: {_shape(field)}" for name, field in properties.items()]
        return ", ".join(parts)
    return _shape(schema)


def _shape(schema: Any) -> str:
    if not isinstance(schema, dict):
        return "anything"
    if schema.get("type") == "array":
        return f"list of {_shape(items_of(schema))}"
    if schema.get("properties"):
        return "{" + ", ".join(schema["properties"]) + "}"
    return type_in_words(schema)


@dataclass(frozen=True)
class Crop:
    """The part of a page's picture around a place, in the picture's own pixels."""

    picture: JobPicture
    view: str
    x: int
    y: int
    width: int
    height: int


def crop_of(proposal: Proposal) -> Crop | None:
    picture = proposal.picture
    if picture is None or not picture.width or not picture.height:
        return None
    if not proposal.box:
        return Crop(picture, f"0 0 {picture.width} {min(picture.height, 700)}", 0, 0, 0, 0)
    x, y, width, height = (round(number) for number in proposal.box)
    wide = min(picture.width, max(width + 2 * CROP_MARGIN, CROP_LEAST))
    high = min(picture.height, max(height + 2 * CROP_MARGIN, round(wide * 0.4)), round(wide * 0.9))
    left = _within(x + width / 2 - wide / 2, picture.width - wide)
    top = _within(
        min(y - CROP_MARGIN, y + height / 2 - high / 2) if height < high else y - CROP_MARGIN, picture.height - high
    )
    return Crop(picture, f"{left} {top} {wide} {high}", x, y, width, height)


def _within(start: float, most: int) -> int:
    return max(0, min(round(start), most))
