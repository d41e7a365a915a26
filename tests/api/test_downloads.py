"""Files of calls over the API: with the call, by the token of its team only."""

from pathlib import Path

import pytest
from pytest_django import Settings

from recipes_app.engine.events import Downloaded
from recipes_app.models import JobFile, Role, Site, User
from recipes_app.services import calls, downloads
from tests.api.conftest import program
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(shop: Site, editor: User, settings: Settings, tmp_path: Path) -> JobFile:
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "default": storage}
    settings.REDIS_URL = f"unix://{tmp_path}/no.sock"
    call = calls.request_call(recipe=shop.recipes.get(name="search"), arguments={"q": "x"}, by=editor, via="api")
    (tmp_path / "arrived").write_bytes(b"a,b\n")
    event = Downloaded("report", "r.csv", str(tmp_path / "arrived"), 4, "", "text/csv", "http://127.0.0.1:1/r.csv")
    return downloads.keep(call.job, event, hold=lambda: None)


def test_a_call_tells_where_its_files_are(file: JobFile, editor: User) -> None:
    caller = program(editor, "call")
    [told] = caller.get(f"/calls/{file.job.public_id}").json()["files"]
    assert told == {
        "key": "report",
        "name": "r.csv",
        "media_type": "text/csv",
        "size": 4,
        "sha256": file.sha256,
        "url": f"/api/v1/calls/{file.job.public_id}/files/{file.pk}",
    }
    answer = caller.get(told["url"].removeprefix("/api/v1"))
    content = b"".join(answer.streaming_content)
    answer.close()
    assert (answer.status_code, content) == (200, b"a,b\n")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("text/csv", "nosniff")
    assert answer["Content-Disposition"] == 'attachment; filename="r.csv"'


def test_a_file_is_there_for_its_team_its_call_and_the_right_scope_only(file: JobFile, editor: User) -> None:
    path = f"/calls/{file.job.public_id}/files/{file.pk}"
    stranger = make_user("sam", make_team("Green"), Role.OWNER)
    make_site(stranger.memberships.get().team, stranger)
    assert program(stranger).get(path).status_code == 404
    assert program(editor).get(f"/calls/{'0' * 20}/files/{file.pk}").status_code == 404
    assert program(editor).get(f"/calls/{file.job.public_id}/files/{file.pk + 1}").status_code == 404
    assert program(editor, "manage").get(path).status_code == 403
