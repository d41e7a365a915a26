"""One episode: the page is started with a seed, its goal becomes arguments, the recipe runs, the reward is read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from bench.miniwob.goals import Goal, Unclear, arguments_for
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Recipe, parse_recipe
from recipes_app.engine.runner import Outcome, RunOptions, run

FOLDER = Path(__file__).parent
EPISODE_MS = 60_000
DONE_MS = 1_500
POLL_MS = 25

START = """([seed, limit]) => { Math.seedrandom(seed); core.EPISODE_MAX_TIME = limit; core.startEpisodeReal(); }"""
READ_GOAL = "() => { const goal = core.getUtterance(); return typeof goal === 'string' ? {utterance: goal} : goal; }"
READ_REWARD = "() => ({ done: WOB_DONE_GLOBAL, reward: WOB_RAW_REWARD_GLOBAL, reason: WOB_REWARD_REASON })"


@dataclass(frozen=True, slots=True)
class Episode:
    """`reward`: the page's own, without time; None where it had not ended. `trouble`: why the recipe failed."""

    seed: str
    reward: float | None
    seconds: float
    goal: str
    trouble: str = ""

    @property
    def is_right(self) -> bool:
        return self.reward is not None and abs(self.reward - 1) < 1e-9


def task_names() -> list[str]:
    return (FOLDER / "tasks.txt").read_text(encoding="utf-8").split()


def recipe_of(task: str) -> Recipe | None:
    """None where no recipe is written for the task; the README says why."""
    path = FOLDER / f"{task}.json"
    if not path.exists():
        return None
    return parse_recipe(json.loads(path.read_text(encoding="utf-8")), path=path.name)


def play(session: BrowserSession, url: str, task: str, seed: str, recipe: Recipe) -> Episode:
    goal = start(session, url, seed)
    try:
        arguments = arguments_for(task, goal)
    except Unclear as error:
        return Episode(seed, None, 0, goal.text, str(error))
    started = monotonic()
    outcome = run(recipe, arguments, session, emit=lambda _event: None, options=RunOptions(picture_on_failure=False))
    reward = read_reward(session, DONE_MS if outcome.ok else 0)
    return Episode(seed, reward, monotonic() - started, goal.text, trouble_of(outcome))


def start(session: BrowserSession, url: str, seed: str) -> Goal:
    session.goto(url, timeout_ms=30_000)
    page = session.page
    page.wait_for_function("() => window.core && core.cover_div && WOB_TASK_READY", timeout=10_000)
    page.evaluate(START, [seed, EPISODE_MS])
    said = page.evaluate(READ_GOAL)
    return Goal(said["utterance"], said.get("fields") or {})


def read_reward(session: BrowserSession, patience_ms: int) -> float | None:
    until = monotonic() + patience_ms / 1000
    while True:
        state = session.page.evaluate(READ_REWARD)
        if state["done"]:
            return float(state["reward"])
        if monotonic() >= until:
            return None
        session.page.wait_for_timeout(POLL_MS)


def trouble_of(outcome: Outcome) -> str:
    if outcome.error is None:
        return ""
    return f"{outcome.error.get('failed_step', '')} {outcome.error['kind']}: {outcome.error['error']}".strip()
