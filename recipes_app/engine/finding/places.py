"""In which page and frames a target is looked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from recipes_app.browser.answering import frames_that_answer
from recipes_app.browser.api import Frame, Page
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.naming import same_name
from recipes_app.engine.shapes import FrameRef, Target

OpenedPages = Mapping[str, Sequence[Page]]


def page_of(session: BrowserSession, page: str | None, opened: OpenedPages) -> Page | None:
    """The page meant; None while none such is open. Of a chain of popups the last one still open."""
    if page is None:
        return session.page
    if page == "main":
        return session.main
    chain = list(opened.get(page.removeprefix("opened_by:"), ()))
    for candidate in session.opened:
        if candidate not in chain and came_from(session, candidate, chain):
            chain.append(candidate)
    alive = [candidate for candidate in chain if not candidate.is_closed()]
    return alive[-1] if alive else None


def came_from(session: BrowserSession, page: Page, chain: Sequence[Page]) -> bool:
    """Of a page whose opener had closed before we heard of it, the opener is not known.

    It is taken for a child of the chain only while nothing else of the chain is open.
    """
    opener = session.opened_by(page)
    if opener is not None or page is session.main or not chain:
        return opener in chain
    order = session.opened
    return all(other.is_closed() for other in chain) and order.index(page) > order.index(chain[-1])


def frames_of(page: Page, target: Target) -> list[Frame]:
    """Short targets: every frame, the top one first. Long ones: the frame named, or the top one."""
    if target.frames:
        frame = descend(page.main_frame, target.frames)
        return [frame] if frame else []
    if target.locators:
        return [page.main_frame]
    return frames_that_answer(page)


def descend(frame: Frame, refs: Sequence[FrameRef]) -> Frame | None:
    for ref in refs:
        fitting = [child for child in frame.child_frames if frame_fits(child, ref)]
        if len(fitting) != 1:
            return None
        frame = fitting[0]
    return frame


def frame_fits(frame: Frame, ref: FrameRef) -> bool:
    """Name and title first; an address often carries a session, so it decides only where they are absent."""
    if ref.name is not None or ref.title is not None:
        return (ref.name is None or frame.name == ref.name) and (ref.title is None or has_title(frame, ref.title))
    return ref.src is not None and address_fits(frame, ref.src)


def has_title(frame: Frame, title: str) -> bool:
    return same_name(frame.frame_element().get_attribute("title") or "", title)


def address_fits(frame: Frame, src: str) -> bool:
    given = frame.frame_element().get_attribute("src") or ""
    return src in {given, frame.url} or fnmatchcase(frame.url, src) or (src != "/" and frame.url.endswith(src))
