"""Writes a task spec as plain JSON in the names of its format; what has its default is left out."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from evidence_app.spec.parse import LIMITS, TEXTS
from evidence_app.spec.shapes import CaptureSpec, FieldSpec, Milestone, TaskSpec
from recipes_app.engine.digest import canonical_json

LISTS = ("keywords", "required_fields", "required_artifacts", "allowed_hosts")
PLAIN = ("start_url", "expected_items_field", *TEXTS)


def dump_spec(spec: TaskSpec) -> dict[str, Any]:
    """parse_spec(dump_spec(spec)) == spec."""
    data: dict[str, Any] = {"task_id": spec.task_id, "phase": spec.phase, "goal": spec.goal}
    data |= {name: getattr(spec, name) for name in PLAIN if getattr(spec, name)}
    data |= {name: list(getattr(spec, name)) for name in LISTS if getattr(spec, name)}
    data |= {name: getattr(spec, name) for name, (_, _, usual) in LIMITS.items() if getattr(spec, name) != usual}
    data |= {name: getattr(spec, name) for name in ("pagination", "stop_condition") if getattr(spec, name) is not None}
    if spec.output:
        data["output_schema"] = {each.name: each.declared for each in spec.output}
    if spec.input_schema:
        data["input_schema"] = dict(spec.input_schema)
    if spec.judgment:
        data |= {"judgment_required": True, "judgment_question": spec.judgment.question}
        data["judgment_output_schema"] = {each.name: each.declared for each in spec.judgment.fields}
    if spec.milestones:
        data["milestones"] = [_milestone(each) for each in spec.milestones]
    if spec.capture != CaptureSpec():
        data["capture"] = asdict(spec.capture)
    return data


def spec_digest(spec: TaskSpec) -> str:
    return "sha256:" + hashlib.sha256(canonical_json(dump_spec(spec))).hexdigest()


def declared_type(field: FieldSpec) -> str:
    """The type in a few words, for prompts and pages."""
    words = field.type
    if field.type == "list" and field.items:
        words = f"list of {declared_type(field.items)}"
    if field.type == "object" and field.fields:
        words = "object {" + ", ".join(f"{each.name}: {declared_type(each)}" for each in field.fields) + "}"
    if field.choices:
        words = "one of " + ", ".join(f"“{choice}”" for choice in field.choices)
    return f"{words} or null" if field.nullable else words


def _milestone(milestone: Milestone) -> dict[str, Any]:
    data: dict[str, Any] = {"id": milestone.id}
    if milestone.description:
        data["description"] = milestone.description
    return data if milestone.required else {**data, "required": False}
