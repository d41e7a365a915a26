"""The loop: observe, ask for a call, act, look at what came of it, note it. See `seams` for what can be replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from recipes_app.browser.session import BrowserSession
from recipes_app.engine.events import Event, Progress
from recipes_app.llm.base import Answer, Asks, ToolCall, ToolDef, Usage
from recipes_app.llm.errors import BadAnswer, BudgetSpent, Refused
from recipes_app.pilot.briefing import Briefing
from recipes_app.pilot.events import Asked, Told
from recipes_app.pilot.memory import History, call_words
from recipes_app.pilot.scene import LookAround
from recipes_app.pilot.seams import (
    Briefs,
    Deed,
    Ended,
    Flight,
    Inspects,
    Keeps,
    Limits,
    Observes,
    Reflection,
    Remembers,
    Scene,
    Taken,
    Toolset,
    Turn,
    Watches,
)
from recipes_app.pilot.tools import reflecting
from recipes_app.pilot.vigil import Vigil

PHASE = "pilot"


class Landed(Exception):
    """The flight is over."""

    def __init__(self, ended: Ended, summary: str, deed: Deed | None = None) -> None:
        super().__init__(summary)
        self.ended, self.summary, self.deed = ended, summary, deed


@dataclass(slots=True)
class Pilot:
    """One flight, with its parts."""

    goal: str
    session: BrowserSession
    model: Asks
    toolset: Toolset
    emit: Callable[[Event], None]
    limits: Limits = field(default_factory=Limits)
    observe: Observes = field(default_factory=LookAround)
    brief: Briefs = field(default_factory=Briefing)
    memory: Remembers = field(default_factory=History)
    vigil: Watches = field(default_factory=Vigil)
    reflect: Reflection | None = None
    inspect: Sequence[Inspects] = ()
    keep: Keeps | None = None
    phase: str = PHASE

    def fly(self, turn: Turn | None = None) -> Flight:
        """`turn`: where an interrupted flight had come to. ModelError for a service that does not answer, or is not set
        up; Aborted and BrowserLost pass too."""
        turn = turn or Turn(self.goal, self.limits)
        spent, began = self.model.spent, monotonic() - turn.elapsed_s
        try:
            while True:
                turn.elapsed_s = monotonic() - began
                self._check_limits(turn)
                self._take_turn(turn)
        except Landed as landed:
            result = landed.deed.result if landed.deed else {}
            usage = since(spent, self.model.spent)
            return Flight(landed.ended, landed.summary, tuple(turn.taken), result, usage)

    def _check_limits(self, turn: Turn) -> None:
        if turn.number >= self.limits.turns:
            raise Landed("limit", f"it was not done after {self.limits.turns} steps")
        if turn.elapsed_s > self.limits.seconds:
            raise Landed("limit", f"it was not done after {self.limits.seconds:g} seconds")

    def _take_turn(self, turn: Turn) -> None:
        turn.number += 1
        self.emit(Progress(self.phase, turn.number, self.limits.turns, turn.goal.partition("\n")[0][:200]))
        scene = self.observe(self.session, turn)
        tools = self.toolset.definitions(scene, turn)
        answer = self._ask(scene, tools, turn)
        turn.notices.clear()
        for number, call in enumerate(answer.calls[: self.limits.calls]):
            if number:
                scene = self.observe(self.session, turn)
            if not self._do(call, scene, tools, turn):
                break
        if len(answer.calls) > self.limits.calls:
            turn.notices.append(f"Of the {len(answer.calls)} calls only the first {self.limits.calls} counted.")
        if self.keep:
            self.keep(turn)

    def _ask(self, scene: Scene, tools: tuple[ToolDef, ...], turn: Turn) -> Answer:
        """An answer with at least one call. What cannot be used is told to the model, a few times."""
        for _ in range(self.limits.bad_answers):
            try:
                request = self.brief(scene, reflecting(tools, self.reflect), turn, self.memory.told())
                answer = self.model.ask(request)
            except BudgetSpent as error:
                raise Landed("budget", str(error)) from error
            except Refused as error:
                raise Landed("failed", str(error)) from error
            except BadAnswer as error:
                turn.notices.append(f"Your last answer could not be used: {error}")
                continue
            if answer.calls:
                return answer
            turn.notices.append("Your last answer called no tool. Call exactly one.")
        raise Landed("failed", f"the model's answers could not be used; {turn.notices[-1]}")

    def _do(self, call: ToolCall, scene: Scene, tools: tuple[ToolDef, ...], turn: Turn) -> bool:
        """Whether a further call of the same answer may follow: this one worked, and the page is the same one."""
        call, thought = self._without_thought(call)
        words = call_words(call.name, call.arguments)
        tokens = self.model.spent.tokens
        self.emit(Asked(turn.number, call.name, words, "; ".join(map(str, thought.values())), tokens, thought))
        deed = self._deed(call, scene, tools, turn)
        self.emit(Told(turn.number, call.name, deed.ok, deed.said))
        url = self.session.page.url
        taken = Taken(turn.number, call, deed, scene.url, scene.mark, url, thought)
        turn.taken.append(taken)
        self.memory.note(taken)
        if deed.ends:
            if self.keep:
                self.keep(turn)
            raise Landed(deed.ends, deed.said, deed)
        stuck = self.vigil(turn)
        if stuck:
            raise Landed("stuck", stuck)
        return deed.ok and url == scene.url

    def _deed(self, call: ToolCall, scene: Scene, tools: tuple[ToolDef, ...], turn: Turn) -> Deed:
        names = [tool.name for tool in tools]
        if call.name not in names:
            said = f"There is no tool {call.name[:60]} now; there are {', '.join(names)}."
            return Deed(said, ok=False, bad=True)
        deed = self.toolset.act(call, scene)
        for inspect in self.inspect:
            deed = inspect(deed, call, scene, turn)
        return deed

    def _without_thought(self, call: ToolCall) -> tuple[ToolCall, dict[str, object]]:
        if self.reflect is None:
            return call, {}
        thought = {name: value for name, value in call.arguments.items() if name in self.reflect.fields}
        own = {name: value for name, value in call.arguments.items() if name not in thought}
        return replace(call, arguments=own), thought


def since(before: Usage, now: Usage) -> Usage:
    """What was spent between two readings of one meter."""
    unpriced = now.cost_micros is None or before.cost_micros is None
    return Usage(
        requests=now.requests - before.requests,
        input_tokens=now.input_tokens - before.input_tokens,
        cached_tokens=now.cached_tokens - before.cached_tokens,
        output_tokens=now.output_tokens - before.output_tokens,
        cost_micros=None if unpriced else (now.cost_micros or 0) - (before.cost_micros or 0),
    )
