"""Every task with every seed, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from bench.frame import NotReady, Options, Result
from bench.miniwob.episodes import Episode, play, recipe_of, task_names
from bench.miniwob.pages import pages_folder, served
from recipes_app.browser.policy import Policy
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.document import Recipe

SEEDS = 5
GOAL = 64
TASK_S = 1800


@dataclass(frozen=True, slots=True)
class Played:
    """`episodes` is empty where the task has no recipe."""

    task: str
    episodes: tuple[Episode, ...]

    @property
    def is_right(self) -> bool:
        return bool(self.episodes) and all(episode.is_right for episode in self.episodes)

    def as_dict(self) -> dict[str, Any]:
        if not self.episodes:
            return {"rewards": []}
        wrong = next((episode for episode in self.episodes if not episode.is_right), None)
        return {
            "rewards": [shown(episode.reward) for episode in self.episodes],
            "longest_s": round(max(episode.seconds for episode in self.episodes), 1),
            **({"wrong": f"seed {wrong.seed}, {wrong.goal}: {wrong.trouble or 'done'}"} if wrong else {}),
        }


def shown(reward: float | None) -> float | None:
    return None if reward is None else round(reward, 3)


def run(options: Options) -> Result:
    tasks = chosen(options.only)
    seeds = [str(number) for number in range(1, (options.rounds or SEEDS) + 1)]
    thread = BrowserThread()
    try:
        with served(pages_folder()) as address:
            played = [play_task(thread, address, task, seeds, options) for task in tasks]
    finally:
        thread.stop()
    return result_of(played, seeds, is_whole=not options.only)


def chosen(only: Sequence[str]) -> list[str]:
    known = task_names()
    unknown = [name for name in only if name not in known]
    if unknown:
        raise NotReady(f"no task is named {unknown[0]}; bench/miniwob/tasks.txt lists them.")
    return list(only) or known


def play_task(thread: BrowserThread, address: str, task: str, seeds: Sequence[str], options: Options) -> Played:
    recipe = recipe_of(task)
    if recipe is None:
        options.tell(f"{task}: no recipe")
        return Played(task, ())
    url = f"{address}/miniwob/{task}.html"
    episodes = thread.call(partial(play_seeds, url=url, task=task, seeds=seeds, recipe=recipe), deadline_s=TASK_S)
    played = Played(task, tuple(episodes))
    options.tell(f"{task}: {'right' if played.is_right else 'WRONG'} {played.as_dict()}")
    return played


def play_seeds(desk: Desk, *, url: str, task: str, seeds: Sequence[str], recipe: Recipe) -> list[Episode]:
    policy = Policy.for_site(url, [], [urlsplit(url).netloc])
    with desk.session(ContextOptions(policy=policy)) as session:
        return [play(session, url, task, seed, recipe) for seed in seeds]


def result_of(played: Sequence[Played], seeds: Sequence[str], *, is_whole: bool) -> Result:
    right = sum(each.is_right for each in played)
    return Result(
        name="miniwob",
        value=float(right),
        unit=f"of {len(played)} tasks",
        goal=f">= {GOAL}" if is_whole else None,
        met=right >= GOAL if is_whole else None,
        detail={"seeds": list(seeds), "tasks": {each.task: each.as_dict() for each in played}},
    )
