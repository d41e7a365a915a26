"""Heads of the ledger leave the house: copies that cannot be changed here, and times set by somebody else's clock."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from evidence_app.ledger import note, stamps
from evidence_app.ledger.stamps import BadTimestamp
from evidence_app.models import HeadCopy, Timestamp, TreeHead
from evidence_app.services import head_copies, timestamps
from evidence_app.store import outside, s3
from recipes_app.models import Notice, User
from tests.evidence_trust.outside import OPENSSL, Authority, served
from tests.evidence_web.conftest import Room

SignIn = Callable[[User], Client]
KEY = note.Signer("vault.example", Ed25519PrivateKey.generate())


def make_head(size: int = 7, fill: bytes = b"r") -> TreeHead:
    text = note.sign(note.Head("vault.example", size, fill * 32), [KEY])
    return TreeHead.objects.create(size=size, root=(fill * 32).hex(), note=text, fingerprint=KEY.verifier.fingerprint)


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    made = tmp_path / "mounted"
    made.mkdir()
    settings.LEDGER_COPIES = [made.as_uri()]
    return made


def notes_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_each_new_head_is_laid_into_the_folder_once(room: Room, folder: Path) -> None:
    head = make_head()
    assert (head_copies.send_due(), head_copies.send_due()) == (1, 0)
    [path] = notes_in(folder)
    assert path.read_text() == head.note
    assert note.verify(path.read_text(), [KEY.verifier])[0].size == 7
    make_head(9)
    assert head_copies.send_due() == 0  # not every few seconds
    HeadCopy.objects.update(ok_at=timezone.now() - timedelta(minutes=1))
    assert head_copies.send_due() == 1
    assert len(notes_in(folder)) == 2


def test_two_heads_of_one_size_lie_side_by_side(room: Room, folder: Path) -> None:
    for fill in (b"r", b"s"):
        assert head_copies.send(HeadCopy.objects.create(head=make_head(7, fill), place=folder.as_uri()))
    assert len(notes_in(folder)) == 2


def test_a_copy_that_was_changed_there_is_said_and_left(room: Room, folder: Path) -> None:
    head = make_head()
    head_copies.send_due()
    [path] = notes_in(folder)
    path.write_bytes(b"\xff another text")
    again = HeadCopy.objects.get(head=head)
    assert not head_copies.send(again)
    again.refresh_from_db()
    assert "another text lies there" in again.error
    assert path.read_bytes() == b"\xff another text"


def test_a_failing_place_is_tried_again_later_and_told_to_owners(room: Room, folder: Path, signed_in: SignIn) -> None:
    folder.rmdir()
    make_head()
    assert (head_copies.send_due(), HeadCopy.objects.get().tries) == (0, 1)
    page = signed_in(room.viewer).get(reverse("heads")).content.decode()
    assert "there is no folder" in page
    assert (head_copies.send_due(), HeadCopy.objects.get().tries) == (0, 1)  # its time has not come
    assert not Notice.objects.filter(event="ledger.outside").exists()
    for size in (8, 9):
        HeadCopy.objects.update(tried_at=timezone.now() - timedelta(hours=1))
        make_head(size)  # a newer one takes its place, and counts on
        head_copies.send_due()
    assert HeadCopy.objects.order_by("-head").values_list("tries", flat=True).first() == 3
    assert Notice.objects.get(event="ledger.outside", user=room.owner).read_at is None
    folder.mkdir()
    HeadCopy.objects.update(tried_at=timezone.now() - timedelta(hours=1))
    assert head_copies.send_due() == 1
    assert Notice.objects.get(event="ledger.outside", user=room.owner).read_at


def test_a_bucket_takes_them_as_well(room: Room, bucket: s3.Bucket, settings: Settings) -> None:
    settings.LEDGER_COPIES = [f"s3://evidence/heads?endpoint={bucket.endpoint}&region=us-east-1"]
    head = make_head()
    assert head_copies.send_due() == 1
    client = s3.connected(bucket)
    key = f"heads/vault.example/000000000007-{head.root[:16]}.note"
    assert client.get_object(Bucket="evidence", Key=key)["Body"].read().decode() == head.note
    row = HeadCopy.objects.get()
    assert head_copies.send(row)  # twice is as once
    client.put_object(Bucket="evidence", Key=key, Body=b"another")
    assert not head_copies.send(row)


def test_an_address_is_sent_the_note(room: Room, settings: Settings, signed_in: SignIn) -> None:
    came: list[bytes] = []
    answers = iter([(503, b"come back later"), (204, b"")])

    def answer(body: bytes) -> tuple[int, bytes]:
        came.append(body)
        return next(answers)

    with served(answer) as url:
        settings.LEDGER_COPIES = [f"{url}in?token=hush"]
        head = make_head()
        assert head_copies.send_due() == 0
        assert HeadCopy.objects.get().error == "it answered 503: come back later"
        HeadCopy.objects.update(tried_at=timezone.now() - timedelta(hours=1))
        assert head_copies.send_due() == 1
    assert came == [head.note.encode()] * 2
    assert "hush" not in signed_in(room.viewer).get(reverse("heads")).content.decode()


def test_a_peer_that_drips_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "WITHIN_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(outside.NotDelivered, match="no answer"):
        outside.post(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"x", {})


@pytest.fixture
def authority(tmp_path: Path, settings: Settings) -> Iterator[Authority]:
    if OPENSSL is None:
        pytest.skip("needs the program openssl")
    made = Authority(tmp_path / "tsa")
    with served(made.stamp) as url:
        settings.TIMESTAMP_AUTHORITIES, settings.TIMESTAMP_ROOTS = [url], str(made.roots)
        yield made


def test_an_authority_sets_its_time_under_a_head(room: Room, authority: Authority, signed_in: SignIn) -> None:
    head = make_head()
    assert (timestamps.ask_due(), timestamps.ask_due()) == (1, 0)
    row = Timestamp.objects.get()
    stamped = stamps.check(bytes(row.token or b""), head.note, timestamps.roots())
    assert abs(stamped.at - timezone.now()) < timedelta(minutes=5)
    assert stamped.is_trusted
    assert "Stamped" in signed_in(room.viewer).get(reverse("heads")).content.decode()
    with pytest.raises(BadTimestamp, match="another text"):
        stamps.check(bytes(row.token or b""), make_head(8).note, timestamps.roots())


def test_a_stamp_of_somebody_else_is_not_kept(
    room: Room, authority: Authority, settings: Settings, tmp_path: Path
) -> None:
    settings.TIMESTAMP_ROOTS = str(Authority(tmp_path / "other").roots)
    make_head()
    assert timestamps.ask_due() == 0
    row = Timestamp.objects.get()
    assert row.token is None
    assert "not signed as it should be" in row.error


def test_a_stamp_with_one_bit_changed_is_refused(authority: Authority, settings: Settings) -> None:
    asking = stamps.ask("text\n")
    token = bytearray(authority.stamp(asking.data)[1])
    token[-1] ^= 1
    with pytest.raises(BadTimestamp):
        stamps.check(bytes(token), "text\n", timestamps.roots(), nonce=asking.nonce)


def test_an_old_answer_to_another_question_is_refused(authority: Authority) -> None:
    first, second = stamps.ask("text\n"), stamps.ask("text\n")
    with pytest.raises(BadTimestamp, match="another question"):
        stamps.check(authority.stamp(first.data)[1], "text\n", nonce=second.nonce)


@pytest.mark.parametrize("body", [b"", b"<html>busy</html>", bytes.fromhex("30053003020102")])
def test_what_is_no_stamp_or_a_refusal_is_shown(room: Room, settings: Settings, body: bytes) -> None:
    with served(lambda _asked: (200, body)) as url:
        settings.TIMESTAMP_AUTHORITIES = [url]
        make_head()
        assert timestamps.ask_due() == 0
    assert Timestamp.objects.get().error.startswith(("the answer is no time stamp", "the authority refused"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EVIDENCE_STORE", "s3://"), ("LEDGER_COPIES", ["ftp://x/"]), ("LEDGER_COPIES", ["file://relative/x"]),
        ("LEDGER_COPIES", ["https://user:pw@x/"]), ("LEDGER_COPIES", ["https://x:99999/"]), ("TIMESTAMP_AUTHORITIES", ["file:///x"]),
        ("TIMESTAMP_ROOTS", "/nowhere.pem"), ("TIMESTAMP_EVERY_S", 1),
    ],
)  # fmt: skip
def test_a_setting_that_makes_no_sense_is_named(settings: Settings, name: str, value: object) -> None:
    setattr(settings, name, value)
    assert [str(each.msg) for each in run_checks(tags=["evidence"]) if name in str(each.msg)]
