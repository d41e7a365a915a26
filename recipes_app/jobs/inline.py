"""Run a job in this process, without Redis and without a worker: the command line's way.

Make the row inside `dispatch.staying_here()`, so that no worker is offered it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.utils.module_loading import import_string

from recipes_app import wiring
from recipes_app.engine.events import Event
from recipes_app.jobs import running
from recipes_app.models import Job
from recipes_app.services.dispatch import ROUTES
from recipes_app.services.errors import WrongState


def run_inline(job: Job, on_event: Callable[[Event], None] = lambda _event: None) -> Job:
    """The function a worker would run, with a browser of its own; returns the row as it ended."""
    browser = wiring.new_browser().start()
    try:
        run_with(running.Place(running.new_name(), browser, said=on_event), job)
    finally:
        browser.stop()
    return job


def run_with(place: running.Place, job: Job) -> Job:
    """As run_inline, in a browser that is there already."""
    with running.at(place):
        import_string(ROUTES[job.kind][1])(job.pk)
    job.refresh_from_db()
    if job.worker != place.name and job.is_active:
        raise WrongState(f"A worker has taken this job already: {job.title}.")
    return job
