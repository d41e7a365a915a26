"""What a call brings back has a size, and texts of pages may be anything."""

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from recipes_app.engine.events import Picture, Progress
from recipes_app.models import Call, Job, JobPicture, Site
from recipes_app.models.job import JobStatus
from recipes_app.services import calls, runs, sites, surveys
from recipes_app.services.errors import WrongState
from recipes_app.services.runs import Claim
from tests.people import make_published
from tests.services.conftest import People
from tests.services.documents import search

HALF = "\ud800"


@pytest.fixture
def call(people: People, site: Site) -> Call:
    recipe = make_published(site, search(), people.owner)
    return calls.request_call(recipe=recipe, arguments={"q": "pens"}, by=people.operator)


def taken(job: Job) -> Claim:
    claim = runs.claim(job.pk, "one")
    assert claim is not None
    return claim


def finished(call: Call, **result: Any) -> Call:
    usual = {"ok": True, "data": {}, "warnings": [], "steps": [], "url": "https://x.test/", "llm_calls": 0}
    calls.finish(claim=taken(call.job), call=call, result=usual | result)
    return Call.objects.select_related("job").get(pk=call.pk)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"text": "x" * 1_100_000}, "1.1 MB; at most 1 MB"),
        ({"deep": deep(5000)}, "nested too deeply"),
        ({"number": float("inf")}, "a number that is none"),
    ],
)
def test_a_result_that_cannot_be_kept_is_a_failure_that_says_why(
    call: Call, settings: Settings, data: dict[str, Any], words: str
) -> None:
    settings.MAX_RESULT_MB = 1
    done = finished(call, data=data)
    assert done.result is not None
    assert (done.job.status, done.result["kind"], done.result["data"]) == ("failed", "bad_return", {})
    assert words in done.job.error_text
    assert len(json.dumps(done.result)) < 2000


def test_what_a_failed_call_had_read_by_then_is_limited_too(call: Call, settings: Settings) -> None:
    settings.MAX_RESULT_MB = 1
    error = {
        "error": "There is no button.",
        "kind": "missing",
        "failed_step": "steps[3]",
        "partial": {"a": "x" * 2_000_000},
    }
    done = finished(call, ok=False, error=error)
    assert done.result is not None
    assert (done.result["kind"], done.result["failed_step"], done.result["partial"]) == ("missing", "steps[3]", {})
    assert done.job.error_text == "There is no button."


def test_half_characters_of_a_page_are_kept_as_something_that_can_be_shown(call: Call) -> None:
    done = finished(call, data={f"a{HALF}": [HALF, "\x00"]}, url=f"https://x.test/{HALF}")
    assert done.result is not None
    assert done.result["data"] == {"a�": ["�", "�"]}
    json.dumps(done.result, ensure_ascii=False).encode()


def test_half_characters_in_arguments_do_not_reach_the_row(people: People, site: Site) -> None:
    recipe = make_published(site, search(), people.owner)
    call = calls.request_call(recipe=recipe, arguments={"q": f"pen{HALF}"}, by=people.operator)
    assert call.arguments["q"] == "pen�"


def test_half_characters_in_titles_and_addresses_do_not_end_a_mapping(people: People, site: Site) -> None:
    mapping = sites.request_map(site=site, by=people.operator)
    claim = taken(mapping.job)
    claim.record(Progress("crawl", 1, 2, f"Page {HALF}"))
    seen = surveys.Seen(f"https://x.test/{HALF}", f"T{HALF}\x00", 0, 200, HALF, {})
    assert surveys.keep_page(claim=claim, mapping=mapping, seen=seen).title == "T��"
    surveys.keep_limits(mapping=mapping, skipped=[{"url": HALF, "why": "x"}], refused_hosts=[HALF])
    mapping.refresh_from_db()
    assert (mapping.skipped, mapping.refused_hosts) == ([{"url": "�", "why": "x"}], ["�"])


@pytest.fixture
def no_media(settings: Settings, tmp_path: Path) -> None:
    """A file lies where the folder of pictures should be."""
    (tmp_path / "pictures").write_text("in the way")
    storage = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "default": storage}


def test_a_media_folder_that_takes_nothing_is_one_line(call: Call, no_media: None) -> None:
    with pytest.raises(WrongState, match="MEDIA_ROOT"):
        taken(call.job).picture(Picture("page", b"png"))
    assert not JobPicture.objects.exists()


def test_a_media_folder_that_takes_nothing_does_not_hide_why_a_call_failed(call: Call, no_media: None) -> None:
    error = {"error": "There is no button.", "kind": "missing"}
    result = {"ok": False, "data": {}, "warnings": [], "steps": [], "url": "", "error": error}
    calls.finish(claim=taken(call.job), call=call, result=result, picture=b"png")
    call.refresh_from_db()
    job = Job.objects.get()
    assert (job.status, job.error_text) == (JobStatus.FAILED, "There is no button.")
    assert call.result is not None
    assert "MEDIA_ROOT" in call.result["warnings"][0]
