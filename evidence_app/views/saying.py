"""A task spec in words, for people who read before they run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from evidence_app.spec.dump import declared_type
from evidence_app.spec.shapes import FieldSpec, TaskSpec

WORDS = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "yes or no",
    "url": "address",
    "any": "anything",
}
TYPE = re.compile(r"“[^”]*”|[\w]+")


@dataclass(frozen=True, slots=True)
class SaidField:
    name: str
    type: str
    required: bool
    about: str


@dataclass(frozen=True, slots=True)
class SaidSpec:
    """`limits` and `more` are lines of (what, value)."""

    fields: tuple[SaidField, ...]
    judgment: tuple[SaidField, ...]
    limits: tuple[tuple[str, str], ...]
    more: tuple[tuple[str, str], ...]


def spec_said(spec: TaskSpec) -> SaidSpec:
    fields = tuple(
        SaidField(each.name, type_said(each), each.name in spec.required_fields, _about(each.description, each.pattern))
        for each in spec.output
    )
    judged = spec.judgment.fields if spec.judgment else ()
    judgment = tuple(SaidField(each.name, type_said(each), False, each.description) for each in judged)
    return SaidSpec(fields, judgment, tuple(_limits(spec)), tuple(_more(spec)))


def type_said(field: FieldSpec) -> str:
    """For a reader; what is quoted is a choice, and stays."""
    return TYPE.sub(lambda found: WORDS.get(found[0], found[0]), declared_type(field))


def _about(description: str, pattern: str) -> str:
    return "; ".join(part for part in (description, f"matches {pattern}" if pattern else "") if part)


def _limits(spec: TaskSpec) -> list[tuple[str, str]]:
    time = f"{spec.max_time_seconds} seconds" if spec.max_time_seconds else "the limit of this installation"
    lines = [("Steps", f"at most {spec.max_steps}"), ("Time", time)]
    if spec.expected_items:
        counted = spec.counted_field
        lines.append(("Items", f"{spec.expected_items} expected in {counted.name if counted else 'its list'}"))
    lines.append(("Network faults", f"at most {spec.max_consecutive_network_errors} one after the other"))
    if spec.retention_days:
        lines.append(("Kept for", f"{spec.retention_days} days"))
    return lines


def _more(spec: TaskSpec) -> list[tuple[str, str]]:
    kept = [name for name in ("text", "viewport", "mhtml", "pdf") if getattr(spec.capture, name)]
    overlays = "closed before a picture" if spec.capture.overlays == "dismiss" else "kept as they are"
    lines = [
        ("Control", spec.control),
        ("Period", spec.period),
        ("Session", spec.session),
        ("Sign-in file", spec.auth_profile),
        ("Other hosts", ", ".join(spec.allowed_hosts)),
        ("Keywords", ", ".join(spec.keywords)),
        ("Going on to further pages", _words(spec.pagination)),
        ("Stops when", _words(spec.stop_condition)),
        ("Columns samples need", ", ".join(spec.input_schema)),
        ("Each capture keeps", ", ".join(["the full page", *kept])),
        ("Banners over the page", overlays),
    ]
    return [(what, value) for what, value in lines if value]


def _words(value: Any) -> str:
    if value is None or value is False:
        return ""
    return "yes" if value is True else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
