"""The worker of one queue: RQ and the database on this thread, Chromium on the browser thread.

RQ only delivers ids of rows and keeps the worker's own heartbeat; deadlines, cancelling and retries are the row's.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
import sys
import threading
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from django.utils.module_loading import import_string
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.command import parse_payload
from rq.exceptions import DeserializationError, StopRequested
from rq.job import Job
from rq.timeouts import JobTimeoutException

from recipes_app import queues, wiring
from recipes_app.jobs import running
from recipes_app.models.job import JobStatus
from recipes_app.services import dispatch
from recipes_app.services.runs import Claim

logger = logging.getLogger(__name__)

HEARTBEAT_EVERY_S = 15
HEARTBEAT_TTL_S = 60
MAINTENANCE_EVERY_S = 60
RECONNECT_AFTER_S = 1.0
STUCK_EXIT_CODE = 70
# After so many jobs the process ends by itself, and whoever supervises it starts a fresh one.
PROCESS_JOBS = 2000
LEAVES_WITHIN_S = 15
TOO_LONG = "Stopped by the last of its time limits; the machine may be overloaded."


@running.end_for.register
def _(_error: JobTimeoutException, claim: Claim) -> None:
    """RQ's back stop: our own deadline was not kept, so something held this thread up."""
    claim.finish(JobStatus.FAILED, {"error": TOO_LONG, "kind": "timeout", **claim.unfinished()})


class BrowserWorker(SimpleWorker):
    """Listens to exactly one queue: with several, RQ loses a job that dies between pop and start."""

    max_connection_wait_time = 5.0
    log_job_description = False

    def __init__(self, queue: Queue, place: running.Place) -> None:
        super().__init__(
            [queue],
            name=place.name,
            connection=queue.connection,
            maintenance_interval=MAINTENANCE_EVERY_S,
            serializer=queue.serializer,
        )
        self.place = place
        self.is_leaving = False
        self.jobs_done = 0
        self._next_beat = 0.0
        self._working_on: Job | None = None
        place.beat = self.beat
        place.ended = dispatch.tell_end

    def execute_job(self, job: Job, queue: Queue) -> None:
        if not _is_ours(job, queue.name):
            logger.error("the queue %s holds %s, which is no job of ours: dropped", queue.name, job.id)
            job.delete()
            dispatch.dispatch_queue(queue.name)  # it took the place of one of ours
            return
        close_old_connections()
        self._working_on = job
        try:
            super().execute_job(job, queue)
        finally:
            self._stopped_job_id = None
            self._working_on = None
            self._next_beat = 0.0
            self._after_job(queue.name)

    def beat(self) -> None:
        """Tell RQ that worker and job live, now and then; without Redis the job goes on."""
        now = monotonic()
        if now < self._next_beat:
            return
        self._next_beat = now + HEARTBEAT_EVERY_S
        if self._working_on is not None:
            with suppress(RedisError):
                self.maintain_heartbeats(self._working_on)

    def get_heartbeat_ttl(self, job: Job) -> int:  # noqa: ARG002 - the signature is RQ's
        """RQ's own SimpleWorker would be believed alive for the whole time limit of the job."""
        return HEARTBEAT_TTL_S

    def handle_payload(self, message: dict[Any, Any]) -> None:
        """Runs on RQ's subscription thread: it may wake, never touch the database."""
        if parse_payload(message).get("command") == queues.LOOK:
            self.place.browser.wake()
        else:
            super().handle_payload(message)  # type: ignore[no-untyped-call]

    def kill_horse(self, sig: signal.Signals = signal.SIGKILL) -> None:  # noqa: ARG002 - the signature is RQ's
        """RQ's stop command: the row decides whether the job stops, so look at it."""
        self.place.browser.wake()

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """RQ's way is an exception at whatever is done just now, which a client that reconnects may swallow. So a flag
        is set too, looked at by each heartbeat; an idle worker that is still here a while later ends all the same.
        """
        self.is_leaving = self._stop_requested = True
        late = threading.Timer(LEAVES_WITHIN_S, self._end_if_idle)
        late.daemon = True
        late.start()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """Once is enough: a further signal would fall into the midst of giving the job back."""
        try:
            super().request_force_stop(signum, frame)
        except SystemExit:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            raise

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        if self.is_leaving and self._working_on is None:
            raise StopRequested
        super().heartbeat(timeout, pipeline)

    def _end_if_idle(self) -> None:
        if self._working_on is None:
            logger.warning("told to end %d seconds ago and still waiting for Redis; ending now", LEAVES_WITHIN_S)
            os._exit(0 if self.place.browser.stop() else STUCK_EXIT_CODE)

    def set_shutdown_requested_date(self) -> None:
        # Called in a signal handler, in the midst of whatever the job does: Redis being away is no reason to fail it.
        with suppress(RedisError):
            super().set_shutdown_requested_date()  # type: ignore[no-untyped-call]

    def _after_job(self, queue_name: str) -> None:
        close_old_connections()
        if self.place.browser.is_stuck:
            raise SystemExit(STUCK_EXIT_CODE)
        self.jobs_done += 1
        if self.jobs_done >= PROCESS_JOBS or peak_memory_mb() > settings.WORKER_RECYCLE_MB:
            self.is_leaving = self._stop_requested = True
        # Keeps the queue filled even where no upkeep process runs.
        dispatch.dispatch_queue(queue_name)


def _is_ours(job: Job, queue: str) -> bool:
    """RQ runs whatever function a job names: only those that work on rows, with the number of one, are run here."""
    try:
        return job.func_name in dispatch.functions_of(queue) and [*map(type, job.args)] == [int] and not job.kwargs
    except DeserializationError:
        return False


def peak_memory_mb() -> float:
    """Of this process, without its browser, which is recycled on its own."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def work(queue_name: str, *, burst: bool = False) -> None:
    """Until told to stop by a signal (with `burst`: until the queue is empty), or time for a fresh process.

    Outlives Redis going away and coming back.
    """
    _let_signals_end_the_process()
    browser = wiring.new_browser()
    browser.warm(wiring.usual_call_options() if queue_name == "calls" else wiring.usual_options())
    try:
        # While Chromium is starting; the first job should not have to wait for it.
        for function in dispatch.functions_of(queue_name):
            import_string(function)
        while not _serve(running.Place(running.new_name(), browser), queue_name, burst=burst):
            _let_signals_end_the_process()
            logger.warning("Redis does not answer; trying again")
            threading.Event().wait(RECONNECT_AFTER_S)
    finally:
        if not browser.stop():
            # A thread that still holds Playwright would crash the interpreter on its way out.
            os._exit(STUCK_EXIT_CODE)


def _serve(place: running.Place, queue_name: str, *, burst: bool) -> bool:
    """One RQ worker from birth to death; False if it ended because of Redis."""
    worker: BrowserWorker | None = None
    try:
        with running.at(place):
            worker = BrowserWorker(queues.queue_of(queue_name, queues.worker_connection()), place)
            worker.work(burst=burst, logging_level=settings.LOG_LEVEL)
    except RedisError as error:
        logger.warning("Redis does not answer: %s", error)
        return bool(worker and worker.is_leaving)
    return burst or worker.is_leaving


def _let_signals_end_the_process() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)


def _leave(_signum: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
