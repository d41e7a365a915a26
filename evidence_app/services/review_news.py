"""What is told to people of the review room: what waits, what came back, what should not have happened."""

from __future__ import annotations

from django.urls import reverse

from evidence_app.models import Artifact, BreakGlass, Comment, Exhibit, Review, Run, RunBarred, Sample
from evidence_app.models.review import WAITING
from recipes_app.models import User
from recipes_app.models.team import OWNERS, SIGNERS
from recipes_app.services import notices


def run_waits(run: Run) -> None:
    """Its last sample has ended: whoever may sign it is told once."""
    waiting = Exhibit.objects.filter(run=run, state__in=WAITING).count()
    if not waiting:
        return
    barred = set(RunBarred.objects.filter(run=run).values_list("user", flat=True))
    counted = "1 sample waits" if waiting == 1 else f"{waiting} samples wait"
    news = notices.News(
        event="review.waiting",
        text=f"{run.title}: {counted} for review.",
        path=queue_of(run),
        mark=mark_of(run),
        by_mail=True,
    )
    people = [each for each in notices.people_of(run.team, SIGNERS) if each.pk not in barred]
    notices.tell(team=run.team, people=people, news=news)


def settled(run: Run) -> None:
    if not Exhibit.objects.filter(run=run, state__in=WAITING).exists():
        notices.settled(run.team, mark_of(run))


def second_wanted(exhibit: Exhibit, first: User) -> None:
    barred = set(RunBarred.objects.filter(run=exhibit.run).values_list("user", flat=True))
    people = [each for each in notices.people_of(exhibit.run.team, SIGNERS, but=first) if each.pk not in barred]
    news = notices.News(
        event="review.second",
        text=f"{exhibit.run.title}: what {first} approved wants a second signature.",
        path=f"{queue_of(exhibit.run)}&state=second",
        mark=f"second:{exhibit.run_id}",
    )
    notices.tell(team=exhibit.run.team, people=people, news=news)


def turned_back(review: Review) -> None:
    """Whoever asked for the run is told that it was not accepted."""
    run, sample = review.sample.run, review.sample
    words = f": {review.words}" if review.words else ""
    news = notices.News(
        event=f"review.{review.decision}",
        text=f"{sample.sample_id} of {run.title}: {review.get_decision_display().lower()} by {review.reviewer}{words}",
        path=page_of(sample),
    )
    notices.tell(team=run.team, people=[run.requested_by], news=news)


def assigned(sample: Sample, to: User, by: User) -> None:
    news = notices.News(
        event="review.assigned",
        text=f"{by} asks you to review {sample.sample_id} of {sample.run.title}.",
        path=page_of(sample),
        mark=f"assigned:{sample.pk}",
        by_mail=True,
    )
    notices.tell(team=sample.run.team, people=[to], news=news)


def commented(comment: Comment, people: list[User]) -> None:
    sample = comment.sample
    news = notices.News(
        event="review.comment",
        text=f"{comment.by} on {sample.sample_id} of {sample.run.title}: {comment.text[:160]}",
        path=f"{page_of(sample)}#comments",
    )
    notices.tell(team=sample.run.team, people=people, news=news)


def glass_broken(row: BreakGlass) -> None:
    news = notices.News(
        event="four_eyes.broken",
        text=f"{row.by} lets {row.user} sign {row.run.title}, who is barred from it: {row.words}",
        path=reverse("run_detail", args=[row.run.public_id]),
        by_mail=True,
    )
    notices.tell(team=row.run.team, people=notices.people_of(row.run.team, SIGNERS | OWNERS), news=news)


def mismatched(artifact: Artifact, where: str) -> None:
    """A file is not what was stored under its hash."""
    sample = artifact.attempt.sample
    news = notices.News(
        event="evidence.mismatch",
        text=f"{artifact.name} of {sample.sample_id} ({sample.run.title}) is not what was captured: {where}.",
        path=page_of(sample),
        mark=mismatch_mark(artifact),
        by_mail=True,
    )
    notices.tell(team=sample.run.team, people=notices.people_of(sample.run.team, SIGNERS | OWNERS), news=news)


def queue_of(run: Run) -> str:
    return f"{reverse('review_queue')}?run={run.public_id}"


def page_of(sample: Sample) -> str:
    return reverse("review_exhibit", args=[sample.pk])


def mark_of(run: Run) -> str:
    return f"review:{run.pk}"


def mismatch_mark(artifact: Artifact) -> str:
    return f"mismatch:{artifact.pk}"
