"""Decisions about evidence: bound to the hashes the reviewer saw, never changed, undone only by saying so.

Two things are decided apart: whether the evidence holds (`decide`), and what it says about the control (`conclude`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evidence_app.models import Artifact, Conclusion, Exhibit, Review, Sample
from evidence_app.models.review import WAITING, Answer, Decision, ExhibitState, Level, Reason
from evidence_app.services import doubts, four_eyes, ledger, recaptures, review_news, showing
from recipes_app.models import User
from recipes_app.models.team import SIGNERS
from recipes_app.services import access, audit
from recipes_app.services.errors import BadInput, NotAllowed, ServiceError, WrongState

MAX_WORDS = 4000
AT_ONCE = 200
# Approvals need no reason; a picture that is to be taken again may be refused for any.
REASONS = {
    Decision.APPROVE: (Reason.NONE,),
    Decision.REJECT: tuple(each for each in Reason if each != Reason.NONE),
    Decision.RECAPTURE: (
        Reason.NOT_READABLE, Reason.NOT_LOADED, Reason.COVERED, Reason.SIGNED_OUT, Reason.INCOMPLETE, Reason.WRONG_PAGE,
        Reason.OTHER,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a reviewer says of an exhibit. `seen`: artifact and SHA-256 of each file as their page showed it. `again`: a
    rejected sample is taken once more."""

    decision: str
    seen: Mapping[int, str]
    reason_code: str = ""
    words: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What a reviewer says of the control."""

    answer: str
    words: str = ""


def decide(*, sample: Sample, by: User, verdict: Verdict, finding: Finding | None = None) -> Review:
    """With what it says about the control, or neither. Mismatch where a file is not what was captured; WrongState where
    it is not what was shown, or was decided on."""
    exhibit = exhibit_of(sample)
    four_eyes.require_signer(exhibit.run, by)
    _check_words(verdict)
    files = showing.files_of(exhibit.attempt)
    _check_seen(files, verdict, by)
    showing.refuse_changed(files, by)
    if verdict.decision == Decision.APPROVE:
        doubts.require_words(exhibit.attempt, verdict.words)
    with transaction.atomic():
        review = _write(exhibit, files, by, verdict)
        if finding is not None:
            _conclude(exhibit, files, by, finding)
    return review


def exhibit_of(sample: Sample) -> Exhibit:
    rows = Exhibit.objects.select_related("run__team", "run__version", "attempt", "sample__run", "assignee")
    exhibit = rows.filter(sample=sample).first()
    if exhibit is None:
        raise WrongState(f"{sample.sample_id} has brought nothing to review yet.")
    return exhibit


def _check_words(verdict: Verdict) -> None:
    if verdict.decision not in Decision.values:
        raise BadInput({"decision": "approve, reject or recapture"})
    reasons = REASONS[Decision(verdict.decision)]
    if verdict.reason_code not in reasons:
        raise BadInput({"reason_code": "Choose a reason." if reasons[0] != Reason.NONE else "An approval has none."})
    if verdict.reason_code == Reason.OTHER and not verdict.words.strip():
        raise BadInput({"words": "Say what the other reason is."})
    if len(verdict.words) > MAX_WORDS:
        raise BadInput({"words": f"At most {MAX_WORDS} characters."})


def _check_seen(files: Sequence[Artifact], verdict: Verdict, by: User) -> None:
    _check_hashes(files, verdict.seen)
    if verdict.decision != Decision.APPROVE:
        return
    if not files:
        raise WrongState("There is no file to approve: ask for a new capture, or reject it.")
    seen = showing.seen_by(by, files)
    if unseen := [row.label for row in showing.pictures_of(files) if row.pk not in seen]:
        raise WrongState(f"Not every picture has stood before you at full size yet: {', '.join(unseen[:5])}.")


def _check_hashes(files: Sequence[Artifact], seen: Mapping[int, str]) -> None:
    if {row.pk: row.sha256 for row in files} != dict(seen):
        raise WrongState("There is a newer capture than the one your page shows. Look at it before you decide.")


@transaction.atomic
def _write(exhibit: Exhibit, files: Sequence[Artifact], by: User, verdict: Verdict) -> Review:
    level = Level.SECOND if exhibit.state == ExhibitState.SECOND else Level.FIRST
    before, sample = exhibit.state, exhibit.sample
    if level == Level.SECOND and by in _first_hands(exhibit):
        raise NotAllowed("The second signature is somebody else's than the first.")
    _move(exhibit, _state_after(verdict, level), verdict)
    seen = showing.seen_by(by, files)
    review = Review.objects.create(
        sample=sample,
        attempt=exhibit.attempt,
        reviewer=by,
        level=level,
        decision=verdict.decision,
        reason_code=verdict.reason_code,
        words=verdict.words.strip(),
        seen=[
            {"artifact": row.pk, "name": row.name, "sha256": row.sha256, "shown": row.pk in seen} for row in files
        ],
        hashed_here=showing.are_hashed_by(by, files),
    )  # fmt: skip
    subject = f"sample {sample.pk} {sample.sample_id}"
    audit.record(exhibit.run.team, by, f"review.{verdict.decision}", subject, level=level, reason=verdict.reason_code)
    _tell(exhibit, review, by)
    ledger.append("review.decided", {**_about(exhibit), **_said(review, before)}, run=exhibit.run)
    if exhibit.state == ExhibitState.RECAPTURE:
        recaptures.ask(exhibit=exhibit, review=review)
    return review


def _first_hands(exhibit: Exhibit) -> set[User]:
    rows = Review.objects.filter(attempt=exhibit.attempt, level=Level.FIRST, undone_at=None).select_related("reviewer")
    return {row.reviewer for row in rows}


def _state_after(verdict: Verdict, level: Level) -> ExhibitState:
    if verdict.decision == Decision.APPROVE:
        wants_second = settings.REVIEW_TWO_SIGNATURES and level == Level.FIRST
        return ExhibitState.SECOND if wants_second else ExhibitState.APPROVED
    if verdict.decision == Decision.RECAPTURE or verdict.again:
        return ExhibitState.RECAPTURE
    return ExhibitState.REJECTED


def _move(exhibit: Exhibit, state: ExhibitState, verdict: Verdict) -> None:
    """By whoever is first; what was rejected may still be asked for anew."""
    allowed = [*WAITING]
    if verdict.decision == Decision.RECAPTURE:
        allowed.append(ExhibitState.REJECTED)
    same = Exhibit.objects.filter(pk=exhibit.pk, attempt=exhibit.attempt, state=exhibit.state, state__in=allowed)
    if same.update(state=state, decided_at=timezone.now(), mismatch_at=None) != 1:
        raise WrongState(f"{exhibit.sample.sample_id} does not wait for this any more: somebody was faster.")
    exhibit.state = state


def _tell(exhibit: Exhibit, review: Review, by: User) -> None:
    review_news.settled(exhibit.run)
    if exhibit.state == ExhibitState.SECOND:
        review_news.second_wanted(exhibit, by)
    elif review.decision != Decision.APPROVE:
        review_news.turned_back(review)


@transaction.atomic
def undo(*, review: Review, by: User, words: str = "") -> Review:
    """The decision stays, marked as taken back; the exhibit waits again. By who decided and still is one who signs, or
    by who may sign the run."""
    exhibit = _held(exhibit_of(review.sample))
    if not access.can(by, exhibit.run.team, SIGNERS):
        raise NotAllowed(f"Reviewers and owners of {exhibit.run.team} take a decision back.")
    if review.reviewer_id != by.pk:
        four_eyes.require_signer(exhibit.run, by)
        if not words.strip():
            raise BadInput({"words": f"This was decided by {review.reviewer}: say why you take it back."})
    newest = Review.objects.filter(attempt=exhibit.attempt, undone_at=None).last()
    if newest is None or newest.pk != review.pk or (exhibit.is_waiting and exhibit.state != ExhibitState.SECOND):
        raise WrongState("Only the newest decision about what lies there now can be taken back.")
    if exhibit.state == ExhibitState.RECAPTURE:
        raise WrongState(f"{review.sample.sample_id} is being taken again already; decide when it is there.")
    now = timezone.now()
    mine = Review.objects.filter(pk=review.pk, undone_at=None)
    if mine.update(undone_by=by, undone_at=now, undone_words=words.strip()[:MAX_WORDS]) != 1:
        raise WrongState("This was taken back already.")
    state = ExhibitState.SECOND if review.level == Level.SECOND else ExhibitState.OPEN
    Exhibit.objects.filter(pk=exhibit.pk).update(state=state, decided_at=None)
    review.refresh_from_db()
    audit.record(exhibit.run.team, by, "review.undone", f"review {review.pk} of sample {review.sample_id}")
    facts = {"review": review.pk, "decision": review.decision, "by": four_eyes.person(by), "words": review.undone_words}
    ledger.append("review.undone", {**_about(exhibit), **facts}, run=exhibit.run)
    return review


def _held(exhibit: Exhibit) -> Exhibit:
    """As it is now, and until the transaction ends nobody decides about it."""
    Exhibit.objects.select_for_update().get(pk=exhibit.pk)
    return exhibit_of(exhibit.sample)


@transaction.atomic
def conclude(*, sample: Sample, by: User, seen: Mapping[int, str], answer: str, words: str = "") -> Conclusion:
    """What the evidence says about the control, by the files that were shown (`seen`, as in a verdict). The newest
    counts; the older ones stay."""
    exhibit = _held(exhibit_of(sample))
    four_eyes.require_signer(exhibit.run, by)
    files = showing.files_of(exhibit.attempt)
    _check_hashes(files, seen)
    return _conclude(exhibit, files, by, Finding(answer, words))


def _conclude(exhibit: Exhibit, files: Sequence[Artifact], by: User, finding: Finding) -> Conclusion:
    sample, answer, text = exhibit.sample, finding.answer, finding.words.strip()
    showing.refuse_unsent(files, by)
    if answer not in Answer.values:
        raise BadInput({"answer": "Choose whether it meets the control, is an exception, or does not apply."})
    if answer != Answer.MEETS and not text:
        raise BadInput({"words": "Say in words what the exception is, or why it does not apply."})
    if len(text) > MAX_WORDS:
        raise BadInput({"words": f"At most {MAX_WORDS} characters."})
    row = Conclusion.objects.create(
        sample=sample,
        attempt=exhibit.attempt,
        reviewer=by,
        answer=answer,
        words=text,
        judgment_was_hidden=is_judgment_hidden(exhibit, by),
    )
    audit.record(exhibit.run.team, by, "conclusion.given", f"sample {sample.pk} {sample.sample_id}", answer=answer)
    given = {"conclusion": row.pk, "answer": answer, "words": text, "reviewer": four_eyes.person(by)}
    facts = {**given, "judgment_was_hidden": row.judgment_was_hidden, "barred": four_eyes.reasons(exhibit.run, by)}
    ledger.append("conclusion.given", {**_about(exhibit), **facts}, run=exhibit.run)
    return row


def is_judgment_hidden(exhibit: Exhibit, user: User) -> bool:
    """The agent's judgment is shown to who may sign once they have given their own."""
    if not settings.REVIEW_OWN_JUDGMENT_FIRST or not exhibit.attempt.judgment or four_eyes.why_not(exhibit.run, user):
        return False
    return not Conclusion.objects.filter(attempt=exhibit.attempt, reviewer=user).exists()


@dataclass(frozen=True, slots=True)
class Bulk:
    """What came of many at once; `refused` says why of each that was left."""

    approved: list[Review]
    refused: list[tuple[Sample, str]]


def bulk_approve(*, exhibits: Sequence[Exhibit], by: User) -> Bulk:
    """Those whose every picture stood before this person; each is its own decision, as if it had been made alone."""
    if len(exhibits) > AT_ONCE:
        raise BadInput([f"At most {AT_ONCE} at once."])
    bulk = Bulk([], [])
    for each in exhibits:
        seen = {row.pk: row.sha256 for row in showing.files_of(each.attempt)}
        try:
            if not showing.pictures_of(showing.files_of(each.attempt)):
                raise WrongState("It has no picture that could have been shown: open it.")
            if paths := doubts.not_on_page(each.attempt):
                raise WrongState(f"{doubts.counted(paths)}: open it.")
            verdict = Verdict(decision=Decision.APPROVE, seen=seen, words="Approved together with others.")
            bulk.approved.append(decide(sample=each.sample, by=by, verdict=verdict))
        except ServiceError as error:
            bulk.refused.append((each.sample, str(error)))
    return bulk


def _about(exhibit: Exhibit) -> dict[str, Any]:
    run, sample = exhibit.run, exhibit.sample
    return {
        "team": run.team_id,
        "run": run.public_id,
        "sample": sample.sample_id,
        "attempt": exhibit.attempt.number,
        "control": run.control,
        "period": run.period,
    }


def _said(review: Review, before: str) -> dict[str, Any]:
    return {
        "review": review.pk,
        "level": int(review.level),
        "decision": str(review.decision),
        "reason_code": str(review.reason_code),
        "words": review.words,
        "seen": review.seen,
        "hashed_here": review.hashed_here,
        "state_before": str(before),
        "reviewer": four_eyes.person(review.reviewer),
        "barred": four_eyes.reasons(review.sample.run, review.reviewer),
    }
