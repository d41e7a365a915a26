"""Whether anybody will look at the pictures on the pages of a tool."""

from __future__ import annotations

from recipes_app.engine.nesting import CALL
from recipes_app.engine.shapes import Branch, Recipe, Step

# What another tool takes is not seen from here.
PICTURING = frozenset({"screenshot", CALL})


def takes_pictures(recipe: Recipe) -> bool:
    return any(map(_pictures, recipe.steps))


def _pictures(value: object) -> bool:
    if isinstance(value, Step):
        return value.op in PICTURING or any(map(_pictures, value.fields.values()))
    if isinstance(value, Branch):
        return any(map(_pictures, value.then))
    return isinstance(value, tuple) and any(map(_pictures, value))
