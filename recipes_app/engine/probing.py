"""Whether a browser is signed in, by what a login was proven by. Replay asks it, so it knows nothing of mapping."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.naming import normalise
from recipes_app.engine.scripts import script

CONTROLS = """() => [...document.querySelectorAll('a, button, input[type=submit], [role=button], [role=menuitem]')]
  .slice(0, 3000).map(each => (each.getAttribute('aria-label') || each.value || each.textContent || '').trim())
  .filter(text => text && text.length < 60)"""


def is_signed_in(session: BrowserSession, probe: Mapping[str, Any]) -> bool:
    """Opens the probe's page and looks for all that it names. Error or NavigationFailed where that does not open."""
    session.goto(probe["url"], status_any=True)
    settle(session.page)
    page = session.page
    return all(
        (
            "signs_out" not in probe or probe["signs_out"] in page.evaluate(CONTROLS),
            "account" not in probe or _names(session, str(probe["account"])),
            "stays" not in probe or place(page.url) == place(probe["url"]),
            "asks_nothing" not in probe or not asks_password(session),
        )
    )


def asks_password(session: BrowserSession) -> bool:
    return session.page.locator("css=input[type=password]").filter(visible=True).count() > 0


def place(url: str) -> tuple[str, str]:
    """Host and path, as far as a probe cares."""
    parts = urlsplit(url)
    return parts.netloc, parts.path.rstrip("/")


def _names(session: BrowserSession, account: str) -> bool:
    text = normalise(session.page.evaluate(script("says.js")))
    return account.casefold() in text.casefold()
