"""Four eyes: the service says so beforehand, and the database refuses whoever comes by another way."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from evidence_app.models import BreakGlass, Conclusion, Entry, Exhibit, Review, RunBarred
from evidence_app.services import attempts, drafts, four_eyes, reviews, runs, schedules, specs
from evidence_app.services.reviews import Verdict
from evidence_app.spec.samples import from_items
from recipes_app.models import ApiToken, Notice, Recipe, Role, User
from recipes_app.services import runs as jobs
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.evidence_reviews.conftest import Bench, approve, bring, look
from tests.evidence_web.conftest import SPEC
from tests.people import make_published, make_user
from tests.web.scene import SEARCH, STEPS

TOOL = {"name": "search_products", "description": "Search.", "parameters": SEARCH, "steps": STEPS}
SAMPLES = from_items([{"sample_id": "ann", "url": "http://127.0.0.1:1/ann"}])
WHY = "Everybody else is on leave and the report is due."


def barred(run: Any) -> set[tuple[str, str]]:
    return set(RunBarred.objects.filter(run=run).values_list("user__username", "why"))


def signed(bench: Bench, sample: Any, who: User, **how: Any) -> Review:
    """A row as any way into the database would write it, past the services."""
    attempt = Exhibit.objects.get(sample=sample).attempt
    with transaction.atomic():
        return Review.objects.create(sample=sample, attempt=attempt, reviewer=who, decision="approve", **how)


def test_everybody_with_a_hand_in_it_is_on_the_list(bench: Bench) -> None:
    room = bench.room
    make_published(room.team.sites.get(), TOOL, bench.ron)
    assert barred(room.request()) == {("otto", "ran"), ("ed", "task"), ("ron", "tool")}
    token = ApiToken.objects.create(team=room.team, owner=bench.rita, name="ci", secret_hash="x")
    assert ("rita", "token") in barred(room.request("bo", token=token))


def test_whoever_confirms_takes_up_or_schedules_is_on_it_too(bench: Bench) -> None:
    room = bench.room
    draft = room.request(draft=True)
    other = specs.save(team=room.team, by=room.owner, data={**SPEC, "max_steps": 9})
    drafts.change_spec(run=draft, by=room.owner, document=other.document)
    boss = make_user("bea", room.team, Role.EDITOR)
    runs.confirm(run=draft, by=boss)
    assert {("olga", "task"), ("ed", "task"), ("bea", "started")} <= barred(draft)
    row = schedules.schedule(spec=room.task, by=boss, samples=SAMPLES, cron="0 6 1 * *")
    run = runs.request_run(version=other, samples=SAMPLES, by=room.operator, schedule=row)
    assert barred(run) == {("otto", "ran"), ("ed", "task"), ("olga", "task"), ("bea", "scheduled")}
    listed = Entry.objects.filter(kind="run.barred", run=run)
    assert listed.count() == 1


def test_a_tool_that_is_published_meanwhile_bars_its_author(bench: Bench) -> None:
    run = bench.room.request()
    recipe = make_published(bench.room.team.sites.get(), TOOL, bench.rita)
    assert Recipe.objects.get() == recipe
    claim = jobs.claim(run.samples.get().attempts.get().job_id, worker="w")
    assert claim
    attempts.begin(claim=claim)
    assert ("rita", "tool") in barred(run)
    assert four_eyes.bar(run) == 0


@pytest.mark.parametrize("who", ["operator", "editor", "viewer"])
def test_who_may_not_sign_is_told_why_and_who_can(bench: Bench, who: str) -> None:
    sample = bench.run().samples.get()
    person = getattr(bench.room, who)
    with pytest.raises(NotAllowed, match=r"cannot sign this.* olga, rita, ron can\."):
        reviews.decide(sample=sample, by=person, verdict=Verdict(decision="approve", seen=look(person, sample)))
    with pytest.raises(NotAllowed):
        reviews.conclude(sample=sample, by=person, seen=look(person, sample), answer="meets")


@pytest.mark.parametrize("who", ["runner", "author", "superuser"])
def test_the_database_itself_refuses_whoever_had_a_hand_in_it(bench: Bench, who: str) -> None:
    root = make_user("root", is_superuser=True, is_staff=True)
    person = {"runner": bench.room.operator, "author": bench.room.editor, "superuser": root}[who]
    run = runs.request_run(version=bench.room.version, samples=SAMPLES, by=root)
    other = bench.room.request("ann")
    for each in (run, other):
        bring(each.samples.get().attempts.get())
    sample = (run if who == "superuser" else other).samples.get()
    with pytest.raises(DatabaseError, match="four eyes"):
        signed(bench, sample, person)
    attempt = Exhibit.objects.get(sample=sample).attempt
    with pytest.raises(DatabaseError, match="four eyes"), transaction.atomic():
        Conclusion.objects.create(sample=sample, attempt=attempt, reviewer=person, answer="meets")
    assert signed(bench, sample, bench.rita).pk


ATTACKS = {
    "the list is emptied": "DELETE FROM evidence_app_runbarred",
    "the list is changed": "UPDATE evidence_app_runbarred SET user_id = (SELECT min(id) FROM recipes_app_user)",
    "the sample is moved": "UPDATE evidence_app_sample SET run_id = run_id + 1",
    "the decision is changed": "UPDATE evidence_app_review SET decision = 'reject'",
    "the reviewer is changed": "UPDATE evidence_app_review SET reviewer_id = reviewer_id + 1, undone_at = at",
    "the decision is deleted": "DELETE FROM evidence_app_review",
    "the conclusion is changed": "UPDATE evidence_app_conclusion SET answer = 'meets'",
    "who looked is forgotten": "DELETE FROM evidence_app_shown",
    "the glass is mended": "DELETE FROM evidence_app_breakglass",
    "the exhibit is deleted": "DELETE FROM evidence_app_exhibit",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_statements_of_the_application_cannot_undo_what_was_said(bench: Bench, attack: str) -> None:
    sample = bench.run().samples.get()
    approve(bench.rita, sample)
    seen = look(bench.rita, sample)
    reviews.conclude(sample=sample, by=bench.rita, seen=seen, answer="exception", words="Left in May.")
    four_eyes.break_glass(run=sample.run, user=_barred_owner(bench, sample), by=bench.room.owner, words=WHY)
    refused = pytest.raises(DatabaseError, match="kept as they were written")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(ATTACKS[attack])


def _barred_owner(bench: Bench, sample: Any) -> User:
    RunBarred.objects.create(run=sample.run, user=bench.room.owner, why="tool")
    return bench.room.owner


def test_a_decision_is_marked_as_undone_once_and_replaced_never(bench: Bench) -> None:
    review = approve(bench.rita, bench.run().samples.get())
    reviews.undo(review=review, by=bench.rita)
    with pytest.raises(DatabaseError, match="kept"), transaction.atomic():
        Review.objects.filter(pk=review.pk).update(undone_at=None)
    if connection.vendor == "sqlite":
        with pytest.raises(DatabaseError, match="kept"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("INSERT OR REPLACE INTO evidence_app_review SELECT * FROM evidence_app_review")


def test_a_run_without_its_list_and_an_attempt_of_another_sample_are_refused(bench: Bench) -> None:
    run = bench.run("ann", "bo")
    ann, bo = run.samples.all()
    with pytest.raises(DatabaseError, match="another sample"), transaction.atomic():
        Review.objects.create(sample=ann, attempt=bo.attempts.get(), reviewer=bench.rita, decision="approve")
    bare = type(run).objects.create(team=run.team, title="x", folder="x", requested_by=bench.room.operator)
    sample = bare.samples.create(number=1, sample_id="x", folder="x")
    job = bo.attempts.get().job
    job.pk, job.public_id = None, "another"
    job.save()
    attempt = sample.attempts.create(number=1, job=job)
    with pytest.raises(DatabaseError, match="bars nobody"), transaction.atomic():
        Review.objects.create(sample=sample, attempt=attempt, reviewer=bench.rita, decision="approve")


def test_both_signatures_by_one_hand_are_refused(bench: Bench, settings: Any) -> None:
    settings.REVIEW_TWO_SIGNATURES = True
    sample = bench.run().samples.get()
    approve(bench.rita, sample)
    with pytest.raises(DatabaseError, match="one hand"):
        signed(bench, sample, bench.rita, level=2)
    assert signed(bench, sample, bench.ron, level=2).pk


def test_breaking_the_glass_is_loud_and_by_an_owner(bench: Bench) -> None:
    room = bench.room
    run = runs.request_run(version=room.version, samples=SAMPLES, by=room.owner)
    sample = run.samples.get()
    bring(sample.attempts.get())
    for who, person, words, error in (
        (bench.rita, room.owner, WHY, NotAllowed), (room.owner, room.owner, "Because.", BadInput),
        (room.owner, room.viewer, WHY, BadInput), (room.owner, bench.rita, WHY, WrongState),
    ):  # fmt: skip
        with pytest.raises(error):
            four_eyes.break_glass(run=run, user=person, by=who, words=words)
    with pytest.raises(NotAllowed):
        approve(room.owner, sample)
    four_eyes.break_glass(run=run, user=room.owner, by=room.owner, words=WHY)
    with pytest.raises(WrongState):
        four_eyes.break_glass(run=run, user=room.owner, by=room.owner, words=WHY)
    assert approve(room.owner, sample).pk
    told = set(Notice.objects.filter(event="four_eyes.broken").values_list("user__username", flat=True))
    assert told == {"olga", "rita", "ron"}
    assert Entry.objects.filter(kind="four_eyes.broken").count() == BreakGlass.objects.count() == 1
    facts = Entry.objects.filter(kind="review.decided").get().opening.facts
    assert '"barred":["asked for the run"]' in facts


def test_the_migration_gives_older_runs_their_list_and_their_place(bench: Bench) -> None:
    four = import_module("evidence_app.migrations._four_eyes")
    run = bench.room.request()
    bring(run.samples.get().attempts.get())
    made: dict[str, list[Any]] = {"RunBarred": [], "Exhibit": []}

    class Caught:
        """The app registry, with the tables that are to be filled caught."""

        def get_model(self, app: str, name: str) -> Any:
            model = apps.get_model(app, name)
            return catching(model, made[name]) if name in made else model

    editor = SimpleNamespace(connection=SimpleNamespace(vendor="sqlite"))
    four.bar_those_of_before(Caught(), editor)
    four.put_up_those_of_before(Caught(), editor)
    assert {(row.user_id, row.why) for row in made["RunBarred"]} == {
        (bench.room.operator.pk, "ran"), (bench.room.editor.pk, "task"),
    }  # fmt: skip
    assert [row.sample for row in made["Exhibit"]] == [run.samples.get()]


def catching(model: Any, into: list[Any]) -> Callable[..., Any]:
    def make(**values: Any) -> Any:
        return model(**values)

    make.objects = SimpleNamespace(bulk_create=lambda rows, **_: into.extend(rows))  # type: ignore[attr-defined]
    return make
