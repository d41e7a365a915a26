"""What the model is told of earlier turns: the last ones whole, of the older ones the important, within a bound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recipes_app.pilot.seams import Taken

# Saving and ending say most about where one is, waiting and scrolling least.
IMPORTANCE = {"save_progress": 3, "done": 3, "fail": 3, "extract": 2, "call": 2, "scroll": 0, "wait_for": 0, "wait": 0}
USUAL = 1
FAILED = 1.5
LATEST = 5
OLD_CHARACTERS = 60
NEW_CHARACTERS = 240
VALUE_CHARACTERS = 60


@dataclass(slots=True)
class History:
    """At most `items` turns and `characters` characters. A line is one call and what came of it."""

    items: int = 25
    characters: int = 3000
    importance: Mapping[str, float] = field(default_factory=lambda: IMPORTANCE)
    taken: list[Taken] = field(default_factory=list)

    def note(self, taken: Taken) -> None:
        self.taken.append(taken)

    def told(self) -> str:
        first_new = max(0, len(self.taken) - LATEST)
        lines = {at: line(self.taken[at], NEW_CHARACTERS) for at in range(first_new, len(self.taken))}
        room = self.characters - sum(len(text) + 1 for text in lines.values())
        for at in sorted(range(first_new), key=self._worth, reverse=True):
            text = line(self.taken[at], OLD_CHARACTERS)
            if len(lines) >= self.items or len(text) + 1 > room:
                break
            lines[at] = text
            room -= len(text) + 1
        left_out = len(self.taken) - len(lines)
        head = [f"({left_out} earlier calls left out)"] if left_out else []
        return "\n".join([*head, *(lines[at] for at in sorted(lines))])[-self.characters :]

    def _worth(self, at: int) -> float:
        """Its importance, and between equals the newer one."""
        taken = self.taken[at]
        weight = self.importance.get(taken.call.name, USUAL)
        if not taken.deed.ok:
            weight = max(weight, FAILED)
        return weight + at / len(self.taken)


def line(taken: Taken, most: int) -> str:
    text = f"{taken.turn}. {call_words(taken.call.name, taken.call.arguments)}"
    said = (
        "" if taken.deed.ok and not taken.deed.said else f" -> {'' if taken.deed.ok else 'FAILED: '}{taken.deed.said}"
    )
    whole = " ".join(f"{text}{said}".split())
    return whole if len(whole) <= most else whole[: most - 1] + "…"


def call_words(name: str, arguments: Mapping[str, Any]) -> str:
    given = (f"{key}={_short(value)}" for key, value in arguments.items())
    return f"{name}({', '.join(given)})"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= VALUE_CHARACTERS else text[: VALUE_CHARACTERS - 1] + "…"
