"""Jobs of the queue `packs` that need no browser: signed messages to a team's addresses, and letters to people."""

from __future__ import annotations

from django.utils import timezone

from recipes_app.jobs import running
from recipes_app.jobs.posting import post
from recipes_app.models.job import JobStatus
from recipes_app.services import mail, webhooks
from recipes_app.services.runs import Claim


def deliver(job_id: int) -> None:
    running.run(job_id, _deliver)


def _deliver(claim: Claim) -> None:
    """What is due now; what fails is due again later, in another job."""
    team, sent = claim.job.team, 0
    for delivery in webhooks.due(team)[: webhooks.AT_ONCE]:
        claim.renew()
        if claim.cancelled():
            claim.finish(JobStatus.CANCELLED, {"error": "Cancelled.", "kind": "cancelled"})
            return
        now = timezone.now()
        if webhooks.take(delivery, now):
            body = webhooks.body_of(delivery)
            headers = webhooks.headers_for(delivery, body, now)
            answer = post(delivery.webhook.url, body, headers, webhooks.policy_for(delivery.webhook.url))
            webhooks.note(delivery, answer)
            sent += answer.is_fine
    letters = mail.send_notices(team, limit=webhooks.AT_ONCE)
    claim.progress("done", sent + letters, None, f"{sent} messages and {letters} letters sent")
    claim.finish(JobStatus.DONE)
