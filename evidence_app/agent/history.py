"""What the agent is told of its earlier steps: the last ones whole, older ones by importance, and summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.llm.base import Asks, Message, Request
from recipes_app.llm.errors import BudgetSpent, ModelError
from recipes_app.pilot.memory import call_words, line
from recipes_app.pilot.seams import Taken

# Saving and ending say most about where one is, waiting and scrolling least.
IMPORTANCE = {
    "save_progress": 3.0, "done": 3.0, "fail": 3.0, "extract": 2.0, "download": 2.0, "call": 2.0,
    "scroll": 0.0, "wait": 0.0,
}  # fmt: skip
USUAL = 1.0
LATEST = 5
MOST_ITEMS = 25
NEW_CHARACTERS = 240
OLD_CHARACTERS = 60
LEAST_CHARACTERS = 2000
SUMMARIES_SHOWN = 3
SUMMARY_TOKENS = 250
SUMMARY_CHARACTERS = 600
ASK_SUMMARY = (
    "Sum up these steps of a browser agent in three lines and nothing else, each at most 30 words:\n"
    "FOUND: what was found\nGAPS: what is still missing\nNEXT: what to do next"
)


@dataclass(slots=True)
class History:
    """A `Remembers`. `characters` bounds what is told of the steps; what was summed up stays told by its summary."""

    characters: int = 12_000
    entries: list[dict[str, Any]] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)

    def note(self, taken: Taken) -> None:
        weight = IMPORTANCE.get(taken.call.name, USUAL)
        self.entries.append({"step": taken.turn, "line": line(taken, NEW_CHARACTERS), "weight": weight})

    def told(self) -> str:
        first_new = max(0, len(self.entries) - LATEST)
        kept = {at: str(self.entries[at]["line"]) for at in range(first_new, len(self.entries))}
        room = max(LEAST_CHARACTERS, self.characters) - sum(len(text) + 1 for text in kept.values())
        for at in sorted(range(first_new), key=self._worth, reverse=True):
            text = _short(str(self.entries[at]["line"]))
            if len(kept) >= MOST_ITEMS or len(text) + 1 > room:
                break
            kept[at] = text
            room -= len(text) + 1
        left_out = len(self.entries) - len(kept)
        head = [f"({left_out} earlier steps left out)"] if left_out else []
        return "\n".join([*head, *(kept[at] for at in sorted(kept))])

    def summed_up(self) -> str:
        return "\n".join(self.summaries[-SUMMARIES_SHOWN:])

    def sum_up(self, model: Asks, goal: str, count: int) -> None:
        """The last `count` steps by the fast model; a list of what was done where it gives none."""
        lines = [str(entry["line"]) for entry in self.entries[-count:]]
        if not lines:
            return
        first, last = self.entries[-count:][0]["step"], self.entries[-1]["step"]
        text = _asked(model, goal, lines) or f"Done: {', '.join(_short(each) for each in lines)}"
        self.summaries.append(f"Steps {first} to {last}:\n{text.strip()[:SUMMARY_CHARACTERS]}")

    def _worth(self, at: int) -> float:
        return float(self.entries[at]["weight"]) + at / len(self.entries)

    def as_dict(self) -> dict[str, Any]:
        return {"entries": self.entries[-200:], "summaries": self.summaries}


def history_from(data: Mapping[str, Any], characters: int) -> History:
    return History(characters, list(data.get("entries", [])), list(data.get("summaries", [])))


def steps_in_words(taken: Sequence[Taken], most: int) -> str:
    return "\n".join(f"{each.turn}. {call_words(each.call.name, each.call.arguments)}" for each in taken[:most])


def _short(text: str) -> str:
    return text if len(text) <= OLD_CHARACTERS else text[: OLD_CHARACTERS - 1] + "…"


def _asked(model: Asks, goal: str, lines: Sequence[str]) -> str:
    """Empty where the model could not be asked: a summary is never worth a run."""
    text = f"Goal: {goal[:1000]}\n\nSteps:\n" + "\n".join(lines)
    request = Request((ASK_SUMMARY,), (Message("user", text),), max_tokens=SUMMARY_TOKENS, fast=True, purpose="summary")
    try:
        return model.ask(request).text
    except BudgetSpent:
        raise
    except ModelError:
        return ""
