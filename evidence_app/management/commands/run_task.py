"""`./agentify run-task`: collect evidence, from a sentence or a task with its samples."""

from __future__ import annotations

import sys
from argparse import BooleanOptionalAction
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from evidence_app.management import crew
from evidence_app.management.asked import Asked, check_ways, find_run, read_task
from evidence_app.models import Run
from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services import estimates, output, plans, review_news, runs, specs
from evidence_app.services.specs import spec_of
from recipes_app.management.acting import find_team, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.plain import Refused
from recipes_app.management.reach import open_private
from recipes_app.management.sessions import add_session
from recipes_app.management.work import Work, working
from recipes_app.models import Team, User
from recipes_app.models.session import NONE
from recipes_app.services import dispatch, model_settings

SHOWN = 10
MOST_WORKERS = 32


class Command(AgentifyCommand):
    help = "Collect evidence: --prompt a sentence, or --task FILE with --input, --url or --discover; or --resume a run."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--prompt", default="", metavar="WORDS", help="a sentence; a model makes the task of it")
        parser.add_argument("--task", default="", metavar="FILE", help="a task spec, as JSON")
        parser.add_argument("--input", default="", metavar="FILE", help="its samples, as CSV or JSON")
        parser.add_argument("--url", default="", metavar="URL", help="the one sample")
        parser.add_argument("--id", default="sample_001", metavar="ID", help="of the one sample")
        parser.add_argument("--choose", type=int, default=None, metavar="N", help="only so many of them, by the seed")
        parser.add_argument("--seed", default="", metavar="WORD", help="the same seed chooses the same; default: a new")
        parser.add_argument("--discover", action="store_true", help="find the samples on a list page first")
        parser.add_argument("--start-url", default="", metavar="URL", help="that page; default: the task's start_url")
        parser.add_argument("--resume", default="", metavar="RUN", help="try again what is not done: its folder or id")
        parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="so many processes (default 1)")
        parser.add_argument("--control", default="", metavar="ID", help="such as CC6.2 or A.5.18")
        parser.add_argument("--period", default="", metavar="P", help="such as 2026-Q3")
        parser.add_argument("--budget-tokens", type=int, default=None, metavar="N", help="tokens the whole run may use")
        parser.add_argument("--budget-usd", type=float, default=None, metavar="USD", help="dollars it may cost")
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")
        add_session(parser)
        parser.add_argument("--dry-run", action="store_true", help="show task, samples and an estimate only")
        parser.add_argument("--yes", action="store_true", help="do not ask before a planned run begins")
        parser.add_argument("--allow-private", action="store_true", help="the address is a private one, and mine")

    def run(self, options: dict[str, Any]) -> int:
        way = check_ways(options)
        if not 1 <= options["concurrency"] <= MOST_WORKERS:
            raise Refused(f"--concurrency is 1 to {MOST_WORKERS}.")
        asked = read_task(options) if way == "task" else None
        if asked is not None and options["dry_run"]:
            self.show_task(asked, options["budget_tokens"])
            return 0
        self.prepare_database()
        user = find_user(options["username"])
        team = find_team(user, options["team"])
        model_settings.chosen()  # said now, not by each sample
        session = NONE if options["no_session"] else options["session"]
        with (
            working(self.say, headless=options["headless"], steps=False) as work,
            dispatch.staying_here(),
            dispatch.signed_in_as(session),
        ):
            run = self.opened(way, asked, team, user, options, work)
            if options["dry_run"] or run.status == RunStatus.FAILED or not self.goes_on(run, options):
                return self.shown(run, options)
            self.begin(way, run, user)
            self.collect(run, options, work)
        return self.ended(run, options)

    # --- what is to be run

    def opened(self, way: str, asked: Asked | None, team: Team, user: User, options: dict[str, Any], work: Work) -> Run:
        """The run with its task and samples, not begun yet."""
        more = {name: options[name] for name in ("control", "period", "budget_tokens") if options[name]}
        if options["budget_usd"]:
            more["budget_micros"] = int(options["budget_usd"] * 1_000_000)
        if way == "resume":
            return find_run(user, options["resume"])
        if asked is None:
            run = plans.request_plan(team=team, by=user, sentence=options["prompt"], via="cli", **more)
            if run.plan_job is not None:
                work.finish([run.plan_job])
            run.refresh_from_db()
            self.reach(run, user, options)
            return self.discovered(run, work)
        version = specs.save(team=team, by=user, data=asked.document, origin="imported")
        if asked.samples is not None:
            more["population"] = asked.population
            run = runs.request_run(version=version, samples=asked.samples, by=user, via="cli", draft=True, **more)
            self.reach(run, user, options)
            return run
        run = plans.request_discovery(version=version, start_url=asked.discover, by=user, via="cli", **more)
        self.reach(run, user, options)
        return self.discovered(run, work)

    def reach(self, run: Run, user: User, options: dict[str, Any]) -> None:
        if run.site is not None:
            open_private(run.site, user, allowed=options["allow_private"], ask=self.ask)

    def discovered(self, run: Run, work: Work) -> Run:
        """Its samples, where they have to be found first."""
        if run.discovery is not None and run.status == RunStatus.PLANNING:
            self.say(f"finding the samples at {run.discovery.samples.get().url}.")
            crew.collect_waiting(run.discovery, work.place())
            crew.Watch(run.discovery, self.say).look()
            run.refresh_from_db()
        return run

    def begin(self, way: str, run: Run, user: User) -> None:
        if way == "resume":
            count = runs.resume(run=run, by=user)
            self.say("1 sample is tried again." if count == 1 else f"{count} samples are tried again.")
        else:
            runs.confirm(run=run, by=user)

    def goes_on(self, run: Run, options: dict[str, Any]) -> bool:
        """A planned run is shown first; at a terminal a person decides."""
        if not options["prompt"]:
            return True
        self.show_run(run)
        if options["yes"] or not sys.stdin.isatty():
            return True
        return self.ask("Run it? [Y/n] ").strip().lower() in ("", "y", "yes")

    # --- running

    def collect(self, run: Run, options: dict[str, Any], work: Work) -> None:
        watch = crew.Watch(run, self.say)
        if options["concurrency"] == 1:
            crew.collect_waiting(run, work.place())
            watch.look()
            return
        with crew.workers_for(run, options["concurrency"], headless=options["headless"]) as workers:
            crew.wait_for(watch, workers)

    def ended(self, run: Run, options: dict[str, Any]) -> int:
        run.refresh_from_db()
        while output.write_waiting():
            continue
        output.write_run(run)
        counts = runs.counts_of(run)
        if options["json"]:
            self.show_json({**output.summary_of(run), "folder": str(output.folder_of(run))}, on_one_line=True)
        else:
            self.print_table(run, counts)
        return 0 if counts.by_status.get(SampleStatus.DONE, 0) == counts.total else 1

    def print_table(self, run: Run, counts: runs.Counts) -> None:
        for sample in run.samples.all():
            attempt = sample.attempts.order_by("number").last()
            tokens = f"{attempt.step} steps" if attempt else ""
            self.show(f"{sample.sample_id:<30} {sample.status:<16} {tokens}")
        cost = runs.cost_of(run)
        money = "" if cost.dollars is None else f", ${cost.dollars:.4f}"
        done = counts.by_status.get(SampleStatus.DONE, 0)
        self.say(f"{done} of {counts.total} done; {cost.requests} requests, {cost.tokens:,} tokens{money}.")
        self.say(f"written to {output.folder_of(run)}")
        self.say(f"to be reviewed at {settings.PUBLIC_URL}{review_news.queue_of(run)}, with ./agentify up")

    # --- showing

    def shown(self, run: Run, options: dict[str, Any]) -> int:
        if run.status == RunStatus.FAILED:
            self.say(f"the run could not be planned: {(run.error or {}).get('error', 'for an unknown reason')}")
            return 1
        if options["dry_run"]:
            self.show_run(run)
        return 0

    def show_run(self, run: Run) -> None:
        if run.version is None:
            return
        self.show_json(run.version.document, on_one_line=False)
        self.show_samples([f"{each.sample_id}  {each.url}" for each in run.samples.all()])
        for warning in run.warnings:
            self.say(f"look at this: {warning}")
        spec, count = spec_of(run.version), run.samples.count()
        self.say(estimates.of_version(run.version, spec, count, budget=run.budget_tokens).in_words)

    def show_task(self, asked: Asked, budget: int | None) -> None:
        self.show_json(asked.document, on_one_line=False)
        if asked.samples is None:
            self.show(f"Samples: found at {asked.discover} first.")
        else:
            self.show_samples([f"{each.sample_id}  {each.url}" for each in asked.samples])
            if asked.selection:
                self.show(f"Chosen: {asked.selection['count']} of {asked.rows} by --seed {asked.selection['seed']}")
        self.say(estimates.of_run(asked.spec, len(asked.samples or ()), budget=budget).in_words)

    def show_samples(self, lines: Iterable[str]) -> None:
        every = list(lines)
        self.show("1 sample" if len(every) == 1 else f"{len(every)} samples")
        for line in every[:SHOWN]:
            self.show(f"  {line}")
        if len(every) > SHOWN:
            self.show(f"  … and {len(every) - SHOWN} more")
