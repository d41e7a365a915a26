"""A job that is stopped while a model is being asked ends at once, and the thread it had is free for the next."""

from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from recipes_app import model_wiring
from recipes_app.browser.errors import Aborted
from recipes_app.browser.launch import LaunchOptions, find_browser
from recipes_app.browser.thread import BrowserThread, Desk
from tests.desks import DeskFaults
from tests.llm.questions import CALL, FOUND

LONG_S = 60


@pytest.fixture
def thread() -> Iterator[BrowserThread]:
    thread = BrowserThread(LaunchOptions(executable=find_browser())).start()
    yield thread
    thread.stop()


def asking(desk: Desk) -> object:
    return model_wiring.model_for("openai", look=desk.raise_if_aborted).ask(CALL)


def driven(thread: BrowserThread, work: Callable[[Desk], object], cancelled: Callable[[], bool]) -> object:
    events = thread.drive(work, deadline_s=LONG_S, cancelled=cancelled, on_tick=lambda: None, tick_s=0.1)
    while True:
        try:
            next(events)
        except StopIteration as end:
            return end.value


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["slow=40", "429=25"])
def test_cancelling_does_not_wait_for_the_model(
    desk_faults: DeskFaults, settings: Settings, thread: BrowserThread, fault: str
) -> None:
    settings.LLM_TIMEOUT_S = LONG_S
    desk = desk_faults(f"1:{fault}", lambda _request: FOUND)
    with pytest.raises(Aborted):
        driven(thread, asking, lambda: desk.report()["requests"] > 0)
    report = desk.report()
    assert (report["requests"], report["answered"]) == (1, 0)
    assert not thread.is_stuck
    assert driven(thread, lambda _desk: "next", lambda: False) == "next"
