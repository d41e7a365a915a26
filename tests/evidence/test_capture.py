"""What the agent hands on of a page: files with their hashes, words with their places, and the statement."""

import hashlib
import io
import json
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evidence_app.agent.capture import capture_page
from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.spec.shapes import CaptureSpec
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.version import VERSION
from tests.browser.site import LittleSite
from tests.conftest import loopback_policy
from tests.evidence.collecting import Collected, collected
from tests.pilot.flying import move

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n%%EOF\n"


def capture_of(little: LittleSite, in_session: Callable[..., Any], page: str, **wanted: Any) -> Capture:
    little.pages["/"] = page

    def work(session: BrowserSession) -> Capture:
        session.goto(little.url + "/")
        return capture_page(session, "a label", CaptureSpec(**wanted))

    made: Capture = in_session(work, url=little.url)
    return made


def file_of(capture: Capture, kind: str) -> CapturedFile:
    (file,) = [each for each in capture.files if each.kind == kind]
    return file


def test_each_file_is_hashed_as_it_is(little: LittleSite, in_session: Callable[..., Any]) -> None:
    made = capture_of(little, in_session, "<p>words", mhtml=True, pdf=True)
    assert [each.kind for each in made.files] == ["viewport", "screenshot", "text", "mhtml", "pdf", "layout"]
    assert all(each.sha256 == hashlib.sha256(each.data).hexdigest() for each in made.files)
    assert made.flaws == ()


def test_the_layout_belongs_to_the_picture(little: LittleSite, in_session: Callable[..., Any]) -> None:
    made = capture_of(little, in_session, "<p>words to find")
    assert made.layout is not None
    kept = json.loads(file_of(made, "layout").data)
    assert kept["pieces"][0][0] == "words to find"
    assert kept["capture"] == made.layout.capture != ""


def test_only_what_was_asked_for_is_kept(little: LittleSite, in_session: Callable[..., Any]) -> None:
    made = capture_of(little, in_session, "<p>words", text=False, viewport=False)
    assert [each.kind for each in made.files] == ["screenshot"]


def test_tiles_of_a_tall_page_come_with_one_picture_of_all(little: LittleSite, in_session: Callable[..., Any]) -> None:
    rows = "".join(f"<div style='height:100px;background:rgb({n},9,9)'></div>" for n in range(165))
    made = capture_of(little, in_session, f"<!doctype html><style>body{{margin:0}}</style>{rows}", text=False)
    stitched = file_of(made, "stitched")
    tiles = [each for each in made.files if each.kind == "tile"]
    shown = Image.open(io.BytesIO(stitched.data)).convert("RGB")
    assert shown.size == (stitched.width, stitched.height) == (1280, 16_500)
    assert [shown.getpixel((640, n * 100 + 50)) for n in range(165)] == [(n, 9, 9) for n in range(165)]
    assert [each["sha256"] for each in stitched.transform["sources"]] == [each.sha256 for each in tiles]
    assert made.files[0] is stitched
    assert made.quality["complete"]


def test_the_statement_says_what_made_it_and_for_which_account(
    little: LittleSite, in_session: Callable[..., Any]
) -> None:
    said = capture_of(little, in_session, "<p>words", overlays="keep").statement
    assert said["application"] == f"Agentify {VERSION}"
    assert (said["account"], said["overlays"], said["http_status"]) == ("", "keep", 200)


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION


# --- files instead of pages

BROWSERS = {name: path for name in ("chromium-headless-shell", "chromium") if (path := shutil.which(name))}


@pytest.fixture(params=list(BROWSERS.values()), ids=list(BROWSERS))
def either(request: pytest.FixtureRequest) -> Iterator[BrowserThread]:
    thread = BrowserThread(LaunchOptions(executable=request.param)).start()
    yield thread
    thread.stop()


@pytest.mark.slow
def test_an_address_that_is_a_pdf_is_kept_as_its_original_bytes_by_both_builds(
    either: BrowserThread, little: LittleSite
) -> None:
    little.pages |= {"/start": "<h1>Start</h1>", "/report.pdf": (200, {"Content-Type": "application/pdf"}, PDF)}
    moves = [move("goto", url=f"{little.url}/report.pdf"), move("done", extracted={})]

    def work(desk: Desk) -> tuple[Collected, str]:
        with desk.session(ContextOptions(policy=loopback_policy(little.url))) as session:
            made = collected(session, {}, moves, start=f"{little.url}/start")
            return made, session.page.url

    made, url = either.call(work, deadline_s=90)
    (capture,) = made.told.captures
    (file,) = capture.files
    assert (file.kind, file.media_type, file.name) == ("download", "application/pdf", "report.pdf")
    assert file.sha256 == hashlib.sha256(PDF).hexdigest()
    assert capture.statement["peer_address"] == f"127.0.0.1 port {little.port}"
    assert url == f"{little.url}/start"


@pytest.mark.slow
def test_a_page_that_has_become_a_pdf_is_captured_with_its_original_bytes(little: LittleSite) -> None:
    if "chromium" not in BROWSERS:
        pytest.skip("only a full Chromium shows a PDF as a page")
    little.pages |= {"/report.pdf": (200, {"Content-Type": "application/pdf"}, PDF)}
    thread = BrowserThread(LaunchOptions(executable=BROWSERS["chromium"])).start()

    def work(desk: Desk) -> Capture:
        with desk.session(ContextOptions(policy=loopback_policy(little.url))) as session:
            session.goto(f"{little.url}/report.pdf")
            return capture_page(session, "report", CaptureSpec())

    try:
        made = thread.call(work, deadline_s=90)
    finally:
        thread.stop()
    file = file_of(made, "download")
    assert (file.data, file.name, file.media_type) == (PDF, "report.pdf", "application/pdf")
