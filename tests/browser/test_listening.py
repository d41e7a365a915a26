"""A person's deeds are told with their elements described: in frames, shadow roots, popups, and at a real screen."""

import os
import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.browser.api import Page
from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.listening import Heard, Listener
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.streaming import Shown, Stream
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.browser.windows import find_windowed
from tests.conftest import loopback_policy

PAGE = """<!doctype html><title>Shadow</title><h1>Cards</h1>
<x-card></x-card><button id=late disabled>Late</button>
<script>
customElements.define("x-card", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: "open"});
    root.innerHTML = "<label>Colour <input></label><button>Add card</button>";
    root.querySelector("button").onclick = (event) => { event.stopImmediatePropagation(); this.remove(); };
  }
});
</script>"""


def heard_while(session: BrowserSession, do: Callable[[Page, Callable[[], None]], None]) -> list[Heard]:
    told: list[Heard] = []
    listener = Listener(session, told.append)
    listener.listen()

    def work() -> None:
        session.page.wait_for_timeout(60)
        listener.work()

    do(session.page, work)
    session.page.wait_for_timeout(400)
    listener.work()
    return told


def test_a_press_that_takes_its_element_away_is_described_before(practice: PracticeSite, browse: Any) -> None:
    def do(page: Page, work: Callable[[], None]) -> None:
        page.route("**/shadow", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.goto(f"{practice.url}/shadow")
        box = page.get_by_role("button", name="Add card").bounding_box()
        assert box is not None
        # Pressed and released at once: nobody had the time to look, so the page is made to wait.
        page.mouse.click(box["x"] + 5, box["y"] + 5)
        work()
        work()
        assert page.get_by_role("button", name="Add card").count() == 0

    told = browse(lambda session: heard_while(session, do), url=practice.url)
    (click,) = [each for each in told if each.kind == "click"]
    assert click.more["held"] is True
    assert click.target is not None
    assert {"role": "button", "name": "Add card", "exact": True} in click.target["locators"]


def test_what_a_page_does_by_itself_is_no_deed_and_it_cannot_speak_to_us(practice: PracticeSite, browse: Any) -> None:
    def do(page: Page, work: Callable[[], None]) -> None:
        page.goto(f"{practice.url}/products")
        page.evaluate("document.querySelector('form button').click()")
        page.wait_for_url("**/products?*")
        names = page.evaluate("Object.getOwnPropertyNames(window).filter((name) => /^_[0-9a-f]{16}$/.test(name))")
        assert names == []

    told = browse(lambda session: heard_while(session, do), url=practice.url)
    assert [each.kind for each in told if each.kind not in {"arrive", "submit"}] == []


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A screen that nobody sees."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("needs a virtual screen: apt-get install xvfb")
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        pytest.skip("needs a browser with a window: apt-get install chromium")
    read, write = os.pipe()
    command = [server, "-displayfd", str(write), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        monkeypatch.setenv("DISPLAY", f":{told.readline().strip()}")
    yield
    process.terminate()
    process.wait()


@pytest.fixture
def windowed(screen: None) -> Iterator[BrowserThread]:
    thread = BrowserThread(LaunchOptions(executable=find_windowed(), headless=False)).start()
    yield thread
    thread.stop()


@pytest.mark.slow
def test_at_a_real_screen_lists_and_questions_are_answered_in_the_window(
    practice: PracticeSite, windowed: BrowserThread
) -> None:
    told: list[Heard] = []

    def at_the_screen(desk: Desk) -> str:
        with desk.session(ContextOptions(policy=loopback_policy(practice.url))) as session:
            listener = Listener(session, told.append)
            listener.listen()
            stream = Stream(session, listener, lambda: None)
            session.goto(f"{practice.url}/tickets")
            answer = session.context.new_cdp_session(session.page)
            answer.on("Page.javascriptDialogOpening", lambda _dialog: accept(answer))
            answer.send("Page.enable")
            press(session.page, session.page.get_by_role("row").nth(4).get_by_role("button", name="Delete"))
            until = monotonic() + 20

            def each_round(_idle_s: float) -> None:
                if any(each.kind == "dialog" for each in told) or monotonic() > until:
                    stream.ended = "seen"

            stream.run(each_round)
            return session.page.inner_text("[role=status]")

    said = windowed.call(at_the_screen, deadline_s=60)
    (dialog,) = [each for each in told if each.kind == "dialog"]
    assert (dialog.more["type"], dialog.more["answer"]) == ("confirm", "accept")
    assert "deleted" in said


def accept(target: Any) -> None:
    target.send("Page.handleJavaScriptDialog", {"accept": True})


def press(page: Page, button: Any) -> None:
    box = button.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.up()


@pytest.mark.slow
def test_pictures_follow_input_and_a_list_is_offered_in_words(practice: PracticeSite, browse: Any) -> None:
    def work(session: BrowserSession) -> tuple[list[Shown], list[Heard]]:
        shown: list[Shown] = []
        told: list[Heard] = []
        listener = Listener(session, told.append, is_remote=True)
        listener.listen()
        inputs: deque[dict[str, Any]] = deque()
        stream = Stream(session, listener, lambda: inputs.popleft() if inputs else None, shown.append)
        session.goto(f"{practice.url}/products")
        box = session.page.get_by_label("Category").bounding_box()
        assert box is not None
        place = {"x": box["x"] + 10, "y": box["y"] + 10}
        inputs.extend({"kind": "mouse", "type": kind, **place} for kind in ("move", "down", "up"))
        until = monotonic() + 20

        def each_round(_idle_s: float) -> None:
            if shown and shown[-1].offer and not inputs:
                inputs.append({"kind": "choose", "value": 2})
            if any(each.kind == "select" for each in told) or monotonic() > until:
                inputs.append({"kind": "finish"})

        assert stream.run(each_round) == "finish"
        return shown, told

    shown, told = browse(work, url=practice.url)
    assert shown[-1].data[:2] == b"\xff\xd8"
    offers = [each.offer for each in shown if each.offer]
    assert [each["label"] for each in offers[0]["options"]][:3] == ["All categories", "Desks", "Lighting"]
    (chosen,) = [each for each in told if each.kind == "select"]
    assert chosen.more["value"] == ["Lighting"]
