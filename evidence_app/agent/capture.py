"""A capture of the page in use, from what the browser gives to what the agent hands on."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.layout import Layout, Piece
from evidence_app.agent.statement import statement_of
from evidence_app.spec.shapes import CaptureSpec
from evidence_app.store.images import NoPicture, Part, stitched
from recipes_app.browser.answering import answer_within
from recipes_app.browser.api import Error
from recipes_app.browser.capture import Page, Want, take_capture
from recipes_app.browser.layout import Placed, page_layout
from recipes_app.browser.session import BrowserSession

LAY_MS = 8000.0


def capture_page(session: BrowserSession, label: str, spec: CaptureSpec) -> Capture:
    """Never raises for what a page does: what could not be taken is said among the flaws."""
    want = Want(
        viewport=spec.viewport,
        text=spec.text,
        mhtml=spec.mhtml,
        pdf=spec.pdf,
        dismiss_overlays=spec.overlays == "dismiss",
    )
    taken = take_capture(session, want)
    name = secrets.token_hex(8)
    layout = Layout(taken.url, tuple(map(_piece, taken.words)), name, taken.scale)
    pages = [*taken.files]
    flaws = taken.flaws
    if tiles := [each for each in taken.files if each.kind == "tile"]:
        try:
            # Of a whole page it is the picture; of a part of one it stands behind it.
            at = len(pages) if tiles[0].more.get("part") else 0
            pages.insert(at, _stitched(tiles))
        except NoPicture as problem:
            flaws = (*flaws, f"the tiles could not be made one picture: {problem}")
    if spec.text:
        data = json.dumps(layout.as_dict(), ensure_ascii=False).encode()
        pages.append(Page("layout", "application/json", data))
    quality = {**taken.quality, "complete": bool(taken.quality.get("complete")) and not flaws, "flaws": list(flaws)}
    files, statement = tuple(map(_file, pages)), statement_of(taken.facts, spec)
    return Capture(label, taken.url, files, layout, quality, statement, flaws, taken.remarks)


def lay_out(session: BrowserSession) -> Layout:
    return Layout(session.page.url, tuple(map(_piece, _words(session))))


def _words(session: BrowserSession) -> tuple[Placed, ...]:
    try:
        with answer_within(LAY_MS):
            return page_layout(session.page)[0]
    except Error as error:
        session.raise_if_lost(error)
        return ()


def _piece(placed: Placed) -> Piece:
    return Piece(placed.text, (placed.x, placed.y, placed.width, placed.height), placed.kind)


def _stitched(tiles: Iterable[Page]) -> Page:
    made = stitched([Part(tile.data, tile.more["used"][0], tile.more["used"][1]) for tile in tiles])
    return Page("stitched", "image/png", made.data, made.width, made.height, more=made.transform)


def _file(page: Page) -> CapturedFile:
    digest = hashlib.sha256(page.data).hexdigest()
    return CapturedFile(
        page.kind,
        page.media_type,
        page.data,
        name=page.name,
        width=page.width,
        height=page.height,
        sha256=digest,
        transform=page.more,
    )
