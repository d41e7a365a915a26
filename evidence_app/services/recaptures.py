"""A sample that is to be taken again: a new attempt beside the old one, which stays with all it brought."""

from __future__ import annotations

from django.db import transaction

from evidence_app.models import Attempt, Exhibit, Review, Run
from evidence_app.models.run import SAMPLE_ENDED, Cause
from evidence_app.services import attempts, four_eyes, ledger, runs
from recipes_app.services.errors import WrongState


@transaction.atomic
def ask(*, exhibit: Exhibit, review: Review) -> Attempt:
    """In the transaction of the review that asks for it."""
    sample, run = exhibit.sample, exhibit.run
    if sample.attempts.exclude(status__in=SAMPLE_ENDED).exists():
        raise WrongState(f"{sample.sample_id} is being collected already.")
    if run.status not in runs.UNDER_WAY:
        runs.reopen(run)
    sample.run = Run.objects.select_related("team", "version", "requested_by").get(pk=run.pk)
    attempt = attempts.open_attempt(sample=sample, cause=Cause.RECAPTURE)
    facts = {
        "team": run.team_id,
        "run": run.public_id,
        "sample": sample.sample_id,
        "review": review.pk,
        "attempt_before": exhibit.attempt.number,
        "attempt": attempt.number,
        "reason_code": str(review.reason_code),
        "by": four_eyes.person(review.reviewer),
    }
    ledger.append("recapture.asked", facts, run=run)
    return attempt
