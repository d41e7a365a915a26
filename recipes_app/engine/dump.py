"""The document back as plain JSON, defaults left out: parse(dump(x)) == x."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recipes_app.engine.shapes import (
    GROUP_KINDS,
    Branch,
    Column,
    Condition,
    DialogRule,
    Expect,
    ExtractField,
    Fingerprint,
    FrameRef,
    Locator,
    Offset,
    Recipe,
    Registry,
    Step,
    Target,
)


def given(**values: Any) -> dict[str, Any]:
    """Only what is not None, False, empty or missing."""
    return {key: value for key, value in values.items() if value is not None and value is not False and value != []}


def dump_registry(registry: Registry) -> dict[str, Any]:
    head: dict[str, Any] = {} if registry.format == 1 else {"format": registry.format}
    head |= {"site": registry.site, "base_url": registry.base_url}
    if registry.mapped_at:
        head["mapped_at"] = registry.mapped_at
    head["tools"] = [dump_recipe(tool) for tool in registry.tools]
    return head | given(auth=None if registry.auth is None else dict(registry.auth))


def dump_recipe(recipe: Recipe) -> dict[str, Any]:
    return {
        "name": recipe.name,
        **({"description": recipe.description} if recipe.description else {}),
        "parameters": dict(recipe.parameters),
        **given(returns=None if recipe.returns is None else dict(recipe.returns)),
        "side_effect": recipe.side_effect,
        "steps": [dump_step(step) for step in recipe.steps],
    }


def dump_step(step: Step) -> dict[str, Any]:
    plain: dict[str, Any] = {"op": step.op}
    for name, value in step.fields.items():
        if step.op == "verify" and isinstance(value, Condition):
            plain |= dump_condition(value)
        else:
            plain[name] = dump_value(value)
    if step.optional:
        plain["optional"] = True
    if step.timeout_ms is not None:
        plain["timeout_ms"] = step.timeout_ms
    if step.note:
        plain["note"] = step.note
    return plain | given(expect=step.expect and dump_expect(step.expect))


def dump_target(target: Target) -> dict[str, Any]:
    return given(
        role=target.role,
        name=target.name,
        css=target.css,
        text=target.text,
        locators=[dump_locator(locator) for locator in target.locators],
        within=target.within and dump_target(target.within),
        frames=[dump_frame(frame) for frame in target.frames],
        page=target.page,
        fingerprint=target.fingerprint and dump_fingerprint(target.fingerprint),
        nth=target.nth_argument,
    ) | ({} if target.nth is None else {"nth": target.nth})


def dump_locator(locator: Locator) -> dict[str, Any]:
    return given(**{locator.kind: locator.value}, name=locator.name) | ({} if locator.exact else {"exact": False})


def dump_frame(frame: FrameRef) -> dict[str, Any]:
    return given(name=frame.name, title=frame.title, src=frame.src)


def dump_fingerprint(fingerprint: Fingerprint) -> dict[str, Any]:
    return given(
        tag=fingerprint.tag,
        role=fingerprint.role,
        name=fingerprint.name,
        attributes=dict(fingerprint.attributes) or None,
        landmark=fingerprint.landmark,
        near=fingerprint.near,
        frame=fingerprint.frame,
    ) | ({} if fingerprint.peers is None else {"peers": fingerprint.peers})


def dump_condition(condition: Condition) -> dict[str, Any]:
    if condition.kind in GROUP_KINDS:
        parts: Any = [dump_condition(part) for part in condition.parts]
        plain: dict[str, Any] = {condition.kind: parts[0] if condition.kind == "not" else parts}
    else:
        plain = {"kind": condition.kind} | given(
            value=condition.value,
            case_insensitive=condition.case_insensitive,
            target=condition.target and dump_target(condition.target),
        )
    return plain | ({} if condition.timeout_ms is None else {"timeout_ms": condition.timeout_ms})


def dump_expect(expect: Expect) -> dict[str, Any]:
    plain = dump_condition(expect.condition) if expect.condition else {}
    return plain | given(
        appears=expect.appears and dump_target(expect.appears),
        disappears=expect.disappears and dump_target(expect.disappears),
        url=expect.url,
        page_opened=expect.page_opened,
        download=expect.download,
        dialog=expect.dialog and dump_dialog(expect.dialog),
    )


def dump_dialog(rule: DialogRule) -> dict[str, Any]:
    return given(type=rule.type, message=rule.message, answer=rule.answer, text=rule.text)


def dump_extract_field(field: ExtractField) -> dict[str, Any]:
    return given(
        css=field.css,
        role=field.role,
        name=field.name,
        text=field.text,
        attr=None if field.attr == "text" else field.attr,
        type=None if field.type == "string" else field.type,
        fields={name: dump_extract_field(inner) for name, inner in field.fields.items()} or None,
    )


def dump_column(column: Column) -> dict[str, Any]:
    return given(header=column.header, type=None if column.type == "string" else column.type)


def dump_branch(branch: Branch) -> dict[str, Any]:
    return {"check": dump_condition(branch.check), "then": [dump_step(step) for step in branch.then]}


def dump_offset(offset: Offset) -> dict[str, Any]:
    return {"x": offset.x_argument or offset.x, "y": offset.y_argument or offset.y}


DUMPERS: dict[type, Callable[[Any], Any]] = {
    Target: dump_target,
    Condition: dump_condition,
    Step: dump_step,
    Branch: dump_branch,
    ExtractField: dump_extract_field,
    Column: dump_column,
    Offset: dump_offset,
}


def dump_value(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [dump_value(entry) for entry in value]
    if isinstance(value, dict):
        return {key: dump_value(entry) for key, entry in value.items()}
    dumper = DUMPERS.get(type(value))
    return dumper(value) if dumper else value
