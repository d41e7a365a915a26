"""A capture of the page in use, from what the browser gives to what the agent hands on."""

from __future__ import annotations

import hashlib
import json
import secrets

from evidence_app.agent.capturing import Capture, CapturedFile
from evidence_app.agent.layout import Layout, Piece
from evidence_app.spec.shapes import CaptureSpec
from recipes_app.browser.api import Error
from recipes_app.browser.capture import Page, Want, take_capture
from recipes_app.browser.layout import Placed, page_layout
from recipes_app.browser.session import BrowserSession


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
    pieces, complete = _pieces(session)
    layout = Layout(taken.url, tuple(map(_piece, pieces)), name, taken.scale)
    files = [_file(each) for each in taken.files]
    if spec.text:
        data = json.dumps(layout.as_dict(), ensure_ascii=False).encode()
        files.append(_file(Page("layout", "application/json", data)))
    flaws = taken.flaws if complete else (*taken.flaws, "not all of the page's words were placed")
    return Capture(label, taken.url, tuple(files), layout, taken.quality, taken.facts, flaws)


def lay_out(session: BrowserSession) -> Layout:
    pieces, _ = _pieces(session)
    return Layout(session.page.url, tuple(map(_piece, pieces)))


def _pieces(session: BrowserSession) -> tuple[tuple[Placed, ...], bool]:
    try:
        return page_layout(session.page)
    except Error as error:
        session.raise_if_lost(error)
        return (), False


def _piece(placed: Placed) -> Piece:
    return Piece(placed.text, (placed.x, placed.y, placed.width, placed.height), placed.kind)


def _file(page: Page) -> CapturedFile:
    digest = hashlib.sha256(page.data).hexdigest()
    return CapturedFile(page.kind, page.media_type, page.data, width=page.width, height=page.height, sha256=digest)
