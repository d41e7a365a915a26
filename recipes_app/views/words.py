"""Recipes and schemas put into words and rows for pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from recipes_app.engine.document import DocumentError, Step, expect_words, parse_step, step_sentence
from recipes_app.engine.parameters import secret_names
from recipes_app.models import JobPicture, Proposal

CROP_MARGIN, CROP_LEAST = 48, 560


@dataclass(frozen=True)
class SaidStep:
    """One step for a reader; `inner` are the steps of its branches."""

    op: str
    sentence: str
    note: str
    then: str
    inner: tuple["SaidStep", ...] = ()


def say_steps(steps: Iterable[Any], version: int = 2) -> list[SaidStep]:
    """Steps as stored, in this version of the format; one that does not parse says so, and hides no other."""
    return [say_one(step, version) for step in steps]


def say_one(data: Any, version: int) -> SaidStep:
    try:
        return say_parsed(parse_step(data, format=version))
    except DocumentError as error:
        return SaidStep("?", f"A step that cannot be read: {error}", "", "")


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
            tuple(field.get("enum", ())),
        )
        for name, field in schema.get("properties", {}).items()
    ]


def type_in_words(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return "one of"
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(map(str, kind))
    if kind == "array":
        return f"list of {type_in_words(schema.get('items', {}))}"
    return str(schema.get("format", kind))


def returns_in_words(schema: dict[str, Any] | None) -> str:
    """`list of {name, price}`, as deep as a reader needs."""
    if not schema:
        return "whatever the page shows"
    properties = schema.get("properties")
    if properties:
        parts = [f"{name}: {_shape(field)}" for name, field in properties.items()]
        return ", ".join(parts)
    return _shape(schema)


def _shape(schema: dict[str, Any]) -> str:
    if schema.get("type") == "array":
        return f"list of {_shape(schema.get('items', {}))}"
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
