"""A password among a sample's columns: sealed in every row, opened for a worker, dots everywhere else."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evidence_app.models import ActionEntry, Run, Sample, Schedule
from evidence_app.services import attempts, confidential, drafts, runs, schedules
from evidence_app.spec.samples import from_items
from recipes_app.engine.parameters import MASK
from recipes_app.services.errors import BadInput
from recipes_app.services.sealing import blot_out
from tests.canaries import every_cell
from tests.evidence_web.conftest import Room

CANARY, PIN = "canary-7f3a-hunter2", "zq-4711-pin"
ROWS = [{"sample_id": "ann", "url": "http://127.0.0.1:1/ann", "password": CANARY, "login": {"pin": PIN}, "team": "x"}]


@pytest.fixture
def run(room: Room) -> Run:
    return runs.request_run(version=room.version, samples=from_items(ROWS), by=room.operator, draft=True)


def test_no_row_holds_a_secret_of_a_sample_in_clear(room: Room, run: Run) -> None:
    schedules.schedule(spec=room.task, by=room.operator, samples=from_items(ROWS), cron="0 6 * * *")
    held = every_cell()
    assert "http://127.0.0.1:1/ann" in held
    assert CANARY not in held
    assert PIN not in held


def test_the_worker_is_given_what_was_typed_and_blots_it_out(run: Run) -> None:
    sample = run.samples.get()
    assert attempts.sample_input(sample).extra == {"password": CANARY, "login": {"pin": PIN}, "team": "x"}
    assert set(attempts.secrets_of(sample)) == {CANARY, PIN}


def test_pages_and_the_admin_show_dots(run: Run, room: Room, client: Client) -> None:
    client.force_login(room.operator)
    for address in (reverse("run_detail", args=[run.public_id]), reverse("draft_samples", args=[run.public_id])):
        page = client.get(address).content.decode()
        assert CANARY not in page
        assert MASK in page
    type(room.owner).objects.filter(pk=room.owner.pk).update(is_staff=True, is_superuser=True)
    client.force_login(room.owner)
    page = client.get(reverse("admin:evidence_app_sample_change", args=[run.samples.get().pk])).content.decode()
    assert MASK in page
    assert "$sealed" not in page


def test_dots_that_are_left_alone_keep_the_secret_when_rows_are_edited(run: Run, room: Room) -> None:
    shown = {"sample_id": "ann", **confidential.masked(run.samples.get().extra), "team": "y"}
    drafts.change_samples(run=run, by=room.operator, samples=from_items([shown]))
    assert attempts.sample_input(run.samples.get()).extra["password"] == CANARY
    assert run.samples.get().extra["team"] == "y"
    with pytest.raises(BadInput, match="bob: only dots stand in password"):
        drafts.change_samples(run=run, by=room.operator, samples=from_items([{**shown, "sample_id": "bob"}]))


def test_a_recurring_run_hands_its_secrets_on(room: Room) -> None:
    row = schedules.schedule(spec=room.task, by=room.operator, samples=from_items(ROWS), cron="0 6 * * *")
    Schedule.objects.filter(pk=row.pk).update(next_at="2020-01-01T00:00:00Z")
    assert schedules.start_due() == 1
    assert attempts.sample_input(Sample.objects.get(run__schedule=row)).extra["password"] == CANARY


def test_a_new_key_opens_what_the_old_one_sealed_while_it_is_named(run: Run, settings: Settings) -> None:
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another-key-of-fifty-characters-and-more-for-a-test-0"
    settings.SECRET_KEY_FALLBACKS = [old]
    assert attempts.sample_input(run.samples.get()).extra["password"] == CANARY
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(confidential.Unopened, match="password of the sample was sealed with a key"):
        attempts.sample_input(run.samples.get())


def test_an_interrupted_step_whose_secret_was_blotted_out_is_asked_for_anew(room: Room) -> None:
    attempt = room.request().samples.get().attempts.get()
    entry = ActionEntry.objects.create(attempt=attempt, seq=1, action="type", params={"element": 3, "text": "plain"})
    pending = attempts.before(attempt).pending
    assert pending is not None
    assert pending.action == "type"
    ActionEntry.objects.filter(pk=entry.pk).update(params=blot_out({"element": 3, "text": CANARY}, [CANARY]))
    assert attempts.before(attempt).pending is None


def test_rows_of_an_older_version_are_sealed_where_they_stand(run: Run, room: Room) -> None:
    extra = {"password": CANARY, "login": {"pin": PIN}, "team": "x"}
    Sample.objects.update(extra=extra)
    row = schedules.schedule(spec=room.task, by=room.operator, samples=from_items(ROWS), cron="0 6 * * *")
    Schedule.objects.filter(pk=row.pk).update(samples=ROWS)
    assert CANARY in every_cell()
    import_module("evidence_app.migrations.0008_seal_secrets").seal_rows(apps, None)
    assert CANARY not in every_cell()
    assert attempts.sample_input(run.samples.get()).extra == extra
    row.refresh_from_db()
    assert [confidential.opened(each) for each in row.samples] == ROWS


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("password_enabled", "true"), ("password_last_changed", "2026-08-31"), ("mfa_token", "yes"),
        ("secret", False), ("tokenCount", 12), ("pin_required", "no"), ("passport", "P4711"),
        ("last_used_token_at", "2026-08-31T10:00:00Z"), ("primary key", "4711"), ("bypass", "north"), ("key", "K-1"),
    ],
)  # fmt: skip
def test_what_a_list_says_of_secrets_is_none_and_stays_in_the_results(column: str, value: object) -> None:
    extra = {column: value}
    assert (confidential.seal(extra), confidential.masked(extra), confidential.secrets_in(extra)) == (extra, extra, [])


@pytest.mark.parametrize(
    "column",
    [
        "password", "User Password", "apiToken", "client_secret", "password for the portal", "active_password",
        "updatedPassword", "used_token", "passwords", "secrets", "tokens", "pwd", "password2", "api_key", "apiKey",
        "private key", "access_key_id", "credentials", "cookie", "jwt", "cvv", "recovery codes", "password_since_login",
    ],
)  # fmt: skip
def test_a_column_called_like_a_secret_is_one(column: str) -> None:
    assert confidential.secrets_in({column: CANARY}) == [CANARY]
    assert confidential.masked(confidential.seal({column: CANARY})) == {column: MASK}


def test_a_secret_that_would_blot_out_half_of_the_results_is_refused(room: Room) -> None:
    samples = from_items([{"sample_id": "ann", "url": "http://127.0.0.1:1/ann", "pin": "12"}])
    with pytest.raises(BadInput, match="ann: pin is too short a secret to be kept out of anything"):
        runs.request_run(version=room.version, samples=samples, by=room.operator)
