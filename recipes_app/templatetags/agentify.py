"""What the pages need beyond Django's own tags: icons, words for states, times, and readable values."""

import json
import re
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from recipes_app.models import HealthCheck, Mapping, Proposal, RecipeVersion
from recipes_app.models.health import SITE_DOWN, HealthState
from recipes_app.models.job import Job, JobStatus
from recipes_app.models.proposal import ProposalChange, ProposalStatus
from recipes_app.models.recipe import SideEffect, VersionStatus
from recipes_app.models.webhook import DeliveryStatus
from recipes_app.views import results

STEP_PATH = re.compile(r"^steps\[(\d+)\]([^:]*):")

register = template.Library()
register.filter("is_money", results.is_money)
register.filter("money", results.money)

# Drawings on a grid of 16, stroked in the colour of the text.
ICONS = {
    "sites": '<circle cx="8" cy="8" r="6.2"/><path d="M1.8 8h12.4M8 1.8c4 4 4 8.4 0 12.4M8 1.8c-4 4-4 8.4 0 12.4"/>',
    "tools": '<path d="M6.2 2.5c-2 0-1.8 1.6-1.8 2.8S4 8 2.6 8c1.4 0 1.8 1.5 1.8 2.7s-.2 2.8 1.8 2.8"/>'
    '<path d="M9.8 2.5c2 0 1.8 1.6 1.8 2.8S12 8 13.4 8c-1.4 0-1.8 1.5-1.8 2.7s.2 2.8-1.8 2.8"/>',
    "calls": '<path d="M2 8h9M8 4.5 11.5 8 8 11.5M14 3v10"/>',
    "evidence": '<path d="M3.500 2.500h6l3 3v8h-9zM9.500 2.500v3h3"/><path d="m5.500 9.700 1.600 1.600 3.200-3.300"/>',
    "jobs": '<rect x="2" y="3" width="12" height="10" rx="2"/><path d="M5 7h6M5 10h3"/>',
    "team": '<circle cx="6" cy="5.5" r="2.5"/><path d="M1.8 13.5c.4-2.6 2-4 4.2-4s3.8 1.4 4.2 4M11 3.3a2.3 '
    '2.3 0 0 1 0 4.5M12.2 9.8c1.2.5 1.900 1.700 2.100 3.700"/>',
    "switch": '<path d="m5 6 3-3 3 3M5 10l3 3 3-3"/>',
    "tick": '<path d="m3 8.5 3.3 3.3L13 4.8"/>',
    "cross": '<path d="m4 4 8 8M12 4l-8 8"/>',
    "alert": '<path d="M8 2 1.5 13.5h13zM8 6.5v3M8 11.600v.1"/>',
    "waiting": '<circle cx="8" cy="8" r="5.8"/><path d="M8 4.8V8l2 1.5"/>',
    "turning": '<path d="M8 2.2A5.8 5.8 0 1 1 2.2 8"/>',
    "stopped": '<circle cx="8" cy="8" r="5.8"/><path d="m4 4 8 8"/>',
    "skipped": '<path d="M3 4v8l5-4zM8 4v8l5-4z"/>',
    "paused": '<path d="M5.5 3.5v9M10.5 3.5v9"/>',
    "info": '<circle cx="8" cy="8" r="6.2"/><path d="M8 7.4v3.4M8 5v.1"/>',
    "note": '<circle cx="8" cy="8" r="1.5"/>',
    "plus": '<path d="M8 3v10M3 8h10"/>',
    "arrow": '<path d="M3 8h10M9 4l4 4-4 4"/>',
    "bell": '<path d="M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.800zM6.600 14.500h2.800"/>',
    "wave": '<path d="M1.500 8c2-4 4-4 6.500 0s4.500 4 6.500 0"/>',
    "unknown": '<path d="M5.500 6a2.500 2.500 0 1 1 3.500 2.300c-.8.4-1 .9-1 1.700M8 12.500v.1"/>',
    "search": '<circle cx="7" cy="7" r="4.500"/><path d="m10.500 10.500 3.500 3.500"/>',
    "read": '<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="1.8"/>',
    "write": '<path d="m3 13 .7-3L10.5 3.2l2.3 2.3L6 12.3z"/>',
    "destructive": '<path d="M8 1.8 14.2 8 8 14.2 1.8 8zM8 5v3.5M8 10.700v.1"/>',
}

# state -> (icon, tone)
LOOKS: dict[str, tuple[str, str]] = {
    JobStatus.QUEUED: ("waiting", ""),
    JobStatus.RUNNING: ("turning", "busy"),
    JobStatus.DONE: ("tick", "ok"),
    JobStatus.FAILED: ("cross", "bad"),
    JobStatus.ERRORED: ("alert", "bad"),
    JobStatus.CANCELLED: ("stopped", ""),
    JobStatus.INTERRUPTED: ("paused", "warn"),
    ProposalStatus.PROPOSED: ("waiting", "warn"),
    ProposalStatus.APPROVED: ("waiting", "busy"),
    ProposalStatus.REJECTED: ("stopped", ""),
    ProposalStatus.RECORDING: ("turning", "busy"),
    ProposalStatus.RECORDED: ("tick", "ok"),
    VersionStatus.DRAFT: ("note", ""),
    VersionStatus.VERIFYING: ("turning", "busy"),
    VersionStatus.PASSED: ("tick", "ok"),
    VersionStatus.PUBLISHED: ("tick", "ok"),
    VersionStatus.RETIRED: ("stopped", ""),
    "superseded": ("stopped", ""),
    "same": ("tick", ""),
    "second": ("waiting", "warn"),
    "merged": ("stopped", ""),
    HealthState.OK: ("tick", "ok"),
    HealthState.DRIFTING: ("wave", "warn"),
    HealthState.FAILING: ("cross", "bad"),
    HealthState.UNKNOWN: ("unknown", ""),
    DeliveryStatus.DELIVERED: ("tick", "ok"),
    DeliveryStatus.GIVEN_UP: ("cross", "bad"),
    "waiting": ("waiting", "busy"),
}
WORDS: dict[str, str] = {
    **dict(JobStatus.choices),
    **dict(VersionStatus.choices),
    **dict(ProposalStatus.choices),
    "proposed": "To decide",
    "errored": "Broke (a bug)",
    "passed": "Verified",
    "superseded": "Superseded",
    "same": "As published",
    "second": "Second approver",
    "merged": "Merged",
    **dict(HealthState.choices),
    **dict(DeliveryStatus.choices),
    "delivered": "Arrived",
}
UNJUDGED = (VersionStatus.DRAFT, VersionStatus.VERIFYING)
VERSION_STATES = {"draft": "a draft", "failed": "one that did not pass its verification", "verifying": "being verified"}

PHASES = {
    "crawl": "Looking at pages",
    "survey": "Looking at pages",
    "login": "Signing in",
    "propose": "Proposing tools",
    "record": "Recording",
    "by_hand": "Recording by hand",
    "verify": "Verifying",
    "run": "Running its steps",
    "replay": "Running its steps",
}


@register.simple_tag
def icon(name: str, extra: str = "") -> SafeString:
    """A drawing that says nothing to a screen reader: the word stands beside it."""
    drawing = mark_safe(ICONS[name])  # noqa: S308  # our own constant
    return format_html(
        '<svg class="icon {}" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" '
        'stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">{}</svg>',
        extra,
        drawing,
    )


@register.simple_tag
def state(value: str) -> SafeString:
    """A state of a job, proposal or version: shape, word and colour."""
    drawing, tone = LOOKS.get(value, ("note", ""))
    turning = "turning" if drawing == "turning" else ""
    return format_html('<span class="pill {}">{}{}</span>', tone, icon(drawing, turning), WORDS.get(value, value))


@register.simple_tag
def proposal_state(proposal: Proposal, newer: Mapping | None) -> SafeString:
    """Where the site has been mapped again since, what is undecided waits for nobody."""
    if proposal.status == ProposalStatus.PROPOSED:
        if newer is not None:
            return state("superseded")
        if proposal.change == ProposalChange.SAME:
            return state("same")
        if proposal.first_approved_by_id and proposal.needs_second:
            return state("second")
    if proposal.status == ProposalStatus.REJECTED and proposal.merged_into_id:
        return state("merged")
    return state(proposal.status)


@register.filter
def version_state(value: str) -> str:
    """After "Version 1 is"."""
    return VERSION_STATES.get(value) or word(value)


@register.filter
def checks_said(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    """What was checked. A check made after each replay says after which one."""
    said, replay = [], ""
    names = [check["name"] for check in verdict.get("checks", [])]
    for check in verdict.get("checks", []):
        if check["name"].startswith("replays "):
            replay = check["name"].removeprefix("replays ")
        twice = names.count(check["name"]) > 1 and replay
        said.append({**check, "name": f"{check['name']}, {replay}"} if twice else check)
    return said


@register.filter
def step_words(warning: str) -> str:
    """`steps[6]: …` as people count: step 7."""
    return STEP_PATH.sub(lambda found: f"Step {int(found[1]) + 1}{found[2]}:", warning)


@register.filter
def step_number(path: str) -> str:
    """`steps[6]` as people count: Step 7."""
    return STEP_PATH.sub(lambda found: f"Step {int(found[1]) + 1}{found[2]}", f"{path}:").rstrip(":")


@register.filter
def percent(share: float | None) -> str:
    return "" if share is None else f"{round(share * 100)} %"


@register.filter
def breakable(name: str) -> SafeString:
    """A name that may be broken after an underscore, never inside a word."""
    return format_html_join(mark_safe("_<wbr>"), "{}", ((part,) for part in str(name).split("_")))


@register.filter
def short_link(url: str) -> str:
    """The last part of the path says the most; the whole address is where the link leads, and on hover."""
    parts = urlsplit(url)
    host = parts.netloc.removeprefix("www.")
    whole = f"{host}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")
    last = whole.rsplit("/", 1)[-1]
    return whole if len(whole) <= 32 else f"{host[:14]}…/{last[-24:]}" if last != host else whole[:32]


@register.filter
def phase_words(phase: str) -> str:
    """What a job is busy with, as a person would say it; a phase nobody described stands as it is."""
    return PHASES.get(phase, phase[:1].upper() + phase[1:])


@register.filter
def word(value: str) -> str:
    """A state inside a sentence."""
    return str(WORDS.get(value, value)).lower()


@register.simple_tag
def effect(value: str) -> SafeString:
    """What a tool does to the site: shape, word and colour."""
    return format_html('<span class="effect {}">{}{}</span>', value, icon(value), SideEffect(value).label)


@register.simple_tag
def version_effect(version: RecipeVersion) -> SafeString:
    """As `effect`; of a version that says it only reads and waits to be verified, that it waits."""
    if version.is_doubted and version.status in UNJUDGED:
        return format_html('<span class="effect">{}{}, once verified</span>', icon("unknown"), SideEffect.READ.label)
    return effect(version.effect)


@register.simple_tag
def health_mark(check: HealthCheck) -> SafeString:
    """One canary: shape, colour, and the word for who does not see them."""
    words = "site not reached" if check.kind == SITE_DOWN else WORDS[check.state].lower()
    said = f"{check.at:%-d %b %H:%M}: {words}"
    return format_html('{}<span class="unseen">{}</span>', icon(LOOKS[check.state][0]), said)


@register.simple_tag
def mark(ok: bool) -> SafeString:
    """A check that held or did not."""
    name, word, tone = ("tick", "Passed", "ok-mark") if ok else ("cross", "Did not pass", "bad-mark")
    return format_html('<span class="{}">{}<span class="unseen">{}: </span></span>', tone, icon(name), word)


def spell_ago(seconds: float) -> str:
    for below, size, unit in ((3600, 60, "min"), (86400, 3600, "h"), (86400 * 30, 86400, "d")):
        if seconds < below:
            return "just now" if seconds < 45 else f"{max(1, round(seconds / size))} {unit} ago"
    return ""


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """How long ago, with the exact time in UTC on hover."""
    if moment is None:
        return "never"
    words = spell_ago((timezone.now() - moment).total_seconds()) or f"{moment:%-d %b %Y}"
    return format_html(
        '<time datetime="{}" title="{}" data-ago>{}</time>',
        moment.isoformat(),
        f"{moment:%Y-%m-%d %H:%M:%S} UTC",
        words,
    )


def spell_seconds(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@register.simple_tag
def elapsed(start: datetime | None, end: datetime | None = None) -> SafeString | str:
    """Time spent; it goes on counting in the page while there is no end."""
    if start is None:
        return ""
    spent = spell_seconds(((end or timezone.now()) - start).total_seconds())
    if end:
        return spent
    return format_html('<time datetime="{}" data-elapsed>{}</time>', start.isoformat(), spent)


SUBJECTS = (
    ("remote_browser", "remote_detail"),
    ("mapping", "mapping_detail"),
    ("recording", "recording_detail"),
    ("healing", "healing_detail"),
    ("login", "login_detail"),
)
# Of jobs of other applications: kind, and the page that leads on from a job's public id.
PAGES_OF_OTHERS: dict[str, str] = {}


@register.simple_tag
def job_url(job: Job) -> str:
    """The page of what a job is about; `job` comes with its subject (select_related)."""
    for subject, url_name in SUBJECTS:
        row = getattr(job, subject, None)
        if row is not None:
            return reverse(url_name, args=[row.pk])
    return reverse(PAGES_OF_OTHERS.get(job.kind, "call_detail"), args=[job.public_id])


@register.filter
def milliseconds(value: int | None) -> str:
    if value is None:
        return ""
    return f"{value} ms" if value < 1000 else f"{value / 1000:.1f} s"


@register.filter
def as_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


@register.filter
def brief(value: object) -> str:
    """A value on one line: words stay words, anything else is JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def is_link(value: str) -> bool:
    """Addresses that may be followed from a page: nothing but http and https."""
    return value.startswith(("https://", "http://")) and not any(letter.isspace() for letter in value)


@register.filter
def path_of(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@register.filter
def short_digest(value: str) -> str:
    return value.removeprefix("sha256:")[:12]
