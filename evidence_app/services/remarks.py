"""Who is asked to review a sample, and what people say to one another about it."""

from __future__ import annotations

from django.db import transaction

from evidence_app.models import Assignment, Comment, Exhibit, Review, Sample
from evidence_app.services import four_eyes, ledger, review_news
from evidence_app.services.reviews import MAX_WORDS, exhibit_of
from recipes_app.models import User
from recipes_app.models.team import SIGNERS
from recipes_app.services import access, audit, notices
from recipes_app.services.errors import BadInput, NotAllowed


@transaction.atomic
def assign(*, sample: Sample, to: User | None, by: User) -> Assignment:
    """`to` has to be somebody who may sign it; None leaves it to whoever comes."""
    exhibit = exhibit_of(sample)
    run = exhibit.run
    if not access.can(by, run.team, SIGNERS):
        raise NotAllowed(f"Reviewers and owners of {run.team} say who reviews.")
    if to is not None and four_eyes.why_not(run, to):
        raise BadInput({"to": f"{to} cannot sign this. {four_eyes.can_said(run)}"})
    row = Assignment.objects.create(sample=sample, to=to, by=by)
    Exhibit.objects.filter(pk=exhibit.pk).update(assignee=to)
    audit.record(run.team, by, "review.assigned", f"sample {sample.pk} {sample.sample_id}", to=str(to or "nobody"))
    notices.settled(run.team, f"assigned:{sample.pk}")
    if to is not None and to != by:
        review_news.assigned(sample, to, by)
    named = {"to": four_eyes.person(to) if to else None, "by": four_eyes.person(by)}
    about = {"team": run.team_id, "run": run.public_id, "sample": sample.sample_id}
    ledger.append("review.assigned", {**about, **named}, run=run)
    return row


@transaction.atomic
def comment(*, sample: Sample, by: User, text: str) -> Comment:
    """By anybody of the team; who has had to do with the sample is told."""
    run = exhibit_of(sample).run
    if access.role_in(by, run.team) is None:
        raise NotAllowed("Only members of the team comment.")
    words = text.strip()
    if not words or len(words) > MAX_WORDS:
        raise BadInput({"text": f"1 to {MAX_WORDS} characters."})
    row = Comment.objects.create(sample=sample, by=by, text=words)
    review_news.commented(row, _concerned(sample, by))
    facts = {"sample": sample.sample_id, "comment": row.pk, "by": four_eyes.person(by), "text": words}
    ledger.append("review.commented", {"team": run.team_id, "run": run.public_id, **facts}, run=run)
    return row


def _concerned(sample: Sample, by: User) -> list[User]:
    keys = {
        sample.run.requested_by_id,
        *Review.objects.filter(sample=sample).values_list("reviewer", flat=True),
        *Comment.objects.filter(sample=sample).values_list("by", flat=True),
        *Exhibit.objects.filter(sample=sample, assignee__isnull=False).values_list("assignee", flat=True),
    }
    members = User.objects.filter(pk__in=keys, is_active=True, memberships__team=sample.run.team)
    return list(members.exclude(pk=by.pk).distinct())
