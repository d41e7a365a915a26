"""Whether a tool that says it only reads has to be believed, or has been seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipes_app.engine.nesting import CALL
from recipes_app.engine.vocabulary import VOCABULARY

SENDS_NOTHING = "Sends nothing that could change the site"
# A script of the recipe's own and another tool can do anything.
ACTING = frozenset({name for name, spec in VOCABULARY.items() if spec.writes} | {"js_extract", CALL})


def acts(steps: Any) -> bool:
    """Of steps as plain JSON, inner ones included: whether one could make the site change something."""
    if isinstance(steps, Mapping):
        return steps.get("op") in ACTING or any(acts(value) for value in steps.values())
    return isinstance(steps, list | tuple) and any(acts(step) for step in steps)


def was_seen_to_read(verdict: Mapping[str, Any] | None) -> bool:
    """Whether a verification that passed has watched what the tool sends."""
    if not verdict or not verdict.get("passed"):
        return False
    return any(check.get("name") == SENDS_NOTHING and check.get("ok") for check in verdict.get("checks") or ())
