"""Going on after an interruption: what had been decided and not done is done, without asking for it again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evidence_app.agent.interrupted import Pending
from evidence_app.agent.recovery import REPEAT_STOP_AFTER, RunState
from recipes_app.llm.base import Answer, Asks, Checking, Request, ToolCall, Usage
from recipes_app.pilot.seams import Scene

LISTS = ("pages", "failed_urls", "blocked", "dead_ends", "exhausted")


@dataclass(slots=True)
class Resuming:
    """An `Asks`. Its first answer is the pending one, if the page looks exactly as it did when that was given."""

    model: Asks
    pending: Pending | None
    scene_of: Callable[[], Scene | None]

    @property
    def spent(self) -> Usage:
        return self.model.spent

    def ask(self, request: Request, *, check: Checking | None = None) -> Answer:
        pending, self.pending = self.pending, None
        scene = self.scene_of()
        if pending is None or pending.unknown or scene is None or scene.mark != pending.mark:
            return self.model.ask(request, check=check)
        return Answer(calls=(ToolCall("resumed", pending.action, pending.params),), stop="tools")


def state_as_dict(state: RunState) -> dict[str, Any]:
    return {
        **{name: list(getattr(state, name)) for name in LISTS},
        "tried": dict(state.tried),
        "failures": dict(state.failures),
        "failing": state.failing,
        "recent": list(state.recent),
    }


def state_from(kept: Mapping[str, Any]) -> RunState:
    return RunState(
        **{name: list(kept.get(name, [])) for name in LISTS},
        tried=Counter(kept.get("tried", {})),
        failures=Counter(kept.get("failures", {})),
        failing=int(kept.get("failing", 0)),
        recent=deque(kept.get("recent", []), maxlen=REPEAT_STOP_AFTER),
    )
