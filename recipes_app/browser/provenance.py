"""What is known of how a page came: the answers it was made of, who gave them, when, and by whose clock."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from playwright.sync_api import Error, Request, Response

from recipes_app.browser.answering import answer_within
from recipes_app.browser.policy import host_and_port
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.stage import Clock, ask

UNKNOWN = "unknown"
TOLD_MS = 3000.0


def facts_of(session: BrowserSession, clock: Clock) -> dict[str, Any]:
    """Of the page in use. What has no source is "unknown", never guessed."""
    page = session.page
    request = session.document_request(page)
    response = None if request is None else request.existing_response
    facts = {"final_url": page.url, **common_facts(session, page.url), **_answer(request, response, clock)}
    with suppress(Error):
        facts |= {f"page_{name}" if name == "title" else name: value for name, value in _about(session, clock).items()}
    return facts


def common_facts(session: BrowserSession, url: str) -> dict[str, Any]:
    """What holds for whatever is captured now: a page, or a file that came from `url`."""
    browser = session.context.browser
    return {
        "taken_at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "browser": f"Chromium {browser.version}" if browser else UNKNOWN,
        "peer_address": peer_of(session, url),
    }


def peer_of(session: BrowserSession, url: str) -> str:
    """Whom the policy's proxy last connected to for this host: the browser itself sees only the proxy."""
    host, port = host_and_port(url)
    made = [each for each in session.connections() if each.address and (each.host, each.port) == (host, port)]
    return f"{made[-1].address} port {port}" if made else UNKNOWN


def _about(session: BrowserSession, clock: Clock) -> Mapping[str, Any]:
    told: Mapping[str, Any] = ask(session.page.main_frame, clock, "about")
    return told


def _answer(request: Request | None, response: Response | None, clock: Clock) -> dict[str, Any]:
    if request is None or response is None:
        # about:blank, or a document that a script made.
        return {
            "requested_url": request.url if request else UNKNOWN, "redirects": [], "http_status": UNKNOWN,
            "tls": UNKNOWN, "clock": {"offset_s": UNKNOWN, "source": "none"},
        }  # fmt: skip
    chain = _redirects(request)
    return {
        "requested_url": chain[0]["url"] if chain else request.url,
        "redirects": chain,
        "http_status": response.status,
        "tls": _tls(response, clock),
        "clock": _clock(request, response),
    }


def _redirects(request: Request) -> list[dict[str, Any]]:
    """The addresses passed through, first one first, the final one left out."""
    chain: list[dict[str, Any]] = []
    before = request.redirected_from
    while before is not None:
        answer = before.existing_response
        chain.insert(0, {"url": before.url, "status": answer.status if answer else UNKNOWN})
        before = before.redirected_from
    return chain


def _tls(response: Response, clock: Clock) -> Any:
    """None where nothing was encrypted."""
    if not response.url.startswith("https:"):
        return None
    try:
        with answer_within(clock.ms(TOLD_MS)):
            details = response.security_details()
    except Error:
        return UNKNOWN
    if not details:
        return UNKNOWN
    return {
        "issuer": details.get("issuer", UNKNOWN),
        "subject": details.get("subjectName", UNKNOWN),
        "protocol": details.get("protocol", UNKNOWN),
        "valid_from": _day(details.get("validFrom")),
        "valid_to": _day(details.get("validTo")),
    }


def _clock(request: Request, response: Response) -> dict[str, Any]:
    """How far our clock is ahead of the site's, by the answer's Date header, which is exact to a second."""
    date, timing = response.headers.get("date", ""), request.timing
    is_fresh = not response.from_service_worker and "age" not in response.headers and timing["responseStart"] > 0
    try:
        theirs = parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError):
        return {"offset_s": UNKNOWN, "source": "none"}
    if not is_fresh:
        return {"offset_s": UNKNOWN, "source": "none"}
    ours = (timing["startTime"] + timing["responseStart"]) / 1000
    source = f"the Date header of {host_and_port(response.url)[0]}, exact to 1 s"
    return {"offset_s": int(ours - theirs), "source": source}


def _day(seconds: Any) -> str:
    if not isinstance(seconds, int | float):
        return UNKNOWN
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
