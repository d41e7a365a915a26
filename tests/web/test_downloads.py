"""Files of calls on the call's page: saved by the team, shown to nobody, gone with the call."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from recipes_app.engine.events import Downloaded
from recipes_app.models import Call, JobFile, User
from recipes_app.models.job import JobKind
from recipes_app.services import downloads, removal
from tests.web.scene import Scene, make_job

SignIn = Callable[[User], Client]
PAGE = b"<script>alert(1)</script>"


@pytest.fixture
def file(scene: Scene, tmp_path: Path) -> JobFile:
    job = make_job(scene.team, scene.operator, JobKind.CALL, "find_products")
    Call.objects.create(
        job=job, recipe=scene.recipe, version=scene.recipe.versions.get(), result={"ok": True, "data": {}}
    )
    return keep(job, tmp_path, name='a "b"\r\nSet-Cookie: x.html', media_type="text/html")


def keep(job: object, folder: Path, *, name: str, media_type: str, content: bytes = PAGE) -> JobFile:
    path = folder / "arrived"
    path.write_bytes(content)
    event = Downloaded("report", name, str(path), len(content), "0" * 64, media_type, "http://127.0.0.1:1/r")
    return downloads.keep(job, event, hold=lambda: None)  # type: ignore[arg-type]


def body(answer: Any) -> bytes:
    content = b"".join(answer.streaming_content)
    answer.close()
    return content


def test_a_file_is_saved_and_never_shown(scene: Scene, file: JobFile, signed_in: SignIn) -> None:
    answer = signed_in(scene.viewer).get(f"/files/{file.pk}/")
    assert (answer.status_code, body(answer)) == (200, PAGE)
    assert answer["Content-Disposition"] == 'attachment; filename="a _b_Set-Cookie_ x.html"'
    assert (answer["X-Content-Type-Options"], answer["Content-Length"]) == ("nosniff", str(len(PAGE)))
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "no-store" in answer["Cache-Control"]


def test_the_page_of_the_call_offers_it(scene: Scene, file: JobFile, signed_in: SignIn) -> None:
    page = signed_in(scene.viewer).get(f"/calls/{file.job.public_id}/").content.decode()
    assert f'href="/files/{file.pk}/"' in page
    assert file.sha256[:12] in page
    assert "gives back no data" not in page


def test_the_file_of_another_team_is_not_there(scene: Scene, file: JobFile, signed_in: SignIn) -> None:
    assert signed_in(scene.stranger).get(f"/files/{file.pk}/").status_code == 404
    assert Client().get(f"/files/{file.pk}/").status_code == 302
    assert signed_in(scene.viewer).post(f"/files/{file.pk}/").status_code == 405


def test_a_file_that_somebody_took_away_is_not_there(scene: Scene, file: JobFile, signed_in: SignIn) -> None:
    default_storage.delete(str(file.file.name))
    assert signed_in(scene.viewer).get(f"/files/{file.pk}/").status_code == 404


def test_what_is_said_of_it_is_what_was_written(file: JobFile) -> None:
    assert (file.size, file.sha256) == (len(PAGE), hashlib.sha256(PAGE).hexdigest())


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("", "file"),
        ("...", "file"),
        ("a" * 300 + ".pdf", "a" * 180 + ".pdf"),
        ("invoice\u202efdp.exe", "invoice_fdp.exe"),
        ("Bericht März.pdf", "Bericht März.pdf"),
        ("C:\\x\\y.txt", "C_x_y.txt"),
    ],
)
def test_names_are_no_paths_and_no_tricks(said: str, name: str) -> None:
    assert downloads.safe_name(said) == name


def test_a_media_type_that_is_none_is_only_bytes(
    scene: Scene, file: JobFile, signed_in: SignIn, tmp_path: Path
) -> None:
    other = keep(file.job, tmp_path, name="x", media_type="text/html; charset=\r\nX: y")
    answer = signed_in(scene.viewer).get(f"/files/{other.pk}/")
    assert (answer["Content-Type"], body(answer)) == ("application/octet-stream", PAGE)


def test_a_job_that_was_lost_keeps_neither_row_nor_file(file: JobFile, tmp_path: Path) -> None:
    path = tmp_path / "arrived"
    event = Downloaded("report", "r", str(path), 1, "0" * 64, "text/plain", "")
    before = {kept for kept in tmp_path.rglob("*") if kept.is_file()}

    def lost() -> None:
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        downloads.keep(file.job, event, hold=lost)
    assert JobFile.objects.get() == file
    assert {kept for kept in tmp_path.rglob("*") if kept.is_file()} == before


def test_it_goes_with_its_site(
    scene: Scene, file: JobFile, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    assert removal.what_goes(scene.site)["files"] == 1
    with django_capture_on_commit_callbacks(execute=True):
        removal.remove_site(site=scene.site)
    assert not JobFile.objects.exists()
    assert not default_storage.exists(str(file.file.name))
