"""Small pages that only say something."""

from __future__ import annotations

from examples.practice.html import h
from examples.practice.web import Page


def notice(title: str, text: str, status: int = 200) -> Page:
    back = h.p(h.a("Back to the start page", href="/"))
    return Page(title, [h.h1(title), h.p(text, class_="lead"), back], status=status)


def not_found_page() -> Page:
    return notice("Page not found", "There is nothing at this address. It may have moved.", 404)


def not_allowed_page() -> Page:
    return notice("Not like this", "This address exists, but does not accept this kind of request.", 405)
