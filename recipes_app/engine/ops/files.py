"""Ops about files: upload and download."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
from pathlib import Path
from typing import Any

from recipes_app.browser.api import Download, Error, FilePayload
from recipes_app.browser.api import TimeoutError as TooSlow
from recipes_app.browser.navigation import Arrival
from recipes_app.engine.act import Act
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.ops.navigation import address
from recipes_app.engine.scripts import script
from recipes_app.engine.uploads import payloads

CHOOSER_MS = 1500
CHUNK = 1 << 20


def upload(act: Act) -> None:
    """Into the file input meant or belonging to the element; else by its file dialog; else dropped on it."""
    files = payloads(act.get("files"))
    found = act.find(visible=False)
    facts = found.locator.evaluate(script("files.js"), timeout=act.left_ms)
    act.send()
    if facts["own"]:
        found.locator.set_input_files(files, timeout=act.left_ms)
    elif facts["index"] >= 0:
        inputs = found.frame.locator("css=input[type=file]")
        inputs.nth(int(facts["index"])).set_input_files(files, timeout=act.left_ms)
    elif not drop(found, files, act):
        by_dialog(act, found, files)


def drop(found: Found, files: list[FilePayload], act: Act) -> bool:
    given = [
        {"name": file["name"], "type": file["mimeType"], "base64": base64.b64encode(file["buffer"]).decode("ascii")}
        for file in files
    ]
    return bool(found.locator.evaluate(script("drop.js"), {"files": given}, timeout=act.left_ms))


def by_dialog(act: Act, found: Found, files: list[FilePayload]) -> None:
    act.reach(found)
    try:
        with act.page.expect_file_chooser(timeout=CHOOSER_MS) as chooser:
            found.locator.click(timeout=act.left_ms, no_wait_after=True)
        chooser.value.set_files(files)
    except TooSlow:
        raise act.fail("drifted", f"{act.words} takes no files: no file input, no drop, no file dialog") from None


def download(act: Act) -> None:
    known = len(act.session.downloads)
    if act.target is not None:
        found = act.find()
        act.reach(found)
        act.send()
        found.locator.click(timeout=act.left_ms, no_wait_after=True)
    else:
        act.send()
        arrival = act.session.goto(address(act), act.left_ms)
        if not arrival.download:
            act.keep(from_page(arrival))
            return
    arrived = act.session.wait_for_download(known, timeout_ms=act.left_ms)
    if arrived is None:
        raise act.fail("timeout", "no file arrived")
    act.keep(from_download(act, arrived))


def from_page(arrival: Arrival) -> dict[str, Any]:
    """A file that the browser shows instead of saving it."""
    response = arrival.response
    data = response.body() if response else b""
    media_type = (response.headers.get("content-type", "") if response else "").partition(";")[0]
    name = arrival.url.partition("?")[0].rstrip("/").rsplit("/", 1)[-1] or "file"
    return described(name, len(data), hashlib.sha256(data).hexdigest(), arrival.url, media_type)


def from_download(act: Act, arrived: Download) -> dict[str, Any]:
    try:
        path = Path(arrived.path())
    except Error as error:
        act.session.raise_if_lost(error)
        raise act.fail(
            "navigation", f"the file did not arrive whole: {arrived.failure() or 'it was stopped'}"
        ) from error
    size, sha256 = measure(path)
    return described(arrived.suggested_filename, size, sha256, arrived.url, "")


def measure(path: Path) -> tuple[int, str]:
    total, digest = 0, hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total += len(chunk)
            digest.update(chunk)
    return total, digest.hexdigest()


def described(name: str, size: int, sha256: str, url: str, media_type: str) -> dict[str, Any]:
    guessed = media_type or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return {"name": name, "size": size, "sha256": sha256, "media_type": guessed, "url": url}
