"""Words, shapes and values of evidence for its pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evidence_app.models import ActionEntry
from evidence_app.models.evidence import ActionState, Grounding
from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services import confidential
from recipes_app.templatetags.agentify import icon
from recipes_app.views.words import say_one

register = template.Library()

# state -> (icon, tone, words)
LOOKS: dict[str, tuple[str, str, str]] = {
    RunStatus.PLANNING: ("turning", "busy", "Planning"),
    RunStatus.DRAFT: ("waiting", "warn", "To be confirmed"),
    SampleStatus.QUEUED: ("waiting", "", "Waiting"),
    SampleStatus.RUNNING: ("turning", "busy", "Running"),
    SampleStatus.DONE: ("tick", "ok", "Done"),
    SampleStatus.PARTIAL: ("wave", "warn", "Partly done"),
    SampleStatus.REVIEW: ("read", "warn", "Needs review"),
    SampleStatus.FAILED: ("cross", "bad", "Failed"),
    SampleStatus.ERRORED: ("alert", "bad", "Broke (a bug)"),
    SampleStatus.CANCELLED: ("stopped", "", "Cancelled"),
    SampleStatus.INTERRUPTED: ("paused", "warn", "Interrupted"),
}
MARKS: dict[str, tuple[str, str, str]] = {
    Grounding.TEXT: ("tick", "ok", "found in the page's text"),
    Grounding.CONTROL: ("tick", "ok", "found in a control"),
    Grounding.NOT_FOUND: ("alert", "bad", "NOT on the page"),
    Grounding.NOT_CHECKED: ("note", "", "not looked for"),
}
NONE_SHOWN = ("alert", "bad", "the agent says the page shows none; look")
DID: dict[str, tuple[str, str, str]] = {
    ActionState.ABOUT: ("waiting", "busy", "About to"),
    ActionState.DID: ("tick", "ok", "Did"),
    ActionState.FAILED: ("cross", "bad", "Failed"),
}


@register.simple_tag
def evidence_state(value: str) -> SafeString:
    """Of a run, a sample or an attempt: shape, word and colour."""
    drawing, tone, words = LOOKS.get(value, ("note", "", value))
    turning = "turning" if drawing == "turning" else ""
    return format_html('<span class="pill {}">{}{}</span>', tone, icon(drawing, turning), words)


@register.simple_tag
def grounding_mark(value: str, says_nothing: bool = False, problem: str = "") -> SafeString:
    """`says_nothing`: the agent took down that the page shows none. With a `problem` no place is a tick."""
    drawing, tone, words = NONE_SHOWN if says_nothing else MARKS.get(value, ("note", "", value))
    if problem and tone == "ok":
        drawing, tone = "alert", ""
    return format_html('<span class="grounded {}">{}{}</span>', tone, icon(drawing), words)


@register.simple_tag
def action_mark(value: str) -> SafeString:
    drawing, tone, words = DID.get(value, ("note", "", value))
    return format_html('<span class="grounded {}">{}<span class="unseen">{}</span></span>', tone, icon(drawing), words)


@register.filter
def state_words(value: str) -> str:
    return LOOKS.get(value, ("", "", value))[2].lower()


@register.filter
def step_said(entry: ActionEntry) -> str:
    """The recipe step that was run, as a sentence; empty where none was."""
    return say_one(entry.step, 2, {}).sentence if entry.step else ""


@register.filter
def one_line(value: Any) -> str:
    """A value as it is read: words stay words, nothing is said as “empty”."""
    if value is None or value == "":
        return "(empty)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def box_said(box: Any) -> str:
    """`x,y,width,height` for the script that shows it."""
    return ",".join(str(round(float(number), 1)) for number in box) if box else ""


@register.filter
def percent_of(share: Any) -> str:
    """A confidence, however it came."""
    return f"{round(share * 100)} %" if isinstance(share, int | float) and 0 <= share <= 1 else str(share)


@register.filter
def masked(extra: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """A sample's columns, dots for its secrets."""
    return list(confidential.masked(extra).items())
