"""From a sentence, or from a list page, to a run that waits to be confirmed: nothing runs before a person looked."""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypedDict, Unpack

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence_app.bundle.content import one_line
from evidence_app.models import Attempt, Run, TaskSpecVersion
from evidence_app.models.run import RunStatus
from evidence_app.models.task_spec import SpecOrigin
from evidence_app.planning.discover import samples_from
from evidence_app.planning.planner import Plan, discovery_of
from evidence_app.services import drafting, four_eyes, runs, specs
from evidence_app.spec.dump import dump_spec
from evidence_app.spec.samples import SampleInput, SamplesRefused, as_rows, one_sample
from recipes_app.models import ApiToken, Job, Team, User
from recipes_app.models.job import JobKind
from recipes_app.services import audit, dispatch
from recipes_app.services.errors import BadInput
from recipes_app.services.runs import Claim

MAX_SENTENCE = 8000


class How(TypedDict, total=False):
    via: str
    token: ApiToken | None
    control: str
    period: str
    budget_tokens: int | None
    budget_micros: int | None


@transaction.atomic
def request_plan(*, team: Team, by: User, sentence: str, **how: Unpack[How]) -> Run:
    """A run that is being planned by a model; afterwards it is a draft with its spec and samples."""
    runs.require_runner(team, by)
    text = sentence.strip()
    if not text:
        raise BadInput({"sentence": "Say what to collect, and where."})
    if len(text) > MAX_SENTENCE:
        raise BadInput({"sentence": f"At most {MAX_SENTENCE} characters."})
    job = dispatch.open_job(
        team=team, by=by, kind=JobKind.PLAN, title=f"Plan: {text[:120]}", deadline_s=settings.PLANNING_DEADLINE_S
    )
    run = Run.objects.create(
        team=team,
        title=one_line(text.splitlines()[0])[:200],
        sentence=text,
        folder=runs.free_folder(),
        requested_by=by,
        status=RunStatus.PLANNING,
        plan_job=job,
        **how,
    )
    four_eyes.bar(run)
    audit.record(team, by, "run.planned", f"run {run.public_id}", sentence=text[:500])
    return run


@transaction.atomic
def request_discovery(*, version: TaskSpecVersion, start_url: str, by: User, **how: Unpack[How]) -> Run:
    """A run whose samples are found on a list page first."""
    team, spec = version.spec.team, specs.spec_of(version)
    runs.require_runner(team, by)
    run = Run.objects.create(
        team=team,
        version=version,
        title=one_line(spec.title or spec.task_id)[:200],
        folder=runs.free_folder(),
        requested_by=by,
        status=RunStatus.PLANNING,
        site=specs.site_for(team=team, by=by, spec=spec, url=start_url),
        **how,
    )
    four_eyes.bar(run)
    try:
        discovery = discovery_of(spec, start_url)
    except ValueError as error:
        raise BadInput({"start_url": str(error)}) from error
    _discover(run, dump_spec(discovery), by)
    return run


@transaction.atomic
def keep_plan(*, claim: Claim, run: Run, plan: Plan) -> None:
    """What the model planned, as a draft; or its discovery on the way. Of a run that was cancelled nothing is kept."""
    claim.hold()
    if not Run.objects.select_for_update().filter(pk=run.pk, status=RunStatus.PLANNING).exists():
        return
    by = run.requested_by
    version = specs.save(team=run.team, by=by, data=dump_spec(plan.spec), origin=SpecOrigin.PLANNED)
    first = next((each.url for each in plan.samples if each.url), "")
    start = first or (plan.discovery.start_url if plan.discovery else "")
    site = specs.site_for(team=run.team, by=by, spec=plan.spec, url=start)
    Run.objects.filter(pk=run.pk).update(
        version=version,
        site=site,
        warnings=list(plan.warnings),
        control=run.control or plan.spec.control,
        period=run.period or plan.spec.period,
    )
    run.refresh_from_db()
    four_eyes.bar(run)
    if plan.discovery is not None:
        _discover(run, dump_spec(plan.discovery), by)
        return
    runs.put_samples(run, plan.samples)
    _become_draft(run, {"source": "named in the request", **_counted(plan.samples)})


def settle_plan(job: Job) -> None:
    """A plan that came to nothing says why."""
    run = Run.objects.filter(plan_job=job, status=RunStatus.PLANNING, version=None).first()
    if run is not None and job.error:
        _end(run, job.error)


def settle_discovery(run: Run) -> None:
    """Called in the transaction that ends a run: what it discovered becomes the samples of the run it was for."""
    waiting = Run.objects.filter(discovery=run, status=RunStatus.PLANNING).select_related("team").first()
    if waiting is None:
        return
    attempt = Attempt.objects.filter(sample__run=run).order_by("-number").first()
    extracted = attempt.extracted if attempt else {}
    base = attempt.sample.url if attempt else ""
    try:
        samples = samples_from(extracted, base)
        runs.checked_samples(samples, waiting)
    except (SamplesRefused, BadInput) as error:
        _fail(waiting, f"The discovery brought no list of samples that can be used: {error}")
        return
    runs.put_samples(waiting, samples)
    doubts = [str(reason.get("text", "")) for reason in (attempt.reasons if attempt else [])]
    Run.objects.filter(pk=waiting.pk).update(
        warnings=[*waiting.warnings, *(f"The discovery: {text}" for text in doubts)]
    )
    _become_draft(waiting, {"source": f"discovery {run.public_id}", **_counted(samples)})


def _discover(run: Run, document: dict[str, Any], by: User) -> None:
    version = specs.save(team=run.team, by=by, data=document, origin=SpecOrigin.PLANNED)
    start = str(document["start_url"])
    discovery = runs.request_run(
        version=version,
        samples=one_sample(start, "discovery"),
        by=by,
        title=f"Discovery for {run.title}"[:200],
        via=run.via,
    )
    Run.objects.filter(pk=run.pk).update(discovery=discovery)


def _become_draft(run: Run, population: dict[str, Any]) -> None:
    planned = Run.objects.filter(pk=run.pk, status=RunStatus.PLANNING)
    if planned.update(status=RunStatus.DRAFT, population=population):
        drafting.waits(run, int(population["rows"]))


def _fail(run: Run, why: str) -> None:
    _end(run, {"error": why, "kind": "discovery_failed"})


def _end(run: Run, error: dict[str, Any]) -> None:
    planned = Run.objects.filter(pk=run.pk, status=RunStatus.PLANNING)
    if planned.update(status=RunStatus.FAILED, error=error, finished_at=timezone.now()):
        drafting.came_to_nothing(run, str(error.get("error", "for an unknown reason")))


def _counted(samples: tuple[SampleInput, ...]) -> dict[str, Any]:
    rows = json.dumps(as_rows(samples), ensure_ascii=False, sort_keys=True)
    return {"rows": len(samples), "sha256": hashlib.sha256(rows.encode()).hexdigest()}
