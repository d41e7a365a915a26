"""What the evidence agent is shown of a page: time and size on 300, 3,000 and 20,000 controls, and what it misses.

About forty elements and the words that bear on the task. Playwright's own snapshot for models takes the same page in
turns; as that does not wait until the page is quiet, ours is measured with and without the wait. Recall: of the
elements that hand-made goals need (observe_goals.json), how many are shown. Goals of the practice site are always
asked; those of real applications where `--site wiki=URL`, `--site shop=URL` names them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench.frame import NotReady, Options, Result, alternate, median
from bench.serving import context_for, served
from bench.snapshot import page_of
from evidence_app.agent.observe import ELEMENTS, Observer
from examples.practice.server import start
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.pilot.seams import Limits, Turn

ROUNDS = 10
SIZES = (300, 3_000, 20_000)
# Beyond this Playwright's takes many seconds.
BASELINE_UP_TO = 3_000
MOST_SHARE = 0.25
LEAST_RECALL = 0.95
DEADLINE_S = 1800
LOAD_MS = 180_000
GOALS = Path(__file__).with_name("observe_goals.json")
WORDS = "Put 12 pieces of desk lamp 2024 into the basket and compare them."
LINE = re.compile(r'^\d+ (\w+) "((?:[^"\\]|\\.)*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Goal:
    """`needs` are elements by role and name, each a line such as `link Next page`."""

    site: str
    path: str
    goal: str
    needs: tuple[str, ...]


def goals() -> list[Goal]:
    return [Goal(**{**each, "needs": tuple(each["needs"])}) for each in json.loads(GOALS.read_text(encoding="utf-8"))]


def run(options: Options) -> Result:
    """`only`: sizes, or `recall`."""
    wanted = [size for size in SIZES if not options.only or str(size) in options.only]
    thread = BrowserThread()
    try:
        with served({f"/{size}": page_of(size) for size in wanted}) as address:
            sizes = {size: measured(thread, address, size, options) for size in wanted}
        recall = recalled(thread, options) if not options.only or "recall" in options.only else None
    finally:
        thread.stop()
    return result_of(sizes, recall)


# --- time and size


def measured(thread: BrowserThread, address: str, size: int, options: Options) -> dict[str, Any]:
    def work(desk: Desk) -> dict[str, Any]:
        with desk.session(context_for(address)) as session:
            session.goto(f"{address}/{size}", LOAD_MS)
            return compared(session, size, options.rounds or ROUNDS)

    figures: dict[str, Any] = thread.call(work, deadline_s=DEADLINE_S)
    options.tell(f"{size}: {figures}")
    return figures


def compared(session: BrowserSession, size: int, rounds: int) -> dict[str, Any]:
    look = partial(Observer(WORDS).look, session)
    arms: dict[str, Any] = {"ours": look, "ours once the page is quiet": partial(Observer(WORDS), session, turn(WORDS))}
    if size <= BASELINE_UP_TO:
        arms["playwright"] = partial(session.page.aria_snapshot, mode="ai")
    taken = alternate(arms, rounds)
    shown = look().text
    characters = {"ours": len(shown)}
    if size <= BASELINE_UP_TO:
        characters["playwright"] = len(session.page.aria_snapshot(mode="ai"))
    lines = len(LINE.findall(shown))
    if not 0 < lines <= ELEMENTS:
        raise NotReady(f"{lines} elements were shown of {size}.")
    ms = {name: round(median(values) * 1000, 1) for name, values in taken.items()}
    return {"ms": ms, "characters": characters, "elements": lines}


def turn(goal: str) -> Turn:
    return Turn(goal, Limits())


# --- recall


def recalled(thread: BrowserThread, options: Options) -> dict[str, Any]:
    with start() as practice:
        addresses = {"practice": practice.url, **named(options.sites)}
        asked = [goal for goal in goals() if goal.site in addresses]
        missing = {goal: missed(thread, addresses[goal.site], goal) for goal in asked}
    needed = sum(len(goal.needs) for goal in asked)
    lost = [f"{goal.site} {goal.path}: {name} ({goal.goal})" for goal, names in missing.items() for name in names]
    for line in lost:
        options.tell(f"not shown: {line}")
    sites = {site: sum(goal.site == site for goal in asked) for site in addresses}
    return {"goals": len(asked), "of": sites, "needed": needed, "recall": 1 - len(lost) / needed, "not shown": lost}


def named(sites: Iterable[str]) -> dict[str, str]:
    """`NAME=URL`; the names are those of the goals."""
    found = dict(site.partition("=")[::2] for site in sites)
    unknown = set(found) - {goal.site for goal in goals()}
    if unknown or not all(url.startswith("http") for url in found.values()):
        known = ", ".join(sorted({goal.site for goal in goals()} - {"practice"}))
        raise NotReady(f"--site is NAME=URL, with a name of {known}.")
    return {name: url.rstrip("/") for name, url in found.items()}


def missed(thread: BrowserThread, address: str, goal: Goal) -> list[str]:
    def work(desk: Desk) -> str:
        with desk.session(context_for(address)) as session:
            session.goto(address + goal.path)
            return Observer(goal.goal)(session, turn(goal.goal)).text

    text: str = thread.call(work, deadline_s=DEADLINE_S)
    shown = {f"{role} {name}" for role, name in LINE.findall(text)}
    return [name for name in goal.needs if name not in shown]


def result_of(sizes: Mapping[int, dict[str, Any]], recall: dict[str, Any] | None) -> Result:
    """The value is the share of Playwright's time at the largest page that both took."""
    shares = {
        size: each["ms"]["ours"] / each["ms"]["playwright"]
        for size, each in sizes.items()
        if "playwright" in each["ms"]
    }
    value = shares[max(shares)] if shares else None
    met = (value is None or value <= MOST_SHARE) and (recall is None or recall["recall"] >= LEAST_RECALL)
    detail: dict[str, Any] = {f"{size} controls": each for size, each in sizes.items()}
    if recall is not None:
        detail["recall"] = recall
    goal = f"<= {MOST_SHARE} of its time, recall >= {LEAST_RECALL:.0%}"
    return Result("observe", value, "of Playwright's time", goal, met, 1.0, detail)
