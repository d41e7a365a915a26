"""Find out how a tool is done by letting a model do it once, with nothing leaving that could change the site.

1. fly: the model reaches the goal with the example values; the request that would submit is held back, and ends it
2. prune and compile: what it did becomes a plan like one of the rules' own
The plan is then recorded like any other: what is kept, waited for and read is what that recording sees.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recipes_app.browser.dialogs import SeenDialog
from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.holding import Held, hold_back
from recipes_app.browser.page import dismiss_consent
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element
from recipes_app.engine.document import Recipe, Step, Target
from recipes_app.engine.events import Event
from recipes_app.engine.parameters import check_arguments, secret_names
from recipes_app.engine.substitution import substitute
from recipes_app.llm.base import Asks, ToolCall, ToolDef, Usage
from recipes_app.llm.fencing import fence
from recipes_app.mapping.bind import values_of
from recipes_app.mapping.compile import compiled
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.facts import LinkFacts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.prune import Move, pruned
from recipes_app.mapping.risks import why_risky, why_risky_url
from recipes_app.mapping.rows_meant import promises_rows
from recipes_app.pilot.hands import hands_for
from recipes_app.pilot.loop import Pilot
from recipes_app.pilot.seams import Deed, Flight, Limits, Scene, Turn
from recipes_app.pilot.tools import TOOLS
from recipes_app.pilot.toolset import BrowserTools, Doing

LIMITS = Limits(turns=20, seconds=240)
ACTING = frozenset({"click", "type", "press", "press_enter", "select", "choose", "check", "set_date", "goto", "hover"})
READING = frozenset({"extract"})
GO_ON = ToolDef(
    "go_on",
    "What was held back only leads to a further page to fill in: do the last step again and let it through.",
    {"type": "object", "properties": {}, "additionalProperties": False},
)
HELD = (
    "It would now send {what}, which we hold back. If that is the final step, call done: we do it later. "
    "If it only leads to a further page of the form, call go_on."
)


@dataclass(frozen=True, slots=True)
class Flown:
    """`plan` is the draft with the steps found, `whole` the same without anything left out.

    `passed` is how many requests that could change something were let through on the way; `pointed` what it read at
    the end: of a tool that lists, entries of the list that is meant.
    """

    plan: Draft
    whole: Draft
    flight: Flight
    passed: int = 0
    pointed: tuple[Target, ...] = ()

    @property
    def usage(self) -> Usage:
        return self.flight.usage


@dataclass(slots=True)
class HeldTools:
    """The browser's tools while nothing may be sent: what would send is a step, and not done."""

    inner: BrowserTools
    held: Held
    reads: bool
    may_pass: bool
    moves: list[Move] = field(default_factory=list)
    last: Step | None = None
    refused_link: bool = False

    def definitions(self, scene: Scene, turn: Turn) -> tuple[ToolDef, ...]:
        more = (GO_ON,) if self.last is not None and self.may_pass else ()
        return (*self.inner.definitions(scene, turn), *more)

    def act(self, call: ToolCall, scene: Scene) -> Deed:
        if call.name == GO_ON.name:
            return self._go_on()
        known = len(self.held.requests)
        deed = self.inner.act(call, scene)
        if self.refused_link:
            return self._end_at_link()
        return self._noted(deed, scene, known)

    def guard(self, step: Step, element: Element | None) -> str | None:
        """A link that does something when followed is the step that submits; a tool that reads may not follow it."""
        why = _why_acting(step, element)
        if why is None:
            return None
        if self.reads:
            return f"That could change something ({why}); this tool only reads."
        self.last, self.refused_link = step, True
        return why

    def _noted(self, deed: Deed, scene: Scene, known: int) -> Deed:
        if not isinstance(deed.facts, Doing) or not deed.ok:
            return deed
        sent = self.held.requests[known:]
        if sent and self.reads:
            return Deed(f"That would have sent {sent[0]}; this tool only reads. Take another way.", ok=False)
        self._add(deed.facts, scene, held=bool(sent))
        if not sent:
            return deed
        self.last = deed.step
        if not self.may_pass:
            return replace(deed, said=f"it would now send {sent[0]}", ends="done")
        return replace(deed, said=HELD.format(what=sent[0]))

    def _end_at_link(self) -> Deed:
        self.refused_link = False
        step, url = self.last, self.inner.session.page.url
        if step is None:
            raise AssertionError("a link was refused without its step")
        self.moves.append(Move(step, url, url, held=True))
        return Deed("it would now follow a link that changes something", step=step, ends="done")

    def _add(self, doing: Doing, scene: Scene, *, held: bool) -> None:
        done = doing.done
        dialogs: tuple[SeenDialog, ...] = done.dialogs
        self.moves.append(Move(done.step, done.url_before, done.url, doing.element, dialogs, held, scene.mark))

    def _go_on(self) -> Deed:
        step = self.last
        if step is None or not self.moves:
            return Deed("Nothing was held back.", ok=False, bad=True)
        self.held.passing = True
        try:
            done = self.inner.hands.do(step)
        finally:
            self.held.passing = False
        if not done.ok:
            return Deed(done.error, ok=False)
        self.last = None
        self.moves[-1] = replace(self.moves[-1], after=done.url, held=False)
        return Deed(f"now at {done.url}", step=done.step)


def fly(  # noqa: PLR0913 - everything by name
    draft: Draft,
    arguments: Mapping[str, Any],
    session: BrowserSession,
    model: Asks,
    emit: Callable[[Event], None],
    *,
    dry_run: bool = False,
    hint: str = "",
    limits: Limits = LIMITS,
) -> Flown:
    """RecordingFailed where the model did not get there, and says why. ModelError where it cannot be asked."""
    plan = Recipe(draft.name, parameters=draft.parameters, side_effect=draft.side_effect)
    given = check_arguments(plan, dict(arguments))
    with hold_back(session, acts=acts_when_opened) as held:
        start = _start(draft, given, session)
        tools = _tools(draft, given, session, emit, held, may_pass=draft.side_effect == "write" and not dry_run)
        tools.moves.append(start)
        goal = goal_of(draft, given, hint)
        flight = Pilot(goal, session, model, tools, emit, limits=limits).fly()
        passed = len(held.passed)
    if not flight.ok:
        raise RecordingFailed(f"the model did not get there ({flight.ended}): {flight.summary}")
    return _flown(draft, given, tools, flight, passed)


def acts_when_opened(url: str) -> bool:
    return why_risky_url(url) is not None


def _start(draft: Draft, given: Mapping[str, Any], session: BrowserSession) -> Move:
    url = str(substitute(draft.start_url, given, url=True))
    try:
        session.goto(url)
    except (NavigationFailed, BlockedByPolicy) as error:
        raise RecordingFailed(str(error)) from error
    dismiss_consent(session.page)
    return Move(Step("goto", {"url": draft.start_url}), "", session.page.url)


def _tools(
    draft: Draft,
    given: Mapping[str, Any],
    session: BrowserSession,
    emit: Callable[[Event], None],
    held: Held,
    *,
    may_pass: bool,
) -> HeldTools:
    recipe = Recipe(draft.name, parameters=draft.parameters, side_effect=draft.side_effect)
    reads = draft.side_effect == "read"
    without = set() if _has_files(draft) else {"upload"}
    without |= {"dialog"} if reads else {"extract"}
    inner = BrowserTools(
        hands_for(recipe, given, session, emit),
        offers=[name for name in TOOLS if name not in without],
        prefer=tuple(values_of(given)),
        more=(),
    )
    tools = HeldTools(inner, held, reads, may_pass)
    inner.guard = tools.guard
    return tools


def _has_files(draft: Draft) -> bool:
    return "x-file" in json.dumps(dict(draft.parameters))


def goal_of(draft: Draft, given: Mapping[str, Any], hint: str) -> str:
    """The values of secrets are never shown: the model writes their names."""
    secret = secret_names(draft.parameters)
    shown = {name: "(secret)" if name in secret else value for name, value in given.items()}
    values = ", ".join(
        f"{{{{{name}}}}} = {str(json.dumps(value, ensure_ascii=False))[:80]}" for name, value in shown.items()
    )
    reads = draft.side_effect == "read"
    ending = (
        "Call done as soon as the page shows what was asked for; we read it off the page ourselves. Change nothing."
        if reads
        else "Nothing is really sent: we hold back what would send it. Fill in every parameter before that."
    )
    if promises_rows(draft):
        ending += " It returns a list or table: where the page shows several, extract one value of the one meant first."
    parts = [
        f"Find out how this is done here: {draft.name}. {draft.description}",
        f"Parameters: {values}. Use each of them." if values else "It takes no parameters.",
        ending,
        fence(hint, "why the last try failed") if hint else "",
    ]
    return "\n".join(part for part in parts if part)


def _why_acting(step: Step, element: Element | None) -> str | None:
    if step.op == "goto":
        return why_risky_url(str(step.fields["url"]))
    if step.op != "click" or element is None or not element.href:
        return None
    return why_risky(
        LinkFacts(
            url=element.href,
            text=element.name,
            landmark=element.landmark,
            chrome=False,
            place="",
            download=False,
            data_method="",
            confirm=False,
            visible=True,
            rel="",
        )
    )


def _flown(draft: Draft, given: Mapping[str, Any], tools: HeldTools, flight: Flight, passed: int) -> Flown:
    moves = _until_submitted(tools.moves)
    if draft.side_effect != "read" and not any(move.held for move in moves):
        raise RecordingFailed("the model says it is done, but nothing was about to be sent")
    whole = plan_from(draft, moves, given)
    return Flown(plan_from(draft, pruned(moves), given), whole, flight, passed, pointed_at(draft, moves))


def pointed_at(draft: Draft, moves: Sequence[Move]) -> tuple[Target, ...]:
    """What was read on the last page of a tool that lists."""
    if not promises_rows(draft):
        return ()
    last = max((at for at, move in enumerate(moves) if move.step.op in ACTING), default=-1)
    targets = [move.step.fields.get("target") for move in moves[last + 1 :] if move.step.op in READING]
    return tuple(target for target in targets if isinstance(target, Target))


def _until_submitted(moves: Sequence[Move]) -> tuple[Move, ...]:
    """What came after the last step that was held back belongs to no plan."""
    last = next((at for at in reversed(range(len(moves))) if moves[at].held), None)
    if last is None:
        return tuple(moves)
    tried = tuple(replace(move, held=False) if at < last else move for at, move in enumerate(moves[: last + 1]))
    return tuple(move for at, move in enumerate(tried) if at == last or move.step != tried[last].step)


def plan_from(draft: Draft, moves: Sequence[Move], given: Mapping[str, Any]) -> Draft:
    """The draft with these steps. Of a tool that reads, the last step that does something brings what is read.

    A tool that lists returns its list, whatever single values were read on the way.
    """
    if promises_rows(draft):
        moves = [move for move in moves if move.step.op not in READING]
    steps, submits = compiled(moves, given)
    acting = [index for index, step in enumerate(steps) if step.op in ACTING]
    index = submits if submits is not None else (acting[-1] if acting else 0)
    end = len(steps) if draft.side_effect == "read" else index + 1
    return replace(draft, steps=steps[:end], submit_index=index, kind="action" if draft.kind == "login" else draft.kind)
