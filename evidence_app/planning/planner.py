"""From a sentence to a task spec and its samples, or to a page where the samples are found first. One question."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence_app.spec.parse import parse_spec
from evidence_app.spec.samples import SampleInput, SamplesRefused, from_items
from evidence_app.spec.shapes import TaskSpec
from recipes_app.engine.errors import DocumentError
from recipes_app.llm.base import Answer, Asks, Message, Request

TOKENS = 4096
MAX_SENTENCE = 8000
ADDRESS = re.compile(r"https?://[^\s\"'<>)\]]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b(?::\d+)?", re.IGNORECASE)
RULES = """You plan audit tasks for a browser agent that reads web pages and keeps pictures of them as evidence.
From the request make one task spec, and the samples (one per page or item to look at) if the request names them.
If the samples have to be found on a list page first, give discovery_url instead and leave samples empty.
Use only addresses that the request names, or that plainly follow from it. Do not invent ids.
Types of fields: string, integer, number, boolean, date, url, list[string], list[object], each with " | null" where it
may be missing. Ask for a judgment only if the request asks a yes-or-no question about each sample.
Name a required artifact (a label such as profile_page) for each picture the request asks for; one at least."""
TEXTS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
SPEC_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "task_id": {"type": "string", "description": "snake_case"},
        "goal": {"type": "string", "description": "what to do for one sample, in two or three sentences"},
        "start_url": {"type": "string"},
        "keywords": TEXTS,
        "output_schema": {
            "type": "object",
            "description": "field name to type",
            "additionalProperties": {"type": "string"},
        },
        "required_fields": TEXTS,
        "required_artifacts": TEXTS,
        "max_steps": {"type": "integer"},
        "expected_items": {"type": "integer", "description": "0 unless a number of rows is asked for"},
        "judgment_required": {"type": "boolean"},
        "judgment_question": {"type": "string"},
    },
    "required": ["task_id", "goal", "output_schema", "required_fields", "required_artifacts"],
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "task_spec": SPEC_SCHEMA,
        "samples": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"sample_id": {"type": "string"}, "url": {"type": "string"}},
                "required": ["sample_id", "url"],
            },
        },
        "discovery_url": {
            "type": "string",
            "description": "where the samples are listed, if they have to be found first",
        },
        "discovery_items": {"type": "string", "description": "which items of that page are the samples"},
    },
    "required": ["task_spec", "samples"],
}
MAX_STEPS = (5, 200, 25)


@dataclass(frozen=True, slots=True)
class Plan:
    """`discovery` is the task that finds the samples, None where the request named them."""

    spec: TaskSpec
    samples: tuple[SampleInput, ...] = ()
    discovery: TaskSpec | None = None
    warnings: tuple[str, ...] = field(default_factory=tuple)


def plan(model: Asks, sentence: str) -> Plan:
    """Raises ModelError; BadAnswer where what came made no task spec, twice."""
    request = Request(
        system=(RULES,),
        messages=(Message("user", sentence.strip()[:MAX_SENTENCE]),),
        answer_schema=SCHEMA,
        max_tokens=TOKENS,
        purpose="planning",
    )
    answer = model.ask(request, check=_check)
    return _plan(answer.data or {}, sentence)


def _check(answer: Answer) -> None:
    """A ValueError goes back to the model, once."""
    _plan(answer.data or {}, "")


def _plan(said: Mapping[str, Any], sentence: str) -> Plan:
    try:
        spec = parse_spec(_spec(said.get("task_spec")))
    except DocumentError as error:
        raise ValueError(f"task_spec.{error}") from error
    discovery_url = str(said.get("discovery_url") or "").strip()
    samples = said.get("samples") or []
    if not samples and not discovery_url:
        raise ValueError("samples are empty, and there is no discovery_url to find them at")
    try:
        read = from_items(samples) if samples else ()
    except SamplesRefused as error:
        raise ValueError(f"samples: {error}") from error
    found = discovery_of(spec, discovery_url, str(said.get("discovery_items") or "")) if not read else None
    return Plan(spec, read, found, tuple(_unnamed(sentence, spec, read, discovery_url)))


def _spec(said: object) -> dict[str, Any]:
    """What a model gives, with what it may leave out or overdo put right; everything else is checked."""
    if not isinstance(said, dict):
        raise DocumentError("", "must be an object")
    kept = {name: value for name, value in said.items() if value not in (None, "", [], {})}
    least, most, usual = MAX_STEPS
    steps = kept.get("max_steps", usual)
    kept["max_steps"] = min(max(steps, least), most) if isinstance(steps, int) else usual
    kept["task_id"] = re.sub(r"[^a-z0-9_]+", "_", str(kept.get("task_id", "")).lower()).strip("_")[:60] or "task"
    if not kept.get("judgment_required"):
        kept.pop("judgment_question", None)
        kept.pop("judgment_required", None)
    kept.setdefault("goal", "")
    return kept


def discovery_of(spec: TaskSpec, url: str, items: str = "") -> TaskSpec:
    """The task that lists the samples of another, paging a list page to its end."""
    what = items or "every item that the goal below is about"
    try:
        return parse_spec(
            {
                "task_id": f"{spec.task_id}_discovery",
                "phase": "discovery",
                "goal": f"List {what}, with the address of each one's own page, on this page and on every following "
                f"page of the list. Leave none out. The goal they are for: {spec.goal}"[:4000],
                "start_url": url,
                "keywords": list(spec.keywords),
                "output_schema": {"items": [{"sample_id": "string", "url": "url | null"}]},
                "required_fields": ["items"],
                "max_steps": 40,
                "pagination": "Follow the list's next pages until there is none.",
                "session": spec.session,
                "allowed_hosts": list(spec.allowed_hosts),
            }
        )
    except DocumentError as error:
        raise ValueError(f"discovery_url: {error.message}") from error


def _unnamed(sentence: str, spec: TaskSpec, samples: tuple[SampleInput, ...], discovery_url: str) -> list[str]:
    """Hosts that the request does not name: a person should look at them before anything runs."""
    if not sentence:
        return []
    named = " ".join(match.lower() for match in ADDRESS.findall(sentence))
    urls = dict.fromkeys(url for url in (spec.start_url, discovery_url, *(each.url for each in samples)) if url)
    hosts = dict.fromkeys(url.split("/")[2].lower() for url in urls if url.count("/") >= 2)
    return [f"{host} is not named in the request." for host in hosts if host.removeprefix("www.") not in named]
