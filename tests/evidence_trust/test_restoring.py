"""After a backup was put back the signer stands still until two people have declared it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evidence_app.ledger import note
from evidence_app.ledger.errors import LedgerError
from evidence_app.ledger.note import Head
from evidence_app.models import Entry, Restoration, TreeHead
from evidence_app.models.retention import Asked
from evidence_app.services import ledger, restoring, signing
from recipes_app.models import Notice, User
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.evidence_trust.vault import Vault, make_vault
from tests.evidence_web.conftest import Room
from tests.people import PASSWORD

SignIn = Callable[[User], Client]
WORDS = "the disk broke, last night's backup was put back"


@pytest.fixture(autouse=True)
def ledger_dir(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_DIR = tmp_path / "ledger"
    settings.LEDGER_SIGNING_KEY = []


@pytest.fixture
def vault(room: Room) -> Vault:
    return make_vault(room)


def lose_entries() -> Head:
    """As if five entries more had been signed than the ledger has now."""
    lost = Head(signing.origin(), ledger.size() + 5, b"l" * 32)
    signing.folder().remember(note.sign(lost, signing.signers()))
    return lost


def said_by(monkeypatch: pytest.MonkeyPatch, username: str, *words: str, password: str = PASSWORD) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    out = io.StringIO()
    call_command("declare_restore", "--as", username, *words, stdout=out, stderr=out)
    return out.getvalue()


def test_two_people_declare_it_and_the_signer_goes_on(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, signed_in: SignIn
) -> None:
    assert signing.sign()
    lost = lose_entries()
    with pytest.raises(LedgerError):
        signing.sign()
    assert "Declared. A second person" in said_by(monkeypatch, "olga", "--words", WORDS)
    with pytest.raises(LedgerError):
        signing.sign()
    page = signed_in(vault.room.viewer).get(reverse("heads")).content.decode()
    assert "A second person confirms it" in page
    with pytest.raises(SystemExit):
        said_by(monkeypatch, "olga")
    make_owner(vault.reviewer)
    assert "Confirmed." in said_by(monkeypatch, "rita")
    entry = Entry.objects.get(kind="restore.declared")
    facts = json.loads(entry.opening.facts)
    assert (facts["declared_by"]["name"], facts["confirmed_by"]["name"]) == ("olga", "rita")
    assert facts["lost"]["size"] == lost.size
    assert note.verify(facts["lost"]["note"], [each.verifier for each in signing.signers()])[0] == lost
    assert signing.sign()
    assert TreeHead.objects.order_by("-pk")[0].size == entry.seq + 1
    assert Notice.objects.filter(user=vault.room.owner, event="ledger.restored").count() == 2
    with pytest.raises(SystemExit):
        said_by(monkeypatch, "rita", "--words", WORDS)


def make_owner(user: User) -> None:
    user.memberships.update(role="owner")


def test_cut_off_between_the_entry_and_the_file_it_is_taken_up_again(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_entries()
    make_owner(vault.reviewer)
    row = restoring.declare(by=vault.room.owner, words=WORDS)
    restoring._confirm(row, vault.reviewer)
    with pytest.raises(LedgerError):
        signing.sign()
    assert "declared already" in said_by(monkeypatch, "olga")
    assert signing.sign()
    assert Entry.objects.filter(kind="restore.declared").count() == 1


def test_a_wrong_password_and_an_ordinary_member_declare_nothing(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    lose_entries()
    with pytest.raises(SystemExit):
        said_by(monkeypatch, "olga", "--words", WORDS, password="guess")
    with pytest.raises(NotAllowed):
        restoring.declare(by=vault.room.editor, words=WORDS)
    with pytest.raises(BadInput):
        restoring.declare(by=vault.room.owner, words="oops")
    assert not Restoration.objects.exists()


def test_where_nothing_is_lost_nothing_is_declared(vault: Vault) -> None:
    signing.sign()
    with pytest.raises(WrongState, match="continues"):
        restoring.declare(by=vault.room.owner, words=WORDS)


def test_the_database_wants_two_people(vault: Vault) -> None:
    lose_entries()
    row = restoring.declare(by=vault.room.owner, words=WORDS)
    for change in ({"status": Asked.APPROVED, "decided_by": vault.room.owner}, {"words": "nothing happened"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Restoration.objects.filter(pk=row.pk).update(**change)
