"""From an agent's log of actions to a recipe: its steps that worked, with the targets they had."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.engine.document import Recipe, Step, parse_step
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parameters import MASK
from recipes_app.engine.parsing.reader import as_list, as_object

MAX_STEPS = 1000
DOTS = MASK[:3]  # however many of them a log has in a secret's place
CHANGING = ("type", "select", "choose", "check", "set_date", "upload", "press", "press_enter", "drag")


@dataclass(frozen=True, slots=True)
class Replayed:
    """`changes` are the ops that may change something, each once."""

    recipe: Recipe
    start_url: str
    changes: tuple[str, ...]


def from_log(data: bytes, *, start_url: str = "") -> Replayed:
    """Raises DocumentError for what is no log, with the path of what is wrong."""
    try:
        entries = as_list(json.loads(data.decode("utf-8-sig")), "")
    except (ValueError, RecursionError) as error:
        raise DocumentError("", f"this is no JSON: {error}") from error
    read = [as_object(entry, f"[{at}]") for at, entry in enumerate(entries)]
    start = start_url or _start_of(read)
    if not start:
        raise DocumentError("", "no entry says at which address it began")
    steps = [Step("goto", {"url": start}), *_steps(read)]
    if len(steps) == 1:
        raise DocumentError("", "no entry holds a step that was done")
    changes = tuple(dict.fromkeys(step.op for step in steps if step.op in CHANGING))
    recipe = Recipe(name="replayed_log", description="An agent's log", side_effect="write", steps=tuple(steps))
    return Replayed(recipe, start, changes)


def _steps(entries: Iterable[dict[str, Any]]) -> Iterable[Step]:
    """A second value read under one name gets a number behind it: none replaces another."""
    taken: set[str] = set()
    for at, entry in enumerate(entries):
        said = entry.get("recipe_step")
        if said is None or entry.get("ok") is False:
            continue
        if _has_dots(said):
            which = f"step {entry.get('step', at + 1)} ({entry.get('action', 'an action')})"
            why = "used a secret, and a log has dots in its place: it cannot be replayed. Nothing was done"
            raise DocumentError(f"[{at}].recipe_step", f"{which} {why}")
        step = parse_step(said, path=f"[{at}].recipe_step")
        yield _with_own_key(step, taken)


def _has_dots(said: Any) -> bool:
    """In what a step types, opens or sends; a button may really be called like that."""
    fields = {name: value for name, value in said.items() if name != "target"} if isinstance(said, dict) else {}
    return DOTS in json.dumps(fields, ensure_ascii=False)


def _with_own_key(step: Step, taken: set[str]) -> Step:
    name = "into" if "into" in step.fields else "key"
    key = step.fields.get(name)
    if not isinstance(key, str):
        return step
    own, number = key, 2
    while own in taken:
        own, number = f"{key}_{number}", number + 1
    taken.add(own)
    return replace(step, fields={**step.fields, name: own})


def _start_of(entries: list[dict[str, Any]]) -> str:
    """The page the first action was done on, or was to open."""
    for entry in entries:
        params = entry.get("params")
        opened = params.get("url") if isinstance(params, dict) else ""
        for url in (entry.get("url"), opened):
            if isinstance(url, str) and url.startswith(("http://", "https://")):
                return url
    return ""
