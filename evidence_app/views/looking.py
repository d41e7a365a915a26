"""What an exhibit's page says beside the evidence: what was asked for, what to look at first, whose word is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, QueryDict

from evidence_app.models import Conclusion, Exhibit, Review
from evidence_app.models.review import Decision, ExhibitState, Level
from evidence_app.services import comparing, doubts, four_eyes
from recipes_app.models import User
from recipes_app.services.errors import BadInput, ServiceError

KEPT = ("decision", "reason_code", "words", "answer", "answer_words")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the sample was collected for."""

    goal: str
    question: str
    url: str


@dataclass(frozen=True, slots=True)
class Last:
    """What this person has decided just before, and what became of it."""

    review: Review
    waits_for_another: bool
    is_concluded: bool
    judgment: str  # the agent's, once their own was given
    is_otherwise: bool


def asked_of(exhibit: Exhibit) -> Asked:
    run = exhibit.run
    document = run.version.document if run.version else {}
    goal, question = (str(document.get(name) or "") for name in ("goal", "judgment_question"))
    return Asked(goal or run.sentence, question, exhibit.sample.url or exhibit.attempt.current_url)


def first_of(exhibit: Exhibit, before: Exhibit | None) -> dict[str, Any]:
    """What is to be looked at before anything is signed."""
    return {
        "not_on_page": doubts.not_on_page(exhibit.attempt),
        "changes": comparing.changes(before, exhibit) if before else 0,
    }


def last_of(review: Review | None) -> Last | None:
    if review is None:
        return None
    exhibit = Exhibit.objects.get(sample=review.sample)
    own = Conclusion.objects.filter(attempt=review.attempt, reviewer=review.reviewer).last()
    judgment = str((review.attempt.judgment or {}).get("answer", "")) if own else ""
    return Last(
        review,
        waits_for_another=exhibit.state == ExhibitState.SECOND and review.level == Level.FIRST,
        is_concluded=own is not None or review.decision != Decision.APPROVE,
        judgment=judgment,
        is_otherwise=own is not None and doubts.says_otherwise(review.attempt, own),
    )


def signatures(
    exhibit: Exhibit, rows: Sequence[Review], conclusions: Sequence[Conclusion], user: User
) -> dict[str, Any]:
    """Of the decisions that stand about what lies there now: all of them, whether this person's is the first of two,
    and the conclusions they may read. The second judges for themselves before they read the first."""
    signed = [row for row in rows if row.undone_at is None and row.attempt_id == exhibit.attempt_id]
    is_second = exhibit.state == ExhibitState.SECOND
    is_first_hand = is_second and any(row.reviewer_id == user.pk for row in signed)
    has_own = any(row.reviewer_id == user.pk and row.attempt_id == exhibit.attempt_id for row in conclusions)
    hides = (
        is_second and settings.REVIEW_OWN_JUDGMENT_FIRST and not has_own and not four_eyes.why_not(exhibit.run, user)
    )
    shown = [row for row in conclusions if not hides or row.reviewer_id == user.pk]
    return {
        "signed": signed,
        "is_first_hand": is_first_hand,
        "conclusions": shown,
        "conclusions_hidden": len(conclusions) - len(shown),
        "is_concluded": has_own,
    }


def given_in(data: QueryDict) -> dict[str, Any]:
    """What was typed and chosen, to stand there again after a refusal."""
    return {**{name: data.get(name, "") for name in KEPT}, "again": "again" in data}


def plainly(error: ServiceError) -> str:
    """A refusal as a sentence: people do not know fields by their names."""
    return " ".join(error.by_path.values()) if isinstance(error, BadInput) and error.by_path else str(error)


def refuse(request: HttpRequest, error: ServiceError) -> None:
    messages.error(request, plainly(error))


@contextmanager
def refusals_said(request: HttpRequest) -> Iterator[None]:
    """A service's refusal becomes a message on the next page."""
    try:
        yield
    except ServiceError as error:
        refuse(request, error)
