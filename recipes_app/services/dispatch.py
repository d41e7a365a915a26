"""Which waiting jobs go into Redis, and when.

Redis holds at most twice as many ids per queue as it has workers; everything else waits in its row, so that an
interactive job overtakes bulk ones and teams take turns. A row that could not be offered is offered later.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from recipes_app import queues
from recipes_app.models import Job, Team, User
from recipes_app.models.job import ACTIVE, JobKind, JobStatus

logger = logging.getLogger(__name__)

ROUTES: dict[str, tuple[str, str]] = {
    JobKind.MAP: ("agents", "recipes_app.jobs.agents.map_site"),
    JobKind.RECORD: ("agents", "recipes_app.jobs.agents.record_recipe"),
    JobKind.HEAL: ("agents", "recipes_app.jobs.agents.heal_recipe"),
    JobKind.REMOTE: ("agents", "recipes_app.jobs.remote.drive_remote"),
    JobKind.LOGIN: ("agents", "recipes_app.jobs.agents.sign_in_to"),
    JobKind.CALL: ("calls", "recipes_app.jobs.calls.run_call"),
    JobKind.DELIVER: ("packs", "recipes_app.jobs.packs.deliver"),
}
BATCH = 500
_stays_here: ContextVar[bool] = ContextVar("stays_here", default=False)
_session: ContextVar[str] = ContextVar("session", default="")


@dataclass(slots=True)
class _Outage:
    """Says once that Redis is away, and once that it is back: the dispatcher asks twice a second."""

    is_known: bool = False

    def note(self, error: queues.Unreachable) -> None:
        if not self.is_known:
            logger.warning("Redis does not answer, jobs wait in their rows: %s", error)
        self.is_known = True

    def over(self) -> None:
        if self.is_known:
            logger.warning("Redis answers again")
        self.is_known = False


_outage = _Outage()


def functions_of(queue: str) -> list[str]:
    """Dotted names of what a worker of this queue runs."""
    return [function for name, function in ROUTES.values() if name == queue]


@contextmanager
def staying_here() -> Iterator[None]:
    """Jobs opened inside are run by this very process and are not offered to the workers."""
    token = _stays_here.set(True)
    try:
        yield
    finally:
        _stays_here.reset(token)


@contextmanager
def signed_in_as(session: str) -> Iterator[None]:
    """Jobs opened inside work with this session, as Job.session has it."""
    token = _session.set(session)
    try:
        yield
    finally:
        _session.reset(token)


def session_chosen() -> str:
    """That of `signed_in_as`, "" outside of it."""
    return _session.get()


def open_job(*, team: Team, by: User, kind: JobKind, title: str, deadline_s: int, interactive: bool = True) -> Job:
    """Make the row of a job and offer it to the workers once the transaction has committed."""
    job = _new_job(team, by, kind, title, deadline_s)
    job.interactive = interactive
    job.save()
    offer(job)
    return job


def open_bulk(
    *, team: Team, by: User, kind: JobKind, titles: Iterable[str], deadline_s: int, max_attempts: int
) -> list[Job]:
    """As open_job for many at once, which come after interactive ones: a few statements for thousands of rows."""
    rows = [_new_job(team, by, kind, title, deadline_s) for title in titles]
    for row in rows:
        row.interactive, row.max_attempts = False, max_attempts
    jobs = Job.objects.bulk_create(rows, batch_size=BATCH)
    if jobs:
        offer(jobs[0])
    return jobs


def _new_job(team: Team, by: User, kind: JobKind, title: str, deadline_s: int) -> Job:
    """Not saved yet."""
    return Job(
        team=team,
        requested_by=by,
        kind=kind,
        title=title[:200],
        queue=ROUTES[kind][0],
        deadline_s=deadline_s,
        session=_session.get(),
        # As if it had been dispatched: should this process die before it claims the job, it is found missing in Redis.
        dispatched_at=timezone.now() if _stays_here.get() else None,
    )


def offer(job: Job) -> None:
    """On commit: put waiting rows of this job's queue into Redis while there is room."""
    transaction.on_commit(lambda: dispatch_queue(job.queue))


def dispatch_waiting() -> int:
    """Every queue once; how many ids went into Redis."""
    return sum(dispatch_queue(name) for name in settings.QUEUE_NAMES)


def dispatch_queue(name: str) -> int:
    """Never raises for Redis: the rows stay and are offered again by the next call."""
    if not _undispatched(name).exists():
        return 0
    try:
        put = sum(_put(job) for job in next_jobs(name, queues.room(name)))
    except queues.Unreachable as error:
        _outage.note(error)
        return 0
    _outage.over()
    return put


def next_jobs(name: str, room: int) -> Sequence[Job]:
    """The next `room` rows: interactive before bulk, then the team with the least under way, then the oldest."""
    if room <= 0:
        return []
    nth = Window(RowNumber(), partition_by=[F("interactive"), F("team")], order_by=[F("created_at"), F("pk")])
    waiting = list(_undispatched(name).annotate(nth=nth).filter(nth__lte=room))
    busy = _under_way(name)
    waiting.sort(key=lambda job: (not job.interactive, busy.get(job.team_id, 0) + job.nth, job.created_at, job.pk))
    return waiting[:room]


def wake(job: Job) -> None:
    """Make the worker that holds this job look at its row at once; without Redis it looks at its next tick."""
    if not job.worker:
        return
    try:
        queues.look(job.worker)
    except queues.Unreachable as error:
        logger.warning("Redis does not answer, worker %s was not woken: %s", job.worker, error)


def tell_end(row_id: int) -> None:
    """Wake whoever waits for this job, whose end has been committed; without Redis they look again by themselves."""
    with suppress(queues.Unreachable):
        queues.tell_end(row_id)


def take_back_lost(*, older_than_s: float) -> int:
    """Rows whose id is in Redis no more (flushed, or popped by a worker that died) wait again to be offered."""
    before = timezone.now() - timedelta(seconds=older_than_s)
    lost = 0
    for name in settings.QUEUE_NAMES:
        rows = Job.objects.waiting().filter(queue=name, dispatched_at__lt=before)
        if rows.exists():
            there = queues.waiting_ids(name)
            gone = [pk for pk in rows.values_list("pk", flat=True) if pk not in there]
            lost += rows.filter(pk__in=gone).update(dispatched_at=None)
    return lost


def _undispatched(name: str) -> QuerySet[Job]:
    return Job.objects.waiting().filter(queue=name, dispatched_at=None)


def _under_way(name: str) -> dict[int, int]:
    """Jobs of each team that are in Redis or running."""
    rows = Job.objects.filter(queue=name, status__in=ACTIVE, dispatched_at__isnull=False)
    return dict(rows.order_by().values_list("team_id").annotate(Count("pk")))


def _entry(job: Job) -> queues.Entry:
    return queues.Entry(ROUTES[job.kind][1], job.pk, str(job.title), job.deadline_s, goes_first=job.attempt > 0)


def _put(job: Job) -> bool:
    """The guarded UPDATE decides between two dispatchers; what Redis refuses is given back."""
    mine = Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED, dispatched_at=None)
    if mine.update(dispatched_at=timezone.now()) != 1:
        return False
    try:
        queues.put(job.queue, _entry(job))
    except queues.Unreachable:
        Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED).update(dispatched_at=None)
        raise
    return True
