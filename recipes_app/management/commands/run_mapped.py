"""`./agentify run-mapped`: a task in plain words, done by a model with the published tools of one site or several."""

from __future__ import annotations

import json
from argparse import BooleanOptionalAction
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandParser

from recipes_app import model_wiring
from recipes_app.llm.base import Usage
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import NotConfigured
from recipes_app.management.acting import find_site, find_tool, find_user
from recipes_app.management.command import AgentifyCommand, one_line
from recipes_app.management.plain import Refused
from recipes_app.management.reach import open_private
from recipes_app.management.sessions import add_session, with_session
from recipes_app.management.work import Work, working
from recipes_app.models import Call, Site, User
from recipes_app.models.mapping import Method
from recipes_app.services import calls, exports
from recipes_app.services.errors import ServiceError
from recipes_app.tasks.loop import Ended, Made, Result, Task, Wanted
from recipes_app.tasks.toolbox import fill

MICROS = 1_000_000


class Command(AgentifyCommand):
    help = (
        "Do a task with the published tools of a site: a model picks tools and arguments, and never sees a page. "
        "Exit status 0 only if the task succeeded."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--site", action="append", required=True, metavar="SITE", help="again for another site")
        parser.add_argument("--task", required=True, metavar="TEXT", help="what is to be done")
        parser.add_argument("--max-calls", type=int, default=20, metavar="N", help="default: %(default)s")
        parser.add_argument("--yes", action="store_true", help="also make calls that change something, without asking")
        models = [method for method in Method.values if method != Method.RULES]
        parser.add_argument("--method", choices=models, default=None, help="whose model picks")
        parser.add_argument("--model", default="", metavar="NAME", help="a model to ask, such as gpt-5.4-mini")
        parser.add_argument("--budget-tokens", type=int, default=None, metavar="N", help="tokens the model may use")
        add_session(parser)
        parser.add_argument("--queue", action="store_true", help="by the workers of ./agentify up, not in this process")
        parser.add_argument("--allow-private", action="store_true", help="the address is a private one, and mine")
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")

    def run(self, options: dict[str, Any]) -> int:
        if options["max_calls"] < 1:
            raise Refused("--max-calls must be 1 or more.")
        self.prepare_database()
        user = find_user(options["username"])
        sites = {slug: find_site(user, slug, options["team"]) for slug in options["site"]}
        toolbox = fill(tool for site in sites.values() for tool in exports.published_tools(site))
        if not toolbox.by_name:
            raise Refused(f"{', '.join(sites)} has no published tool that a model could call.")
        for name in toolbox.left_out:
            self.say(f"{name} is left out: it asks for a secret, which no model is given.")
        for site in sites.values():
            open_private(site, user, allowed=options["allow_private"], ask=self.ask)
            with with_session(site, options):
                pass  # a name that is not there is refused before anybody is asked
        try:
            budget = Budget(tokens=options["budget_tokens"])
            asks = model_wiring.model_for(options["method"], model=options["model"], budget=budget)
        except NotConfigured as error:
            raise Refused(one_line(error)) from error
        how = {"queue": options["queue"], "headless": options["headless"], "steps": False}
        with working(self.say, **how) as work:
            hands = Terminal(self, user, sites, work, options)
            ended = Task(options["task"], toolbox, hands, options["max_calls"], self.tell).run(asks)
        return self.report(ended, asks.spent, options)

    def tell(self, made: Made) -> None:
        failure = made.result.failure
        outcome = "done" if failure is None else f"failed: {failure.get('error')}"
        self.say(f"{made.wanted.number}. {in_words(made.wanted)}: {outcome}")

    def report(self, ended: Ended, spent: Usage, options: dict[str, Any]) -> int:
        cost = None if spent.cost_micros is None else spent.cost_micros / MICROS
        if options["json"]:
            self.show_json(as_data(ended, spent, cost), on_one_line=True)
        else:
            self.show(ended.summary)
        if ended.failure:
            self.say(f"{ended.failure.rstrip('.')}.")
        price = "no price known" if cost is None else f"${cost:.4f}"
        self.say(
            f"{len(ended.made)} calls; {spent.requests} requests to the model, {spent.tokens:,} tokens, {price}; "
            f"the task {'succeeded' if ended.success else 'did not succeed'}."
        )
        return 0 if ended.success else 1


@dataclass(frozen=True, slots=True)
class Terminal:
    """Makes the calls as `call` does, and asks who sits there."""

    command: Command
    user: User
    sites: dict[str, Site]
    work: Work
    options: dict[str, Any]

    def allows(self, wanted: Wanted) -> bool:
        if self.options["yes"]:
            return True
        does = "removes or changes something for good" if wanted.tool.effect == "destructive" else "changes something"
        try:
            answer = self.command.ask(f"{in_words(wanted)} {does}. Call it? [y/N] ")
        except EOFError:
            self.command.say("nobody is there to allow it; --yes allows such calls beforehand.")
            return False
        return answer.strip().lower() in {"y", "yes"}

    def make(self, wanted: Sequence[Wanted]) -> list[Result]:
        """All are asked for before any is waited for: workers do several at once."""
        opened = [self.open(each) for each in wanted]
        self.work.finish([each.job for each in opened if isinstance(each, Call)])
        return [each if isinstance(each, Result) else result_of(each) for each in opened]

    def open(self, wanted: Wanted) -> Call | Result:
        site = self.sites[wanted.tool.site]
        with ExitStack() as stack:
            stack.enter_context(self.work.opening())
            stack.enter_context(with_session(site, self.options))
            try:
                tool = find_tool(site, wanted.tool.name)
                return calls.request_call(recipe=tool, arguments=dict(wanted.arguments), by=self.user, via="task")
            except (ServiceError, Refused) as error:
                return Result(failure={"error": one_line(error), "kind": "bad_arguments"})


def result_of(call: Call) -> Result:
    call = Call.objects.select_related("job").get(pk=call.pk)
    result = call.result or {}
    if result.get("ok"):
        return Result(data=result.get("data") or {}, warnings=result.get("warnings") or ())
    error = call.job.error or {"error": f"The call is {call.job.status}.", "kind": call.job.status}
    shown = ("error", "kind", "failed_step", "op", "url", "partial")
    return Result(failure={name: error[name] for name in shown if error.get(name) is not None})


def in_words(wanted: Wanted) -> str:
    return f"{wanted.tool.site}.{wanted.tool.name}({json.dumps(dict(wanted.arguments), ensure_ascii=False)})"


def as_data(ended: Ended, spent: Usage, cost: float | None) -> dict[str, Any]:
    made = [
        {
            "site": each.wanted.tool.site,
            "tool": each.wanted.tool.name,
            "arguments": dict(each.wanted.arguments),
            "data": each.result.data,
            "error": each.result.failure,
        }
        for each in ended.made
    ]
    used = {"requests": spent.requests, "input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens}
    return {
        "success": ended.success,
        "summary": ended.summary,
        "failure": ended.failure,
        "calls": made,
        "model": {**used, "cost_usd": cost},
    }
