"""Whoever has the database changes what people decided, or what a run is about: verifying the ledger finds it out."""

from __future__ import annotations

import pytest
from django.db import transaction
from pytest_django import Settings

from evidence_app.models import Conclusion, Hold, Review, Run, RunBarred
from evidence_app.services import drafts, four_eyes, holds, ledger, plans, remarks, reviews, runs
from evidence_app.services.reviews import Verdict
from evidence_app.spec.samples import from_items
from recipes_app.models import Membership, Role
from tests.evidence_reviews.conftest import Bench, approve, bench, bring, look
from tests.ledger.vault import drop_guards, problems, sql

__all__ = ["bench"]
LOUD = "There is nobody else this week, and the auditor waits."


@pytest.fixture
def signed_off(vendor: str, bench: Bench) -> Run:
    """Everything there is to decide was decided once; nothing is wrong, and the guards are gone then."""
    run = bench.run("ann", "bo", "cy", "di")
    ann, bo, cy, _ = run.samples.order_by("number")
    approve(bench.rita, ann)
    reviews.conclude(sample=ann, by=bench.rita, seen=look(bench.rita, ann), answer="meets")
    no = Verdict(decision="reject", reason_code="wrong_page", words="Another list.", seen=look(bench.rita, bo))
    reviews.decide(sample=bo, by=bench.rita, verdict=no)
    reviews.undo(review=approve(bench.rita, cy), by=bench.rita)
    remarks.comment(sample=ann, by=bench.ron, text="Seen as well.")
    Membership.objects.filter(user=run.requested_by).update(role=Role.REVIEWER)
    four_eyes.break_glass(run=run, user=run.requested_by, by=bench.room.owner, words=LOUD)
    holds.place(team=run.team, by=bench.rita, words="Case 7", run=run)
    kept = holds.place(team=run.team, by=bench.rita, words="Case 8")
    holds.lift(hold=kept, by=bench.room.owner, words="Closed.")
    assert problems(files="none") == []
    drop_guards()
    return run


def told() -> str:
    """What is said first, besides the guards."""
    lines = [line for line in problems(files="none") if "guards are not in the database" not in line]
    return lines[0] if lines else ""


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE evidence_app_review SET decision = 'approve' WHERE decision = 'reject'", "decision of the decision"),
        ("UPDATE evidence_app_review SET words = 'Fine.' WHERE decision = 'reject'", "words of the decision"),
        ("UPDATE evidence_app_review SET seen = '[]' WHERE undone_at IS NULL", "seen of the decision"),
        ("UPDATE evidence_app_review SET undone_at = NULL, undone_by_id = NULL", "by of the taking back"),
        ("UPDATE evidence_app_review SET undone_words = 'x' WHERE undone_at IS NOT NULL", "words of the taking"),
        ("UPDATE evidence_app_review SET undone_at = '2026-11-30' WHERE decision = 'reject'", "no entry tells of the"),
        ("DELETE FROM evidence_app_review WHERE decision = 'reject'", "is gone"),
        ("UPDATE evidence_app_conclusion SET answer = 'exception'", "answer of the conclusion"),
        ("DELETE FROM evidence_app_conclusion", "the row of the conclusion"),
        ("UPDATE evidence_app_comment SET text = 'Not seen.'", "text of the comment"),
        ("DELETE FROM evidence_app_breakglass", "may sign all the same was changed"),
        ("UPDATE evidence_app_breakglass SET words = 'x'", "may sign all the same was changed"),
        ("UPDATE evidence_app_runbarred SET why = 'task' WHERE why = 'ran'", "may not sign the run"),
        ("DELETE FROM evidence_app_runbarred", "the list of who may not sign"),
        ("UPDATE evidence_app_hold SET words = 'x' WHERE lifted_at IS NULL", "words of the hold"),
        ("UPDATE evidence_app_hold SET lifted_at = '2026-11-30'", "no entry tells of the lifting"),
        ("UPDATE evidence_app_hold SET lifted_at = NULL, lifted_by_id = NULL", "by of the lifting"),
        ("UPDATE evidence_app_exhibit SET state = 'approved'", "stands as “Approved”, and no decision says so"),
        ("UPDATE evidence_app_run SET title = 'Another run'", "title of the run"),
        ("UPDATE evidence_app_run SET control = 'CC9.9', period = '2020-Q1'", "control, period of the run"),
        ("UPDATE evidence_app_run SET finished_at = '2020-01-01'", "finished_at of the run"),
        ("UPDATE evidence_app_run SET status = 'cancelled'", "status of the run"),
        ("UPDATE evidence_app_run SET version_id = NULL", "spec_digest"),
        ("UPDATE evidence_app_sample SET url = 'https://elsewhere.example/'", "samples_sha256 of the run"),
    ],
)  # fmt: skip
def test_a_row_is_changed_or_gone(signed_off: Run, statement: str, said: str) -> None:
    assert sql(statement) >= 1
    assert said in told()


def test_somebody_else_is_said_to_have_asked_for_the_run(signed_off: Run, bench: Bench) -> None:
    sql("UPDATE evidence_app_run SET requested_by_id = %s", bench.rita.pk)
    assert "requested_by of the run" in told()


def test_somebody_else_is_said_to_have_decided(signed_off: Run, bench: Bench) -> None:
    sql("UPDATE evidence_app_review SET reviewer_id = %s WHERE decision = 'reject'", bench.ron.pk)
    assert "reviewer of the decision" in told()


def test_a_decision_that_nobody_took(signed_off: Run, bench: Bench) -> None:
    di = signed_off.samples.get(sample_id="di")
    Review.objects.create(sample=di, attempt=di.attempts.get(), reviewer=bench.rita, decision="approve")
    assert told().startswith("no entry tells of the decision")


def test_a_conclusion_that_nobody_drew_with_a_number_of_before(signed_off: Run, bench: Bench) -> None:
    di = signed_off.samples.get(sample_id="di")
    Conclusion.objects.create(pk=-7, sample=di, attempt=di.attempts.get(), reviewer=bench.rita, answer="meets")
    assert told() == "no entry tells of the conclusion -7"


def test_somebody_is_put_on_the_list_or_let_past_it(signed_off: Run, bench: Bench) -> None:
    RunBarred.objects.create(run=signed_off, user=bench.ron, why="shaped")
    assert told() == f"no entry tells that the person {bench.ron.pk} may not sign the run {signed_off.public_id}"


def test_a_hold_that_nobody_placed(signed_off: Run, bench: Bench) -> None:
    Hold.objects.create(team=signed_off.team, words="Case 9", placed_by=bench.ron)
    assert told().startswith("no entry tells of the hold")


def test_a_run_that_nobody_asked_for(signed_off: Run) -> None:
    Run.objects.create(team=signed_off.team, title="x", folder="x", requested_by=signed_off.requested_by, status="done")
    assert told().startswith("no entry tells of the run")


def test_what_goes_on_while_it_is_verified_is_nothing_wrong(signed_off: Run, bench: Bench) -> None:
    """A run that was taken up again after its end, decided on anew, with a draft beside it."""
    bo = signed_off.samples.get(sample_id="bo")
    again = Verdict(decision="recapture", reason_code="not_loaded", seen=look(bench.rita, bo))
    reviews.decide(sample=bo, by=bench.rita, verdict=again)
    Membership.objects.filter(user=signed_off.requested_by).update(role=Role.OPERATOR)
    bench.room.request("eve", draft=True)
    assert told() == ""


def test_ordinary_life_is_no_attack(vendor: str, bench: Bench, settings: Settings) -> None:
    """Cancelled, resumed, discarded, scheduled, signed twice, undone twice, assigned, held, taken again."""
    room = bench.room
    run = bench.run("ann", "bo", "cy")
    ann, bo, _ = run.samples.order_by("number")
    settings.REVIEW_TWO_SIGNATURES = True
    approve(bench.rita, ann)
    reviews.undo(review=approve(bench.ron, ann), by=bench.ron)
    approve(bench.ron, ann)
    settings.REVIEW_TWO_SIGNATURES = False
    for _ in range(2):
        reviews.undo(review=approve(bench.rita, bo), by=bench.ron, words="Not yet.")
    remarks.assign(sample=bo, to=bench.rita, by=bench.ron)
    again = Verdict(decision="reject", reason_code="not_loaded", again=True, seen=look(bench.rita, bo))
    reviews.decide(sample=bo, by=bench.rita, verdict=again)
    bring(bo.attempts.order_by("-number")[0])

    stopped = room.request("di", "eve")
    runs.cancel(run=stopped, by=room.operator)
    stopped.refresh_from_db()
    assert problems(files="none") == []
    runs.resume(run=stopped, by=room.owner)
    discarded = room.request("flo", draft=True)
    drafts.discard(run=discarded, by=room.operator)
    changed = room.request("gus", draft=True)
    drafts.change_samples(
        run=changed, by=room.owner, samples=from_items([{"sample_id": "hal", "url": "http://127.0.0.1:1/hal"}])
    )
    assert problems(files="none") == []
    runs.confirm(run=changed, by=room.operator)
    found = plans.request_discovery(version=room.version, start_url="http://127.0.0.1:1/people", by=room.operator)
    assert problems(files="none") == []
    runs.cancel(run=found, by=room.operator)
    for sample in stopped.samples.all():
        bring(sample.attempts.order_by("-number")[0])
    assert problems(files="none") == []


@pytest.mark.parametrize("kind", ["review.decided", "run.barred", "four_eyes.broken", "run.requested", "hold.placed"])
@pytest.mark.parametrize("odd", [{}, {"review": "x", "people": 7, "person": [], "hold": 10**40, "by": 3}])
def test_entries_of_any_content_are_told_and_stop_nothing(signed_off: Run, kind: str, odd: dict[str, object]) -> None:
    with transaction.atomic():
        ledger.append(kind, {"team": 1, "run": signed_off.public_id, **odd}, run=signed_off)
    assert f"what it tells of ({kind}) is not written as this program writes it" in " ".join(problems(files="none"))
