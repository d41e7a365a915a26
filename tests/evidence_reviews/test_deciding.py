"""Decisions: bound to what was seen, taken back only by saying so, asked for anew, and who is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from evidence_app.models import Artifact, Assignment, Entry, Exhibit, Review, Sample
from evidence_app.models.run import Cause
from evidence_app.services import attempts, completeness, exhibits, remarks, reviews, runs, showing
from evidence_app.services.reviews import Verdict
from recipes_app.models import AuditEntry, Notice
from recipes_app.models.job import JobStatus
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.evidence_reviews.conftest import Bench, approve, bring, damage, end, founded, look


def state_of(sample: Sample) -> str:
    return Exhibit.objects.get(sample=sample).state


def kinds() -> list[str]:
    return list(Entry.objects.order_by("seq").values_list("kind", flat=True))


def facts_of(kind: str) -> dict[str, object]:
    entry = Entry.objects.filter(kind=kind).order_by("seq").last()
    assert entry is not None
    found: dict[str, object] = json.loads(entry.opening.facts)
    return found


def test_what_was_collected_waits_for_those_who_had_no_hand_in_it(bench: Bench) -> None:
    bench.run("ann", "bo")
    told = Notice.objects.filter(event="review.waiting")
    assert {notice.user for notice in told} == {bench.rita, bench.ron, bench.room.owner}
    assert {notice.text for notice in told} == {"Names and titles: 2 samples wait for review."}
    waiting = exhibits.queue(bench.room.team, exhibits.Wanted(), bench.rita)
    assert [each.sample.sample_id for each in waiting] == ["ann", "bo"]
    for each in waiting:
        approve(bench.rita, each.sample)
    assert not Notice.objects.filter(event="review.waiting", read_at=None).exists()


def test_an_approval_binds_every_file_by_its_hash_and_stands_in_the_ledger(bench: Bench) -> None:
    sample = bench.run().samples.get()
    review = approve(bench.rita, sample)
    files = Artifact.objects.filter(attempt__sample=sample)
    assert {(each["artifact"], each["sha256"]) for each in review.seen} == set(files.values_list("pk", "sha256"))
    assert {each["name"]: each["shown"] for each in review.seen}["01_person_page.png"] is True
    facts = facts_of("review.decided")
    assert facts["seen"] == review.seen
    assert (facts["decision"], facts["barred"], facts["reviewer"]) == (
        "approve", [], {"id": bench.rita.pk, "name": "rita", "email": "rita@example.test"},
    )  # fmt: skip
    assert kinds()[-1] == "review.decided"
    assert state_of(sample) == "approved"


def test_what_did_not_stand_before_somebody_is_not_approved_by_them(bench: Bench) -> None:
    sample = bench.run().samples.get()
    seen = look(bench.ron, sample)
    with pytest.raises(WrongState, match="Not every picture has stood before you"):
        reviews.decide(sample=sample, by=bench.rita, verdict=Verdict(decision="approve", seen=seen))
    row = Artifact.objects.get(kind="screenshot")
    with pytest.raises(WrongState, match="never sent"):
        showing.note_seen(row=row, user=bench.rita, sha256=row.sha256)
    assert state_of(sample) == "open"


def test_other_hashes_than_those_that_lie_there_are_refused(bench: Bench) -> None:
    sample = bench.run().samples.get()
    seen = {**look(bench.rita, sample)}
    wrong = dict.fromkeys(seen, "0" * 64)
    for given in (wrong, {}, dict(list(seen.items())[:1])):
        with pytest.raises(WrongState, match="newer capture"):
            reviews.decide(sample=sample, by=bench.rita, verdict=Verdict(decision="approve", seen=given))
    assert not Review.objects.exists()


def test_bytes_that_were_changed_block_and_alarm_once(bench: Bench, evidence_root: Path) -> None:
    sample = bench.run().samples.get()
    seen = look(bench.rita, sample)
    damage(Artifact.objects.get(kind="screenshot"), evidence_root)
    for _ in range(2):
        with pytest.raises(showing.Mismatch, match="hash to"):
            reviews.decide(sample=sample, by=bench.rita, verdict=Verdict(decision="approve", seen=seen))
    assert kinds().count("evidence.mismatch") == 1
    assert AuditEntry.objects.filter(action="evidence.mismatch").count() == 1
    assert Notice.objects.filter(event="evidence.mismatch", user=bench.room.owner).count() == 1
    assert Exhibit.objects.get().mismatch_at is not None
    assert not Review.objects.exists()


def test_a_browser_that_was_sent_other_bytes_alarms(bench: Bench) -> None:
    sample = bench.run().samples.get()
    look(bench.rita, sample)
    with pytest.raises(showing.Mismatch, match=r"the browser of rita .* the stored ones are as captured"):
        showing.note_seen(row=Artifact.objects.get(kind="screenshot"), user=bench.rita, sha256="f" * 64)
    assert kinds()[-1] == "evidence.mismatch"


def test_a_decision_is_taken_back_by_an_entry_of_its_own(bench: Bench) -> None:
    sample = bench.run().samples.get()
    review = approve(bench.rita, sample)
    with pytest.raises(BadInput, match="say why"):
        reviews.undo(review=review, by=bench.ron)
    with pytest.raises(NotAllowed):
        reviews.undo(review=review, by=bench.room.operator, words="mine")
    reviews.undo(review=review, by=bench.rita)
    review.refresh_from_db()
    assert (review.decision, review.undone_by, state_of(sample)) == ("approve", bench.rita, "open")
    assert kinds()[-1] == "review.undone"
    with pytest.raises(WrongState):
        reviews.undo(review=review, by=bench.rita)
    assert approve(bench.ron, sample).pk != review.pk


def test_a_rejected_sample_is_taken_again_beside_the_old_one(bench: Bench) -> None:
    run = bench.run()
    sample = run.samples.get()
    first = sample.attempts.get()
    verdict = Verdict(
        decision="reject", seen=look(bench.rita, sample), reason_code="wrong_page", words="The list.", again=True
    )
    reviews.decide(sample=sample, by=bench.rita, verdict=verdict)
    second = sample.attempts.get(number=2)
    run.refresh_from_db()
    assert (second.cause, second.job.status, run.status, state_of(sample)) == (
        Cause.RECAPTURE, JobStatus.QUEUED, "queued", "recapture",
    )  # fmt: skip
    assert kinds()[-2:] == ["review.decided", "recapture.asked"]
    assert (facts_of("recapture.asked")["attempt_before"], facts_of("recapture.asked")["attempt"]) == (1, 2)
    told = Notice.objects.get(event="review.reject")
    assert told.user == bench.room.operator
    assert "The list." in told.text
    bring(second, words="ann, taken again")
    assert state_of(sample) == "open"
    assert Exhibit.objects.get().attempt == second
    assert first.artifacts.count() == 2
    assert completeness.of_run(run).in_words == "1 of 1 captured, 0 duplicated, 1 recaptured"


def test_a_new_capture_that_fails_leaves_the_old_one_waiting(bench: Bench) -> None:
    run = bench.run(retries=0)
    sample = run.samples.get()
    verdict = Verdict(decision="recapture", seen=look(bench.rita, sample), reason_code="not_loaded")
    review = reviews.decide(sample=sample, by=bench.rita, verdict=verdict)
    with pytest.raises(WrongState, match="taken again already"):
        reviews.undo(review=review, by=bench.rita)
    end(sample.attempts.get(number=2).job, JobStatus.FAILED, error={"error": "No answer.", "kind": "timeout"})
    assert state_of(sample) == "open"
    assert Exhibit.objects.get().attempt.number == 1


def test_what_is_captured_after_it_was_signed_is_stale(bench: Bench) -> None:
    run = bench.run()
    sample = run.samples.get()
    seen = look(bench.rita, sample)
    approve(bench.rita, sample)
    again = attempts.open_attempt(sample=sample, cause=Cause.RESUMED)
    bring(again, words="something else")
    assert state_of(sample) == "stale"
    with pytest.raises(WrongState, match="newer capture"):
        reviews.decide(sample=sample, by=bench.ron, verdict=Verdict(decision="approve", seen=seen))
    approve(bench.ron, sample)
    assert state_of(sample) == "approved"


def test_resuming_a_run_leaves_what_was_signed(bench: Bench) -> None:
    run = bench.room.request("ann", "bo")
    for sample in run.samples.all():
        bring(sample.attempts.get(), status="needs_review")
    approve(bench.rita, run.samples.get(sample_id="ann"))
    run.refresh_from_db()
    assert runs.resume(run=run, by=bench.room.operator) == 1
    assert run.samples.get(sample_id="ann").attempts.count() == 1


def test_of_two_who_decide_at_once_one_does(bench: Bench) -> None:
    sample = bench.run().samples.get()
    seen = look(bench.rita, sample)
    exhibit, files = reviews.exhibit_of(sample), showing.files_of(sample.attempts.get())
    approve(bench.ron, sample)
    with pytest.raises(WrongState, match="faster"):
        reviews._write(exhibit, files, bench.rita, Verdict(decision="approve", seen=seen))
    assert Review.objects.count() == 1


def test_two_signatures_are_of_two_people(bench: Bench, settings: Settings) -> None:
    settings.REVIEW_TWO_SIGNATURES = True
    sample = bench.run().samples.get()
    approve(bench.rita, sample)
    assert state_of(sample) == "second"
    assert not Notice.objects.filter(event="review.second", user=bench.rita).exists()
    with pytest.raises(NotAllowed, match="somebody else"):
        approve(bench.rita, sample)
    second = approve(bench.ron, sample)
    assert (second.level, state_of(sample)) == (2, "approved")
    reviews.undo(review=second, by=bench.ron)
    assert state_of(sample) == "second"


def test_a_conclusion_is_apart_and_its_newest_counts(bench: Bench) -> None:
    run = bench.run("ann", "bo")
    ann = run.samples.get(sample_id="ann")
    assert reviews.is_judgment_hidden(reviews.exhibit_of(ann), bench.rita)
    seen = look(bench.rita, ann)
    with pytest.raises(BadInput, match="in words"):
        reviews.conclude(sample=ann, by=bench.rita, seen=seen, answer="exception")
    words = "Left in May, access until June."
    first = reviews.conclude(sample=ann, by=bench.rita, seen=seen, answer="exception", words=words)
    second = reviews.conclude(sample=ann, by=bench.rita, seen=seen, answer="meets")
    assert (first.judgment_was_hidden, second.judgment_was_hidden) == (True, False)
    assert not reviews.is_judgment_hidden(reviews.exhibit_of(ann), bench.rita)
    whole = completeness.of_run(run)
    assert (whole.answers, whole.signed, whole.is_signed_off) == ({"meets": 1}, 0, False)
    assert facts_of("conclusion.given")["answer"] == "meets"


def test_many_at_once_only_what_stood_before_who_approves(bench: Bench) -> None:
    run = bench.run("ann", "bo", "cy")
    ann, bo, cy = run.samples.all()
    look(bench.rita, ann)
    look(bench.rita, bo)
    look(bench.ron, cy)
    founded(ann, bo, cy)
    bulk = reviews.bulk_approve(exhibits=list(Exhibit.objects.filter(run=run)), by=bench.rita)
    assert [each.sample for each in bulk.approved] == [ann, bo]
    assert [(sample, why[:17]) for sample, why in bulk.refused] == [(cy, "Not every picture")]
    assert state_of(cy) == "open"


def test_somebody_is_asked_and_people_talk(bench: Bench) -> None:
    sample = bench.run().samples.get()
    with pytest.raises(BadInput, match="cannot sign"):
        remarks.assign(sample=sample, to=bench.room.operator, by=bench.rita)
    remarks.assign(sample=sample, to=bench.ron, by=bench.rita)
    assert Notice.objects.get(event="review.assigned").user == bench.ron
    mine = exhibits.queue(bench.room.team, exhibits.Wanted(assignee="me"), bench.ron)
    assert mine.count() == 1
    remarks.comment(sample=sample, by=bench.room.viewer, text="Is this the right Ann?")
    told = set(Notice.objects.filter(event="review.comment").values_list("user__username", flat=True))
    assert told == {"otto", "ron"}
    remarks.assign(sample=sample, to=None, by=bench.ron)
    assert (Exhibit.objects.get().assignee, Assignment.objects.count()) == (None, 2)
    assert kinds()[-3:] == ["review.assigned", "review.commented", "review.assigned"]


def test_reasons_are_asked_for_and_pictures_alike_are_counted(bench: Bench) -> None:
    run = bench.room.request("ann", "bo")
    for sample in run.samples.all():
        bring(sample.attempts.get(), words="the same page")
    sample = run.samples.get(sample_id="ann")
    for decision in ("reject", "recapture"):
        with pytest.raises(BadInput, match="reason"):
            reviews.decide(sample=sample, by=bench.rita, verdict=Verdict(decision=decision, seen={}))
    with pytest.raises(BadInput, match="other reason"):
        reviews.decide(sample=sample, by=bench.rita, verdict=Verdict(decision="reject", seen={}, reason_code="other"))
    assert completeness.of_run(run).in_words == "2 of 2 captured, 1 duplicated, 0 recaptured"
