"""Ops that read: extract, js_extract, screenshot."""

from __future__ import annotations

import struct
from typing import Any

from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.api import Page
from recipes_app.browser.looking import Wish
from recipes_app.engine.act import Act
from recipes_app.engine.events import Picture
from recipes_app.engine.in_page import run_script
from recipes_app.engine.scripts import once_styled, script
from recipes_app.engine.values.typed import Read, typed


def extract(act: Act) -> None:
    attr, kind = str(act.get("attr", "text")), str(act.get("type", "string"))
    wish = Wish(("read",), {"read": {"attr": attr, "type": kind}})
    found = act.find(visible=attr == "text", wish=wish)
    seen = found.facts.get("read")
    value = Read(**seen) if seen else read(found.locator, attr, kind, act.left_ms)
    act.keep(convert(act, value, kind, str(act.get("key"))))


def read(node: Nodes, attr: str, kind: str, timeout_ms: float) -> Read:
    return Read(**node.evaluate(once_styled(script("read.js")), {"attr": attr, "type": kind}, timeout=timeout_ms))


def convert(act: Act, value: Read, kind: str, where: str) -> Any:
    try:
        return typed(value, kind, act.get("locale"))
    except (ValueError, ArithmeticError) as error:
        raise act.fail("bad_return", f"{where}: {error}") from None


def js_extract(act: Act) -> None:
    act.keep(run_script(act, str(act.get("expr")), dict(act.scene.arguments)))


def screenshot(act: Act) -> None:
    if act.target is None:
        data = picture_of(act.session.page, act, full_page=bool(act.get("full_page")))
    else:
        found = act.find()
        data = found.locator.screenshot(timeout=act.left_ms, mask=list(act.scene.secret_fields))
    width, height = size_of_png(data)
    act.scene.emit(Picture(str(act.get("label")), data, "image/png", width, height))


def picture_of(page: Page, act: Act, *, full_page: bool) -> bytes:
    return page.screenshot(full_page=full_page, timeout=act.left_ms, mask=list(act.scene.secret_fields))


def size_of_png(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", data[16:24])
    return width, height
