"""Files that a call brings back: kept with it, whole, and only as large as they may be."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from recipes_app.jobs import running
from recipes_app.jobs.calls import run_call
from recipes_app.models import Call, JobFile, Site, User
from recipes_app.services import calls
from recipes_app.services.downloads import MB
from tests.engine.conftest import LocalSite, Reply
from tests.people import make_published, make_site

BIG = bytes(range(256)) * 4096 * 3  # 3 MB
ATTACHED = {"Content-Type": "application/x-thing", "Content-Disposition": 'attachment; filename="../r.bin"'}


@pytest.fixture
def files() -> Iterator[LocalSite]:
    site = LocalSite()
    site.pages = {"/": Reply("<a href=/big.bin>Report</a>"), "/big.bin": Reply(BIG, headers=ATTACHED)}
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()


@pytest.fixture
def store(files: LocalSite, owner: User) -> Site:
    return make_site(owner.memberships.get().team, owner, base_url=files.url)


def fetch(url: str, times: int = 1) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [{"op": "goto", "url": url}]
    steps += [
        {"op": "download", "target": {"role": "link", "name": "Report"}, "key": f"report{number}"}
        for number in range(times)
    ]
    return {"name": "fetch", "description": "Fetch it.", "side_effect": "read", "parameters": {}, "steps": steps}


def run(store: Site, document: dict[str, Any], owner: User) -> Call:
    made = calls.request_call(recipe=make_published(store, document, owner), arguments={}, by=owner)
    run_call(made.job.pk)
    return Call.objects.select_related("job").get(pk=made.pk)


def test_the_file_of_a_call_is_kept_as_it_was(
    place: running.Place, store: Site, files: LocalSite, owner: User, media: Path
) -> None:
    done = run(store, fetch(files.url), owner)
    assert done.job.status == "done", done.job.error
    [file] = done.job.files.all()
    assert (file.key, file.name, file.size, file.media_type) == ("report0", "_r.bin", len(BIG), "application/x-thing")
    assert file.sha256 == hashlib.sha256(BIG).hexdigest() == (done.result or {})["data"]["report0"]["sha256"]
    assert (media / str(file.file)).read_bytes() == BIG
    assert "r.bin" not in str(file.file)


def test_a_file_that_is_too_large_is_neither_kept_nor_left_behind(
    place: running.Place, store: Site, files: LocalSite, owner: User, media: Path, settings: Settings
) -> None:
    settings.MAX_DOWNLOAD_MB = 2
    failed = run(store, fetch(files.url), owner)
    assert (failed.job.status, (failed.job.error or {})["kind"]) == ("failed", "blocked_by_policy")
    assert f"the {2 * MB} bytes allowed" in failed.job.error_text
    assert not JobFile.objects.exists()
    assert not (media / "downloads").exists()


def test_many_files_are_too_much_together(
    place: running.Place,
    store: Site,
    files: LocalSite,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
) -> None:
    settings.MAX_DOWNLOAD_MB = 3
    monkeypatch.setattr("recipes_app.services.downloads.FILES_WORTH", 2)
    failed = run(store, fetch(files.url, times=3), owner)
    assert failed.job.status == "failed"
    assert "3 MB each and 6 MB in all" in failed.job.error_text
    assert failed.job.files.count() == 2
