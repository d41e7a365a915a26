"""What people of the team try: shape a run and sign it, conclude without looking, accuse, send what is no number."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from evidence_app.models import BreakGlass, Conclusion, Entry, Exhibit, Review, Run, Shown
from evidence_app.services import derived, drafts, four_eyes, holds, reviews, runs, showing, specs
from evidence_app.services.reviews import Verdict
from evidence_app.spec.samples import from_items
from recipes_app.models import Recipe, Role, User
from recipes_app.services import recipes
from recipes_app.services.errors import NotAllowed, WrongState
from tests.evidence_reviews.conftest import WORDS, Bench, approve, bring, look
from tests.evidence_web.conftest import SPEC
from tests.people import make_published, make_user
from tests.services.test_at_once import at_once, refusals
from tests.web.scene import SEARCH, STEPS

SignIn = Callable[[User], Client]
TOOL = {"name": "search_products", "description": "Search.", "parameters": SEARCH, "steps": STEPS}
OTHER = {**SPEC, "task_id": "other", "goal": "Something else.", "judgment_question": "Is the sky blue?"}
SAMPLES = from_items([{"sample_id": "ann", "url": "http://127.0.0.1:1/ann"}])


def samples_of_a_draft(bench: Bench) -> Run:
    run = bench.room.request("bad", draft=True)
    drafts.change_samples(run=run, by=bench.room.owner, samples=SAMPLES)
    return runs.confirm(run=run, by=bench.room.operator)


def task_of_a_draft(bench: Bench) -> Run:
    specs.save(team=bench.room.team, by=bench.room.editor, data=OTHER)
    run = bench.room.request(draft=True)
    drafts.change_spec(run=run, by=bench.room.owner, document=OTHER)
    return runs.confirm(run=Run.objects.get(pk=run.pk), by=bench.room.operator)


def version_before(bench: Bench) -> Run:
    specs.save(team=bench.room.team, by=bench.room.owner, data=OTHER)
    second = specs.save(team=bench.room.team, by=bench.room.editor, data={**OTHER, "title": "Another title"})
    return runs.request_run(version=second, samples=SAMPLES, by=bench.room.operator)


def tool_before(bench: Bench) -> Run:
    site = bench.room.team.sites.get()
    make_published(site, TOOL, bench.room.owner)
    changed = {**TOOL, "description": "Search again."}
    version = recipes.save_version(site=site, document=changed, author=bench.room.editor, origin="edited", examples={})
    Recipe.objects.update(live_version=version)
    return bench.room.request()


def stopped(bench: Bench) -> Run:
    run = bench.room.request("ann", "bo")
    bring(run.samples.get(sample_id="ann").attempts.get())
    runs.cancel(run=run, by=bench.room.owner)
    return run


def discovered(bench: Bench) -> Run:
    found, run = bench.room.request("list"), bench.room.request(draft=True)
    runs.cancel(run=found, by=bench.room.owner)
    Run.objects.filter(pk=run.pk).update(discovery=found)
    return runs.confirm(run=Run.objects.get(pk=run.pk), by=bench.room.operator)


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        (samples_of_a_draft, "changed what the run collects"), (task_of_a_draft, "changed what the run collects"),
        (version_before, "wrote the task"), (tool_before, "wrote a tool the run may use"),
        (stopped, "stopped the run"), (discovered, "stopped the run"),
    ],
)  # fmt: skip
def test_whoever_shaped_a_run_does_not_sign_it(bench: Bench, shape: Callable[[Bench], Run], why: str) -> None:
    run = shape(bench)
    sample = run.samples.order_by("pk")[0]
    if not Exhibit.objects.filter(sample=sample).exists():
        bring(sample.attempts.get())
    assert why in four_eyes.reasons(run, bench.room.owner)
    with pytest.raises(NotAllowed, match=why):
        approve(bench.room.owner, sample)
    assert approve(bench.rita, sample).pk


def test_asking_for_a_new_capture_bars_nobody(bench: Bench) -> None:
    sample = bench.run().samples.get()
    verdict = Verdict(decision="recapture", seen=look(bench.rita, sample), reason_code="not_loaded")
    reviews.decide(sample=sample, by=bench.rita, verdict=verdict)
    bring(sample.attempts.get(number=2), words="taken again")
    assert approve(bench.rita, sample).pk


def test_what_a_page_of_before_concludes_lands_on_no_new_capture(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    old = [f"{key}:{sha256}" for key, sha256 in look(bench.rita, sample).items()]
    verdict = Verdict(decision="recapture", seen=look(bench.ron, sample), reason_code="not_loaded")
    reviews.decide(sample=sample, by=bench.ron, verdict=verdict)
    bring(sample.attempts.get(number=2), words="ann left, and still has access")
    given = {"decision": "approve", "words": WORDS, "seen": old, "answer": "meets", "answer_words": "fine"}
    for name in ("review_decide", "review_conclude"):
        page = signed_in(bench.rita).post(reverse(name, args=[sample.pk]), given, follow=True)
        assert "newer capture" in page.content.decode()
    assert not Conclusion.objects.exists()
    assert not Review.objects.filter(reviewer=bench.rita).exists()


def test_nobody_concludes_from_what_never_left_for_them(bench: Bench) -> None:
    sample = bench.run().samples.get()
    seen = look(bench.ron, sample)
    with pytest.raises(WrongState, match="not been shown every picture"):
        reviews.conclude(sample=sample, by=bench.rita, seen=seen, answer="meets")
    with pytest.raises(WrongState, match="newer capture"):
        reviews.conclude(sample=sample, by=bench.ron, seen={}, answer="meets")
    assert reviews.conclude(sample=sample, by=bench.ron, seen=seen, answer="meets").pk


def test_the_glass_is_broken_for_nobody_who_is_not_there(bench: Bench, signed_in: SignIn) -> None:
    run = runs.request_run(version=bench.room.version, samples=SAMPLES, by=bench.room.owner)
    given = {"person": "ottoo", "words": "Otto has to sign, nobody else is here."}
    address = reverse("break_glass", args=[run.public_id])
    page = signed_in(bench.room.owner).post(address, given, follow=True).content.decode()
    assert "is called ottoo" in page
    assert not BreakGlass.objects.exists()


def test_only_who_signs_accuses_and_only_of_what_was_sent(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    row = showing.pictures_of(showing.files_of(sample.attempts.get()))[0]
    address = reverse("review_seen", args=[sample.pk])
    body = json.dumps({"artifact": row.pk, "sha256": "0" * 64})

    def accuse(who: User) -> str:
        answer = signed_in(who).post(address, body, content_type="application/json")
        assert answer.status_code == 409
        return str(answer.json()["error"])

    for who in (bench.room.viewer, bench.rita):
        assert "never sent to you" in accuse(who)
    look(bench.room.viewer, sample)
    assert "Tell somebody who may sign" in accuse(bench.room.viewer)
    assert not Entry.objects.filter(kind="evidence.mismatch").exists()
    look(bench.rita, sample)
    assert "the stored ones are as captured" in accuse(bench.rita)
    assert Entry.objects.filter(kind="evidence.mismatch").count() == 1
    assert Exhibit.objects.get().mismatch_at is None


@pytest.mark.parametrize("is_hashed", [True, False])
def test_what_the_browser_hashed_is_known_by_its_hashes(bench: Bench, signed_in: SignIn, is_hashed: bool) -> None:
    sample = bench.run().samples.get()
    files = showing.files_of(sample.attempts.get())
    for row in showing.pictures_of(files):
        Shown.objects.create(user=bench.rita, artifact=row, how="sent", sha256=row.sha256)
        showing.note_seen(row=row, user=bench.rita, sha256=row.sha256 if is_hashed else "")
    seen = [f"{row.pk}:{row.sha256}" for row in files]
    given = {"decision": "approve", "words": WORDS, "hashed_here": "on", "seen": seen}
    signed_in(bench.rita).post(reverse("review_decide", args=[sample.pk]), given)
    assert Review.objects.get().hashed_here is is_hashed


def test_who_signs_no_more_takes_nothing_back(bench: Bench) -> None:
    review = approve(bench.rita, bench.run().samples.get())
    bench.rita.memberships.update(role=Role.VIEWER)
    with pytest.raises(NotAllowed, match="take a decision back"):
        reviews.undo(review=review, by=bench.rita)
    assert Exhibit.objects.get().state == "approved"


def test_a_hold_on_a_run_keeps_what_found_its_samples(bench: Bench) -> None:
    run, found = bench.run("ann"), bench.run("list")
    Run.objects.filter(pk=run.pk).update(discovery=found)
    hold = holds.place(team=run.team, by=bench.room.owner, words="Case 12", run=run)
    assert list(holds.covering(found)) == [hold]


def test_what_is_no_number_is_refused(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    client = signed_in(bench.rita)
    hashed = '{"artifact": 1, "sha256": "\\u0000"}'
    for body in ('{"artifact": 1e400, "sha256": ""}', "[]", "[" * 100_000, f'{{"artifact": "{"9" * 5000}"}}', hashed):
        answer = client.post(reverse("review_seen", args=[sample.pk]), body, content_type="application/json")
        assert answer.status_code == 400
    for key in ("9" * 5000, "9" * 19, "\0"):
        given = {"decision": "approve", "seen": f"{key}:x", "exhibit": key}
        for address in (reverse("review_decide", args=[sample.pk]), reverse("review_bulk")):
            assert client.post(address, given).status_code < 500
    assert not Review.objects.exists()


def test_a_redaction_after_an_approval_is_said_beside_it(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    row = showing.pictures_of(showing.files_of(sample.attempts.get()))[0]
    derived.redact(row=row, boxes=[(1, 1, 50, 50)], by=bench.room.operator)
    approve(bench.rita, sample)
    client = signed_in(bench.rita)
    address = reverse("review_exhibit", args=[sample.pk])
    assert "Redacted after this approval" not in client.get(address).content.decode()
    derived.redact(row=row, boxes=[(1, 1, 90, 90)], by=bench.room.operator)
    page = client.get(address).content.decode()
    assert page.count("Redacted after this approval") == 1


def test_who_stops_one_sample_on_the_page_of_jobs_signs_nothing_of_the_run(bench: Bench, signed_in: SignIn) -> None:
    run = bench.room.request("ann", "bo")
    job = run.samples.get(sample_id="bo").attempts.get().job
    owner = make_user("una", run.team, Role.OWNER)
    signed_in(owner).post(reverse("job_cancel", args=[job.public_id]))
    job.refresh_from_db()
    assert job.status == "cancelled"
    bring(run.samples.get(sample_id="ann").attempts.get())
    assert four_eyes.reasons(run, owner) == ["stopped the run"]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_first_signature_is_not_taken_back_from_under_the_second(live_bench: Bench, settings: Any) -> None:
    settings.REVIEW_TWO_SIGNATURES = True
    assert connection.vendor == "postgresql"
    sample = live_bench.run().samples.get()
    first = approve(live_bench.rita, sample)
    verdict = Verdict(decision="approve", seen=look(live_bench.ron, sample), words=WORDS)
    results = at_once(
        lambda: reviews.undo(review=Review.objects.get(pk=first.pk), by=live_bench.rita),
        lambda: reviews.decide(sample=sample, by=live_bench.ron, verdict=verdict),
    )
    first.refresh_from_db()
    ok = {(None, "approved"), (live_bench.rita.pk, "open"), (live_bench.rita.pk, "second")}
    state = Exhibit.objects.get().state
    assert (first.undone_by_id, state) in ok
    assert refusals(results) == (0 if state == "second" else 1)
