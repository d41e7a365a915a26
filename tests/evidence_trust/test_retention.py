"""Evidence goes by two people's word once its time is over, leaves its tombstone, and stays where a hold lies on it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence_app.models import Artifact, Entry, Hold, Opening, Pack, Removal
from evidence_app.models.retention import Asked
from evidence_app.services import (
    attempts,
    derived,
    entries,
    forgetting,
    holds,
    ledger,
    output,
    retention,
    specs,
    strays,
    verifying,
)
from evidence_app.services.artifacts import blobs
from evidence_app.services.strays import OLD_S
from evidence_app.services.verifying import Report
from evidence_app.store.blobs import FileBlobs
from recipes_app.models import Notice, User
from recipes_app.services.errors import NotAllowed, WrongState
from tests.evidence_trust.vault import SECRET, Vault, keep_picture, make_vault
from tests.evidence_web.conftest import Room

SignIn = Callable[[User], Client]


@pytest.fixture
def vault(room: Room) -> Vault:
    return make_vault(room)


def age(sha256: str, seconds: float = OLD_S + 60) -> None:
    """As if it had been put there so long ago."""
    store = blobs()
    assert isinstance(store, FileBlobs)
    before = time.time() - seconds
    os.utime(store.path_of(sha256), (before, before))


def removed(vault: Vault) -> Removal:
    removal = retention.ask(run=vault.run, by=vault.room.editor, words="its year is over")
    retention.approve(removal=removal, by=vault.reviewer)
    removal.refresh_from_db()
    return removal


def test_what_is_due_is_what_every_version_of_its_task_lets_go(room: Room) -> None:
    over = make_vault(room)
    make_vault(room, over=-1, task_id="young")
    make_vault(room, days=0, task_id="kept_for_good")
    assert [each.run for each in retention.due(room.team)] == [over.run]
    longer = {**over.run.version.document, "retention_days": 60}
    specs.save(team=room.team, by=room.editor, data=longer)
    assert list(retention.due(room.team)) == []
    with pytest.raises(WrongState, match="kept until"):
        retention.ask(run=over.run, by=room.editor)


def test_two_people_delete_it_and_a_tombstone_stays(vault: Vault) -> None:
    folder = output.folder_of(vault.run)
    output.write_attempt(vault.attempt)
    before = ledger.current()
    size = ledger.size()
    removal = removed(vault)
    opening = Opening.objects.get(pk=vault.kept.pk)
    assert (opening.salt, opening.facts, opening.removed_at is not None) == ("", "", True)
    tombstone = Entry.objects.get(kind="retention.removed")
    facts = json.loads(tombstone.opening.facts)
    assert any(first <= vault.kept.seq <= last for first, last in facts["entries"])
    assert facts["artifacts"] == [{"id": vault.picture.pk, "sha256": vault.picture.sha256, "size": vault.picture.size}]
    assert (facts["asked_by"]["name"], facts["approved_by"]["name"]) == ("ed", "rita")
    assert ledger.root_at(size) == before[1]  # the tree over what is gone is what it was
    assert SECRET not in everything_about(vault)
    age(vault.picture.sha256)
    assert forgetting.carry_on() == 1
    removal.refresh_from_db()
    assert removal.done_at
    assert not blobs().has(vault.picture.sha256)
    assert not folder.exists()
    assert Artifact.objects.filter(pk=vault.picture.pk, removed_at__isnull=False).exists()
    with pytest.raises(WrongState, match="was deleted"):
        attempts.open_attempt(sample=vault.attempt.sample)


def test_the_ledger_verifies_after_a_removal_and_only_with_its_tombstone(vault: Vault) -> None:
    made = derived.stamp(row=vault.picture, by=vault.reviewer)
    with transaction.atomic():  # as if it had been captured: an entry that names the file
        about = entries.about_file(vault.picture)
        ledger.append("capture.kept", {"run": vault.run.public_id, "artifacts": [about]}, run=vault.run)
    removed(vault)
    made.refresh_from_db()
    assert made.removed_at
    report = Report(files="all")
    for _ in verifying.verify(report):
        pass
    assert report.problems == []
    assert report.removed == 3
    with transaction.atomic():  # somebody blanks one more by hand
        row = Opening.objects.filter(removed_at=None, entry__kind="run.requested")[0]
        Opening.objects.filter(pk=row.pk).update(salt="", facts="", removed_at=timezone.now())
    again = Report(files="none")
    for _ in verifying.verify(again):
        pass
    assert [str(each) for each in again.problems] == [
        f"entry {row.pk}: what it tells of was taken away, and no entry says so"
    ]


def everything_about(vault: Vault) -> str:
    """Every value of every row that hangs on the run."""
    attempt = vault.attempt
    attempt.refresh_from_db()
    rows = [attempt, *attempt.fields.all(), *attempt.actions.all(), *attempt.artifacts.all(), *vault.run.entries.all()]
    openings = Opening.objects.filter(entry__run=vault.run)
    return " ".join(str(row.__dict__) for row in [*rows, *openings])


def test_bytes_that_another_run_names_stay(vault: Vault) -> None:
    other = make_vault(vault.room, over=-1, task_id="young")
    assert other.picture.sha256 == vault.picture.sha256
    removed(vault)
    age(vault.picture.sha256)
    forgetting.carry_on()
    assert strays.sweep() == 0
    assert blobs().has(other.picture.sha256)
    assert Removal.objects.get().done_at


def test_bytes_captured_again_a_moment_ago_wait(vault: Vault) -> None:
    removed(vault)
    assert forgetting.carry_on() == 0
    removal = Removal.objects.get()
    assert "captured again" in removal.error
    assert (removal.tries, removal.done_at) == (1, None)
    assert forgetting.carry_on() == 0  # not tried again before its time
    age(vault.picture.sha256)
    Removal.objects.update(tried_at=None)
    assert forgetting.carry_on() == 1
    assert Removal.objects.get().error == ""


def test_packs_of_the_run_go_with_it_and_others_are_never_swept(vault: Vault) -> None:
    other = make_vault(vault.room, over=-1, task_id="young")
    kept, gone = (
        Pack.objects.create(
            run=run, requested_by=vault.room.owner, sha256=blobs().put([name]).sha256, built_at=timezone.now()
        )
        for run, name in ((other.run, b"PK young"), (vault.run, b"PK old"))
    )
    removed(vault)
    for sha256 in (kept.sha256, gone.sha256, vault.picture.sha256):
        age(sha256)
    forgetting.carry_on()
    assert strays.sweep() == 0
    assert [blobs().has(each.sha256) for each in (kept, gone)] == [True, False]
    gone.refresh_from_db()
    assert not gone.is_there


def test_the_sweep_takes_bytes_that_only_deleted_rows_name(vault: Vault) -> None:
    removed(vault)
    age(vault.picture.sha256)
    assert strays.sweep() == 1


def test_who_asked_does_not_approve_nor_does_the_database_let_them(vault: Vault) -> None:
    removal = retention.ask(run=vault.run, by=vault.room.owner)
    with pytest.raises(NotAllowed, match="somebody else"):
        retention.approve(removal=removal, by=vault.room.owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        Removal.objects.filter(pk=removal.pk).update(status=Asked.APPROVED, decided_by=vault.room.owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        Removal.objects.filter(pk=removal.pk).update(asked_by=vault.room.editor)
    with pytest.raises(IntegrityError), transaction.atomic():
        removal.delete()
    retention.decline(removal=removal, by=vault.room.owner)
    assert retention.ask(run=vault.run, by=vault.room.editor)


def test_what_was_decided_stays_decided(vault: Vault) -> None:
    removal = removed(vault)
    for decide in (retention.approve, retention.decline):
        with pytest.raises(WrongState):
            decide(removal=removal, by=vault.room.owner)
    with pytest.raises(IntegrityError), transaction.atomic():
        Removal.objects.filter(pk=removal.pk).update(status=Asked.DECLINED)


@pytest.mark.parametrize("on", ["run", "spec", "team"])
def test_a_hold_stops_it_before_and_after_it_was_asked_for(vault: Vault, on: str) -> None:
    whats: dict[str, dict[str, Any]] = {"run": {"run": vault.run}, "spec": {"spec": vault.room.task}, "team": {}}
    what = whats[on]
    removal = retention.ask(run=vault.run, by=vault.room.editor)
    hold = holds.place(team=vault.room.team, by=vault.reviewer, words="case 12/26", **what)
    with pytest.raises(WrongState, match="case 12/26"):
        retention.approve(removal=removal, by=vault.reviewer)
    assert Opening.objects.get(pk=vault.kept.pk).facts
    retention.decline(removal=removal, by=vault.reviewer)
    assert [each.held for each in retention.due(vault.room.team)] == [(hold,)]
    with pytest.raises(WrongState, match="There is a hold"):
        retention.ask(run=vault.run, by=vault.room.editor)
    with pytest.raises(NotAllowed):
        holds.lift(hold=hold, by=vault.reviewer, words="over")
    with pytest.raises(IntegrityError), transaction.atomic():
        Hold.objects.filter(pk=hold.pk).update(words="another case")
    holds.lift(hold=hold, by=vault.room.owner, words="the case is closed")
    assert Notice.objects.filter(user=vault.reviewer, text__contains="lifted your hold").count() == 1
    again = retention.ask(run=vault.run, by=vault.room.editor)
    with pytest.raises(NotAllowed, match="lifted a hold"):
        retention.approve(removal=again, by=vault.room.owner)
    assert list(Entry.objects.filter(kind__startswith="hold.").values_list("kind", flat=True)) == [
        "hold.placed", "hold.lifted",
    ]  # fmt: skip


def test_a_new_picture_under_way_is_part_of_what_goes(vault: Vault) -> None:
    keep_picture(vault.attempt, "02_more.png", "red")
    assert removed(vault).files == 2


def test_the_page_from_due_to_gone(vault: Vault, signed_in: SignIn) -> None:
    page = reverse("retention")
    asker, decider = signed_in(vault.room.editor), signed_in(vault.reviewer)
    assert "Ask for its deletion" in asker.get(page).content.decode()
    assert "Ask for its deletion" not in signed_in(vault.room.viewer).get(page).content.decode()
    ask = reverse("removal_ask", args=[vault.run.public_id])
    assert signed_in(vault.room.stranger).post(ask).status_code == 404
    assert "An editor or an owner" in signed_in(vault.room.viewer).post(ask, follow=True).content.decode()
    assert "Asked." in asker.post(ask, {"words": "its year is over"}, follow=True).content.decode()
    assert "asked already" in asker.post(ask, follow=True).content.decode()
    assert Notice.objects.filter(user=vault.reviewer, path=page).exists()
    decide = reverse("removal_decide", args=[Removal.objects.get().pk])
    shown = asker.get(page).content.decode()
    assert "Take it back" in shown
    assert "Delete the evidence" not in shown
    assert signed_in(vault.room.stranger).post(decide, {"decision": "approve"}).status_code == 404
    assert (
        "reviewer or an owner"
        in signed_in(vault.room.operator).post(decide, {"decision": "approve"}, follow=True).content.decode()
    )
    assert "Approved." in decider.post(decide, {"decision": "approve"}, follow=True).content.decode()
    assert "Files go" in decider.get(page).content.decode()
    assert decider.get(reverse("artifact", args=[vault.picture.pk])).status_code == 404
    assert "removed" in decider.get(reverse("sample_detail", args=[vault.attempt.sample_id])).content.decode()


def test_the_page_of_holds(vault: Vault, signed_in: SignIn) -> None:
    page, place = reverse("retention"), reverse("hold_place")
    client = signed_in(vault.reviewer)
    assert client.post(place, {"about": "run-999999", "words": "x"}).status_code == 422
    assert client.post(place, {"about": f"run-{vault.run.pk}", "words": ""}).status_code == 422
    done = client.post(place, {"about": f"run-{vault.run.pk}", "words": "case 12/26"}, follow=True)
    assert "until an owner lifts the hold" in done.content.decode()
    assert "Held" in client.get(page).content.decode()
    lift = reverse("hold_lift", args=[Hold.objects.get().pk])
    assert signed_in(vault.room.stranger).post(lift, {"words": "x"}).status_code == 404
    assert "Only an owner" in client.post(lift, {"words": "x"}, follow=True).content.decode()
    assert "Lifted" in signed_in(vault.room.owner).post(lift, {"words": "closed"}, follow=True).content.decode()
