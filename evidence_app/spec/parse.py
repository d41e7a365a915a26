"""Reads a task spec from plain JSON and refuses with the path of the wrong field. Files of the first format load."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from evidence_app.spec.fields import parse_fields
from evidence_app.spec.shapes import OVERLAYS, PHASES, CaptureSpec, FieldSpec, Judgment, Milestone, TaskSpec
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.reader import (
    as_boolean,
    as_choice,
    as_integer,
    as_list,
    as_object,
    as_text,
    did_you_mean,
    join,
)

TEXTS = ("title", "system_prompt", "auth_profile", "session", "control", "period")
JUDGMENT_KEYS = ("judgment_required", "judgment_question", "judgment_output_schema")
ALIASES = {"checkpoints": "milestones", "allowed_domains": "allowed_hosts"}
# name: lowest, highest, default
LIMITS = {
    "max_steps": (1, 1000, 25),
    "max_time_seconds": (0, 86_400, 0),
    "expected_items": (0, 100_000, 0),
    "max_consecutive_network_errors": (1, 100, 5),
    "retention_days": (0, 36_500, 0),
}
KNOWN = frozenset(
    {"task_id", "goal", "phase", "start_url", "keywords", "output_schema", "required_fields", "required_artifacts"}
    | {"expected_items_field", "pagination", "stop_condition", "input_schema", "milestones", "allowed_hosts", "capture"}
    | {*TEXTS, *JUDGMENT_KEYS, *ALIASES, *LIMITS}
)
TASK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
HOST = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?")
CAPTURE_FLAGS = ("text", "viewport", "mhtml", "pdf")


def parse_spec(data: object) -> TaskSpec:
    """DocumentError names the field; whatever it does not know it refuses."""
    said = _with_known_names(as_object(data, ""))
    spec = TaskSpec(
        task_id=_task_id(said),
        goal=as_text(_needed(said, "goal"), "goal"),
        phase=as_choice(said.get("phase") or "execution", "phase", PHASES),
        start_url=_url(said.get("start_url") or "", "start_url"),
        keywords=_texts(said, "keywords"),
        output=parse_fields(said.get("output_schema") or {}, "output_schema"),
        required_fields=_texts(said, "required_fields"),
        required_artifacts=_texts(said, "required_artifacts"),
        expected_items_field=as_text(said.get("expected_items_field") or "", "expected_items_field", empty=True),
        judgment=_judgment(said),
        pagination=_words(said.get("pagination"), "pagination"),
        stop_condition=_words(said.get("stop_condition"), "stop_condition"),
        input_schema=as_object(said.get("input_schema") or {}, "input_schema"),
        milestones=_milestones(said.get("milestones") or []),
        allowed_hosts=tuple(
            _host(host, f"allowed_hosts[{at}]") for at, host in enumerate(_texts(said, "allowed_hosts"))
        ),
        capture=_capture(said.get("capture") or {}),
        **_plain_texts(said),
        **_numbers(said),
    )
    _refuse_contradictions(spec)
    return spec


def _plain_texts(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: as_text(said.get(name) or "", name, empty=True) for name in TEXTS}


def _numbers(said: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {}
    for name, (low, high, usual) in LIMITS.items():
        value = said.get(name)
        numbers[name] = usual if value is None else as_integer(value, name, low=low, high=high)
    return numbers


def _with_known_names(said: dict[str, Any]) -> dict[str, Any]:
    for name in said:
        if name not in KNOWN:
            raise DocumentError(name, f"unknown field{did_you_mean(name, KNOWN)}")
    for alias, name in ALIASES.items():
        if alias in said and name in said:
            raise DocumentError(alias, f"stands for {name}, which is there too")
    return {ALIASES.get(name, name): value for name, value in said.items()}


def _needed(said: Mapping[str, Any], name: str) -> object:
    if name not in said:
        raise DocumentError(name, "is missing")
    return said[name]


def _task_id(said: Mapping[str, Any]) -> str:
    task_id = as_text(_needed(said, "task_id"), "task_id")
    if not TASK_ID.fullmatch(task_id):
        raise DocumentError("task_id", "letters, digits, dots, dashes and underscores only, 80 at most")
    return task_id


def _texts(said: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = as_list(said.get(name) or [], name)
    texts = tuple(as_text(value, f"{name}[{at}]").strip() for at, value in enumerate(values))
    for at, text in enumerate(texts):
        if not text:
            raise DocumentError(f"{name}[{at}]", "must not be empty")
        if text in texts[:at]:
            raise DocumentError(f"{name}[{at}]", f"{text[:60]!r} stands there twice")
    return texts


def _url(value: object, path: str) -> str:
    url = as_text(value, path, empty=True, limit=2000).strip()
    if url and "{{" not in url and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
        raise DocumentError(path, "must be an http or https address")
    return url


def _host(host: str, path: str) -> str:
    if not HOST.fullmatch(host.lower()):
        raise DocumentError(path, f"{host[:80]!r} is no host; write it like docs.example.com or *.example.com")
    return host.lower()


def _words(value: object, path: str) -> object:
    """Null, true or false, a sentence, or an object: words for the agent, in the form the file has them."""
    if value is None or isinstance(value, bool):
        return value
    return as_object(value, path) if isinstance(value, dict) else as_text(value, path, empty=True)


def _judgment(said: Mapping[str, Any]) -> Judgment | None:
    required = as_boolean(said.get("judgment_required") or False, "judgment_required")
    question = as_text(said.get("judgment_question") or "", "judgment_question", empty=True)
    fields = parse_fields(said.get("judgment_output_schema") or {}, "judgment_output_schema")
    if not required:
        return None
    if not question:
        raise DocumentError("judgment_question", "a judgment is required, so it needs its question")
    return Judgment(question, fields)


def _milestones(value: object) -> tuple[Milestone, ...]:
    found: list[Milestone] = []
    for at, item in enumerate(as_list(value, "milestones")):
        path = f"milestones[{at}]"
        milestone = _milestone(item, path)
        if milestone.id in {each.id for each in found}:
            raise DocumentError(path, f"{milestone.id[:60]!r} stands there twice")
        found.append(milestone)
    return tuple(found)


def _milestone(item: object, path: str) -> Milestone:
    if isinstance(item, str):
        return Milestone(as_text(item.strip(), path, limit=120))
    said = as_object(item, path)
    names = {"id", "name", "description", "required"}
    for key in said:
        if key not in names:
            raise DocumentError(join(path, key), f"unknown field{did_you_mean(key, names)}")
    return Milestone(
        as_text(said.get("id", said.get("name")), join(path, "id"), limit=120),
        as_text(said.get("description", ""), join(path, "description"), empty=True),
        as_boolean(said.get("required", True), join(path, "required")),
    )


def _capture(value: object) -> CaptureSpec:
    said, usual = as_object(value, "capture"), CaptureSpec()
    names = {*CAPTURE_FLAGS, "overlays"}
    for key in said:
        if key not in names:
            raise DocumentError(f"capture.{key}", f"unknown field{did_you_mean(key, names)}")
    flags = {name: as_boolean(said.get(name, getattr(usual, name)), f"capture.{name}") for name in CAPTURE_FLAGS}
    return CaptureSpec(**flags, overlays=as_choice(said.get("overlays", usual.overlays), "capture.overlays", OVERLAYS))


def _refuse_contradictions(spec: TaskSpec) -> None:
    names = [each.name for each in spec.output]
    for at, name in enumerate(spec.required_fields):
        if names and name not in names:
            raise DocumentError(
                f"required_fields[{at}]", f"{name!r} is not in output_schema{did_you_mean(name, names)}"
            )
    if spec.expected_items_field and not _is_list(spec.field_named(spec.expected_items_field)):
        raise DocumentError("expected_items_field", f"{spec.expected_items_field!r} is no list in output_schema")


def _is_list(field: FieldSpec | None) -> bool:
    return field is not None and field.type in ("list", "any")
