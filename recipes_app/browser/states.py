"""What makes a browser signed in: cookies, localStorage and IndexedDB as Playwright gives them, and sessionStorage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Error, Page, Route, StorageState

READ = "() => [location.origin, Object.fromEntries(Object.entries(sessionStorage))]"
WRITE = """([local, session]) => {
  for (const [name, value] of Object.entries(local)) localStorage.setItem(name, value);
  for (const [name, value] of Object.entries(session)) sessionStorage.setItem(name, value);
}"""
EMPTY = "<!doctype html><title></title>"


class SavedState(TypedDict):
    """Plain JSON. `session_storage`: origin to its entries, of the tabs that were open at the end."""

    storage: StorageState
    session_storage: dict[str, dict[str, str]]


def state_from(data: Any) -> SavedState:
    """From a file as Playwright writes it (`storage_state`), or as ours. ValueError names what it lacks."""
    storage = data.get("storage", data) if isinstance(data, dict) else None
    if not isinstance(storage, dict) or not all(isinstance(storage.get(name), list) for name in ("cookies", "origins")):
        raise ValueError('it has no lists "cookies" and "origins", as a storage state of Playwright has')
    session_storage = data.get("session_storage", {})
    return {"storage": cast(StorageState, storage), "session_storage": dict(session_storage)}


def read_state(context: BrowserContext, pages: tuple[Page, ...]) -> SavedState:
    """The main page's sessionStorage goes before that of other tabs on its origin."""
    found: dict[str, dict[str, str]] = {}
    for page in pages:
        origin, entries = _session_storage(page)
        if entries:
            found.setdefault(origin, entries)
    return {"storage": context.storage_state(indexed_db=True), "session_storage": found}


def put_state(context: BrowserContext, page: Page, state: Mapping[str, Any]) -> None:
    """Into a context in which nothing has been opened yet. Nothing is asked of the site.

    Playwright opens a page of its own for each origin, which costs more than all else: it is left those with IndexedDB.
    """
    storage = state["storage"]
    databases = [each for each in storage["origins"] if each.get("indexedDB")]
    local = {each["origin"]: _entries(each) for each in storage["origins"] if not each.get("indexedDB")}
    if databases:
        context.set_storage_state({"cookies": storage["cookies"], "origins": databases})
    elif storage["cookies"]:
        context.add_cookies(storage["cookies"])
    kept = {origin: entries for origin, entries in state["session_storage"].items() if _is_web(origin)}
    origins = [each for each in dict.fromkeys([*local, *kept]) if _is_web(each)]
    for origin in origins:
        _fill(page, origin, [local.get(origin, {}), kept.get(origin, {})])
    if origins:
        page.goto("about:blank")


def _entries(origin: Mapping[str, Any]) -> dict[str, str]:
    return {str(each["name"]): str(each["value"]) for each in origin.get("localStorage", ())}


def _session_storage(page: Page) -> tuple[str, dict[str, str]]:
    """Nothing of a page that has no origin, or is being replaced."""
    try:
        origin, entries = page.evaluate(READ)
    except Error:
        return "", {}
    return str(origin), {str(name): str(value) for name, value in entries.items()}


def _fill(page: Page, origin: str, entries: Sequence[Mapping[str, str]]) -> None:
    """localStorage and sessionStorage, which belongs to the tab: an empty document stands there for a moment."""

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/html", body=EMPTY)

    pattern = f"{origin}/**"
    page.route(pattern, answer)
    try:
        page.goto(f"{origin}/")
        page.evaluate(WRITE, [dict(each) for each in entries])
    finally:
        page.unroute(pattern, answer)


def _is_web(origin: str) -> bool:
    return urlsplit(origin).scheme in ("http", "https")
