"""What a person does in the pages of a session, each deed with its element described before it can go away.

Listeners in the capture phase (listening.js) tell it in every frame and open shadow root; `work()` describes what was
told and hands it on, in order. A press that nobody foresaw is held by the page until its element is known.
"""

import json
import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Download, Error, Frame, Page

from recipes_app.browser.describe import describe
from recipes_app.browser.errors import Indistinct
from recipes_app.browser.scripts import script
from recipes_app.browser.session import BrowserSession

SCRIPT = script("listening.js")
STATE = 'window[Symbol.for("agentify.heard")]'
KNOWN = f"(id) => {{ {STATE}.known.add(id); }}"
PICK = f"(what) => {{ const state = {STATE}; if (state) state.picking = what; }}"
LET_GO = "(element) => element.click()"
ONLY_LOOKED_AT = frozenset({"press", "focus"})
MOST_WAITING = 2000
LONGEST_VALUE = 20_000


@dataclass(frozen=True, slots=True)
class Heard:
    """One deed. `page` is its place among the pages ever opened; `node` names the element while its document lives.

    `target`, `owner` and `to` are long targets: of the element, of the field a choice belongs to, of where it was
    dragged. `problem` says why there is no target.
    """

    kind: str
    page: int
    url: str
    node: str = ""
    target: Mapping[str, Any] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    owner: Mapping[str, Any] | None = None
    to: Mapping[str, Any] | None = None
    problem: str = ""
    frame: Frame | None = None


@dataclass(slots=True)
class _Told:
    page: Page
    frame: Frame | None
    data: dict[str, Any]


@dataclass(eq=False)
class Listener:
    """`hear` is told each deed; `prefer` gives the values by which a row should rather be found.

    `is_remote`: the person sees pictures only, so lists and date pickers that Chromium draws itself are not opened but
    told to `offered`.

    No slots: Playwright leaves an attribute on the owner of a listener.
    """

    session: BrowserSession
    hear: Callable[[Heard], None]
    prefer: Callable[[], Sequence[str]] = lambda: ()
    is_remote: bool = False
    offered: Callable[[Heard], None] | None = None
    _waiting: deque[_Told] = field(default_factory=deque)
    _known: dict[str, tuple[Mapping[str, Any] | None, str]] = field(default_factory=dict)

    def listen(self) -> None:
        """From the next document on. The name of the binding is told to nobody but our own script."""
        name = f"_{secrets.token_hex(8)}"
        self.session.context.expose_binding(name, self._note)
        self.session.context.add_init_script(script=f"({SCRIPT})({json.dumps([name, self.is_remote])})")
        for page in self.session.pages:
            self._watch(page)
        self.session.context.on("page", self._note_page)

    def work(self) -> None:
        """Describe and hand on what has been told so far."""
        while self._waiting:
            told = self._waiting.popleft()
            try:
                self._tell(told)
            except Error as error:
                self.session.raise_if_lost(error)

    def note(self, kind: str, page: Page, **more: Any) -> None:
        """What was done around the pages rather than in them: an address entered, a dialog answered."""
        self._put(_Told(page, None, {"kind": kind, **more}))

    def pick(self, what: str) -> None:
        """The next click on the page in use chooses an element (kind `pick`) and does nothing else; "" ends that."""
        for frame in self.session.page.frames:
            with suppress(Error):
                frame.evaluate(PICK, what)

    # --- told by the pages

    def _note(self, source: Mapping[str, Any], data: Any) -> None:
        if isinstance(data, dict) and isinstance(data.get("kind"), str):
            self._put(_Told(source["page"], source["frame"], data))

    def _put(self, told: _Told) -> None:
        """A page that floods us loses what it says; the person would have stopped long before."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(told)

    def _note_page(self, page: Page) -> None:
        self._watch(page)
        self.note("opened", page)

    def _watch(self, page: Page) -> None:
        page.on("download", self._note_download)
        page.on("close", self._note_close)

    def _note_download(self, download: Download) -> None:
        self.note("download", download.page, name=download.suggested_filename)

    def _note_close(self, page: Page) -> None:
        self.note("closed", page)

    # --- described and handed on

    def _tell(self, told: _Told) -> None:
        data, page = told.data, self._number(told.page)
        kind = str(data.pop("kind"))
        node = f"{data.get('doc', '')}:{data['node']}" if data.get("node") else ""
        target, problem = self._described(told, node, data.get("node"))
        if kind in ONLY_LOOKED_AT:
            return
        owner = (
            self._described(told, f"{data.get('doc', '')}:{data['owner']}", data["owner"])[0]
            if data.get("owner")
            else None
        )
        to = self._described(told, f"{data.get('doc', '')}:{data['to']}", data["to"])[0] if data.get("to") else None
        facts = data.pop("facts", {})
        if isinstance(data.get("value"), str):
            data["value"] = data["value"][:LONGEST_VALUE]
        heard = Heard(kind, page, told.page.url, node, target, facts, data, owner, to, problem, told.frame)
        if kind == "offer":
            if self.offered is not None:
                self.offered(heard)
            return
        self.hear(heard)
        if data.get("held") and told.frame:
            self._let_go(told.frame, data["node"])

    def _other(self, told: _Told, node: Any) -> Mapping[str, Any] | None:
        """Of a second element of the deed."""
        return (
            self._described(told, f"{told.data.get('doc', '')}:{node}", node)[0]
            if isinstance(node, int) and node
            else None
        )

    def _described(self, told: _Told, key: str, node: Any) -> tuple[Mapping[str, Any] | None, str]:
        if not key or told.frame is None or not isinstance(node, int):
            return None, ""
        if key not in self._known:
            self._known[key] = self._look(told.frame, node)
            with suppress(Error):
                told.frame.evaluate(KNOWN, node)
        return self._known[key]

    def _look(self, frame: Frame, node: int) -> tuple[Mapping[str, Any] | None, str]:
        try:
            return describe(self.session, frame.locator(f"agentify-heard={node}"), prefer=tuple(self.prefer())), ""
        except Indistinct as error:
            return None, str(error)
        except Error as error:
            self.session.raise_if_lost(error)
            return None, "The element went away before it could be described."

    def _let_go(self, frame: Frame, node: int) -> None:
        with suppress(Error):
            frame.locator(f"agentify-heard={node}").evaluate(LET_GO)

    def _number(self, page: Page) -> int:
        opened = self.session.opened
        return opened.index(page) if page in opened else 0
