"""Ops of the pointer: click, double_click, hover, scroll."""

from __future__ import annotations

from typing import Any

from recipes_app.engine.act import Act
from recipes_app.engine.pressing import press_at_once, wish_to_press
from recipes_app.engine.scripts import script
from recipes_app.engine.shapes import Offset


def pointer_options(act: Act) -> dict[str, Any]:
    offset: Offset | None = act.get("offset")
    options: dict[str, Any] = {"modifiers": list(act.get("modifiers", ())), "timeout": act.left_ms}
    options["no_wait_after"] = True
    if offset is not None:
        options["position"] = {"x": offset.x, "y": offset.y}
    return options


def click(act: Act) -> None:
    offset: Offset | None = act.get("offset")
    is_plain = act.get("button", "left") == "left" and not act.get("modifiers")
    found = act.find(wish=wish_to_press(offset=offset) if is_plain else None)
    if press_at_once(act, found) is not None:
        return
    act.left = None
    act.reach(found, offset=offset)
    act.send()
    found.locator.click(button=act.get("button", "left"), **pointer_options(act))


def double_click(act: Act) -> None:
    found = act.find()
    act.reach(found, offset=act.get("offset"))
    act.send()
    found.locator.dblclick(button=act.get("button", "left"), **pointer_options(act))


def hover(act: Act) -> None:
    found = act.find()
    act.reach(found, offset=act.get("offset"))
    act.send()
    found.locator.hover(**pointer_options(act))


def scroll(act: Act) -> None:
    given = {"direction": act.get("direction", "down")}
    if act.target is None:
        moved = act.session.page.evaluate(f"(given) => ({script('scroll.js')})(null, given)", given)
    else:
        moved = act.find().locator.evaluate(script("scroll.js"), given, timeout=act.left_ms)
    act.scene.scrolled = bool(moved)
