"""Evidence that a real browser collected, as its pages show it; files as they are sent."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from evidence_app.models import Artifact, Run
from evidence_app.services import artifacts
from recipes_app.models import User
from tests.browser.site import LittleSite
from tests.evidence_web.conftest import Room, ask

SignIn = Callable[[User], Client]


def test_a_sample_shows_what_was_found_where_and_how(live_room: Room, collected: Run, signed_in: SignIn) -> None:
    client, sample = signed_in(live_room.viewer), collected.samples.get()
    text = client.get(reverse("sample_detail", args=[sample.pk])).content.decode()
    for words in ("Engineer", "found in the page&#x27;s text", "NOT on the page", "Needs review", "data-box="):
        assert words in text or words.replace("&#x27;", "'") in text
    for words in ("What was done", "Where it came from", "What this cannot prove", "was taken on", "tokens"):
        assert words in text
    assert Artifact.objects.get(kind="screenshot").sha256[:12] in text
    assert client.get(f"{reverse('sample_detail', args=[sample.pk])}?attempt=7").status_code == 404
    run = client.get(reverse("run_detail", args=[collected.public_id])).content.decode()
    assert "1 of 1 sample ended" in run
    assert "Newest picture of ann" in run


def test_only_pictures_are_shown_and_everything_is_locked_in(
    live_room: Room, collected: Run, signed_in: SignIn
) -> None:
    client = signed_in(live_room.viewer)
    for row in Artifact.objects.all():
        url = reverse("artifact", args=[row.pk])
        answer = client.get(url)
        body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        assert hashlib.sha256(body).hexdigest() == row.sha256
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert answer["ETag"] == f'"{row.sha256}"'
        is_picture = row.media_type == "image/png"
        assert answer["Content-Disposition"].startswith("inline" if is_picture else "attachment")
        assert answer["Content-Type"] == ("image/png" if is_picture else "application/octet-stream")
        assert client.get(url, headers={"If-None-Match": answer["ETag"]}).status_code == 304
        assert signed_in(live_room.stranger).get(url).status_code == 404
    row = Artifact.objects.get(kind="text")
    artifacts.blobs().remove(row.sha256)
    assert client.get(reverse("artifact", args=[row.pk])).status_code == 404


def test_the_folder_of_a_run_is_sent_whole(live_room: Room, collected: Run, signed_in: SignIn) -> None:
    client = signed_in(live_room.viewer)
    answer = client.get(reverse("run_folder", args=[collected.public_id]))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))  # type: ignore[attr-defined]
    assert archive.testzip() is None
    names = {name.removeprefix(f"{collected.folder}/") for name in archive.namelist()}
    assert {
        "combined.csv",
        "run_summary.json",
        "ann/result.json",
        "ann/action_log.json",
        "ann/01_person_page.png",
    } <= names
    picture = Artifact.objects.get(kind="screenshot")
    assert hashlib.sha256(archive.read(f"{collected.folder}/ann/{picture.name}")).hexdigest() == picture.sha256
    table = client.get(reverse("run_table", args=[collected.public_id]))
    assert table.content.decode().splitlines()[1].startswith("ann,needs_review,Ann,Engineer,Zoe")
    assert client.get(reverse("run_summary", args=[collected.public_id])).json()["samples"] == 1


def test_a_folder_taken_while_it_runs_is_still_written_at_the_end(
    live_room: Room, people_site: LittleSite, signed_in: SignIn
) -> None:
    run = ask(live_room, people_site, "ann")
    answer = signed_in(live_room.viewer).get(reverse("run_folder", args=[run.public_id]))
    assert zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()  # type: ignore[attr-defined]
    run.refresh_from_db()
    assert run.written_at is None
