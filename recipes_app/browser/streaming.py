"""A browser that a person drives from elsewhere: what it shows goes out as pictures, what they do comes in, in order.

Nothing here knows how either travels: `take` gives the next input or None, `show` takes a picture (and says when it is
ready for the next). The same loop serves a window on the person's own screen, which needs no pictures.
"""

import base64
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from playwright.sync_api import CDPSession, Dialog, Error, FileChooser, FilePayload, Page
from playwright.sync_api import Locator as Nodes

from recipes_app.browser.answering import answer_within
from recipes_app.browser.listening import Heard, Listener
from recipes_app.browser.session import BrowserSession

Input = Mapping[str, Any]
PUMP_MS = 8
STILL_S = 0.7
AGAIN_S = 1.5
QUALITY = 60
GOING_MS = 8000
ANSWER_MS = 5000
BUTTONS = {0: "left", 1: "middle", 2: "right"}
MODIFIERS = ("Control", "Shift", "Alt", "Meta")
CHOSEN = '(element) => window[Symbol.for("agentify.heard")].chosen(element)'
SAMPLE: FilePayload = {"name": "sample.txt", "mimeType": "text/plain", "buffer": b"A sample file.\n"}


@dataclass(frozen=True, slots=True)
class Shown:
    """What the person sees. `data` is a JPEG of the page in use, empty where there is none yet."""

    data: bytes
    url: str
    page: int
    pages: tuple[tuple[int, str], ...]
    dialog: Mapping[str, str] | None = None
    offer: Mapping[str, Any] | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A list or a date picker that Chromium would draw outside of the page, where no picture shows it."""

    node: Nodes
    told: Mapping[str, Any]


@dataclass(eq=False)
class Screen:
    """Pictures of one page at a time: as Chromium paints them, by a screenshot where it does not."""

    session: BrowserSession
    data: bytes = b""
    _page: Page | None = None
    _target: CDPSession | None = None
    _unanswered: int | None = None
    _is_new: bool = False
    _since: float = field(default_factory=monotonic)

    def follow(self, page: Page) -> None:
        if page is self._page:
            return
        self.leave()
        self._page, self._since, self._is_new = page, monotonic(), False
        with suppress(Error):
            self._target = self.session.context.new_cdp_session(page)
            self._target.on("Page.screencastFrame", self._note)
            self._target.send("Page.startScreencast", {"format": "jpeg", "quality": QUALITY})

    def leave(self) -> None:
        target, self._target, self._unanswered = self._target, None, None
        if target is not None:
            with suppress(Error):
                target.detach()

    def next(self) -> bytes | None:
        """A picture that has not been taken yet."""
        if not self._is_new and not self.data and monotonic() - self._since > STILL_S:
            self._shoot()
        if not self._is_new:
            return None
        self._is_new = False
        if self._unanswered is not None and self._target is not None:
            number, self._unanswered = self._unanswered, None
            with suppress(Error):
                self._target.send("Page.screencastFrameAck", {"sessionId": number})
        return self.data

    def _note(self, frame: Mapping[str, Any]) -> None:
        self.data, self._unanswered, self._is_new = base64.b64decode(frame["data"]), frame["sessionId"], True

    def _shoot(self) -> None:
        self._since = monotonic()
        with suppress(Error):
            if self._page is not None:
                self.data = self._page.screenshot(type="jpeg", quality=QUALITY, timeout=3000)
                self._is_new = True


@dataclass(eq=False)
class Stream:
    """`ready` says whether another picture may be shown; without `show` there is a window instead of pictures."""

    session: BrowserSession
    listener: Listener
    take: Callable[[], Input | None]
    show: Callable[[Shown], None] | None = None
    ready: Callable[[], bool] = lambda: True
    last_input_at: float = field(default_factory=monotonic)
    ended: str = ""
    said: str = ""
    _dialog: dict[str, str] | None = None
    _answer: Input | None = None
    _offer: Offer | None = None
    _closed: list[Mapping[str, Any]] = field(default_factory=list)
    _state: tuple[Any, ...] = ()
    _shown_at: float = 0.0

    def __post_init__(self) -> None:
        self.screen = Screen(self.session)
        if self.show is not None:
            self.session.dialogs.person = self._ask
            self.listener.offered = self._note_offer
        else:
            self.session.dialogs.person = self._leave_to_the_window
        for page in self.session.pages:
            self._attend(page)
        self.session.context.on("page", self._follow)

    def run(self, each_round: Callable[[float], None]) -> str:
        """Until an input of kind finish ("finish"), or the window is closed ("closed"). each_round: seconds idle."""
        try:
            while not self.ended:
                self._round()
                each_round(monotonic() - self.last_input_at)
        finally:
            self.session.dialogs.person = None
            self.screen.leave()
        return self.ended

    @property
    def is_asked(self) -> bool:
        """A dialog is open, and its page answers nothing until it is answered."""
        return self._dialog is not None

    def _round(self) -> None:
        given = self._next()
        while given is not None and not self.ended:
            self._apply(given)
            given = self._next()
        if not self.session.pages:
            self.ended = self.ended or "closed"
            return
        if self.show is not None:
            self._send()
        self.session.page.wait_for_timeout(PUMP_MS)
        if not self.is_asked:
            self.listener.work()

    # --- pictures out

    def _send(self) -> None:
        page = self.session.page
        self.screen.follow(page)
        if not self.ready():
            return
        data = self.screen.next()
        state = (page.url, self._number(page), len(self.session.pages), self._dialog, self._offer, self.said)
        if data is None and state == self._state and monotonic() - self._shown_at < AGAIN_S:
            return
        self._state, self._shown_at = state, monotonic()
        self._show(page)

    def _show(self, page: Page) -> None:
        if self.show is None:
            return
        pages = tuple((self._number(each), each.url) for each in self.session.pages)
        offer = self._offer.told if self._offer else None
        self.show(Shown(self.screen.data, page.url, self._number(page), pages, self._dialog, offer, self.said))

    def _number(self, page: Page) -> int:
        return self.session.opened.index(page)

    # --- input in

    def _next(self) -> Input | None:
        """The next input for the page; while a dialog is open only its answer, or the end, is listened to."""
        given = self.take()
        while given is not None and self.is_asked:
            if given.get("kind") == "finish":
                self.ended = "finish"
            elif given.get("kind") == "dialog":
                self._answer = given
            given = self.take()
        return given

    def _apply(self, given: Input) -> None:
        self.last_input_at = monotonic()
        act = ACTS.get(str(given.get("kind")))
        if act is None:
            return
        self.said = ""
        try:
            with answer_within(ANSWER_MS):
                act(self, given)
        except (Error, KeyError, TypeError, ValueError) as error:
            # A page that is busy, a key of which Chromium has no notion: the person sees that nothing came of it.
            if isinstance(error, Error):
                self.session.raise_if_lost(error)
            self.said = "" if self.is_asked else "That did not reach the page."
        if not self.is_asked:
            self.listener.work()

    def finish(self, _given: Input) -> None:
        self.ended = "finish"

    def mouse(self, given: Input) -> None:
        mouse, kind = self.session.page.mouse, given["type"]
        x, y = float(given.get("x", 0)), float(given.get("y", 0))
        if kind == "wheel":
            mouse.move(x, y)
            mouse.wheel(float(given.get("dx", 0)), float(given.get("dy", 0)))
            return
        mouse.move(x, y)
        button: Any = BUTTONS[int(given.get("button", 0))]
        count = max(1, min(3, int(given.get("clicks", 1))))
        if kind == "down":
            mouse.down(button=button, click_count=count)
            # What is pressed is described while it is certain to be there.
            self.session.page.wait_for_timeout(1)
            self.listener.work()
        elif kind == "up":
            mouse.up(button=button, click_count=count)

    def key(self, given: Input) -> None:
        key, held = str(given["key"])[:40], [each for each in given.get("modifiers", ()) if each in MODIFIERS]
        keyboard = self.session.page.keyboard
        if len(key) == 1 and not set(held) - {"Shift"}:
            keyboard.type(key)
        else:
            keyboard.press("+".join([*held, key]))

    def text(self, given: Input) -> None:
        self.session.page.keyboard.insert_text(str(given["text"]))

    def goto(self, given: Input) -> None:
        page, url = self.session.page, str(given["url"])
        self.listener.note("goto", page, to=url)
        try:
            page.goto(url, wait_until="commit", timeout=GOING_MS)
        except Error as error:
            self.session.raise_if_lost(error)
            refused = self.session.refusals()
            self.said = f"{refused[-1].host}: {refused[-1].refused_reason}" if refused else "The address was not shown."

    def back(self, _given: Input) -> None:
        page = self.session.page
        if page.go_back(wait_until="commit", timeout=GOING_MS) is not None:
            self.listener.note("back", page)

    def reload(self, _given: Input) -> None:
        self.listener.note("reload", self.session.page)
        self.session.page.reload(wait_until="commit", timeout=GOING_MS)

    def page(self, given: Input) -> None:
        number = int(given["number"])
        page = self.session.opened[number]
        if not page.is_closed():
            self.session.switch_to(page)
            page.bring_to_front()

    def close_page(self, _given: Input) -> None:
        if self.session.page is not self.session.main:
            self.session.page.close()

    def pick(self, given: Input) -> None:
        self.listener.pick(str(given.get("what", "")))

    # --- what pages ask for

    def _follow(self, page: Page) -> None:
        """A page that was opened is the one in use from then on."""
        self._attend(page)
        self.session.switch_to(page)

    def _attend(self, page: Page) -> None:
        if self.show is not None:
            page.on("filechooser", self._give_sample)
            return
        with suppress(Error):
            target = self.session.context.new_cdp_session(page)
            target.on("Page.javascriptDialogClosed", self._note_closed)
            target.send("Page.enable")

    def _note_closed(self, told: Mapping[str, Any]) -> None:
        self._closed.append(told)

    def _leave_to_the_window(self, dialog: Dialog) -> tuple[bool, str | None]:
        """The person answers in the window; how is told afterwards, and there is nothing left to answer."""
        known = len(self._closed)
        self._dialog = {"type": dialog.type, "message": dialog.message, "text": dialog.default_value}
        while len(self._closed) == known and not self.ended:
            self._next()
            self.session.page.wait_for_timeout(PUMP_MS * 4)
        told, self._dialog = self._dialog, None
        last: Mapping[str, Any] = self._closed[-1] if len(self._closed) > known else {}
        accepted = bool(last.get("result"))
        text = str(last.get("userInput", "")) if accepted and told["type"] == "prompt" else None
        answer = {"answer": "accept" if accepted else "dismiss", "text": text}
        self.listener.note("dialog", self.session.page, **{**told, **answer})
        return accepted, text

    def _give_sample(self, chooser: FileChooser) -> None:
        with suppress(Error):
            chooser.set_files([SAMPLE])

    def _note_offer(self, heard: Heard) -> None:
        if heard.frame is None:
            return
        node = heard.frame.locator(f"agentify-heard={heard.node.rpartition(':')[2]}")
        self._offer = Offer(node, {**heard.more.get("offer", {}), "label": heard.facts.get("label", "")})

    def choose(self, given: Input) -> None:
        """What the person took of an offer, set in the page and told as a deed; "" takes nothing."""
        offer, self._offer = self._offer, None
        if offer is None or given.get("value") is None:
            return
        if "options" in offer.told:
            offer.node.select_option(index=int(given["value"]), timeout=GOING_MS)
        else:
            offer.node.fill(str(given["value"]), timeout=GOING_MS)
        offer.node.evaluate(CHOSEN)

    def _ask(self, dialog: Dialog) -> tuple[bool, str | None]:
        """The page waits, and so does whoever pressed something in it: inputs are looked through from here, too."""
        self._answer, self._dialog = (
            None,
            {"type": dialog.type, "message": dialog.message, "text": dialog.default_value},
        )
        try:
            while self._answer is None and not self.ended:
                self._next()
                if self.show is not None and self.ready():
                    self._show(self.session.page)
                self.session.page.wait_for_timeout(PUMP_MS * 4)
        finally:
            told, self._dialog = self._dialog, None
        answer: Input = self._answer or {}
        accepted = answer.get("answer") == "accept"
        text = str(answer["text"]) if accepted and told["type"] == "prompt" and answer.get("text") is not None else None
        self.last_input_at = monotonic()
        self.listener.note(
            "dialog", self.session.page, **{**told, "answer": "accept" if accepted else "dismiss", "text": text}
        )
        return accepted, text


ACTS: dict[str, Callable[[Stream, Input], None]] = {
    name: getattr(Stream, name)
    for name in ("finish", "mouse", "key", "text", "goto", "back", "reload", "page", "close_page", "pick", "choose")
}
