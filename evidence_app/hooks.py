"""What this application adds to the life of jobs: their queues, how they go on after a loss, what their end means."""

from __future__ import annotations

from evidence_app.services import attempts, output, runs
from recipes_app.models.job import JobKind
from recipes_app.services import dispatch, losses, settling, upkeep


def register() -> None:
    dispatch.ROUTES[JobKind.SAMPLE] = ("agents", "evidence_app.jobs.agents.collect_sample")
    losses.OWN_RULES[JobKind.SAMPLE] = attempts.after_loss
    settling.MORE[JobKind.SAMPLE] = runs.settle_sample
    chore = (5.0, output.write_waiting)
    if chore not in upkeep.MORE:
        upkeep.MORE.append(chore)
