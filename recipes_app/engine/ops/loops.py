"""The op for_each."""

from __future__ import annotations

from typing import Any

from recipes_app.engine.act import Act
from recipes_app.engine.breaking import Broken
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.ops.lists import MAX_ITEMS, as_limit, wait_for_items
from recipes_app.engine.scripts import with_aria
from recipes_app.engine.shapes import Step, Target
from recipes_app.engine.substitution import PageItem

ERROR_KEY = "_error"


def for_each(act: Act) -> None:
    """What was done so far is kept, however the loop ends."""
    items = items_of(act)[: as_limit(act)]
    entries: list[dict[str, Any]] = []
    act.matched = f"{len(items)} items"
    act.sent = True
    try:
        for index, item in enumerate(items):
            one_item(act, index, item, entries)
    finally:
        if act.get("into"):
            act.scene.data[str(act.get("into"))] = entries


def items_of(act: Act) -> list[Any]:
    items = act.get("items")
    if isinstance(items, Target):
        found = wait_for_items(act, items)
        return texts_of(Found(found.nodes, "", found.frame)) if found else []
    if not isinstance(items, list | tuple):
        raise act.fail("bad_arguments", f"for_each needs a list, not “{act.scene.clean(str(items)[:40])}”")
    return list(items)


def texts_of(found: Found) -> list[Any]:
    """Read once, before anything is done: items that go away while they are worked on shift all others."""
    rows: list[dict[str, Any]] = found.locator.evaluate_all(with_aria("each.js"), {"limit": MAX_ITEMS})
    return [PageItem(row) for row in rows]


def one_item(act: Act, index: int, item: Any, entries: list[dict[str, Any]]) -> None:
    """With `into` the item's values are an object of their own, else they stand beside the others."""
    scene, into = act.scene, act.get("into")
    arguments = {**scene.arguments, "_item": item, "_index": index}
    data: dict[str, Any] = {} if into else scene.data
    if into:
        entries.append(data)
    steps: tuple[Step, ...] = act.original.fields["steps"]  # type: ignore[assignment]
    try:
        with scene.changed(arguments=arguments, data=data):
            scene.run_steps(steps, f"{act.path}.items[{index}].steps", scene)
    except Broken as broken:
        if act.get("on_error") != "keep":
            raise
        message = scene.clean(broken.failure.message)
        scene.warn(f"{broken.path}: {message}")
        if into:
            data[ERROR_KEY] = error_of(broken, message)


def error_of(broken: Broken, message: str) -> dict[str, str]:
    return {
        "error": message,
        "kind": broken.failure.kind,
        "failed_step": broken.path,
        "op": broken.step.op,
    }
