"""A page as evidence: the whole of it as a picture, its words, and what is known of how it came.

A capture ends within LIMIT_S whatever the page does. What could not be had is said among the flaws; only a browser that
died raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import CDPSession, Error, Frame

from recipes_app.browser.answering import PageSilent, answer_within, frames_that_answer, raise_if_silent
from recipes_app.browser.consent import dismiss_consent
from recipes_app.browser.layout import Placed, page_layout
from recipes_app.browser.originals import PAGES, Original, fetch_original
from recipes_app.browser.page import settle
from recipes_app.browser.parts import shoot_part
from recipes_app.browser.picturing import MAX_SIDE, View, shoot, shoot_tiles, size_of
from recipes_app.browser.provenance import facts_of
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.stage import Clock, ask

LIMIT_S = 45.0
LEAVE_S = 4.0
PROBE_MS = 1500.0
SILENT_MS = 6000.0
CONSENT_MS = 4000.0
ROAM_MS = 6000.0
OPEN_MS = 5000.0
SHIFT = 48  # CSS pixels by which a page may grow meanwhile, and nothing is lost
GROWTHS = 3
IMAGES_MS = 3000.0
FONTS_MS = 2000.0
SETTLE_MS = 3000.0
PLACES_MS = 8000.0
SAVE_MS = 12_000.0
MAX_TEXT = 2_000_000
MAX_SAVED = 100_000_000


@dataclass(frozen=True, slots=True)
class Want:
    viewport: bool = True
    text: bool = True
    mhtml: bool = False
    pdf: bool = False
    dismiss_overlays: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """One file of a capture. `kind`: screenshot, viewport, text, layout, mhtml, pdf, tile, download.

    `more` is what is known of a tile: where it stands, which of its rows belong into the picture made of all.
    """

    kind: str
    media_type: str
    data: bytes
    width: int = 0
    height: int = 0
    name: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Taken:
    """`scale` is how many pixels of the picture one CSS pixel is.

    `flaws`: something of the page is not in the capture, or not known to be. `remarks`: what was done or was not quite
    as it should be, and loses nothing.
    """

    url: str
    files: tuple[Page, ...]
    scale: float = 1.0
    quality: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    flaws: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    words: tuple[Placed, ...] = ()


def take_capture(session: BrowserSession, want: Want, *, limit_s: float = LIMIT_S) -> Taken:
    """Of the page in use. BrowserLost passes."""
    taking = _Taking(session, want, Clock(limit_s))
    taking.run()
    quality = {**taking.quality, "complete": taking.is_complete and not taking.flaws}
    quality |= {"flaws": list(taking.flaws), "remarks": list(taking.remarks)}
    scale = taking.view.scale if taking.view else 1.0
    url = session.page.url
    said = (tuple(taking.flaws), tuple(taking.remarks))
    return Taken(url, tuple(taking.files), scale, quality, taking.facts, *said, taking.words)


@dataclass(slots=True)
class _Taking:
    session: BrowserSession
    want: Want
    clock: Clock
    files: list[Page] = field(default_factory=list)
    flaws: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    quality: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    view: View | None = None
    words: tuple[Placed, ...] = ()
    is_complete: bool = False
    is_silent: bool = False
    _seen: Mapping[str, Any] = field(default_factory=dict)

    @property
    def frame(self) -> Frame:
        return self.session.page.main_frame

    def run(self) -> None:
        page = self.session.page
        began_at = page.url
        steps: tuple[tuple[str, Callable[[], None], Callable[[str], None]], ...] = (
            ("the page did not settle", self._settle, self._note),
            ("its overlays were not looked for", self._overlays, self._note),
            ("its pictures were not waited for", self._load, self._say),
            ("its fonts were not waited for", self._fonts, self._note),
            ("it could not be measured", self._measure, self._say),
            ("it could not be pictured", self._picture, self._say),
            ("its text could not be read", self._text, self._say),
            ("it could not be saved as MHTML", self._mhtml, self._say),
            ("it could not be saved as PDF", self._pdf, self._say),
        )
        self.facts = facts_of(self.session, self.clock)
        for problem, step, tell in steps:
            self._try(problem, step, tell)
        # However the time was spent, what was stopped goes on.
        self.clock = Clock(LEAVE_S)
        self._try("it was not left as it was found", self._leave, self._note)
        if page.url.partition("#")[0] != began_at.partition("#")[0]:
            self._say("the page went to another address while it was captured")

    def _try(self, problem: str, step: Callable[[], None], tell: Callable[[str], None]) -> None:
        if self.is_silent:
            return
        if self.clock.is_over:
            self._say("there was no time left for all of it")
            return
        try:
            step()
        except Error as error:
            self.session.raise_if_lost(error)
            self.is_silent = isinstance(error, PageSilent) and not self._answers()
            reason = error.message.splitlines()[0] if error.message else "no reason was given"
            if self.is_silent:
                self._say("the page stopped answering")
            else:
                tell(f"{problem}: {reason}")

    def _answers(self) -> bool:
        try:
            with answer_within(PROBE_MS):
                self.frame.evaluate("0")
        except Error:
            return False
        return True

    def _say(self, flaw: str) -> None:
        if flaw not in self.flaws:
            self.flaws.append(flaw)

    def _note(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)

    # --- before the picture

    def _settle(self) -> None:
        settle(self.session.page, limit_ms=self.clock.ms(SETTLE_MS))
        raise_if_silent(self.session.page, self.clock.ms(SILENT_MS))

    def _overlays(self) -> None:
        self.quality["overlays"] = []
        if self.want.dismiss_overlays:
            with answer_within(self.clock.ms(CONSENT_MS)):
                pressed = dismiss_consent(self.session.page)
            if pressed is not None:
                self.quality["overlays"].append({"dismissed": pressed})

    def _load(self) -> None:
        """Pictures that are fetched when they come into view are brought into view, and waited for."""
        furthest = MAX_SIDE * 4
        roamed = ask(self.frame, self.clock, "roam", ROAM_MS, furthest=furthest, growths=GROWTHS)
        images = {"total": 0, "loaded": 0, "broken": 0, "small": 0}
        for frame in frames_that_answer(self.session.page):
            found = ask(frame, self.clock, "images", IMAGES_MS, furthest=furthest)
            images = {name: images[name] + int(found[name]) for name in images}
        small = images.pop("small")
        self.quality["images"] = images
        late = images["total"] - images["loaded"] - images["broken"]
        if late:
            tell = self._say if late > small else self._note
            kind = "" if late > small else "small "
            tell(f"{late} of {images['total']} {kind}pictures in the page had not loaded")
        if roamed["grew"] > GROWTHS:
            self.quality["endless"] = True
            self._note(f"the page grows as it is scrolled (from {roamed['first']} to {roamed['height']} px so far)")

    def _fonts(self) -> None:
        ready = bool(ask(self.frame, self.clock, "fonts", FONTS_MS))
        self.quality["fonts_ready"] = ready
        if not ready:
            self._note("its fonts were not there after 2 s")
        settle(self.session.page, limit_ms=self.clock.ms(SETTLE_MS / 3))
        for frame in frames_that_answer(self.session.page):
            ask(frame, self.clock, "still")

    def _measure(self) -> None:
        seen = self._seen = ask(self.frame, self.clock, "measure")
        self.view = self._viewed(seen)
        self.quality["overlays"] = [*self.quality.get("overlays", ()), *seen["overlays"]]
        if seen["type"] not in PAGES and not str(seen["type"]).startswith(("text/", "image/")):
            self._original(fetch_original(self.session.page, self.clock))

    def _viewed(self, seen: Mapping[str, Any]) -> View:
        window = (int(seen["view"][0]), int(seen["view"][1]))
        view = View(int(seen["width"]), int(seen["height"]), window, float(seen["scale"]))
        self.quality["dom_height"], self.quality["dom_width"] = view.height, view.width
        return view

    def _original(self, original: Original) -> None:
        """What the browser shows is no page; the file itself is kept."""
        self.files.append(Page("download", original.media_type, original.data, name=original.name))

    # --- the pictures, and the words in the same state of the page

    def _open(self, view: View) -> View:
        """Parts that scroll by themselves are made as high as what they hold; they are closed as the page is left."""
        parts = ask(self.frame, self.clock, "open", OPEN_MS)
        if not parts:
            return view
        self.quality["inner_scroll"] = parts
        for part in parts:
            if part["opened"]:
                instead = f"{part['height']} px instead of {part['shown']}"
                self._note(f"a part that scrolls by itself was opened for the picture: {instead}")
        return self._viewed(ask(self.frame, self.clock, "measure"))

    def _parts(self, target: CDPSession, view: View) -> None:
        """What cannot be opened is taken in tiles of its own, beside the picture of the page. One is; more are said."""
        left = [part for part in self.quality.get("inner_scroll", ()) if not part["opened"]]
        for at, part in enumerate(left):
            taken = (
                shoot_part(self.session.page, target, self.clock, at, view.scale)
                if at == 0 and not view.is_tall
                else None
            )
            if taken is None or not taken.is_whole:
                self._say(f"a part of the page scrolls by itself: {part['shown']} of its {part['height']} px are shown")
            if taken is None:
                continue
            for number, tile in enumerate(taken.tiles, 1):
                used = [round(row * view.scale) for row in tile.used]
                more = {"number": number, "part": True, "y": round(tile.top), "used": used, "verified": tile.verified}
                self._add("tile", tile.data, more)
            part |= {"tiles": len(taken.tiles), "tiles_verified": taken.verified}
            self.words = (*self.words, *taken.words)
            if taken.is_whole:
                count = f"all of its {part['height']} px in {len(taken.tiles)} tiles beside the picture"
                self._note(f"a part that scrolls by itself was taken while it was scrolled: {count}")

    def _picture(self) -> None:
        if self.view is None:
            return
        target = self.session.context.new_cdp_session(self.session.page)
        try:
            if self.want.viewport:
                width, height = self.view.window
                place = (float(self._seen["x"]), float(self._seen["y"]), float(width), float(height))
                self._add("viewport", shoot(target, self.clock, place, self.view.scale, beyond=False))
            self.view = self._open(self.view)
            ask(self.frame, self.clock, "scroll", x=0, y=0)
            if self.view.is_tall:
                self._tiles(target, self.view)
            else:
                self._whole(target, self.view)
            self._parts(target, self.view)
        finally:
            with suppress(Error):
                target.detach()
        self._check_height(self.view)

    def _whole(self, target: CDPSession, view: View) -> None:
        data = shoot(target, self.clock, (0, 0, view.pictured, view.height), view.scale, beyond=True)
        self._add("screenshot", data)
        width, height = size_of(data)
        covered = round(height / view.scale)
        self.quality |= {"height_covered": covered, "width_covered": round(width / view.scale), "tiles": 0}
        self._check_cover(view)
        self._places()

    def _tiles(self, target: CDPSession, view: View) -> None:
        tiled = shoot_tiles(self.session.page, target, self.clock, view)
        for number, tile in enumerate(tiled.tiles, 1):
            more = {"number": number, "y": round(tile.y), "used": [round(row * view.scale) for row in tile.used]}
            self._add("tile", tile.data, {**more, "verified": tile.verified})
        self.quality |= {
            "height_covered": round(tiled.covered),
            "width_covered": view.window[0],
            "tiles": len(tiled.tiles),
            "tiles_verified": tiled.verified,
            "sticky_repeats": tiled.repeats,
        }
        if tiled.repeats:
            self.quality["note"] = "tiled, repeats possible"
        if tiled.verified < len(tiled.tiles):
            wrong = len(tiled.tiles) - tiled.verified
            self._say(f"{wrong} of {len(tiled.tiles)} tiles do not join the one above: the page moved meanwhile")
        self._check_cover(view)
        ask(self.frame, self.clock, "scroll", x=0, y=0)
        self._places()

    def _check_cover(self, view: View) -> None:
        covered, width = self.quality["height_covered"], self.quality["width_covered"]
        if covered < view.height - 1:
            self._say(f"the picture shows {covered} of the page's {view.height} px")
        if width < view.width - 1:
            self._say(f"the picture shows {width} of the {view.width} px that the page is wide")
        self.is_complete = covered >= view.height - 1 and width >= view.width - 1

    def _check_height(self, view: View) -> None:
        now = int(ask(self.frame, self.clock, "measure")["height"])
        if abs(now - view.height) > 1:
            tell = self._say if now - view.height > SHIFT else self._note
            tell(f"the page changed its height from {view.height} to {now} px while it was pictured")

    def _places(self) -> None:
        with answer_within(self.clock.ms(PLACES_MS)):
            self.words, complete = page_layout(self.session.page)
        if not complete:
            self._note("not all of the page's words were placed")

    def _add(self, kind: str, data: bytes, more: Mapping[str, Any] | None = None) -> None:
        width, height = size_of(data)
        self.files.append(Page(kind, "image/png", data, width, height, more=more or {}))

    # --- beside the picture

    def _text(self) -> None:
        if not self.want.text:
            return
        parts, complete = [], True
        for frame in frames_that_answer(self.session.page):
            found = ask(frame, self.clock, "text", limit=MAX_TEXT)
            complete = complete and bool(found["complete"])
            if str(found["text"]).strip():
                parts.append(str(found["text"]))
        self.files.append(Page("text", "text/plain", "\n\n".join(parts).encode()))
        if not complete:
            self._say("not all of the page's text was kept")

    def _mhtml(self) -> None:
        if not self.want.mhtml:
            return
        target = self.session.context.new_cdp_session(self.session.page)
        try:
            with answer_within(self.clock.ms(SAVE_MS)):
                data = str(target.send("Page.captureSnapshot", {"format": "mhtml"})["data"]).encode()
        finally:
            with suppress(Error):
                target.detach()
        self._add_file("mhtml", "multipart/related", data)

    def _pdf(self) -> None:
        if not self.want.pdf:
            return
        with answer_within(self.clock.ms(SAVE_MS)):
            self._add_file("pdf", "application/pdf", self.session.page.pdf(print_background=True))

    def _add_file(self, kind: str, media_type: str, data: bytes) -> None:
        if len(data) > MAX_SAVED:
            self._say(f"its {kind} is larger than the {MAX_SAVED} bytes that are kept")
            return
        self.files.append(Page(kind, media_type, data))

    def _leave(self) -> None:
        for frame in frames_that_answer(self.session.page):
            ask(frame, self.clock, "resume")
        if self.view is not None:
            ask(self.frame, self.clock, "scroll", x=self._seen["x"], y=self._seen["y"])
