"""Recorded recipes on changed pages: nothing wrong is done, what can still be known is found, the rest is refused."""

from __future__ import annotations

from bench.drift.cases import run_cases
from bench.drift.report import Figures
from bench.drift.suite import open_place, run_trials
from bench.frame import Options, Result

GOAL = "0, with all unchanged and 95 % of the knowable pages survived and the rest refused with the right kind"


def run(options: Options) -> Result:
    """`only` names recipes and variants, mixed, and `cases`: the engine's own pages."""
    figures = run_suite(options)
    return Result("drift", len(figures.wrong), "wrong actions", GOAL, figures.are_met, detail=figures.as_dict())


def run_suite(options: Options) -> Figures:
    trials = [name for name in options.only if name != "cases"]
    cases = run_cases() if "cases" in options.only or not options.only else None
    if options.only and not trials:
        return Figures((), cases)
    with open_place() as place:
        return Figures(run_trials(place, trials, options.tell), cases)
