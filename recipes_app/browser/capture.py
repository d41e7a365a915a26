"""A page as evidence: the whole of it as a picture, its words, and what is known of how it came."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Error

from recipes_app.browser.consent import dismiss_consent
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession

SHOT_MS = 20_000


@dataclass(frozen=True, slots=True)
class Want:
    viewport: bool = True
    text: bool = True
    mhtml: bool = False
    pdf: bool = False
    dismiss_overlays: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """One file of a capture. `kind`: screenshot, viewport, text, layout, mhtml, pdf, tile, stitched."""

    kind: str
    media_type: str
    data: bytes
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """`scale` is how many pixels of the picture one CSS pixel is; `flaws` are quality checks that failed."""

    url: str
    files: tuple[Page, ...]
    scale: float = 1.0
    quality: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    flaws: tuple[str, ...] = ()


def take_capture(session: BrowserSession, want: Want) -> Taken:
    page = session.page
    settle(page)
    if want.dismiss_overlays:
        dismiss_consent(page)
    files: list[Page] = []
    flaws: list[str] = []
    try:
        files.append(_picture("screenshot", page.screenshot(full_page=True, animations="disabled", timeout=SHOT_MS)))
    except Error as error:
        session.raise_if_lost(error)
        flaws.append(f"the whole page could not be pictured: {str(error).splitlines()[0]}")
    if want.text:
        text = page.evaluate("() => document.body ? document.body.innerText : ''")
        files.append(Page("text", "text/plain", str(text).encode()))
    facts = {"taken_at": datetime.now(UTC).isoformat(), "final_url": page.url}
    return Taken(page.url, tuple(files), quality={}, facts=facts, flaws=tuple(flaws))


def _picture(kind: str, data: bytes) -> Page:
    width, height = struct.unpack(">II", data[16:24])
    return Page(kind, "image/png", data, width, height)
