"""What is known of an attempt that was interrupted: its checkpoint, what was done after it, what was under way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence_app.agent.merge import merged

MAX_WORDS = 200


@dataclass(frozen=True, slots=True)
class Pending:
    """An action that was decided and of which nothing more is known. `unknown`: it may have changed something, so it is
    never done again by itself."""

    action: str
    params: Mapping[str, Any] = field(default_factory=dict)
    mark: str = ""
    unknown: bool = False
    about: str = ""  # in words that tell more than the number of an element

    @property
    def words(self) -> str:
        return call_words(self.action, self.params) + (f": {self.about}" if self.about else "")


@dataclass(frozen=True, slots=True)
class Late:
    """An action that was done after the last checkpoint was written."""

    seq: int
    action: str
    params: Mapping[str, Any]
    result: str
    ok: bool


def caught_up(checkpoint: Mapping[str, Any], late: Sequence[Late], labels: Sequence[str]) -> dict[str, Any]:
    """The checkpoint as it would have been, as far as the log of actions tells: nothing that was done is done again."""
    kept = {**checkpoint}
    progress = {**kept.get("progress", {})}
    history = {**kept.get("history", {})}
    entries = list(history.get("entries", []))
    for each in late:
        said = "" if each.ok else "FAILED: "
        words = f"{each.seq}. {call_words(each.action, each.params)} -> {said}{each.result}"[:240]
        entries.append({"step": each.seq, "line": words, "weight": 2.0})
        if each.action == "save_progress" and each.ok and isinstance(each.params.get("extracted"), Mapping):
            progress["extracted"] = merged(progress.get("extracted", {}), dict(each.params["extracted"]))
            progress["saves"] = int(progress.get("saves", 0)) + 1
    known = list(progress.get("labels", []))
    progress["labels"] = [*known, *(label for label in labels if label not in known)]
    kept["progress"], kept["history"] = progress, {**history, "entries": entries}
    if late:
        kept["seq"] = max(int(kept.get("seq", 0)), *(each.seq for each in late))
        kept["step"] = int(kept.get("step", 0)) + len(late)
    return kept


def call_words(action: str, params: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False, default=str)}" for name, value in params.items())
    return f"{action}({given[:MAX_WORDS]})"
