"""Looks at every step after it was done: notices that escalate, more steps for paging, and the ends of patience."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from evidence_app.agent.paging import PagingBonus
from evidence_app.agent.recovery import LEVELS, BudgetMarks, Patience, Stagnation
from evidence_app.agent.toolset import EvidenceTools
from recipes_app.browser.api import Request as PageRequest
from recipes_app.browser.session import BrowserSession
from recipes_app.pilot.loop import Pilot
from recipes_app.pilot.seams import Scene, Taken, Turn

LISTED = 15
# Steps that are still taken after only `done` and `fail` have been offered.
LAST_CHANCES = 3
NOT_THE_NETWORK = ("ERR_ABORTED", "ERR_BLOCKED", "ERR_TUNNEL", "ERR_INVALID")


@dataclass(eq=False)
class NetworkFaults:
    """Pages that could not be opened because of the network: what a site answers, or forbids, is none.

    No slots: Playwright leaves an attribute on the owner of a listener.
    """

    count: int = 0

    def watch(self, session: BrowserSession) -> None:
        session.context.on("requestfailed", self.note)

    def note(self, request: PageRequest) -> None:
        failure = request.failure or ""
        if (
            request.is_navigation_request()
            and "net::" in failure
            and not any(word in failure for word in NOT_THE_NETWORK)
        ):
            self.count += 1


@dataclass(slots=True)
class Watch:
    """A `Watches`. `ended_by` says why it ended the task: "stagnation", "network", or nothing."""

    tools: EvidenceTools
    patience: Patience
    bonus: PagingBonus
    faults: NetworkFaults = field(default_factory=NetworkFaults)
    stagnation: Stagnation = field(default_factory=Stagnation)
    marks: BudgetMarks = field(default_factory=BudgetMarks)
    pilot: Pilot | None = None
    ended_by: str = ""
    scene_of: Callable[[], Scene | None] = lambda: None
    _faults_before: int = 0

    def __call__(self, turn: Turn) -> str | None:
        last = turn.taken[-1]
        self.tools.state.saw(last.url_after)
        had_fault, self._faults_before = self.faults.count > self._faults_before, self.faults.count
        if self.patience.after_step(network_fault=had_fault and not last.deed.ok):
            self.ended_by = "network"
            return f"the network failed {self.patience.faults} times running; the last: {last.deed.said}"
        self._grant(last, turn)
        self._mark_budget(turn)
        self._list_elements(turn)
        return self._escalate(last, turn)

    def _escalate(self, last: Taken, turn: Turn) -> str | None:
        level = self.stagnation.after_step(url=last.url, text=last.mark, brought_data=self.tools.brought)
        if level:
            turn.notices.append(self.stagnation.notice())
        self.tools.must_finish = self.tools.must_finish or self.stagnation.must_finish
        if self.stagnation.count >= LEVELS[-1] + LAST_CHANCES:
            self.ended_by = "stagnation"
            return f"nothing new came in {self.stagnation.count} steps"
        return None

    def _grant(self, last: Taken, turn: Turn) -> None:
        name = _name_of(last)
        if last.call.name != "click" or not last.deed.ok or not name or self.pilot is None:
            return
        earned = self.bonus.after_click(name, page_changed=last.url != last.url_after or last.deed.said != "")
        if earned:
            self.pilot.limits = turn.limits = replace(turn.limits, turns=turn.limits.turns + earned)

    def _mark_budget(self, turn: Turn) -> None:
        used = max(turn.number / turn.limits.turns, turn.elapsed_s / turn.limits.seconds)
        notice = self.marks.after_step(used)
        if notice:
            turn.notices.append(notice)

    def _list_elements(self, turn: Turn) -> None:
        scene = self.scene_of()
        if not self.tools.state.wants_list or scene is None:
            return
        named = [f"{at} {each.role} “{each.name[:60]}”" for at, each in scene.elements.items() if each.name][:LISTED]
        turn.notices.append(f"Several calls failed. What can be used here: {'; '.join(named)}")

    def as_dict(self) -> dict[str, Any]:
        return {
            "faults": self.patience.faults,
            "bonus": self.bonus.given,
            "marks": self.marks.said,
            "stagnation": [self.stagnation.count, self.stagnation.level, self.stagnation.last_mark],
        }

    def restore(self, kept: dict[str, Any]) -> None:
        self.patience.faults, self.bonus.given, self.marks.said = kept["faults"], kept["bonus"], kept["marks"]
        self.stagnation = Stagnation(*kept["stagnation"])


def _name_of(taken: Taken) -> str:
    element = getattr(taken.deed.facts, "element", None)
    return str(element.name) if element is not None else ""
