"""Whether a result is what the recipe promised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipes_app.engine.arguments import problems_of
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.shapes import Recipe

SHOWN = 3


def return_problems(recipe: Recipe, data: Mapping[str, Any]) -> list[str]:
    return [] if recipe.returns is None else problems_of(recipe.returns, dict(data), "the result")


def check_returns(recipe: Recipe, data: Mapping[str, Any]) -> list[str]:
    """StepFailure(bad_return) when the data break `returns`.

    The first Agentify never looked at it, so for its files the problems come back as warnings.
    """
    problems = return_problems(recipe, data)
    if problems and recipe.format != 1:
        more = f" and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise StepFailure("bad_return", f"not what the recipe returns: {'; '.join(problems[:SHOWN])}{more}")
    return problems
