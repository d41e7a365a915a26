"""Steps inside steps: which there are, and how their paths are told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recipes_app.engine.shapes import Branch, Recipe, Step

CALL = "call"
MAX_CALLS = 5
TURN = re.compile(r"\.(?:items|rounds)\[\d+\]")


def inner_steps(step: Step) -> tuple[Step, ...]:
    """The steps directly inside, branches included."""
    found: list[Step] = []
    for value in step.fields.values():
        for entry in value if isinstance(value, tuple) else ():
            if isinstance(entry, Step):
                found.append(entry)
            elif isinstance(entry, Branch):
                found.extend(entry.then)
    return tuple(found)


def all_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Every step, outer ones before what they hold."""
    for step in steps:
        yield step
        yield from all_steps(inner_steps(step))


def called_tools(recipe: Recipe) -> tuple[str, ...]:
    """The names of the tools it may call, each once, in the order of the file."""
    names = (str(step.fields["tool"]) for step in all_steps(recipe.steps) if step.op == CALL)
    return tuple(dict.fromkeys(names))


def path_in_document(path: str) -> str:
    """Where a step stands in its file, from where it ran: `steps[3].items[2].steps[1]` is `steps[3].steps[1]`."""
    return TURN.sub("", path)
