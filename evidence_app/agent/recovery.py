"""When an agent gets nowhere: notices that escalate, actions that are stopped, and the ends of patience.

Each level is really reached, in order and once: a notice does not begin the counting anew.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from dataclasses import dataclass, field

LEVELS = (3, 5, 8)  # steps without anything new
DEAD_END_AFTER = 3  # the same action on the same page
REPEAT_STOP_AFTER = 4  # … of those that change nothing
REPEATABLE = frozenset({"screenshot", "goto", "extract", "scroll"})
BLOCKED_AFTER = 2  # failures on the same element
LIST_AFTER = 3  # failures running: the elements of the page are listed
TEXT_LOOKED_AT = 4000
BUDGET_MARKS = (0.75, 0.9)

NUDGE = "Nothing new was found in the last {count} steps. Try another way: another link, a search, another page."
CHANGE = (
    "Still nothing new after {count} steps on the same page. Change the plan now: what you are doing does not work. "
    "What was collected so far has been saved."
)
FINISH = (
    "Nothing new after {count} steps. Call done with what you have, or fail with the reason. Nothing else is offered."
)
NOTICES = (NUDGE, CHANGE, FINISH)


@dataclass(slots=True)
class Stagnation:
    """How long nothing new has come. A step is stagnant if page and text are as before and it brought no data."""

    count: int = 0
    level: int = 0
    last_mark: str = ""

    def after_step(self, *, url: str, text: str, brought_data: bool) -> int:
        """The level reached by this step for the first time, else 0."""
        mark = page_mark(url, text)
        stagnant = mark == self.last_mark and not brought_data
        self.last_mark = mark
        if not stagnant:
            self.count = self.level = 0
            return 0
        self.count += 1
        reached = sum(self.count >= each for each in LEVELS)
        if reached <= self.level:
            return 0
        self.level = reached
        return reached

    def notice(self) -> str:
        return NOTICES[self.level - 1].format(count=self.count) if self.level else ""

    @property
    def must_finish(self) -> bool:
        """Only done and fail are offered from here on."""
        return self.level >= len(LEVELS)


def page_mark(url: str, text: str) -> str:
    return hashlib.sha256(f"{url}\n{text[:TEXT_LOOKED_AT]}".encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(slots=True)
class RunState:
    """What the agent is told not to try again: kept in its checkpoint, shown in every prompt."""

    pages: list[str] = field(default_factory=list)
    failed_urls: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)  # elements that failed twice
    dead_ends: list[str] = field(default_factory=list)
    exhausted: list[str] = field(default_factory=list)  # pages whose data was saved
    tried: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    failing: int = 0  # in a row
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=REPEAT_STOP_AFTER))

    def saw(self, url: str) -> None:
        if url and (not self.pages or self.pages[-1] != url):
            self.pages.append(url)

    def done(self, action: str, on: str, *, url: str, ok: bool) -> None:
        """Count one action on one element (or none) of one page."""
        key = f"{action} {on}".strip() + f" at {url}"
        self.recent.append(key)
        self.tried[key] += 1
        if self.tried[key] == DEAD_END_AFTER and key not in self.dead_ends:
            self.dead_ends.append(key)
        if ok:
            self.failing = 0
            return
        self.failing += 1
        self.failures[on or key] += 1
        if on and self.failures[on] == BLOCKED_AFTER:
            self.blocked.append(on)
        if action == "goto" and on not in self.failed_urls:
            self.failed_urls.append(on)

    def repeats(self, action: str, on: str, *, url: str) -> bool:
        """Whether doing this now would be the fourth time running that it changes nothing."""
        key = f"{action} {on}".strip() + f" at {url}"
        same = len(self.recent) == REPEAT_STOP_AFTER - 1 or len(self.recent) == REPEAT_STOP_AFTER
        last = list(self.recent)[-(REPEAT_STOP_AFTER - 1) :]
        return action in REPEATABLE and same and all(each == key for each in last)

    @property
    def wants_list(self) -> bool:
        return self.failing >= LIST_AFTER


@dataclass(slots=True)
class Patience:
    """The circuit breaker: faults of the network in a row. What the page or the agent did wrong does not count."""

    limit: int
    faults: int = 0

    def after_step(self, *, network_fault: bool) -> bool:
        """Whether the limit has been reached."""
        self.faults = self.faults + 1 if network_fault else 0
        return self.faults >= self.limit


@dataclass(slots=True)
class BudgetMarks:
    """Says once each that most of the steps, or of the time, are used up."""

    said: int = 0

    def after_step(self, used: float) -> str:
        """`used` is a share of 1."""
        passed = sum(used >= mark for mark in BUDGET_MARKS)
        if passed <= self.said:
            return ""
        self.said = passed
        if passed == 1:
            return f"{BUDGET_MARKS[0]:.0%} of the budget is used. Begin to bring together what you have."
        return f"{BUDGET_MARKS[1]:.0%} of the budget is used. Save what you have and finish now."
