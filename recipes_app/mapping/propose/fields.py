"""Form fields become parameters: a name, a JSON Schema, values to try, and the step that fills the field."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.engine.document import Step, Target
from recipes_app.engine.naming import without_access_key
from recipes_app.engine.patterns import BadPattern, read_pattern
from recipes_app.mapping.facts import Choice, FieldFacts, FormFacts, FrameFacts
from recipes_app.mapping.propose.examples import Values, date_values, file_values, is_whole, number_values, text_values
from recipes_app.mapping.propose.targets import field_target
from recipes_app.mapping.propose.words import LEADING, is_secret, snake

MAX_PARAMETERS = 25
MAX_ENUM = 100
MIN_CHOICES = 2
# So many checkboxes that say the same stand in rows.
MIN_TICKS = 3
DATES = {"date": "date", "datetime-local": "date-time", "month": None, "week": None, "time": None}
TEXT_FORMATS = {"email": "email", "url": "uri"}


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    schema: dict[str, Any]
    values: Values
    required: bool
    step: Step
    field: FieldFacts

    @property
    def is_text(self) -> bool:
        return self.step.op == "type" and self.schema.get("type") == "string"


def params_of(form: FormFacts) -> tuple[Param, ...]:
    """The parameters of a form's fields, names unique, at most MAX_PARAMETERS (required ones first)."""
    made = [_param(group, form.frames) for group in _grouped(_without_ticks(form.fields))]
    params = [param for param in made if param is not None]
    if len(params) > MAX_PARAMETERS:
        wanted = sorted(params, key=lambda param: not param.required)[:MAX_PARAMETERS]
        params = [param for param in params if param in wanted]
    return tuple(_named_apart(params))


def _without_ticks(fields: tuple[FieldFacts, ...]) -> list[FieldFacts]:
    """Without the checkboxes that pick rows: they say the same, and mean today's rows."""
    counts = Counter(field.name for field in fields if field.type == "checkbox")
    kept = [field for field in fields if field.type != "checkbox" or counts[field.name] < MIN_TICKS or not field.name]
    return kept if len(kept) == len(fields) else [field for field in kept if field.type != "checkbox"]


def _grouped(fields: Iterable[FieldFacts]) -> list[list[FieldFacts]]:
    """Radio buttons of one name are one choice; everything else stands alone. What cannot be filled is left out."""
    groups: dict[str, list[FieldFacts]] = {}
    for index, field in enumerate(fields):
        if field.disabled or field.read_only or field.type in {"hidden", "image", "submit", "button", "reset"}:
            continue
        shared = field.type == "radio" and field.attribute_name
        groups.setdefault(f"radio:{field.attribute_name}" if shared else str(index), []).append(field)
    return list(groups.values())


def _named_apart(params: list[Param]) -> Iterable[Param]:
    taken: set[str] = set()
    for param in params:
        name, number = param.name, 2
        if name in taken and param.field.group:
            name = snake(f"{param.field.group} {name}")
        while name in taken:
            name, number = f"{param.name}_{number}", number + 1
        taken.add(name)
        yield param if name == param.name else renamed(param, name)


def renamed(param: Param, name: str) -> Param:
    fields = {key: f"{{{{{name}}}}}" if isinstance(value, str) and value == f"{{{{{param.name}}}}}" else value
              for key, value in param.step.fields.items()}  # fmt: skip
    return replace(param, name=name, step=replace(param.step, fields=fields))


def _param(group: list[FieldFacts], frames: tuple[FrameFacts, ...]) -> Param | None:
    field = group[0]
    if field.type == "radio":
        return _radio(group, frames)
    if field.type in {"select", "listbox", "combobox"} and field.tag not in {"input", "textarea"}:
        return _select(field, frames)
    made = BY_TYPE.get("date" if field.type in DATES else field.type)
    return made(field, frames) if made else _typed(field, frames)


def _build(
    field: FieldFacts, op: str, value_field: str, schema: dict[str, Any], values: Values, target: Target
) -> Param:
    name = param_name(field)
    step = Step(op, {"target": target, value_field: f"{{{{{name}}}}}"})
    described = {**schema, "description": _described(field)} if _described(field) else schema
    preset = "default" in schema or (field.type not in {"radio", "checkbox"} and bool(field.default))
    return Param(name, described, values, field.required and not preset, step, field)


def param_name(field: FieldFacts) -> str:
    """From the words people see, where they are few; else from the field's own name."""
    shown = field.label or field.beside
    words = field.group if field.type == "radio" else shown or field.placeholder or field.title
    seen = _without_leading(snake(without_access_key(words).split("(")[0].split(":")[0]))
    given = snake(field.attribute_name.replace("[]", "").split("[")[-1].rstrip("]"))
    if field.type == "checkbox" and field.value not in {"", "on", "yes", "1", "true"} and not field.label:
        given = snake(f"{given} {field.value}")
    if seen and len(seen.split("_")) <= 3 and not seen[0].isdigit() and "example" not in seen and shown:
        return seen
    plain = given if given and not given[0].isdigit() else ""
    return plain or "_".join(seen.split("_")[:4]).lstrip("0123456789_") or snake(field.element_id) or "value"


def _without_leading(name: str) -> str:
    words = name.split("_")
    while len(words) > 1 and words[0] in LEADING:
        words = words[1:]
    return "_".join(words)


def _described(field: FieldFacts) -> str:
    given = (field.group if field.type == "radio" else field.name, field.beside, field.placeholder)
    said = map(without_access_key, given)
    words = next((text for text in said if re.search(r"[^\W\d_]{2}", text)), "")
    more = (f"({field.help})" if field.help else "", f"accepts {field.accept}" if field.accept else "")
    return " ".join(part for part in (words.rstrip(" *:"), *more) if part)


def _choices(options: Iterable[Choice]) -> list[Choice]:
    """What may be picked: a disabled or empty "please choose" is no choice."""
    return [option for option in options if not option.disabled and option.value.strip() and option.label]


def offered(options: Iterable[Choice]) -> list[str]:
    """The words people see, unless two say the same or one is another's value: then the values."""
    kept = _choices(options)
    labels = [option.label for option in kept]
    clash = any(a.label == b.value for a in kept for b in kept if a is not b)
    return [option.value for option in kept] if clash or len(set(labels)) < len(labels) else labels


def _enum_values(choices: list[str], default: str | None) -> Values:
    other = [choice for choice in choices if choice != default] or choices
    return Values(other[0], other[1] if len(other) > 1 else next((c for c in choices if c != other[0]), other[0]))


def _select(field: FieldFacts, frames: tuple[FrameFacts, ...]) -> Param | None:
    choices = offered(field.options)
    if len(choices) < MIN_CHOICES:
        return None
    kept = _choices(field.options)
    default = next((choice for option, choice in zip(kept, choices, strict=True) if option.selected), None)
    values = _enum_values(choices, default)
    schema: dict[str, Any] = {"type": "string"}
    if len(choices) <= MAX_ENUM and field.options.__len__() < 300:
        schema["enum"] = choices
    if field.multiple:
        schema = {"type": "array", "items": schema, "uniqueItems": True}
        values = Values([values.first], [values.second])
    elif default:
        schema["default"] = default
    op = "select" if field.tag == "select" else "choose"
    return _build(field, op, "value", schema, values, field_target(field, frames))


def _radio(group: list[FieldFacts], frames: tuple[FrameFacts, ...]) -> Param | None:
    labelled = [field for field in group if field.name]
    if len(labelled) < MIN_CHOICES or len({field.name for field in labelled}) < len(labelled):
        return None
    choices = [field.name for field in labelled]
    default = next((field.name for field in labelled if field.checked), None)
    schema: dict[str, Any] = {"type": "string", "enum": choices, **({"default": default} if default else {})}
    target = field_target(labelled[0], frames)
    return _build(labelled[0], "choose", "value", schema, _enum_values(choices, default), target)


def _checkbox(field: FieldFacts, frames: tuple[FrameFacts, ...]) -> Param | None:
    if not field.name and re.search(r"\d{3,}", field.value):
        # It ticks one entry of today's list, which means nothing tomorrow.
        return None
    values = Values(True, True) if field.required else Values(not field.checked, field.checked)
    schema = {"type": "boolean"} if field.required else {"type": "boolean", "default": field.checked}
    return _build(field, "check", "value", schema, values, field_target(field, frames))


def _date(field: FieldFacts, frames: tuple[FrameFacts, ...]) -> Param:
    kind = DATES[field.type]
    patterns = {"month": r"^\d{4}-\d{2}$", "week": r"^\d{4}-W\d{2}$", "time": r"^\d{2}:\d{2}(:\d{2})?$"}
    schema = {"type": "string", **({"format": kind} if kind == "date" else {})}
    if field.type in patterns:
        schema["pattern"] = patterns[field.type]
    if field.type == "datetime-local":
        schema["pattern"] = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}"
    return _build(field, "set_date", "value", schema, date_values(field), field_target(field, frames))


def _file(field: FieldFacts, frames: tuple[FrameFacts, ...]) -> Param:
    one = {"type": "string", "format": "x-file"}
    schema: dict[str, Any] = {"type": "array", "items": one} if field.multiple else one
    values = file_values(field)
    if field.multiple:
        values = Values([values.first], [values.second])
    return _build(field, "upload", "files", schema, values, field_target(field, frames))


def _typed(field: FieldFacts, frames: tuple[FrameFacts, ...]) -> Param:
    target = field_target(field, frames)
    if field.type in {"number", "range", "slider", "spinbutton"}:
        return _build(field, "type", "text", _number_schema(field), number_values(field), target)
    schema: dict[str, Any] = {"type": "string"}
    if field.type == "password" or (field.type == "text" and is_secret(field.attribute_name, field.label)):
        schema["format"] = "password"
        return _build(field, "type", "text", schema, Values("Example-Passw0rd-1", "Sample-Passw0rd-2"), target)
    if field.type == "color":
        schema["pattern"] = "^#[0-9a-fA-F]{6}$"
        return _build(field, "type", "text", schema, Values("#2a6f97", "#c1666b"), target)
    values = text_values(field)
    limits = {
        "minLength": field.min_length,
        "maxLength": field.max_length,
        "pattern": _whole(field.pattern),
        "format": _format(field),
    }
    schema |= {key: value for key, value in limits.items() if value}
    if field.options:
        values = _suggested(field)
        schema["examples"] = [option.value for option in field.options[:20]]
    if field.default and len(field.default) <= 200:
        schema["default"] = field.default
    param = _build(field, "type", "text", schema, values, target)
    if field.popup:
        return replace(param, step=replace(param.step, fields={**param.step.fields, "keys": True}))
    return param


def _suggested(field: FieldFacts) -> Values:
    offers = [option.value for option in field.options if option.value] or ["example"]
    return Values(offers[0], offers[1] if len(offers) > 1 else offers[0])


def _whole(pattern: str) -> str:
    """As JSON Schema has it; "" for one that cannot be matched safely: then the site alone checks the value."""
    try:
        read_pattern(f"^(?:{pattern})$")
    except BadPattern:
        return ""
    return f"^(?:{pattern})$" if pattern else ""


def _format(field: FieldFacts) -> str:
    if field.type in TEXT_FORMATS:
        return TEXT_FORMATS[field.type]
    return "email" if field.autocomplete == "email" else ""


def _number_schema(field: FieldFacts) -> dict[str, Any]:
    whole = is_whole(field)
    schema: dict[str, Any] = {"type": "integer" if whole else "number"}
    for key, text in (("minimum", field.minimum), ("maximum", field.maximum), ("default", field.default)):
        try:
            schema |= {key: int(text) if whole else float(text)} if text else {}
        except ValueError:
            continue
    return schema


BY_TYPE: dict[str, Callable[[FieldFacts, tuple[FrameFacts, ...]], Param | None]] = {
    "checkbox": _checkbox,
    "switch": _checkbox,
    "date": _date,
    "file": _file,
}
