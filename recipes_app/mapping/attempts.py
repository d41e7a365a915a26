"""A tool recorded and verified, once more if that failed: the second time the reason is known.

By the rules' plan where there is one; by a model's pilot where there is none, or where the plan failed and a model can
be asked. What was really sent is counted over all of it, and never exceeds what the board had said.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.browser.holding import hold_back
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Recipe, Step, Target
from recipes_app.engine.events import Event, Note
from recipes_app.llm.base import Asks
from recipes_app.llm.errors import ModelError
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.fly import Flown, acts_when_opened, fly
from recipes_app.mapping.name_results import named
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.record import Recorded, record
from recipes_app.mapping.scripting import Scripting
from recipes_app.mapping.unique import made_new
from recipes_app.mapping.verify import Mode, Verdict, verify
from recipes_app.pilot.events import Asked, Told

MAX_HINT = 400
TYPING = frozenset({"type"})


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be recorded and how. `model` None: by rules only. `hint`: what a person says about it.

    `open_call` opens a session as calls of a recipe have it, for its verification; None: as for recording.

    `by_model` asks for the pilot even where there is a plan.
    """

    draft: Draft
    open_session: Callable[[], AbstractContextManager[BrowserSession]]
    emit: Callable[[Event], None]
    dry_run: bool = False
    model: Asks | None = None
    by_model: bool = False
    hint: str = ""
    open_call: Callable[[Recipe], AbstractContextManager[BrowserSession]] | None = None

    @property
    def mode(self) -> Mode:
        return "dry_run" if self.dry_run or self.draft.side_effect == "destructive" else "full"

    @property
    def may_submit(self) -> int:
        """How often all of it may really submit: DESIGN's rule, as the board says it."""
        if self.draft.side_effect == "read" or self.dry_run:
            return 0
        return 1 if self.draft.side_effect == "destructive" else 2


@dataclass(frozen=True, slots=True)
class Made:
    """`how` is "rules" or "model"; `mode` how it was verified; `again` why there was a second try."""

    recorded: Recorded
    verdict: Verdict
    mode: Mode
    how: str = "rules"
    again: str = ""


def is_planned(draft: Draft) -> bool:
    """Whether there is more of a plan than an address."""
    return any(step.op != "goto" for step in draft.steps)


def make(order: Order) -> Made:
    """RecordingFailed of the last try where nothing could be recorded; ModelError where a model it needs fails."""
    return _Making(order).make()


@dataclass(slots=True)
class _Making:
    order: Order
    submitted: int = 0

    def make(self) -> Made:
        order = self.order
        by_model = (order.by_model or not is_planned(order.draft)) and order.model is not None
        try:
            first = self._once(by_model=by_model, hint=order.hint)
        except RecordingFailed as failure:
            self.submitted += failure.submitted
            return self._again(failure.message, None, failure)
        if first.verdict.passed:
            return first
        return self._again(reason_of(first.verdict), first, None)

    def _again(self, reason: str, first: Made | None, failure: RecordingFailed | None) -> Made:
        """A second try that comes to nothing leaves the first as it was."""
        order = self.order
        if self._is_spent():
            return self._as_it_was(first, failure)
        order.emit(Note(f"Recorded once more, because: {reason}"[:300]))
        try:
            again = self._once(by_model=order.model is not None, hint=_joined(order.hint, reason), trusting=True)
        except (RecordingFailed, ModelError) as second:
            if first is None and failure is not None and isinstance(second, RecordingFailed):
                raise second from failure
            return self._as_it_was(first, failure)
        return replace(again, again=reason)

    def _is_spent(self) -> bool:
        return self.order.may_submit > 0 and self.submitted >= self.order.may_submit

    @staticmethod
    def _as_it_was(first: Made | None, failure: RecordingFailed | None) -> Made:
        if first is not None:
            return first
        raise failure or RecordingFailed("nothing was recorded")

    def _once(self, *, by_model: bool, hint: str, trusting: bool = False) -> Made:
        if by_model:
            return self._from(self._flown(hint))
        return self._judged(self._by_rules(trusting=trusting), "rules")

    def _from(self, flown: Flown) -> Made:
        """The pruned plan first; the whole one where that comes to nothing, if nothing was sent."""
        is_same = flown.plan.steps == flown.whole.steps
        try:
            made = self._judged(self._as_flown(flown.plan, flown.pointed), "model")
        except RecordingFailed as failure:
            if failure.submitted or is_same:
                raise
        else:
            if made.verdict.passed or is_same or self.order.draft.side_effect != "read":
                return made
        self.order.emit(Note("What seemed superfluous may be needed; recorded with all that the model did."))
        return self._judged(self._as_flown(flown.whole, flown.pointed), "model")

    def _judged(self, recorded: Recorded, how: str) -> Made:
        if how == "model" and self.order.model is not None:
            recorded = named(recorded, self.order.model)
        self.submitted += recorded.submitted
        left = self.order.may_submit - self.submitted
        mode: Mode = "dry_run" if self.order.may_submit and left < 1 else self.order.mode
        verdict = self._verified(recorded, mode)
        self.submitted += verdict.submitted
        return Made(recorded, verdict, mode, how)

    def _by_rules(self, *, trusting: bool) -> Recorded:
        order, draft = self.order, self.order.draft
        if trusting:
            draft = replace(draft, steps=tuple(map(_typed_by_keys, draft.steps)))
        with order.open_session() as session:
            return record(draft, self._values(), session, order.emit, dry_run=order.dry_run, trusting=trusting)

    def _flown(self, hint: str) -> Flown:
        order = self.order
        if order.model is None:
            raise RecordingFailed("there is no plan for it, and no model to find one")
        with order.open_session() as session:
            return fly(
                order.draft,
                self._values(),
                session,
                order.model,
                self._tell,
                dry_run=order.dry_run,
                hint=hint[:MAX_HINT],
            )

    def _tell(self, event: Event) -> None:
        """What the model asked for stands in the job's log like its steps."""
        self.order.emit(event)
        if isinstance(event, Asked):
            self.order.emit(Note(f"The model calls {event.words}"[:300]))
        if isinstance(event, Told) and not event.ok:
            self.order.emit(Note(f"It is told: {event.words}"[:300]))

    def _values(self) -> dict[str, Any]:
        draft = self.order.draft
        return made_new(draft.parameters, draft.examples)

    def _as_flown(self, plan: Draft, pointed: tuple[Target, ...]) -> Recorded:
        """A way that a model found is not believed to only read: what would send something is held back here too."""
        order = self.order
        with order.open_session() as session, ExitStack() as stack:
            if plan.side_effect == "read":
                stack.enter_context(hold_back(session, acts=acts_when_opened))
            values = self._values()
            script = Scripting(order.model, order.draft, values) if order.model is not None else None
            return record(plan, values, session, order.emit, dry_run=order.dry_run, last_resort=script, pointed=pointed)

    def _verified(self, recorded: Recorded, mode: Mode) -> Verdict:
        order = self.order
        open_call, recipe = order.open_call, recorded.recipe
        return verify(
            recorded.recipe,
            arguments=recorded.arguments,
            others=self._other_values(recorded),
            open_session=order.open_session if open_call is None else lambda: open_call(recipe),
            emit=order.emit,
            mode=mode,
            submit_path=recorded.submit_path,
        )

    def _other_values(self, recorded: Recorded) -> dict[str, Any]:
        """Those the recording was not made with. As many pages are read, or that would be what differs."""
        draft = self.order.draft
        own = {name: value for name, value in recorded.arguments.items() if name in draft.parameters["properties"]}
        chosen = draft.others if own != dict(draft.others) else draft.examples
        return {**made_new(draft.parameters, chosen), **recorded.others}


def reason_of(verdict: Verdict) -> str:
    failed = next((check for check in verdict.checks if not check.ok), None)
    return ": ".join(part for part in (failed.name, failed.detail) if part) if failed else "it did not pass"


def _joined(*hints: str) -> str:
    return " ".join(hint for hint in hints if hint)


def _typed_by_keys(step: Step) -> Step:
    """For pages that listen to single keys."""
    if step.op not in TYPING or "keys" in step.fields:
        return step
    return replace(step, fields={**step.fields, "keys": True})
