"""Words and shapes of the review room."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evidence_app.models.review import Answer, Decision, ExhibitState
from recipes_app.templatetags.agentify import icon

register = template.Library()

# state -> (icon, tone, words)
LOOKS: dict[str, tuple[str, str, str]] = {
    ExhibitState.OPEN: ("waiting", "warn", "To review"),
    ExhibitState.SECOND: ("waiting", "warn", "Second signature"),
    ExhibitState.STALE: ("alert", "bad", "Captured anew"),
    ExhibitState.APPROVED: ("tick", "ok", "Approved"),
    ExhibitState.REJECTED: ("cross", "bad", "Rejected"),
    ExhibitState.RECAPTURE: ("turning", "busy", "Taken again"),
}
SAID: dict[str, tuple[str, str, str]] = {
    Decision.APPROVE: ("tick", "ok", "Approved"),
    Decision.REJECT: ("cross", "bad", "Rejected"),
    Decision.RECAPTURE: ("turning", "warn", "Asked for a new capture"),
    "undone": ("stopped", "", "Taken back"),
    "stale": ("alert", "warn", "Of an older capture"),
}
ANSWERS: dict[str, tuple[str, str, str]] = {
    Answer.MEETS: ("tick", "ok", "Meets the control"),
    Answer.EXCEPTION: ("alert", "bad", "Exception"),
    Answer.NOT_APPLICABLE: ("note", "", "Not applicable"),
}


@register.simple_tag
def exhibit_state(value: str) -> SafeString:
    return _pill(LOOKS, value)


@register.simple_tag
def review_said(value: str) -> SafeString:
    """A decision as it stands now: what was decided, taken back, or of an older capture."""
    return _pill(SAID, value)


@register.simple_tag
def conclusion_said(value: str) -> SafeString:
    return _pill(ANSWERS, value)


def _pill(looks: dict[str, tuple[str, str, str]], value: str) -> SafeString:
    drawing, tone, words = looks.get(value, ("note", "", value))
    return format_html('<span class="pill {}">{}{}</span>', tone, icon(drawing), words)
