"""The snapshot of pages with 300, 3,000 and 20,000 controls, against Playwright's own for models.

Of the first DETAILED controls it tells everything, of the others how many there are of each role; that is the figure
with the goal. Beside it: everything about all of them, the text for a model made of it, and Playwright's, of the two
smaller pages only; all take the same page in turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from bench.frame import NotReady, Options, Result, alternate, median
from bench.serving import context_for, served
from recipes_app.browser.api import Page
from recipes_app.browser.snapshot import TEXT_LIMIT, Snapshot, take_snapshot
from recipes_app.browser.snapshot_text import PROMPT_CHARACTERS, prompt_text
from recipes_app.browser.thread import BrowserThread, Desk

ROUNDS = 30
GOALS_MS = {300: 20, 3_000: 120, 20_000: 300}
# Beyond this Playwright's takes many seconds.
BASELINE_UP_TO = 3_000
DETAILED = 3_000
DEADLINE_S = 1800
ROLES = ("link", "button", "spinbutton", "checkbox")
CONTROLS = (
    '<a href="/goods/{0}">Desk lamp {0}</a>',
    '<button type="button">Add lamp {0}</button>',
    '<label>Quantity {0} <input type="number" name="quantity_{0}" value="1"></label>',
    '<label><input type="checkbox" name="compare_{0}"> Compare {0}</label>',
)


def page_of(controls: int) -> str:
    rows = "".join(f"<li><p>Line {n} of the goods</p>{CONTROLS[n % 4].format(n)}</li>" for n in range(controls))
    return f'<!doctype html><html lang="en"><title>Goods</title><main><h1>Goods</h1><ul>{rows}</ul></main></html>'


def run(options: Options) -> Result:
    sizes = [size for size in GOALS_MS if not options.only or str(size) in options.only]
    if not sizes:
        raise NotReady(f"the parts of this bench are {', '.join(map(str, GOALS_MS))}.")
    thread = BrowserThread()
    try:
        with served({f"/{size}": page_of(size) for size in sizes}) as address:
            found = {size: measure(thread, address, size, options) for size in sizes}
    finally:
        thread.stop()
    return result_of(found)


def measure(thread: BrowserThread, address: str, size: int, options: Options) -> dict[str, Any]:
    def work(desk: Desk) -> dict[str, Any]:
        with desk.session(context_for(address)) as session:
            session.goto(f"{address}/{size}")
            return compare(session.page, size, options.rounds or ROUNDS)

    figures: dict[str, Any] = thread.call(work, deadline_s=DEADLINE_S)
    options.tell(f"{size}: {figures}")
    return figures


def compare(page: Page, size: int, rounds: int) -> dict[str, Any]:
    whole, first = take_snapshot(page), take_snapshot(page, limit=DETAILED)
    check(whole, size, more=0)
    check(first, size, more=max(0, size - DETAILED))
    arms: dict[str, Callable[[], object]] = {
        "ours": partial(take_snapshot, page, limit=DETAILED),
        "all in detail": partial(take_snapshot, page),
        "prompt": partial(prompt_text, first),
    }
    if size <= BASELINE_UP_TO:
        arms["playwright"] = partial(page.aria_snapshot, mode="ai")
    taken = alternate(arms, rounds)
    characters = {"prompt": len(prompt_text(first))}
    if size <= BASELINE_UP_TO:
        characters["playwright"] = len(page.aria_snapshot(mode="ai"))
    return {"ms": {name: median(values) * 1000 for name, values in taken.items()}, "characters": characters}


def check(snapshot: Snapshot, size: int, *, more: int) -> None:
    """Fast and wrong is no figure: every control counted by its role, every line of the page read or cut at the end."""
    kinds = Counter(ROLES[number % len(ROLES)] for number in range(size))
    last = f"Line {size - 1} of the goods"
    is_read = last in snapshot.text or len(snapshot.text) == TEXT_LIMIT
    if (snapshot.total, snapshot.more, snapshot.kinds, is_read) != (size, more, dict(kinds), True):
        raise NotReady(f"the snapshot counted {snapshot.kinds} and {snapshot.more} more on a page of {size} controls.")


def result_of(found: dict[int, dict[str, Any]]) -> Result:
    """The value is that of the largest page; the goal is met where it is met on every page."""
    largest = max(found)
    met = {size: is_met(size, figures) for size, figures in found.items()}
    detail = {f"{size} controls": {**figures, "goal met": met[size]} for size, figures in found.items()}
    value = found[largest]["ms"]["ours"]
    baseline = found[largest]["ms"].get("playwright")
    return Result("snapshot", value, "ms", goal_words(sorted(found)), all(met.values()), baseline, detail)


def is_met(size: int, figures: dict[str, Any]) -> bool:
    return bool(figures["ms"]["ours"] <= GOALS_MS[size] and figures["characters"]["prompt"] <= PROMPT_CHARACTERS)


def goal_words(sizes: Sequence[int]) -> str:
    limits = " / ".join(str(GOALS_MS[size]) for size in sizes)
    shown = " / ".join(map(str, sizes))
    return f"<= {limits} ms for {shown} controls, <= {PROMPT_CHARACTERS} characters in a prompt"
