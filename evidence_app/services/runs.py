"""Runs: asked for, confirmed, resumed, cancelled, and ended when every sample has ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone

from evidence_app.bundle.content import one_line
from evidence_app.models import Attempt, Run, Sample, Schedule, TaskSpecVersion
from evidence_app.models.review import Bar, ExhibitState
from evidence_app.models.run import SAMPLE_ENDED, Cause, RunStatus, SampleStatus
from evidence_app.services import attempts, confidential, drafting, entries, four_eyes, specs
from evidence_app.spec.samples import SampleInput, SamplesRefused, as_rows, from_items
from recipes_app.models import ApiToken, Job, ModelUse, Site, Team, User
from recipes_app.models.job import ACTIVE, JobStatus
from recipes_app.models.team import RUNNERS
from recipes_app.services import access, audit, dispatch, model_use, sessions, settling
from recipes_app.services import runs as jobs
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

UNDER_WAY = (RunStatus.QUEUED, RunStatus.RUNNING)
MAX_RETRIES = 5


class How(TypedDict, total=False):
    """How a run comes about, and what it may cost."""

    title: str
    sentence: str
    via: str
    token: ApiToken | None
    schedule: Schedule | None
    control: str
    period: str
    population: dict[str, Any]
    retries: int
    budget_tokens: int | None
    budget_micros: int | None
    draft: bool


@transaction.atomic
def request_run(*, version: TaskSpecVersion, samples: Sequence[SampleInput], by: User, **how: Unpack[How]) -> Run:
    """One row per sample and its job, given to the workers on commit; a draft waits to be confirmed first."""
    team, spec = version.spec.team, specs.spec_of(version)
    require_runner(team, by)
    specs.refuse_auth_profile(spec)
    checked = _checked(samples, spec.input_schema)
    is_draft = how.pop("draft", False)
    how.setdefault("control", spec.control)
    how.setdefault("period", spec.period)
    site = specs.site_for(team=team, by=by, spec=spec, url=next((each.url for each in checked if each.url), ""))
    _choose_session(site, spec.session)
    run = Run.objects.create(
        team=team,
        site=site,
        version=version,
        folder=free_folder(),
        requested_by=by,
        status=RunStatus.DRAFT if is_draft else RunStatus.QUEUED,
        **_within_bounds(how, spec.title or spec.task_id),
    )
    put_samples(run, checked)
    four_eyes.bar(run, is_new=True)
    if not is_draft:
        start(run)
    elif run.via == "api":  # whoever made it in a page, or at a terminal, stands before it
        drafting.waits(run, len(checked))
    audit.record(team, by, "run.requested", f"run {run.public_id} {run.title}", samples=len(checked))
    entries.run_requested(run, by)
    return run


@transaction.atomic
def confirm(*, run: Run, by: User) -> Run:
    """A planned run begins once a person has looked at it."""
    require_runner(run.team, by)
    if run.version is None or not run.samples.exists():
        raise WrongState(f"{run.title} has no task spec or no samples yet.")
    if Run.objects.filter(pk=run.pk, status=RunStatus.DRAFT).update(status=RunStatus.QUEUED) != 1:
        raise WrongState(f"{run.title} is not waiting to be confirmed.")
    drafting.settled(run)
    run.refresh_from_db()
    four_eyes.bar(run, by, Bar.STARTED)
    start(run)
    audit.record(run.team, by, "run.confirmed", f"run {run.public_id} {run.title}")
    entries.run_confirmed(run, by)
    return run


@transaction.atomic
def resume(*, run: Run, by: User) -> int:
    """Samples that are not done are tried again, as new attempts beside the old; how many."""
    require_runner(run.team, by)
    again = run.samples.exclude(status__in=(SampleStatus.DONE, SampleStatus.QUEUED, SampleStatus.RUNNING))
    samples = list(again.exclude(exhibit__state__in=(ExhibitState.APPROVED, ExhibitState.SECOND)))
    if not samples:
        raise WrongState(f"Every sample of {run.title} is done, or still under way.")
    reopen(run)
    four_eyes.bar(run, by, Bar.STARTED)
    for sample in samples:
        sample.run = run
        attempts.open_attempt(sample=sample, cause=Cause.RESUMED)
    audit.record(run.team, by, "run.resumed", f"run {run.public_id} {run.title}", samples=len(samples))
    entries.run_resumed(run, by, len(samples))
    return len(samples)


def reopen(run: Run) -> None:
    """Samples of it are to be collected again."""
    Run.objects.filter(pk=run.pk).update(
        status=RunStatus.QUEUED, cancel_requested_at=None, finished_at=None, written_at=None, error=None
    )
    run.refresh_from_db()


@transaction.atomic
def cancel(*, run: Run, by: User) -> None:
    """Waiting samples end at once, running ones as soon as their workers have seen it; a plan comes to nothing."""
    if run.requested_by_id != by.pk:
        require_runner(run.team, by)
    _hold_jobs(run)
    asked = Run.objects.filter(pk=run.pk, cancel_requested_at=None, status__in=(*UNDER_WAY, RunStatus.PLANNING))
    if asked.update(cancel_requested_at=timezone.now()) != 1:
        raise WrongState(f"{run.title} is not under way.")
    _stop_planning(run, by)
    for job in jobs_of(run).filter(status__in=ACTIVE, cancel_requested_at=None):
        jobs.request_cancel(job=job, by=by)
    run.refresh_from_db()
    is_over = note_ended(run)
    audit.record(run.team, by, "run.cancelled", f"run {run.public_id} {run.title}")
    four_eyes.bar(run, by, Bar.STOPPED)
    if is_over:
        entries.run_ended(run)


def _hold_jobs(run: Run) -> None:
    """A worker that ends a sample holds its job first, and the ledger last: so does whoever ends many at once."""
    waiting = jobs_of(run).filter(status__in=ACTIVE).order_by("pk")
    list(waiting.select_for_update(of=("self",)).values_list("pk", flat=True))


def _stop_planning(run: Run, by: User) -> None:
    """The run ends first: what its job or its discovery still bring finds nobody who waits for it."""
    now = timezone.now()
    if not Run.objects.filter(pk=run.pk, status=RunStatus.PLANNING).update(status=RunStatus.CANCELLED, finished_at=now):
        return
    for job in Job.objects.filter(planned_run=run, status__in=ACTIVE, cancel_requested_at=None):
        jobs.request_cancel(job=job, by=by)
    discovery = Run.objects.filter(discovers_for=run, cancel_requested_at=None, status__in=UNDER_WAY).first()
    if discovery is not None:
        cancel(run=discovery, by=by)


def start(run: Run) -> None:
    if run.site is not None:
        _choose_session(run.site, specs.spec_of(run.version).session if run.version else "")
    attempts.open_first(run)


def _choose_session(site: Site, named: str) -> None:
    """BadInput where the site has no saved login of that name."""
    sessions.choose(site, name=dispatch.session_chosen() or named)


def put_samples(run: Run, samples: Iterable[SampleInput]) -> None:
    Sample.objects.bulk_create(
        Sample(
            run=run,
            number=number,
            sample_id=each.sample_id,
            folder=each.folder,
            url=each.url,
            extra=confidential.seal(each.extra),
        )
        for number, each in enumerate(samples, start=1)
    )


def note_started(run: Run) -> None:
    Run.objects.filter(pk=run.pk, status=RunStatus.QUEUED).update(status=RunStatus.RUNNING, started_at=timezone.now())


def note_ended(run: Run) -> bool:
    """Whether this was its last sample: then the run has ended too. Called in the transaction that ends a sample."""
    if run.samples.exclude(status__in=SAMPLE_ENDED).exists():
        return False
    status = RunStatus.CANCELLED if run.cancel_requested_at else RunStatus.DONE
    ended = Run.objects.filter(pk=run.pk, status__in=UNDER_WAY)
    return ended.update(status=status, finished_at=timezone.now()) == 1


def settle_sample(job: Job) -> bool:
    """The end of a sample's job, for the attempt, the sample and the run; whether the run has ended by it."""
    attempts.settle(job)
    run = Run.objects.filter(samples__attempts__job=job).first()
    return run is not None and note_ended(run)


def write_down(job: Job, *, is_over: bool) -> None:
    """The end of a sample, and of its run if it was the last, into the ledger: after everything else was written."""
    attempt = Attempt.objects.select_related("sample__run").filter(job=job).first()
    if attempt is None:
        return
    entries.sample_finished(attempt)
    if is_over:
        entries.run_ended(attempt.sample.run)


def jobs_of(run: Run) -> QuerySet[Job]:
    return Job.objects.filter(attempt_at_sample__sample__run=run)


def cost_of(run: Run) -> model_use.Total:
    return model_use.total_of(ModelUse.objects.filter(job__attempt_at_sample__sample__run=run))


def tokens_left(run: Run) -> int:
    budget = settings.EVIDENCE_BUDGET_TOKENS if run.budget_tokens is None else run.budget_tokens
    return max(0, budget - cost_of(run).tokens)


def micros_left(run: Run) -> int | None:
    """Millionths of a dollar; None where the run's money is not limited. What has no price counts as nothing here: the
    model itself refuses to be asked for money it cannot count."""
    return None if run.budget_micros is None else max(0, run.budget_micros - cost_of(run).cost_micros)


def is_spent(run: Run) -> bool:
    return tokens_left(run) == 0 or micros_left(run) == 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many samples are in which state; `total` of all."""

    total: int
    by_status: dict[str, int] = field(default_factory=dict)

    @property
    def ended(self) -> int:
        return sum(count for status, count in self.by_status.items() if status in SAMPLE_ENDED)


def counts_of(run: Run) -> Counts:
    rows = run.samples.order_by().values_list("status").annotate(Count("pk"))
    by_status = dict(rows)
    return Counts(sum(by_status.values()), by_status)


def stop_for_budget(run: Run) -> None:
    """The money is spent: what waits is not begun."""
    for job in jobs_of(run).filter(status=JobStatus.QUEUED):
        _stop_waiting(job)


@transaction.atomic
def _stop_waiting(job: Job) -> None:
    done = Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED).update(
        status=JobStatus.CANCELLED,
        finished_at=timezone.now(),
        error={"error": "The budget of the run was spent.", "kind": "budget_spent"},
    )
    if done:
        job.refresh_from_db()
        settling.settle(job)


def checked_samples(samples: Sequence[SampleInput], run: Run) -> tuple[SampleInput, ...]:
    """BadInput names what is wrong with them for the run's task."""
    schema = specs.spec_of(run.version).input_schema if run.version else {}
    return _checked(samples, schema)


def free_folder() -> str:
    stem = f"run_{timezone.now():%Y-%m-%d_%H%M%S}"
    taken = set(Run.objects.filter(folder__startswith=stem).values_list("folder", flat=True))
    return next(name for name in (stem, *(f"{stem}_{n}" for n in range(2, 10_000))) if name not in taken)


def require_runner(team: Team, by: User) -> None:
    if access.role_in(by, team) not in RUNNERS:
        raise NotAllowed(f"An operator of {team} starts and stops runs.")


def _checked(samples: Sequence[SampleInput], schema: Any) -> tuple[SampleInput, ...]:
    try:
        checked = from_items(as_rows(samples), input_schema=schema)
    except SamplesRefused as error:
        raise BadInput(list(error.problems)) from error
    if lost := [(each.sample_id, name) for each in checked for name in confidential.only_dots(each.extra)]:
        raise BadInput([f"{sample_id}: only dots stand in {name}; give its value" for sample_id, name in lost])
    if short := [(each.sample_id, name) for each in checked for name in confidential.too_short(each.extra)]:
        why = "is too short a secret to be kept out of anything; call the column otherwise if it is none"
        raise BadInput([f"{sample_id}: {name} {why}" for sample_id, name in short])
    return checked


def _within_bounds(how: How, title: str) -> dict[str, Any]:
    kept: dict[str, Any] = dict(how)
    kept["title"] = one_line(how.get("title") or title)[:200]
    kept["control"] = one_line(str(kept.get("control") or ""))[:60]
    kept["period"] = one_line(str(kept.get("period") or ""))[:40]
    if not 0 <= kept.get("retries", 0) <= MAX_RETRIES:
        raise BadInput({"retries": f"0 to {MAX_RETRIES}"})
    return kept
