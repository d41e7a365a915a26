import threading
from dataclasses import dataclass
from typing import Any

import pytest

from recipes_app.browser.errors import Aborted
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.thread import BrowserThread, Desk
from tests.browser.driving import drive, spin, title
from tests.browser.site import LittleSite

HOME = "<title>Home</title><h1>Home</h1>"


@dataclass(frozen=True)
class Said:
    text: str
    needs_ack: bool = False


def test_events_arrive_in_order_and_the_value_comes_last(browser: BrowserThread) -> None:
    def work(desk: Desk) -> str:
        for text in "abc":
            desk.emit(Said(text))
        return "done"

    events = drive(browser, work)
    assert [next(events).text for _ in range(3)] == ["a", "b", "c"]
    with pytest.raises(StopIteration) as end:
        next(events)
    assert end.value.value == "done"


def test_an_event_that_needs_it_is_acknowledged_only_when_the_caller_comes_back(browser: BrowserThread) -> None:
    acted = threading.Event()

    def work(desk: Desk) -> None:
        desk.emit(Said("about to write", needs_ack=True))
        acted.set()

    events = drive(browser, work)
    assert next(events).text == "about to write"
    assert not acted.wait(0.2)
    assert list(events) == []
    assert acted.is_set()


def test_a_caller_that_fails_before_it_acknowledges_keeps_the_step_from_acting(browser: BrowserThread) -> None:
    acted = threading.Event()

    def work(desk: Desk) -> None:
        desk.emit(Said("about to write", needs_ack=True))
        acted.set()

    events = drive(browser, work)
    next(events)
    with pytest.raises(ZeroDivisionError):
        events.throw(ZeroDivisionError())
    assert not acted.is_set()
    assert browser.call(lambda desk: "next") == "next"


def test_what_the_work_raises_is_raised_to_the_caller(browser: BrowserThread) -> None:
    def work(desk: Desk) -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        browser.call(work)


@pytest.mark.parametrize("how", ["a server that never answers", "an endless loop", "an alert nobody answers"])
def test_work_past_its_deadline_is_ended_wherever_it_hangs(
    how: str, browser: BrowserThread, site: LittleSite, at_home: Any
) -> None:
    def hang(session: BrowserSession) -> None:
        if how == "a server that never answers":
            session.goto(site.url + "/hang", timeout_ms=0)
        elif how == "an endless loop":
            spin(session)
        else:
            session.page.remove_listener("dialog", session.dialogs.answer)
            session.page.on("dialog", lambda dialog: None)
            session.page.evaluate("alert('Are you there?')")

    with pytest.raises(Aborted) as aborted:
        list(drive(browser, at_home(hang), deadline_s=1))
    assert aborted.value.reason == "deadline"
    assert browser.call(at_home(title)) == "Home"


def test_a_cancel_is_seen_on_wake_long_before_the_next_tick(browser: BrowserThread, at_home: Any) -> None:
    stop, spinning = threading.Event(), threading.Event()

    def work(session: BrowserSession) -> None:
        spinning.set()
        spin(session)

    def cancel() -> None:
        spinning.wait(20)
        stop.set()
        browser.wake()

    threading.Thread(target=cancel).start()
    with pytest.raises(Aborted) as aborted:
        list(drive(browser, at_home(work), cancelled=stop.is_set, tick_s=60, deadline_s=60))
    assert aborted.value.reason == "cancelled"
    assert browser.call(at_home(title)) == "Home"


def test_a_tick_that_raises_stops_the_work(browser: BrowserThread, at_home: Any) -> None:
    def lease_is_gone() -> None:
        raise Aborted("lost_lease")

    with pytest.raises(Aborted) as aborted:
        list(drive(browser, at_home(spin), on_tick=lease_is_gone, tick_s=0.5))
    assert aborted.value.reason == "lost_lease"
    assert browser.call(at_home(title)) == "Home"


def test_ticks_come_while_events_come_thick_and_fast(browser: BrowserThread) -> None:
    enough = threading.Event()

    def work(desk: Desk) -> None:
        while not enough.is_set():
            desk.emit(Said("again", needs_ack=True))

    list(drive(browser, work, on_tick=enough.set, tick_s=0.2))
    assert enough.is_set()


def test_closing_the_generator_early_ends_the_work(browser: BrowserThread) -> None:
    ended = threading.Event()

    def work(desk: Desk) -> None:
        try:
            while True:
                desk.emit(Said("again", needs_ack=True))
        finally:
            ended.set()

    events = drive(browser, work)
    next(events)
    events.close()
    assert ended.is_set()
    assert browser.call(lambda desk: 1) == 1
