"""A page that spins and a frame that never answers: every call into them ends, and the rest of the job goes on."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.browser.answering import PageSilent, answer_within, answers, frames_that_answer, raise_if_silent
from recipes_app.browser.api import Error
from recipes_app.browser.page import dismiss_consent, settle
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import take_snapshot

# Much longer than any limit in force: a test that hangs is stopped, with an error, by the deadline of its job.
SPINS = "<title>Busy</title><h1>Top</h1><input id=q><script>setTimeout(() => { for (;;); }, 200)</script>"
FRAMES = """<h1>Top</h1><iframe id=never src=/hang></iframe><iframe id=file src="file:///etc/passwd"></iframe>
    <iframe id=lazy loading=lazy style="margin-top: 9000px" src=/inner></iframe><iframe id=fine src=/inner></iframe>
    <iframe id=plain></iframe><iframe id=written srcdoc="<button>Written</button>"></iframe>"""

CALLS: dict[str, Callable[[BrowserSession], Any]] = {
    "evaluate": lambda session: session.page.evaluate("1"),
    "evaluate of a frame": lambda session: session.page.main_frame.evaluate("1"),
    "evaluate_handle": lambda session: session.page.main_frame.evaluate_handle("document"),
    "evaluate of a locator": lambda session: session.page.locator("h1").evaluate("1", timeout=100),
    "evaluate_all": lambda session: session.page.locator("h1").evaluate_all("1"),
    "count": lambda session: session.page.locator("h1").count(),
    "is_visible": lambda session: session.page.locator("h1").is_visible(),
    "all": lambda session: session.page.locator("h1").all(),
    "normalize": lambda session: session.page.locator("h1").normalize(),
    "query_selector": lambda session: session.page.query_selector("h1"),
    "click": lambda session: session.page.locator("h1").click(timeout=100),
    "title": lambda session: session.page.title(),
    "content": lambda session: session.page.content(),
    "press": lambda session: session.page.keyboard.press("a"),
    "type": lambda session: session.page.keyboard.type("abc"),
    "insert_text": lambda session: session.page.keyboard.insert_text("abc"),
    "mouse": lambda session: session.page.mouse.move(5, 5),
    "wheel": lambda session: session.page.mouse.wheel(0, 5),
    "screenshot": lambda session: session.page.screenshot(timeout=100),
    "viewport": lambda session: session.page.set_viewport_size({"width": 500, "height": 500}),
    "devtools": lambda session: session.context.new_cdp_session(session.page).send(
        "Runtime.evaluate", {"expression": "1"}
    ),
    "offline": lambda session: session.context.set_offline(True),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_into_a_page_that_spins_ends(name: str, on_page: Callable[..., Any]) -> None:
    def work(session: BrowserSession) -> str:
        session.page.wait_for_timeout(300)
        with answer_within(300):
            try:
                CALLS[name](session)
            except Error as error:
                return type(error).__name__
        return "it answered"

    assert on_page(SPINS, work) in {"PageSilent", "TimeoutError"}


def test_a_page_that_answers_late_but_in_time_is_waited_for(on_page: Callable[..., Any]) -> None:
    late = "new Promise((done) => setTimeout(() => done('late'), 800))"
    assert on_page("<p>x", lambda session: session.page.evaluate(late)) == "late"

    def hasty(session: BrowserSession) -> Any:
        with answer_within(200):
            return session.page.evaluate(late)

    with pytest.raises(PageSilent, match="stopped answering"):
        on_page("<p>x", hasty)


def test_a_handle_taken_before_is_no_way_around_it(on_page: Callable[..., Any]) -> None:
    def work(session: BrowserSession) -> Any:
        handle = session.page.evaluate_handle("document.body")
        session.page.wait_for_timeout(300)
        with answer_within(300):
            return handle.evaluate("1")

    with pytest.raises(PageSilent):
        on_page(SPINS, work)


def test_the_job_goes_on_with_a_fresh_page(on_page: Callable[..., Any], site: Any) -> None:
    site.pages["/fine"] = "<h1>Fine</h1>"

    def work(session: BrowserSession) -> Any:
        session.page.wait_for_timeout(300)
        settle(session.page, limit_ms=500)
        with pytest.raises(PageSilent):
            raise_if_silent(session.page, 300)
        session.replace_main()
        session.goto(site.url + "/fine")
        return session.page is session.main, len(session.pages), session.page.locator("h1").inner_text()

    assert on_page(SPINS, work) == (True, 1, "Fine")


def test_frames_without_a_document_are_passed_over_and_all_others_are_not(
    on_page: Callable[..., Any], site: Any
) -> None:
    site.pages["/inner"] = "<button>Inner</button>"

    def work(session: BrowserSession) -> Any:
        page = session.page
        page.frame_locator("#fine").get_by_role("button").wait_for()
        settle(page)
        dismiss_consent(page)
        ids = [frame.frame_element().get_attribute("id") for frame in frames_that_answer(page)[1:]]
        return ids, {element.name for element in take_snapshot(page).elements}

    ids, names = on_page(FRAMES, work)
    assert ids == ["fine", "plain", "written"]
    assert {"Inner", "Written"} <= names


def test_a_frame_is_asked_again_once_it_has_another_document(on_page: Callable[..., Any], site: Any) -> None:
    site.pages["/inner"] = "<button>Inner</button>"

    def work(session: BrowserSession) -> Any:
        frame = session.page.frames[1]
        before = answers(frame)
        session.page.evaluate("document.querySelector('#f').src = '/inner'")
        session.page.frame_locator("#f").get_by_role("button").wait_for()
        return before, answers(frame)

    assert on_page("<iframe id=f src=/hang></iframe>", work) == (False, True)
