"""From a task's goal, in words, to the arguments of its recipe."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Goal:
    """What `core.getUtterance()` says: a text, and where the task adds them, its `fields`."""

    text: str
    fields: Mapping[str, str] = field(default_factory=dict)


def arguments_for(task: str, goal: Goal) -> Arguments:
    return GOALS.get(task, nothing)(goal)


def nothing(_goal: Goal) -> Arguments:
    """The task is always the same."""
    return {}


def pattern(words: str) -> Callable[[Goal], Arguments]:
    """The named groups of a pattern that the whole goal must match; a group that took no part is left out."""
    compiled = re.compile(words, re.DOTALL)

    def read(goal: Goal) -> Arguments:
        match = compiled.fullmatch(goal.text)
        if match is None:
            raise ValueError(f"the goal is worded in another way: {goal.text}")
        return {name: value for name, value in match.groupdict().items() if value is not None}

    return read


GOALS: dict[str, Callable[[Goal], Arguments]] = {}
