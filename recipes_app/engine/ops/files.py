"""Ops about files: upload and download."""

from __future__ import annotations

import base64
import mimetypes
import tempfile
from pathlib import Path
from urllib.parse import unquote

from recipes_app.browser.api import FilePayload, Response
from recipes_app.browser.api import TimeoutError as TooSlow
from recipes_app.browser.navigation import Arrival
from recipes_app.engine.act import Act
from recipes_app.engine.downloads import PAGE_TYPES, Incoming, measure, media_type_of
from recipes_app.engine.events import Downloaded
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.ops.navigation import address
from recipes_app.engine.scripts import script
from recipes_app.engine.shown import fetched, refuse_too_large
from recipes_app.engine.uploads import payloads

CHOOSER_MS = 1500


def upload(act: Act) -> None:
    """Into the file input meant or belonging to the element; else by its file dialog, or dropped on it."""
    files = payloads(act.get("files"))
    found = act.find(visible=False)
    facts = found.locator.evaluate(script("files.js"), timeout=act.left_ms)
    act.send()
    if facts["own"]:
        found.locator.set_input_files(files, timeout=act.left_ms)
    elif facts["index"] >= 0:
        inputs = found.frame.locator("css=input[type=file]")
        inputs.nth(int(facts["index"])).set_input_files(files, timeout=act.left_ms)
    else:
        # A press on a button is meant for it; on anything else it might be something else than choosing a file.
        ways = (by_dialog, drop) if facts["button"] else (drop, by_dialog)
        if not any(way(act, found, files) for way in ways):
            raise act.fail("drifted", f"{act.words} takes no files: no file input, no drop, no file dialog")


def drop(act: Act, found: Found, files: list[FilePayload]) -> bool:
    given = [
        {"name": file["name"], "type": file["mimeType"], "base64": base64.b64encode(file["buffer"]).decode("ascii")}
        for file in files
    ]
    return bool(found.locator.evaluate(script("drop.js"), {"files": given}, timeout=act.left_ms))


def by_dialog(act: Act, found: Found, files: list[FilePayload]) -> bool:
    act.reach(found)
    try:
        with act.page.expect_file_chooser(timeout=CHOOSER_MS) as chooser:
            found.locator.click(timeout=act.left_ms, no_wait_after=True)
        chooser.value.set_files(files)
    except TooSlow:
        return False
    return True


def download(act: Act) -> None:
    with Incoming(act) as incoming:
        if act.target is not None:
            found = act.find()
            act.reach(found)
            act.send()
            found.locator.click(timeout=act.left_ms, no_wait_after=True)
        else:
            act.send()
            arrival = act.session.goto(address(act), act.left_ms)
            if not arrival.download:
                keep_shown(act, arrival)
                return
        take(act, incoming)


def take(act: Act, incoming: Incoming) -> None:
    arrived = incoming.wait()
    if arrived is None:
        raise act.fail("timeout", "no file arrived")
    if isinstance(arrived, Response):
        fetch(act, incoming, arrived)
    else:
        path = incoming.whole(arrived)
        hand_over(act, path, arrived.suggested_filename, arrived.url, incoming.media_type(arrived.url))
        incoming.close_pages_of(arrived)


def keep_shown(act: Act, arrival: Arrival) -> None:
    """A page, or a file that the browser shows instead of saving it."""
    response = arrival.response
    media_type = media_type_of(response) if response else ""
    if response is not None and media_type in PAGE_TYPES:
        # The page is in memory anyway; asked for again it may be another one.
        keep_page(act, response.body(), arrival.url, media_type)
        return
    with fetched(act, act.page, arrival.url) as path:
        hand_over(act, path, name_in(arrival.url), arrival.url, media_type)


def keep_page(act: Act, data: bytes, url: str, media_type: str) -> None:
    with tempfile.NamedTemporaryFile(prefix="agentify-") as file:
        file.write(data)
        file.flush()
        hand_over(act, Path(file.name), name_in(url), url, media_type)


def fetch(act: Act, incoming: Incoming, shown: Response) -> None:
    """The click led to a file that the browser shows: fetched once more, with the same cookies, and left again."""
    incoming.stop_if_too_large(None, incoming.expected(shown.url))
    page = shown.frame.page
    with fetched(act, page, shown.url) as path:
        hand_over(act, path, name_in(shown.url), shown.url, media_type_of(shown))
    if page in act.session.opened[incoming.pages_before :]:
        page.close()
    elif page.url == shown.url:
        page.go_back(timeout=act.left_ms, wait_until="domcontentloaded")


def name_in(url: str) -> str:
    return unquote(url.partition("?")[0].rstrip("/").rsplit("/", 1)[-1]) or "file"


def hand_over(act: Act, path: Path, name: str, url: str, media_type: str) -> None:
    """The listener has the file until it is done with the event."""
    size, sha256 = measure(path)
    refuse_too_large(act, size)
    kind = media_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
    address = act.scene.clean(url)
    act.keep({"name": name, "size": size, "sha256": sha256, "media_type": kind, "url": address})
    key = str(act.get("key", "result"))
    act.scene.emit(Downloaded(key, name, str(path), size=size, sha256=sha256, media_type=kind, url=address))
