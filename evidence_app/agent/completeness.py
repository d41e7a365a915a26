"""Whether a task is done: machine-checked when the agent says so, and again at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence_app.spec.dump import declared_type
from evidence_app.spec.samples import safe_name
from evidence_app.spec.shapes import FieldSpec, TaskSpec
from evidence_app.spec.values import check_value, is_empty

ANSWERS = ("yes", "no", "inconclusive")


@dataclass(frozen=True, slots=True)
class Reason:
    """`code` for programs (see CODES), `text` for people and for the agent."""

    code: str
    text: str

    def as_dict(self) -> dict[str, str]:
        return {"code": self.code, "text": self.text}


CODES = {
    "missing_field": "a required field is missing or empty",
    "wrong_type": "a field is not of its type",
    "missing_artifact": "a required artifact was not captured",
    "too_few_items": "fewer items than expected",
    "missing_milestone": "a milestone was not reached",
    "judgment_incomplete": "the judgment is missing or incomplete",
    "inconclusive": "the judgment is inconclusive",
    "not_grounded": "a value was not found on any page that was captured",
    "stopped": "it ended before the agent was done",
    "capture_flawed": "a capture that the result rests on does not show all of its page",
}


@dataclass(frozen=True, slots=True)
class Collected:
    """What there is when the check is made. `artifacts` are labels as they were given to the captures."""

    extracted: Mapping[str, Any]
    judgment: Mapping[str, Any] | None = None
    artifacts: frozenset[str] = frozenset()
    milestones: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict:
    """`extracted` holds the values made to fit their types; `reasons` why it is not complete, none where it is."""

    extracted: Mapping[str, Any]
    reasons: tuple[Reason, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)  # by name of a field

    @property
    def complete(self) -> bool:
        return not self.reasons

    @property
    def only_few(self) -> bool:
        """Everything is there but as many items as were expected."""
        return bool(self.reasons) and all(reason.code == "too_few_items" for reason in self.reasons)


def check_done(spec: TaskSpec, collected: Collected) -> Verdict:
    extracted = dict(collected.extracted)
    problems: dict[str, str] = {}
    for each in spec.output:
        if each.name in extracted:
            checked = check_value(extracted[each.name], each)
            extracted[each.name] = checked.value
            if checked.problem:
                problems[each.name] = checked.problem
    reasons = [
        *_missing_fields(spec, extracted),
        *_wrong_types(spec, extracted, problems),
        *_missing_artifacts(spec.required_artifacts, collected.artifacts),
        *_too_few(spec, extracted),
        *_missing_milestones(spec, collected.milestones),
        *check_judgment(spec, collected.judgment),
    ]
    return Verdict(extracted, tuple(reasons), problems)


def check_judgment(spec: TaskSpec, judgment: Mapping[str, Any] | None) -> list[Reason]:
    """Complete: an answer of yes, no or inconclusive, a confidence of 0 to 1, a reasoning, and what it rests on."""
    if spec.judgment is None:
        return []
    said, lacks = judgment or {}, []
    if said.get("answer") not in ANSWERS:
        lacks.append("answer (yes, no or inconclusive)")
    confidence = said.get("confidence")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        lacks.append("confidence (0 to 1)")
    if is_empty(said.get("reasoning")):
        lacks.append("reasoning")
    if not isinstance(said.get("references"), list) or not said["references"]:
        lacks.append("references (the artifacts, fields or pages it rests on)")
    lacks += [f"{each.name} ({declared_type(each)})" for each in spec.judgment.fields if _lacks(each, said)]
    return [Reason("judgment_incomplete", f"The judgment lacks {', '.join(lacks)}.")] if lacks else []


def artifact_matches(label: str, wanted: str) -> bool:
    """By the whole label, as it is or as it stands in a file name; never by a part of it."""
    return label == wanted or safe_name(label).lower() == safe_name(wanted).lower()


def _lacks(each: FieldSpec, said: Mapping[str, Any]) -> bool:
    if each.name not in said:
        return not each.nullable
    return bool(check_value(said[each.name], each).problem)


def _missing_fields(spec: TaskSpec, extracted: Mapping[str, Any]) -> list[Reason]:
    empty = [name for name in spec.required_fields if is_empty(extracted.get(name))]
    return [Reason("missing_field", f"The required field {name} is missing or empty.") for name in empty]


def _wrong_types(spec: TaskSpec, extracted: Mapping[str, Any], problems: Mapping[str, str]) -> list[Reason]:
    """A field that was reported as missing is not reported again for being null."""
    wrong = []
    for each in spec.output:
        if each.name in problems and not (each.name in spec.required_fields and is_empty(extracted.get(each.name))):
            text = f"The field {each.name} {problems[each.name]}; it has to be {declared_type(each)}."
            wrong.append(Reason("wrong_type", text))
    return wrong


def _missing_artifacts(wanted: Sequence[str], labels: Iterable[str]) -> list[Reason]:
    there = tuple(labels)
    missing = [each for each in wanted if not any(artifact_matches(label, each) for label in there)]
    return [Reason("missing_artifact", f"The required artifact {each!r} was not captured.") for each in missing]


def _too_few(spec: TaskSpec, extracted: Mapping[str, Any]) -> list[Reason]:
    counted = spec.counted_field
    if not spec.expected_items or counted is None:
        return []
    items = extracted.get(counted.name)
    count = len(items) if isinstance(items, list) else 0
    if count >= spec.expected_items:
        return []
    return [Reason("too_few_items", f"{counted.name} has {count} of {spec.expected_items} expected items.")]


def _missing_milestones(spec: TaskSpec, reached: frozenset[str]) -> list[Reason]:
    missing = [each.id for each in spec.milestones if each.required and each.id not in reached]
    return [Reason("missing_milestone", f"The milestone {each!r} was not marked as reached.") for each in missing]
