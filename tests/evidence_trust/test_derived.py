"""Pictures made of captured ones: files of their own that name their source and how they were made."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from evidence_app.models import Artifact, Entry
from evidence_app.services import derived
from evidence_app.services.artifacts import blobs
from evidence_app.store.blobs import FileBlobs
from recipes_app.models import User
from recipes_app.services.errors import BadInput, NotAllowed, ServiceError, WrongState
from tests.evidence_trust.vault import Vault, keep_picture, make_vault
from tests.evidence_web.conftest import Room

SignIn = Callable[[User], Client]


@pytest.fixture
def vault(room: Room) -> Vault:
    return make_vault(room)


def opened(row: Artifact) -> Image.Image:
    with blobs().open(row.sha256) as file:
        return Image.open(io.BytesIO(file.read())).convert("RGB")


def last_facts() -> dict[str, object]:
    entry = Entry.objects.filter(kind="derived.kept").last()
    assert entry
    facts: dict[str, object] = json.loads(entry.opening.facts)
    return facts


def test_a_redacted_copy_is_black_there_and_names_its_source(vault: Vault) -> None:
    before = vault.picture.sha256
    made = derived.redact(row=vault.picture, boxes=[(-5, 10, 25, 8)], by=vault.reviewer)
    picture = opened(made)
    assert (picture.getpixel((0, 10)), picture.getpixel((19, 17))) == ((0, 0, 0), (0, 0, 0))
    assert (picture.getpixel((20, 10)), picture.getpixel((0, 18))) == ((255, 255, 255), (255, 255, 255))
    assert (made.derived_from, made.kind, made.name) == (vault.picture, "redacted", "01_person.redacted.png")
    assert made.transform == {"name": "redacted", "sources": [{"sha256": before}], "boxes": [[0, 10, 20, 8]]}
    facts = last_facts()
    assert (facts["source"], facts["run"]) == (before, vault.run.public_id)
    assert facts["artifact"] == {
        "id": made.pk, "name": made.name, "kind": "redacted", "sha256": made.sha256, "size": made.size,
        "media_type": "image/png",
    }  # fmt: skip
    vault.picture.refresh_from_db()
    assert vault.picture.sha256 == before
    assert derived.redact(row=vault.picture, boxes=[(0, 0, 5, 5)], by=vault.reviewer).name.endswith("redacted_2.png")


def test_an_exhibit_is_stamped_once(vault: Vault) -> None:
    made = derived.stamp(row=vault.picture, by=vault.room.operator)
    assert derived.stamp(row=vault.picture, by=vault.reviewer) == made
    assert made.height > vault.picture.height
    assert made.transform["taken_at"] == f"{vault.picture.taken_at:%Y-%m-%dT%H:%M:%SZ}"
    assert (made.transform["url"], made.transform["sample"]) == (vault.picture.source_url, "ann")


def test_a_difference_names_both(vault: Vault) -> None:
    later = keep_picture(vault.attempt, "02_later.png", "red")
    made = derived.difference(before=vault.picture, after=later, by=vault.reviewer)
    assert derived.difference(before=vault.picture, after=later, by=vault.reviewer) == made
    assert made.derived_from == later
    assert [each["sha256"] for each in made.transform["sources"]] == [vault.picture.sha256, later.sha256]
    assert made.transform["pixels"] == 200 * 100


def test_what_cannot_be_made_is_refused_and_nothing_is_kept(vault: Vault) -> None:
    text = Artifact.objects.create(
        attempt=vault.attempt, seq=2, kind="text", label="t", name="t.txt", sha256="0" * 64, size=1,
        media_type="text/plain",
    )  # fmt: skip
    count = Artifact.objects.count()
    tries: list[tuple[type[ServiceError], Callable[[], object]]] = [
        (BadInput, lambda: derived.redact(row=vault.picture, boxes=[], by=vault.reviewer)),
        (BadInput, lambda: derived.redact(row=vault.picture, boxes=[(500, 500, 9, 9)], by=vault.reviewer)),
        (BadInput, lambda: derived.stamp(row=text, by=vault.reviewer)),
        (NotAllowed, lambda: derived.stamp(row=vault.picture, by=vault.room.viewer)),
    ]
    for refusal, attempt in tries:
        with pytest.raises(refusal):
            attempt()
    assert Artifact.objects.count() == count


def test_nothing_is_made_of_a_picture_whose_bytes_were_swapped(vault: Vault) -> None:
    store = blobs()
    assert isinstance(store, FileBlobs)
    path = store.path_of(vault.picture.sha256)
    path.chmod(0o644)
    path.write_bytes(b"another picture")
    with pytest.raises(WrongState, match="hash to"):
        derived.redact(row=vault.picture, boxes=[(0, 0, 9, 9)], by=vault.reviewer)
    assert not vault.picture.derived.exists()


def test_the_page_makes_a_copy(vault: Vault, signed_in: SignIn) -> None:
    page = reverse("file_redact", args=[vault.picture.pk])
    client, field = signed_in(vault.room.operator), vault.attempt.fields.get()
    assert signed_in(vault.room.stranger).get(page).status_code == 404
    assert signed_in(vault.room.viewer).get(page).status_code == 403
    assert "Values that were found on it" in client.get(page).content.decode()
    for wrong in ({}, {"boxes": "1, 2, 3"}, {"boxes": "900, 900, 5, 5"}, {"fields_found": "999999"}):
        answer = client.post(page, wrong)
        assert answer.status_code == 422, wrong
    assert "Line 1 is not four whole numbers" in client.post(page, {"boxes": "1, 2, 3"}).content.decode()
    done = client.post(page, {"boxes": "0, 0, 5, 5\n\n 7 7 2 2", "fields_found": [field.pk]}, follow=True)
    assert "01_person.redacted.png was made" in done.content.decode()
    made = Artifact.objects.get(kind="redacted")
    assert made.transform["boxes"] == [[0, 0, 5, 5], [7, 7, 2, 2], [6, 6, 48, 16]]
    stamp = reverse("file_stamp", args=[vault.picture.pk])
    assert signed_in(vault.room.viewer).post(stamp).status_code == 403
    assert "01_person.stamped.png" in client.post(stamp, follow=True).content.decode()
