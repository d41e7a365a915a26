"""How a tool has been doing: what its last calls say about the version that is live."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recipes_app.engine.nesting import path_in_document
from recipes_app.models import Call, Healing, HealthCheck, Recipe
from recipes_app.models.healing import HealingStatus
from recipes_app.models.health import SITE_DOWN, WAITING, HealthState
from recipes_app.models.job import JobStatus
from recipes_app.services.errors import WrongState
from recipes_app.services.healings import HEALABLE, step_in

LAST, SHOWN = 20, 30
# What a step's `matched` has between the descriptions that found its element and those that did not any more.
LOST = "; lost: "


@dataclass(slots=True)
class Drift:
    """A step that worked by less than was recorded (`lost`), or did not find its element (`failed`), and how often."""

    path: str
    lost: str = ""
    drifted: int = 0
    failed: int = 0
    call: Call | None = None
    healing: Healing | None = None


@dataclass(frozen=True, slots=True)
class Health:
    calls: int
    worked: int
    drifts: list[Drift] = field(default_factory=list)

    @property
    def is_drifting(self) -> bool:
        return bool(self.drifts)


def health_of(recipe: Recipe) -> Health | None:
    """None for a tool that is not live or was not called yet. The newest call has the last word on each step."""
    version = recipe.live_version
    if version is None:
        return None
    ended = (JobStatus.DONE, JobStatus.FAILED)
    calls = list(recipe.calls.filter(version=version, job__status__in=ended).select_related("job", "version")[:LAST])
    if not calls:
        return None
    drifts = [drift for drift in drifts_in(calls).values() if has_target(version.document, drift.path)]
    for drift in drifts:
        drift.healing = open_healing(recipe, drift.path)
    return Health(len(calls), sum(call.job.status == JobStatus.DONE for call in calls), drifts)


def drifts_in(calls: Iterable[Call]) -> dict[str, Drift]:
    """A step that a newer call has found by all that was recorded is well again."""
    found: dict[str, Drift] = {}
    well: set[str] = set()
    for call in calls:
        for path, lost, failed in signals(call):
            if path in well or (path not in found and not lost and not failed):
                well.add(path)
                continue
            drift = found.setdefault(path, Drift(path, lost, call=call if failed else None))
            drift.lost = drift.lost or lost
            drift.drifted += bool(lost)
            drift.failed += failed
    return found


def signals(call: Call) -> list[tuple[str, str, bool]]:
    """(step, what it was not found by, whether it was not found at all) of one call."""
    rows: list[dict[str, Any]] = (call.result or {}).get("steps") or []
    error = call.job.error or {}
    said = [
        (path_in_document(str(row.get("path", ""))), str(row.get("matched", "")).partition(LOST)[2], False)
        for row in rows
        if row.get("status") == "done"
    ]
    if call.job.status == JobStatus.FAILED and error.get("kind") in HEALABLE and error.get("failed_step"):
        path = path_in_document(str(error["failed_step"]))
        if not is_chosen_by_caller(call.version.document, path):
            said.append((path, "", True))
    return said


def is_chosen_by_caller(document: dict[str, Any], path: str) -> bool:
    """An argument says which element is meant: that none is there may be the caller's mistake, not the site's."""
    try:
        return "{{" in json.dumps(step_in(document, path).get("target"))
    except WrongState:
        return False


def has_target(document: dict[str, Any], path: str) -> bool:
    try:
        return isinstance(step_in(document, path).get("target"), dict)
    except WrongState:
        return False


def open_healing(recipe: Recipe, path: str) -> Healing | None:
    undecided = (HealingStatus.SEARCHING, HealingStatus.PROPOSED)
    return Healing.objects.filter(version=recipe.live_version, path=path, status__in=undecided).first()


@dataclass(frozen=True, slots=True)
class Vitals:
    """A tool's last canaries, oldest first; `state` is what was last known, `since` when that began."""

    recipe: Recipe
    checks: list[HealthCheck]
    state: str
    since: datetime | None
    is_running: bool

    @property
    def last(self) -> HealthCheck | None:
        return self.checks[-1] if self.checks else None

    @property
    def is_site_down(self) -> bool:
        return self.last is not None and self.last.kind == SITE_DOWN

    @property
    def worked(self) -> int:
        return sum(check.state in (HealthState.OK, HealthState.DRIFTING) for check in self.checks)


def vitals_of(recipe: Recipe) -> Vitals | None:
    """None for a tool that no canary was sent to yet."""
    rows = list(recipe.health_checks.select_related("call__job", "version")[: SHOWN + 1])
    if not rows:
        return None
    ended = [check for check in rows if check.kind != WAITING][:SHOWN][::-1]
    known = [check for check in ended if check.state != HealthState.UNKNOWN]
    state = known[-1].state if known else str(HealthState.UNKNOWN)
    return Vitals(recipe, ended, state, _since(known), any(check.kind == WAITING for check in rows))


def _since(known: list[HealthCheck]) -> datetime | None:
    since = None
    for check in reversed(known):
        if check.state != known[-1].state:
            break
        since = check.at
    return since
