"""Files of evidence in a bucket: the same promises as in a folder."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import Settings

from evidence_app.models import Removal
from evidence_app.services import forgetting, retention
from evidence_app.store import outside, s3
from evidence_app.store.blobs import CHUNK, Damaged, Missing, StoreError, check
from evidence_app.store.images import size_of
from evidence_app.store.s3 import S3Blobs, read_address
from recipes_app.models import User
from tests.evidence_trust.vault import make_vault
from tests.evidence_web.conftest import Room


@pytest.fixture
def client(bucket: s3.Bucket) -> Any:
    return s3.connected(bucket)


@pytest.fixture
def blobs(bucket: s3.Bucket, client: Any) -> S3Blobs:
    return S3Blobs(client, bucket)


def key_of(sha256: str) -> str:
    return f"vault/{sha256[:2]}/{sha256[2:4]}/{sha256}"


def test_what_was_put_comes_back_under_its_hash(blobs: S3Blobs) -> None:
    data = os.urandom(2 * CHUNK + 7)
    blob = blobs.put(io.BytesIO(data))
    assert (blob.sha256, blob.size, blob.is_new) == (hashlib.sha256(data).hexdigest(), len(data), True)
    with blobs.open(blob.sha256) as file:
        assert file.read() == data
        file.seek(-7, io.SEEK_END)
        assert file.read() == data[-7:]
    check(blobs, blob.sha256)


def test_the_same_bytes_are_never_written_over(blobs: S3Blobs, client: Any) -> None:
    first = blobs.put([b"a", b"b"])
    client.put_object(Bucket="evidence", Key=key_of(first.sha256), Body=b"swapped")
    second = blobs.put([b"ab"])
    assert (second.sha256, second.is_new) == (first.sha256, False)
    with pytest.raises(Damaged):
        check(blobs, first.sha256)


def test_a_picture_is_read_from_the_bucket(blobs: S3Blobs) -> None:
    made = io.BytesIO()
    Image.new("RGB", (30, 20)).save(made, "PNG")
    with blobs.open(blobs.put([made.getvalue()]).sha256) as file:
        assert size_of(file) == (30, 20)


@pytest.mark.parametrize("name", ["0" * 64, "../../etc/passwd", ""])
def test_what_is_not_there_is_missing(blobs: S3Blobs, name: str) -> None:
    assert not blobs.has(name)
    with pytest.raises(Missing):
        blobs.open(name)


def test_removal_takes_every_version_with_it(blobs: S3Blobs, client: Any) -> None:
    client.put_bucket_versioning(Bucket="evidence", VersioningConfiguration={"Status": "Enabled"})
    sha256 = blobs.put([b"personal"]).sha256
    client.delete_object(Bucket="evidence", Key=key_of(sha256))  # leaves the bytes behind a marker
    blobs.put([b"personal"])
    assert not blobs.remove_old(sha256, 3600)
    assert blobs.has(sha256)
    assert blobs.remove_old(sha256, 0)
    left = client.list_object_versions(Bucket="evidence")
    assert (left.get("Versions", []), left.get("DeleteMarkers", [])) == ([], [])
    assert not blobs.remove_old(sha256, 0)


def test_a_bucket_that_is_not_there_is_said_in_words(blobs: S3Blobs, client: Any) -> None:
    client.delete_bucket(Bucket="evidence")
    with pytest.raises(StoreError, match="the bucket evidence refused"):
        blobs.put([b"x"])


def test_a_server_that_is_away_is_said_in_words(bucket: s3.Bucket) -> None:
    away = read_address("s3://evidence/?endpoint=http://127.0.0.1:1&region=us-east-1")
    with pytest.raises(StoreError, match="cannot be reached"):
        S3Blobs(s3.connected(away, timeout_s=1, tries=1), away).put([b"x"])


@pytest.mark.parametrize(
    "text", ["evidence", "s3://", "s3://key:secret@bucket", "s3://bucket?colour=red", "https://b/"]
)
def test_an_address_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"s3://bucket|keys do not belong"):
        read_address(text)


def test_evidence_lives_and_goes_in_a_bucket(
    room: Room,
    bucket: s3.Bucket,
    client: Any,
    settings: Settings,
    signed_in: Callable[[User], Client],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.EVIDENCE_STORE = f"s3://evidence/vault?endpoint={bucket.endpoint}&region=us-east-1"
    vault = make_vault(room)
    address = reverse("artifact", args=[vault.picture.pk])
    sent = signed_in(room.viewer).get(address)
    assert hashlib.sha256(sent.getvalue()).hexdigest() == vault.picture.sha256
    assert client.head_object(Bucket="evidence", Key=key_of(vault.picture.sha256))
    retention.approve(removal=retention.ask(run=vault.run, by=room.editor), by=vault.reviewer)
    assert forgetting.carry_on() == 0  # it was put there a moment ago
    Removal.objects.update(tried_at=None)
    monkeypatch.setattr(forgetting, "OLD_S", 0.0)
    assert forgetting.carry_on() == 1
    assert client.list_objects_v2(Bucket="evidence").get("Contents", []) == []


def test_a_client_that_cannot_be_set_up_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(StoreError, match="cannot be used"):
        s3.connected(read_address("s3://evidence/"))
    with pytest.raises(outside.NotDelivered, match="cannot be used"):
        outside.deliver("s3://evidence/", outside.HeadFile("o", 1, "a" * 64, "note"))
