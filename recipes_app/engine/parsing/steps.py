"""Steps, read by the op table."""

from __future__ import annotations

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.conditions import (
    CONDITION_KEYS,
    read_condition,
    read_expect,
    read_timeout,
    take_condition,
)
from recipes_app.engine.parsing.fields import READERS
from recipes_app.engine.parsing.reader import Context, Reader, as_list, as_text, did_you_mean
from recipes_app.engine.shapes import Branch, Condition, Step
from recipes_app.engine.vocabulary import VOCABULARY, Field, OpSpec

# The first Agentify went on when one of these failed, and gave wait_for 8 s of its own.
FORGIVEN_IN_FORMAT_1 = ("scroll", "wait", "wait_for")
WAIT_FOR_MS_IN_FORMAT_1 = 8000


def read_steps(value: object, path: str, context: Context, depth: int) -> tuple[Step, ...]:
    entries = as_list(value, path)
    return tuple(read_step(entry, f"{path}[{index}]", context, depth + 1) for index, entry in enumerate(entries))


def read_step(value: object, path: str, context: Context, depth: int = 0) -> Step:
    context.take_step(path)
    reader = Reader.of(value, path, context, depth)
    spec = read_op(reader)
    fields = read_fields(reader, spec)
    forgiven = context.format == 1 and spec.name in FORGIVEN_IN_FORMAT_1
    expect = reader.take("expect")
    step = Step(
        op=spec.name,
        fields=fields,
        optional=reader.boolean("optional") or forgiven,
        timeout_ms=read_step_timeout(reader, spec),
        note=reader.read("note", lambda item, at: as_text(item, at, empty=True)) or "",
        expect=None if expect is None else read_expect(expect, reader.at("expect"), context, depth + 1),
    )
    reader.finish()
    return step


def read_op(reader: Reader) -> OpSpec:
    op = as_text(reader.take("op", required=True), reader.at("op"))
    if op not in VOCABULARY:
        raise DocumentError(reader.at("op"), f"unknown op {op[:80]}{did_you_mean(op, VOCABULARY)}")
    return VOCABULARY[op]


def read_step_timeout(reader: Reader, spec: OpSpec) -> int | None:
    timeout = read_timeout(reader)
    if reader.context.format == 1 and spec.name == "wait_for":
        old = reader.integer("ms")
        timeout = timeout or old or WAIT_FOR_MS_IN_FORMAT_1
    return timeout


def read_fields(reader: Reader, spec: OpSpec) -> dict[str, object]:
    fields: dict[str, object] = {}
    for field in spec.fields:
        value = read_field(reader, spec, field)
        if value is not None:
            fields[field.name] = value
    if len([name for name in spec.at_most_one if name in fields]) > 1:
        raise DocumentError(reader.path, f"{spec.name} takes only one of {', '.join(spec.at_most_one)}")
    given = [name for name in spec.one_of if name in fields]
    if spec.one_of and len(given) != 1:
        raise DocumentError(reader.path, f"{spec.name} needs exactly one of {', '.join(spec.one_of)}")
    return fields


def read_field(reader: Reader, spec: OpSpec, field: Field) -> object:
    if field.type == "inline_condition":
        return take_inline_condition(reader)
    if field.type in {"steps", "branches"}:
        return read_nested(reader, field)
    if is_old_default(reader, field):
        return "result"
    if is_old_empty(reader, spec, field):
        reader.take(field.name)
        return None
    value = reader.take(field.name, required=field.required)
    return None if value is None else READERS[field.type](value, reader.at(field.name), reader, field)


def is_old_default(reader: Reader, field: Field) -> bool:
    return reader.context.format == 1 and field.type == "key" and not reader.has(field.name)


def is_old_empty(reader: Reader, spec: OpSpec, field: Field) -> bool:
    """In format 1 a press or Enter may carry an empty target: the focused element."""
    if reader.context.format != 1 or field.required or field.type != "target":
        return False
    value = reader.data.get(field.name)
    return spec.name in {"press", "press_enter"} and isinstance(value, dict) and not any(value.values())


def take_inline_condition(reader: Reader) -> Condition:
    """The condition's fields stand beside `op`; its timeout is the step's."""
    own = {key: value for key, value in reader.data.items() if key in CONDITION_KEYS and key != "timeout_ms"}
    inner = Reader(own, reader.path, reader.context, reader.depth)
    condition = take_condition(inner)
    inner.finish()
    reader.also_known(CONDITION_KEYS)
    return condition


def read_nested(reader: Reader, field: Field) -> object:
    value = reader.take(field.name, required=field.required and reader.context.format != 1)
    if value is None:
        return () if field.required else None
    path = reader.at(field.name)
    if field.type == "steps":
        steps = read_steps(value, path, reader.context, reader.depth + 1)
        if field.name == "steps" and not steps:
            raise DocumentError(path, "must hold at least one step")
        return steps
    return tuple(read_branch(entry, f"{path}[{index}]", reader) for index, entry in enumerate(as_list(value, path)))


def read_branch(value: object, path: str, parent: Reader) -> Branch:
    reader = Reader.of(value, path, parent.context, parent.depth + 1)
    check = read_condition(reader.take("check", required=True), reader.at("check"), reader.context, reader.depth + 1)
    then = read_steps(reader.take("then", required=True), reader.at("then"), reader.context, reader.depth + 1)
    reader.finish()
    return Branch(check, then)
