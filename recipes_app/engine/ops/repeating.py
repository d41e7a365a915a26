"""The op repeat: pages, "load more", lists that grow or recycle their rows.

A round has three parts: what it reads first, what then moves the page, what it reads last. The condition is looked at
right before the page is moved, so that the last page is read like every other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from recipes_app.browser.page import settle
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true, holds
from recipes_app.engine.finding.outcome import Found, Look
from recipes_app.engine.nesting import CALL, inner_steps
from recipes_app.engine.scripts import script
from recipes_app.engine.shapes import Condition, Step
from recipes_app.engine.substitution import as_words, look_up
from recipes_app.engine.target import look_once
from recipes_app.engine.vocabulary import MAX_ROUNDS, MAX_SECONDS

COMPLETE = "complete"
STILL_OPS = {"extract", "extract_list", "extract_table", "js_extract", "screenshot", "verify", "wait", "wait_for"}
SETTLE_MS = 3000
# A list that is read again before it changed looks like its own end.
AGAIN_MS = (100, 200, 300)
# So many rounds in a row without anything new are the end, where no condition says; more while the page still scrolls.
BARREN_ROUNDS = 3
BARREN_SCROLLS = 10
# A next control that never goes away leads in a circle.
CIRCLE_ROUNDS = 20


def repeat(act: Act) -> None:
    loop = Loop(act, parts_of(act))
    act.sent = True
    is_complete = False
    try:
        is_complete = loop.run()
    finally:
        loop.hand_over(complete=is_complete)


@dataclass(frozen=True, slots=True)
class Parts:
    """`first` and `last` only read; each part with the place of its first step."""

    first: tuple[Step, ...]
    moving: tuple[Step, ...]
    last: tuple[Step, ...]


def parts_of(act: Act) -> Parts:
    steps: tuple[Step, ...] = act.original.fields["steps"]  # type: ignore[assignment]
    moves = [index for index, step in enumerate(steps) if not stands_still(step)]
    if not moves:
        return Parts(steps, (), ())
    return Parts(steps[: moves[0]], steps[moves[0] : moves[-1] + 1], steps[moves[-1] + 1 :])


def stands_still(step: Step) -> bool:
    inner = inner_steps(step)
    return all(stands_still(each) for each in inner) if inner else step.op in STILL_OPS and step.op != CALL


@dataclass(slots=True)
class Loop:
    act: Act
    parts: Parts
    started: float = field(default_factory=monotonic)
    round: int = 0
    rows: list[Any] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    last_read: str = ""
    barren: int = 0
    unread: int = 0
    changes: int = 0
    is_whole: bool = True

    def run(self) -> bool:
        """Whether the end was reached, rather than a limit."""
        limit = self.limit("max_rounds", MAX_ROUNDS)
        for self.round in range(limit):
            if self.is_out_of_time():
                return self.stopped("its time was over")
            known = len(self.rows) + self.changes
            if self.parts.first:
                self.read(self.parts.first, 0)
            if self.is_over():
                return self.is_whole
            self.move()
            if self.is_barren(known):
                return self.is_whole and not self.unread
            if self.act.get("key") and self.barren >= CIRCLE_ROUNDS:
                return self.stopped(f"{self.barren} rounds brought nothing new")
        return (self.has_condition and self.is_over() and self.is_whole) or self.stopped(f"{limit} rounds were done")

    def limit(self, name: str, default: int) -> int:
        words = as_words(self.act.get(name, default))
        if not words.isdecimal():
            raise self.act.fail("bad_arguments", f"{name} must be a whole number, not “{words[:40]}”")
        return int(words)

    def is_out_of_time(self) -> bool:
        return monotonic() - self.started >= self.limit("max_seconds", MAX_SECONDS)

    def stopped(self, why: str) -> bool:
        self.act.note(f"stopped before the end: {why}")
        return False

    # --- reading

    def read(self, steps: tuple[Step, ...], first: int) -> None:
        """What brings nothing new is read again a few times: the page may not have changed yet."""
        fresh = self.take(self.do(steps, first))
        if self.round == 0 or not self.gathers:
            return
        for pause in AGAIN_MS:
            if fresh and not self.unread:
                return
            self.act.session.page.wait_for_timeout(pause)
            fresh = self.take(self.do(steps, first)) or fresh

    @property
    def gathers(self) -> bool:
        return bool(self.act.get("into"))

    def do(self, steps: tuple[Step, ...], first: int) -> dict[str, Any]:
        scene, act = self.act.scene, self.act
        data: dict[str, Any] = {}
        try:
            with scene.changed(data=data):
                scene.run_steps(steps, f"{act.path}.rounds[{self.round}].steps", scene, first=first)
        except BaseException:
            self.take(data)
            raise
        return data

    def take(self, data: dict[str, Any]) -> int:
        """How much of it is new. Lists are joined; values that are no list are one row together."""
        self.is_whole = bool(data.pop(COMPLETE, True)) and self.is_whole
        if not data:
            return 0
        words = json.dumps(data, sort_keys=True, default=str)
        is_new, self.last_read = words != self.last_read, words
        if not self.gathers:
            self.act.scene.data.update(data)
            self.changes += is_new
            return int(is_new)
        lists = [value for value in data.values() if isinstance(value, list)]
        rows = [row for value in lists for row in value] if lists else [data]
        return self.add_known_by_key(rows) if self.act.get("key") else self.add(rows) if is_new else 0

    def add(self, rows: list[Any]) -> int:
        self.rows += rows
        return len(rows)

    def add_known_by_key(self, rows: list[Any]) -> int:
        """A row without its key is not loaded yet."""
        fresh, self.unread = 0, 0
        for row in rows:
            value = look_up(str(self.act.get("key")), row) if isinstance(row, dict) else row
            if value in (None, ""):
                self.unread += 1
                continue
            words = json.dumps(value, sort_keys=True, default=str)
            if words not in self.seen:
                self.seen.add(words)
                self.rows.append(row)
                fresh += 1
        return fresh

    # --- moving

    def move(self) -> None:
        self.act.scene.scrolled = False
        first, moving = len(self.parts.first), len(self.parts.moving)
        if self.parts.moving:
            self.take(self.do(self.parts.moving, first))
            settle(self.act.session.page, limit_ms=SETTLE_MS)
        if self.parts.last and self.parts.first:
            self.take(self.do(self.parts.last, first + moving))
        elif self.parts.last:
            self.read(self.parts.last, first + moving)

    def is_barren(self, known: int) -> bool:
        """Whether nothing new has come for so long that this is the end; a condition alone says so otherwise."""
        self.barren = self.barren + 1 if len(self.rows) + self.changes == known else 0
        if self.has_condition:
            return False
        return self.barren >= (BARREN_SCROLLS if self.act.scene.scrolled else BARREN_ROUNDS)

    # --- the condition

    @property
    def has_condition(self) -> bool:
        return self.act.get("while") is not None or self.act.get("until") is not None

    def is_over(self) -> bool:
        until: Condition | None = self.act.get("until")
        if until is not None:
            look = self.act.look()
            return comes_true(self.act.session, lambda: holds(self.act.session, until, look), until.timeout_ms or 0)
        going: Condition | None = self.act.get("while")
        return going is not None and not self.goes_on(going)

    def goes_on(self, condition: Condition) -> bool:
        """A control that comes late is still there: only a quiet page without it is the end."""
        session, look = self.act.session, self.act.look()
        if goes_on(self.act, condition, look):
            return True
        if condition.timeout_ms is not None:
            return comes_true(session, lambda: goes_on(self.act, condition, look), condition.timeout_ms)
        settle(session.page, limit_ms=SETTLE_MS)
        return goes_on(self.act, condition, look)

    # --- the result

    def hand_over(self, *, complete: bool) -> None:
        data = self.act.scene.data
        if self.act.get("into"):
            data[str(self.act.get("into"))] = self.rows
        data[COMPLETE] = complete and bool(data.get(COMPLETE, True))
        self.act.matched = f"{self.round + 1} rounds"


def goes_on(act: Act, condition: Condition, look: Look) -> bool:
    if not holds(act.session, condition, look):
        return False
    return condition.kind != "element_exists" or not is_disabled(act, condition, look)


def is_disabled(act: Act, condition: Condition, look: Look) -> bool:
    """The pager's next button is often only greyed out on the last page."""
    if condition.target is None:
        return False
    outcome = look_once(act.session, condition.target, look, patient=True)
    return isinstance(outcome, Found) and bool(outcome.locator.evaluate(script("disabled.js"), timeout=1000))
