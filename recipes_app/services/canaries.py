"""Canaries: each published tool that reads is replayed now and then, so that a person hears of trouble first.

One at a time, and only while nobody's call waits. A check's row is made with its call and judged once that has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from recipes_app.engine.document import DocumentError
from recipes_app.engine.errors import ArgumentsError
from recipes_app.engine.parameters import check_arguments, secret_names
from recipes_app.models import Call, Healing, HealthCheck, Job, Recipe, RecipeVersion, Site, User
from recipes_app.models.health import SITE_DOWN, WAITING, HealthState
from recipes_app.models.job import ACTIVE, ENDED, JobKind, JobStatus
from recipes_app.models.recipe import SideEffect
from recipes_app.models.team import EDITORS, OWNERS, RUNNERS
from recipes_app.services import access, announcements, calls, healings, health, notices
from recipes_app.services.errors import ServiceError
from recipes_app.services.recipes import document_of
from recipes_app.services.wording import failure_in_words, step_in_words

VIA = "canary"
# What says more about the moment or the installation than about the tool.
NOT_THE_TOOL = frozenset({"cancelled", "interrupted", "bug", "browser_missing", "refused", "blocked_by_policy"})
UNREACHABLE = frozenset({"navigation", "challenged"})


def keep_watch() -> int:
    """Judge those that have ended, then begin at most one: a chore of upkeep."""
    judged = sum(judge(check) for check in ended())
    return judged + (begin_one() is not None)


def begin_one() -> HealthCheck | None:
    """None while another runs, while somebody's call waits, or where nothing is due."""
    busy = HealthCheck.objects.filter(kind=WAITING, call__job__status__in=ACTIVE).exists()
    if busy or Job.objects.waiting().filter(kind=JobKind.CALL).exists():
        return None
    return next((check for recipe in due() if (check := begin(recipe))), None)


def due() -> Iterator[Recipe]:
    """Published tools whose last check, or whose publication, is longer ago than their site wants; longest first."""
    now = timezone.now()
    rows = Recipe.objects.published().filter(site__canary_hours__gt=0, live_version__side_effect=SideEffect.READ)
    ages = [(last_at(recipe), recipe) for recipe in rows.select_related("site__team", "live_version")]
    for at, recipe in sorted(ages, key=lambda pair: (pair[0], pair[1].pk)):
        if now - at >= timedelta(hours=recipe.site.canary_hours) and arguments_for(recipe) is not None:
            yield recipe


def last_at(recipe: Recipe) -> Any:
    last = recipe.health_checks.values_list("at", flat=True).first()
    published = recipe.live_version.published_at if recipe.live_version else None
    return max(at for at in (last, published, recipe.created_at) if at)


def arguments_for(recipe: Recipe) -> dict[str, Any] | None:
    """Those the live version was verified with; None for a tool that is doubted, unverified, or has secrets."""
    version = recipe.live_version
    if version is None or version.effect != SideEffect.READ or not (version.verdict or {}).get("passed"):
        return None
    try:
        document = document_of(version)
        secret = secret_names(document.parameters)
        return None if secret else check_arguments(document, version.examples or {})
    except (DocumentError, ArgumentsError):
        return None


@transaction.atomic
def begin(recipe: Recipe) -> HealthCheck | None:
    """A bulk call with values that verified; None where nobody is left in whose name it could run, or it was changed
    in this moment."""
    version, arguments, by = recipe.live_version, arguments_for(recipe), asker(recipe)
    if version is None or arguments is None or by is None:
        return None
    try:
        call = calls.request_call(recipe=recipe, arguments=arguments, by=by, via=VIA, interactive=False)
    except ServiceError:
        return None
    now = timezone.now()
    Site.objects.filter(pk=recipe.site_id).update(canary_at=now)
    return HealthCheck.objects.create(recipe=recipe, version=version, call=call, kind=WAITING, at=now)


def asker(recipe: Recipe) -> User | None:
    """Who published it, else who made the site, else an owner: the first who still may call tools."""
    version, team = recipe.live_version, recipe.site.team
    wanted = [version.published_by if version else None, recipe.site.created_by, *notices.people_of(team, OWNERS)]
    return next((user for user in wanted if user and user.is_active and access.can(user, team, RUNNERS)), None)


def ended() -> QuerySet[HealthCheck]:
    rows = HealthCheck.objects.filter(kind=WAITING, call__job__status__in=ENDED)
    return rows.select_related("call__job", "call__version", "call__recipe", "version", "recipe__site__team")


@transaction.atomic
def judge(check: HealthCheck) -> bool:
    """Write down what its call says of the tool; where that is news, tell people and programs."""
    call = check.call
    if call is None:
        return False
    verdict = verdict_of(call)
    if HealthCheck.objects.filter(pk=check.pk, kind=WAITING).update(**verdict) != 1:
        return False
    check.refresh_from_db()
    _announce(check, call)
    return True


def verdict_of(call: Call) -> dict[str, Any]:
    """The columns of its check."""
    job, error = call.job, call.job.error or {}
    ms = (
        round((job.finished_at - job.started_at).total_seconds() * 1000) if job.finished_at and job.started_at else None
    )
    kind = "" if job.status == JobStatus.DONE else str(error.get("kind", "") or job.status)
    if job.status == JobStatus.DONE:
        lost = _lost(call)
        state = HealthState.DRIFTING if lost else HealthState.OK
        return {"state": state, "kind": "", "detail": lost[:500], "ms": ms}
    detail = failure_in_words(error) or job.get_status_display()
    if is_site_down(call, error, kind):
        return {"state": HealthState.UNKNOWN, "kind": SITE_DOWN, "detail": detail[:500], "ms": ms}
    state = HealthState.UNKNOWN if kind in NOT_THE_TOOL else HealthState.FAILING
    return {"state": state, "kind": kind[:40], "detail": detail[:500], "ms": ms}


def is_site_down(call: Call, error: Mapping[str, Any], kind: str) -> bool:
    """Nothing of the site was seen before it did not answer, or answered that it cannot now.

    A 4xx of one page is about that page, so about the tool.
    """
    status = error.get("status")
    if kind not in UNREACHABLE or (isinstance(status, int) and 400 <= status < 500 and status != 429):
        return False
    rows = (call.result or {}).get("steps") or []
    return not any(row.get("status") == "done" and row.get("op") != "goto" for row in rows)


def _lost(call: Call) -> str:
    drifts = health.drifts_in([call]).items()
    parts = [f"{step_in_words(path)} is not found any more by {drift.lost}" for path, drift in drifts if drift.lost]
    return "; ".join(parts)


def _announce(check: HealthCheck, call: Call) -> None:
    if check.kind == SITE_DOWN:
        if not _was_down(check):
            announcements.site_unreachable(check)
        return
    if check.state == HealthState.UNKNOWN:
        return
    notices.settled(check.recipe.site.team, f"site:{check.recipe.site_id}")
    before = state_before(check)
    if check.state != before and not (before == HealthState.UNKNOWN and check.state == HealthState.OK):
        healing = start_healing(call)
        announcements.health_changed(check, before=before, path=healing.get_absolute_url() if healing else "")


def _was_down(check: HealthCheck) -> bool:
    """Whether the check of this site before said so already."""
    earlier = HealthCheck.objects.filter(recipe__site=check.recipe.site_id, pk__lt=check.pk)
    last = earlier.exclude(kind=WAITING).first()
    return last is not None and last.kind == SITE_DOWN


def state_before(check: HealthCheck) -> str:
    """The last that was known of this tool, whatever its version then; unknown where nothing was."""
    known = check.recipe.health_checks.filter(pk__lt=check.pk).exclude(state=HealthState.UNKNOWN)
    return str(known.values_list("state", flat=True).first() or HealthState.UNKNOWN)


def start_healing(call: Call) -> Healing | None:
    """Where a step lost its element: the search for another one, in the name of an editor. One that is open counts."""
    path = str((call.job.error or {}).get("failed_step", ""))
    if not healings.can_be_healed(call):
        return None
    if open_ := health.open_healing(call.recipe, path):
        return open_
    by = _mender(call.version)
    try:
        return healings.request_healing(version=call.version, path=path, by=by, call=call) if by else None
    except ServiceError:
        return None  # the step names no single element, or is being looked at


def _mender(version: RecipeVersion) -> User | None:
    team = version.recipe.site.team
    wanted = [version.published_by, version.author, *notices.people_of(team, EDITORS)]
    return next((user for user in wanted if user and user.is_active and access.can(user, team, EDITORS)), None)
