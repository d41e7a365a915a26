"""Every recipe on every variant, on a practice site and in a browser of the suite's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bench.drift.fixtures import Sample, samples
from bench.drift.judging import Verdict, judge
from bench.drift.mutations import UNCHANGED, VARIANTS, Mutation
from bench.drift.trial import Trial, initial_state, more_designs, options_for, try_out
from examples.practice import start
from examples.practice.server import PracticeSite
from recipes_app.browser.launch import LaunchOptions, find_browser
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk

DEADLINE_S = 120


@dataclass(frozen=True, slots=True)
class Place:
    site: PracticeSite
    browser: BrowserThread

    @property
    def context(self) -> ContextOptions:
        return options_for(self.site)


@contextmanager
def open_place() -> Iterator[Place]:
    browser = BrowserThread(LaunchOptions(executable=find_browser())).start()
    try:
        with start(port=0) as site, more_designs():
            yield Place(site, browser)
    finally:
        browser.stop()


def chosen(only: Sequence[str], url: str) -> tuple[list[Sample], list[Mutation]]:
    """Names may be of recipes and of variants, mixed."""
    everything = samples(url)
    recipes = [sample for sample in everything if sample.name in only] or list(everything)
    variants = [mutation for mutation in VARIANTS if mutation.name in only] or list(VARIANTS)
    return recipes, variants


def run_trials(place: Place, only: Sequence[str], tell: Callable[[str], None]) -> list[Verdict]:
    recipes, variants = chosen(only, place.site.url)
    initial = initial_state(place.site)
    verdicts: list[Verdict] = []
    for sample in recipes:
        reference = one(place, sample, UNCHANGED)
        for mutation in variants:
            trial = reference if mutation is UNCHANGED else one(place, sample, mutation)
            verdict = judge(trial, reference, initial)
            verdicts.append(verdict)
            tell(verdict.words if not verdict.is_right else f"{sample.name} on {mutation.name}: {trial.kind or 'ok'}")
    return verdicts


def one(place: Place, sample: Sample, mutation: Mutation) -> Trial:
    def work(desk: Desk) -> Trial:
        return try_out(desk, place.site, sample, mutation)

    trial: Trial = place.browser.call(work, deadline_s=DEADLINE_S)
    return trial
