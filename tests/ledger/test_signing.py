"""Signed heads: made while the ledger grows, remembered outside of the database, refused where it does not continue."""

from __future__ import annotations

import base64
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evidence_app.ledger import note
from evidence_app.ledger.keeping import NoKey, read_key
from evidence_app.ledger.note import Head, Signer, Verifier
from evidence_app.models import Entry, LedgerKey, TreeHead
from evidence_app.services import alarms, ledger, signing
from recipes_app.models import AuditEntry, Notice
from recipes_app.services.errors import WrongState
from tests.evidence_web.conftest import Room
from tests.ledger.vault import drop_guards, problems, sql, verified
from tests.web.conftest import SignIn


def grow(count: int = 1) -> None:
    for _ in range(count):
        ledger.append("test.done", {"team": None})


def own() -> Verifier:
    key = signing.verifier()
    assert key is not None
    return key


def as_pem(key: Ed25519PrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def test_a_head_is_signed_when_there_is_something_new_and_only_then(db: None) -> None:
    assert signing.sign_due() == 0
    assert signing.verifier() is None
    grow(3)
    assert (signing.sign_due(), signing.sign_due()) == (1, 0)
    row = TreeHead.objects.get()
    head, signer = note.verify(row.note, [note.read_verifier(LedgerKey.objects.get().verifier)])
    assert (head.size, head.root) == ledger.current() == (row.size, bytes.fromhex(row.root))
    assert (signer.fingerprint, signer.name) == (row.fingerprint, head.origin)
    assert signing.folder().head() == row.note
    grow()
    assert signing.sign_due() == 1
    assert problems() == []


def test_the_key_is_made_once_and_read_by_its_owner_only(db: None, settings: Settings) -> None:
    assert signing.verifier() is None
    grow()
    signing.sign()
    path = Path(settings.LEDGER_DIR) / "signing.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    made = path.read_bytes()
    grow()
    signing.sign()
    assert path.read_bytes() == made
    assert LedgerKey.objects.count() == 1


def test_a_long_ledger_is_signed_in_turns(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "AT_ONCE", 4)
    grow(10)
    assert [signing.sign_due() for _ in range(4)] == [1, 1, 1, 0]
    assert list(TreeHead.objects.order_by("size").values_list("size", flat=True)) == [4, 8, 10]


def test_a_head_that_was_remembered_as_the_machine_went_down_gets_its_row(db: None) -> None:
    grow()
    head = signing.sign()
    drop_guards()
    sql("DELETE FROM evidence_app_treehead")
    assert signing.sign() is None
    assert TreeHead.objects.get().note == head.note


def test_a_lost_memory_is_taken_from_the_newest_head_in_the_database(db: None) -> None:
    grow(2)
    head = signing.sign()
    signing.folder().set_aside(2)
    grow()
    assert signing.sign().size == 3
    drop_guards()
    sql("DELETE FROM evidence_app_treehead WHERE id = %s", head.pk)
    assert problems() == [problems()[0]]  # the guards are missing, and nothing else is wrong


def test_a_head_that_somebody_added_to_the_rows_does_not_stop_the_signer(db: None) -> None:
    grow(2)
    row = signing.sign()
    forged = row.note.replace("\n2\n", "\n9\n")
    TreeHead.objects.create(size=9, root=row.root, note=forged, fingerprint=row.fingerprint)
    grow()
    assert signing.sign().size == 3
    assert any("over 9" in line for line in problems())


def test_what_does_not_continue_is_not_signed_and_every_owner_hears_of_it_once(room: Room, signed_in: SignIn) -> None:
    grow(3)
    signing.sign_due()
    drop_guards()
    sql("DELETE FROM evidence_app_opening WHERE entry_id = 2")
    sql("DELETE FROM evidence_app_entry WHERE seq = 2")
    assert (signing.sign_due(), signing.sign_due()) == (0, 0)
    (alarm,) = alarms.standing()
    assert "has 2 entries, and a head over 3 was signed already" in alarm.text
    assert {each.user.username for each in Notice.objects.filter(event=alarms.RAISED)} == {"olga", "sam"}
    assert AuditEntry.objects.filter(action=alarms.RAISED).count() == 1
    page = signed_in(room.viewer).get(reverse("integrity"))
    assert "The ledger is not signed any more" in page.content.decode()
    home = signed_in(room.operator).get(reverse("evidence_home"))
    assert "Evidence may have been tampered with" in home.content.decode()
    grow()  # the very same number is no continuation either
    assert signing.sign_due() == 0
    assert "the first 3 entries are not those that were signed" in {each.text for each in alarms.standing()}.pop()


def test_an_alarm_is_over_once_the_ledger_is_what_it_was(room: Room) -> None:
    grow(2)
    signing.sign()
    drop_guards()
    body = Entry.objects.get(seq=1).body
    grow()
    sql("UPDATE evidence_app_entry SET body = 'x' WHERE seq = 2")
    assert signing.sign_due() == 0
    assert alarms.standing()
    sql("DELETE FROM evidence_app_opening WHERE entry_id = 2")
    sql("DELETE FROM evidence_app_entry WHERE seq = 2")
    assert Entry.objects.get(seq=1).body == body
    signing.sign_due()
    assert alarms.standing() == []
    assert not Notice.objects.filter(event=alarms.RAISED, read_at=None).exists()


def test_a_key_that_is_gone_is_not_made_anew(db: None, settings: Settings) -> None:
    grow()
    signing.sign()
    (Path(settings.LEDGER_DIR) / "signing.key").unlink()
    grow()
    with pytest.raises(NoKey, match="any more"):
        signing.sign()
    assert signing.sign_due() == 0
    assert alarms.standing()[0].about == alarms.SIGNING


def test_a_key_from_the_settings_signs(db: None, settings: Settings) -> None:
    key = Ed25519PrivateKey.generate()
    raw = base64.b64encode(key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())).decode()
    settings.LEDGER_SIGNING_KEY, settings.LEDGER_ORIGIN = (as_pem(key).replace("\n", "\\n"),), "audit.example"
    grow()
    row = signing.sign()
    settings.LEDGER_SIGNING_KEY = (raw,)
    assert note.verify(row.note, [own()])[0].origin == "audit.example"
    assert not (Path(settings.LEDGER_DIR) / "signing.key").exists()


def test_what_keeps_the_signer_from_signing_is_an_alarm_and_ends_nothing(
    db: None, settings: Settings, tmp_path: Path
) -> None:
    grow()
    settings.LEDGER_ORIGIN = "two words"
    assert signing.sign_due() == 0
    assert "'two words' is no name that a key could sign under" in alarms.standing()[0].text
    settings.LEDGER_ORIGIN, settings.LEDGER_DIR = "", tmp_path / "file"
    settings.LEDGER_DIR.write_text("not a folder")
    assert signing.sign_due() == 0
    assert "File exists" in alarms.standing()[0].text
    settings.LEDGER_DIR = tmp_path / "folder"
    assert (signing.sign_due(), alarms.standing()) == (1, [])


@pytest.mark.parametrize("text", ["", "x", "AAAA", "-----BEGIN PRIVATE KEY-----\nxx\n-----END PRIVATE KEY-----"])
def test_what_is_no_key_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(NoKey) as refusal:
        read_key(text)
    assert not text or text not in str(refusal.value)


def test_a_new_key_is_told_by_the_ledger_and_vouched_for_by_the_old(db: None, settings: Settings) -> None:
    grow(2)
    signing.sign()
    old = own()
    call_command("rotate_ledger_key", "--yes")
    new = own()
    assert old != new
    row = TreeHead.objects.order_by("-size")[0]
    assert note.verify(row.note, [new])[0] == note.verify(row.note, [old])[0]
    assert Entry.objects.order_by("-seq")[0].kind == "key.rotated"
    assert row.size == ledger.size()
    grow()
    assert note.verify(signing.sign().note, [new])
    report = verified()
    assert (report.problems, report.heads) == ([], 3)
    assert not list(Path(settings.LEDGER_DIR).glob("*next*"))


def test_heads_of_a_key_that_nobody_vouches_for_are_told(db: None, settings: Settings) -> None:
    grow()
    signing.sign()
    settings.LEDGER_SIGNING_KEY = (as_pem(Ed25519PrivateKey.generate()),)
    told = problems()
    assert "the last head that was signed here is not of the key that is here now" in told
    assert "the head signed over 1 entries is not signed by the key it has to be signed by" in told


def test_a_lost_key_is_followed_by_another_that_signs_alone(db: None, settings: Settings) -> None:
    grow(2)
    signing.sign()
    (Path(settings.LEDGER_DIR) / "signing.key").unlink()
    new = signing.rotate(lost=True)
    row = TreeHead.objects.order_by("-size")[0]
    assert (row.size, row.fingerprint) == (3, new.fingerprint)
    grow()
    signing.sign()
    assert problems() == []


def test_keys_of_the_settings_change_while_both_are_named(db: None, settings: Settings) -> None:
    first, second = as_pem(Ed25519PrivateKey.generate()), as_pem(Ed25519PrivateKey.generate())
    settings.LEDGER_SIGNING_KEY = (first,)
    grow()
    signing.sign()
    with pytest.raises(WrongState, match="Write the new key before the old one"):
        signing.rotate()
    assert not Entry.objects.filter(kind="key.rotated").exists()
    settings.LEDGER_SIGNING_KEY = (second, first)
    assert problems() == []
    signing.rotate()
    settings.LEDGER_SIGNING_KEY = (second,)
    grow()
    signing.sign()
    assert problems() == []


def test_the_key_is_at_a_well_known_address_for_everybody(db: None) -> None:
    assert Client().get("/.well-known/agentify-ledger.json").json() == {"keys": [], "head": None}
    grow()
    row = signing.sign()
    told = Client().get("/.well-known/agentify-ledger.json").json()
    assert told["head"] == row.note
    (key,) = told["keys"]
    assert key["fingerprint"] == row.fingerprint
    assert note.verify(row.note, [note.read_verifier(key["verifier"])])


def test_who_only_adds_a_signature_to_a_head_is_not_trusted(db: None) -> None:
    """Neither a genuine head with one more signature, nor a text that names the real key, leads to another."""
    grow(2)
    genuine = signing.sign()
    call_command("rotate_ledger_key", "--yes")
    me = Signer(own().name, Ed25519PrivateKey.generate())
    LedgerKey.objects.create(fingerprint=me.verifier.fingerprint, verifier=me.verifier.text)
    for row in list(TreeHead.objects.all()):
        more = note.sign(note.read(row.note)[0], [me]).partition("\n\n")[2]
        TreeHead.objects.create(size=row.size, root=row.root, note=row.note + more, fingerprint=row.fingerprint)
    head = note.read(genuine.note)[0]
    for lines in ((), (note.hands_over(own(), me.verifier),), (note.hands_over(me.verifier, own()),)):
        text = note.sign(Head(head.origin, head.size, head.root, lines), [me])
        TreeHead.objects.create(size=head.size, root=genuine.root, note=text, fingerprint=me.verifier.fingerprint)
    told = "the head signed over 2 entries is not signed by the key it has to be signed by"
    assert [each for each in problems() if "has to be signed by" in each] == [told] * 3
    assert [each for each in problems(key=genuine.fingerprint) if "has to be signed by" in each] == [told] * 3


def test_the_well_known_keys_are_the_signers_own_whatever_stands_in_the_rows(db: None) -> None:
    grow()
    row = signing.sign()
    me = Signer(own().name, Ed25519PrivateKey.generate())
    LedgerKey.objects.create(fingerprint=me.verifier.fingerprint, verifier=me.verifier.text)
    text = note.sign(note.read(row.note)[0], [me])
    TreeHead.objects.create(size=1, root=row.root, note=text, fingerprint=me.verifier.fingerprint)
    told = Client().get("/.well-known/agentify-ledger.json").json()
    assert ([key["fingerprint"] for key in told["keys"]], told["head"]) == ([row.fingerprint], row.note)
    before = own().fingerprint
    signing.rotate()
    told = Client().get("/.well-known/agentify-ledger.json").json()
    assert [key["fingerprint"] for key in told["keys"]] == [own().fingerprint, before]
