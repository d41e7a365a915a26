"""What this application adds to the life of jobs: their queues, how they go on after a loss, what their end means."""

from __future__ import annotations

from django.db.models import Q

from evidence_app.models import Run
from evidence_app.models.review import Bar
from evidence_app.services import (
    attempts,
    exhibits,
    forgetting,
    four_eyes,
    head_copies,
    nightly,
    output,
    plans,
    resealing,
    runs,
    schedules,
    signing,
    strays,
    timestamps,
)
from evidence_app.views import bundles, waiting
from recipes_app.api import more
from recipes_app.models import Job, User
from recipes_app.models.job import JobKind
from recipes_app.services import dispatch, losses, rotation, settling, upkeep
from recipes_app.templatetags import agentify
from recipes_app.views import bundles as job_bundles
from recipes_app.views import following, rail

API = [
    ("/tasks", "evidence_app.api.tasks.router"),
    ("/runs", "evidence_app.api.runs.router"),
    ("", "evidence_app.api.samples.router"),
]

CHORES = (
    (5.0, output.write_waiting),
    (20.0, schedules.start_due),
    (600.0, strays.sweep),
    (5.0, signing.sign_due),
    (10.0, head_copies.send_due),
    (15.0, timestamps.ask_due),
    (10.0, forgetting.carry_on),
    (5.0, nightly.verify_due),
)


def settle_sample(job: Job) -> None:
    """The end of a sample's job, for the attempt, the sample, the run, and the run that waits for its discovery."""
    is_over = runs.settle_sample(job)
    exhibits.put_up(job)
    run = Run.objects.filter(samples__attempts__job=job).first()
    if run is not None and run.status not in runs.UNDER_WAY:
        plans.settle_discovery(run)
        exhibits.run_ended(run)
    runs.write_down(job, is_over=is_over)


def bar_who_stops(job: Job, by: User) -> None:
    """Whoever stops a sample, or the plan of a run, has had a hand in what it brings."""
    run = Run.objects.filter(Q(samples__attempts__job=job) | Q(plan_job=job)).first()
    if run is not None:
        four_eyes.bar(run, by, Bar.STOPPED)


def register() -> None:
    dispatch.ROUTES[JobKind.SAMPLE] = ("agents", "evidence_app.jobs.agents.collect_sample")
    losses.OWN_RULES[JobKind.SAMPLE] = attempts.after_loss
    settling.MORE[JobKind.SAMPLE] = settle_sample
    dispatch.ROUTES[JobKind.PLAN] = ("agents", "evidence_app.jobs.agents.plan_run")
    settling.MORE[JobKind.PLAN] = plans.settle_plan
    settling.STOPPED |= dict.fromkeys((JobKind.SAMPLE, JobKind.PLAN), bar_who_stops)
    dispatch.ROUTES[JobKind.PACK] = ("packs", "evidence_app.jobs.packs.build_pack")
    for chore in CHORES:
        if chore not in upkeep.MORE:
            upkeep.MORE.append(chore)
    rotation.MORE += [
        each for each in (resealing.reseal_samples, resealing.reseal_schedules) if each not in rotation.MORE
    ]
    register_pages()


def register_pages() -> None:
    """Places in the rail, the way from a job to what it is about, and a part of the API."""
    more.ROUTERS += [each for each in API if each not in more.ROUTERS]
    more.RESOURCES += [each for each in ("evidence_app.api.resources",) if each not in more.RESOURCES]
    job_bundles.BUNDLED[JobKind.SAMPLE] = bundles.sample_jobs
    agentify.PAGES_OF_OTHERS |= dict.fromkeys((JobKind.SAMPLE, JobKind.PLAN, JobKind.PACK), "evidence_job")
    if waiting.PLACES[0] not in rail.MORE:
        rail.MORE += waiting.PLACES
        following.MORE += waiting.WHOSE
