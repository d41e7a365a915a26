"""The odd corners of a site: slow, broken, huge, forbidden, and where decoys lead."""

from __future__ import annotations

from collections.abc import Iterator

from examples.practice.html import Element, h, render
from examples.practice.pages.notices import notice
from examples.practice.web import Late, Page, Request, Response, Route, redirect

MAX_SECONDS = 120
MAX_ROWS = 200_000
ROWS_PER_CHUNK = 500
CORNERS = (
    ("A slow page", "/slow?ms=1500"),
    ("A page that never answers", "/never"),
    ("A broken page", "/error"),
    ("A way into a private network", "/private"),
    ("A huge page", "/huge?n=50000"),
    ("A page that does not exist", "/no-such-page"),
    ("The workshop", "/workshop"),
)
ROBOTS = "User-agent: *\nDisallow: /admin-only\nDisallow: /__\n"


def lab_page(_request: Request) -> Page:
    links = h.ul([h.li(h.a(text, href=href)) for text, href in CORNERS], class_="plain")
    return Page("Odd corners", [h.h1("Odd corners"), h.p("Nothing here is for sale.", class_="lead"), links])


def slow_page(request: Request) -> Late:
    milliseconds = max(0, request.query.whole("ms", 1000))
    answer = notice("Slow page", f"This page took {milliseconds} ms.")
    return Late(min(milliseconds / 1000, MAX_SECONDS), answer)


def never_page(_request: Request) -> Response:
    return Response(never=True)


def error_page(_request: Request) -> Page:
    return notice("Something went wrong", "This page is broken and we are sorry.", 500)


def private_page(_request: Request) -> Response:
    return redirect("http://169.254.169.254/", status=302)


def admin_page(_request: Request) -> Page:
    return notice("Staff only", "Robots have been asked to stay out of here.")


def robots(_request: Request) -> Response:
    return Response(body=ROBOTS.encode(), content_type="text/plain; charset=utf-8")


def huge_page(request: Request) -> Response:
    count = min(max(request.query.whole("n", 50_000), 0), MAX_ROWS)
    return Response(stream=_huge(count))


def _huge(count: int) -> Iterator[bytes]:
    """Streamed row by row, and therefore never redesigned."""
    head = h.head(h.meta(charset="utf-8"), h.title("Huge page"))
    yield f'<!doctype html>\n<html lang="en">{render(head)}<body><main><h1>{count} rows</h1><ol>'.encode()
    for start in range(1, count + 1, ROWS_PER_CHUNK):
        numbers = range(start, min(start + ROWS_PER_CHUNK, count + 1))
        yield "".join(render(_huge_row(number)) for number in numbers).encode()
    yield b"</ol></main></body></html>\n"


def _huge_row(number: int) -> Element:
    return h.li(f"Row {number} ", h.a(f"Search for {number}", href=f"/products?q=row+{number}"))


def decoy(request: Request) -> Page:
    request.state.submissions[f"DECOY {request.query.get('name')}"] += 1
    return notice("Partner offer", "This was an offer of a partner. Nothing was sent to us.")


ROUTES = [
    Route("GET", "/lab", lab_page),
    Route("GET", "/slow", slow_page),
    Route("GET", "/never", never_page),
    Route("GET", "/error", error_page),
    Route("GET", "/private", private_page),
    Route("GET", "/admin-only", admin_page),
    Route("GET", "/robots.txt", robots),
    Route("GET", "/huge", huge_page),
    Route("POST", "/decoy", decoy),
]
