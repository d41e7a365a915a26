"""`./agentify map`: survey, propose, ask, record, verify, publish; ends with the site's registry file."""

from argparse import BooleanOptionalAction
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.urls import reverse

from recipes_app.management import mapped_site
from recipes_app.management.acting import find_team, find_user
from recipes_app.management.choosing import DESTROYS, LOGIN, approvable, choose
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.files import write_json
from recipes_app.management.given import add_words, take_words
from recipes_app.management.reach import allow_private
from recipes_app.management.sessions import add_session, with_session
from recipes_app.management.work import Work, working
from recipes_app.models import Mapping, Proposal, Recording, Site, User
from recipes_app.models.job import JobStatus
from recipes_app.models.mapping import Method
from recipes_app.models.proposal import ProposalKind
from recipes_app.services import estimates, proposals, recipes, sites
from recipes_app.services.errors import ServiceError


def asking_of(options: dict[str, Any]) -> sites.Asking:
    """A model's name alone says whose it is."""
    model = options["model"]
    whose = Method.ANTHROPIC if model.startswith("claude") else Method.OPENAI
    method = options["method"] or (whose if model else Method.RULES)
    return sites.Asking(method, model, options["budget_tokens"])


def cost_of(asking: sites.Asking, site: Site, max_pages: int) -> str:
    known = estimates.of_mapping(
        asking.method, max_pages=max_pages, site=site, model=asking.model, budget_tokens=asking.budget_tokens
    )
    return f"{known.model}. {known.in_words}"


def said_by_model(mapping: Mapping, proposals: Sequence[Proposal]) -> Iterator[str]:
    """What became of asking it; nothing where only the rules were."""
    said = mapping.model_said
    if not said:
        return
    if said["failure"]:
        yield f"the proposals are the rules' own: {said['failure']}"
    for proposal in proposals:
        if proposal.is_set_aside:
            yield f"{proposal.name}: {proposal.reason}"
    yield from said["notes"]


@dataclass(slots=True)
class Report:
    site: str
    pages: int = 0
    proposals: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    board: str = ""
    file: str = ""

    def as_data(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class Command(AgentifyCommand):
    help = "Map a website: its tools are proposed, approved, recorded, verified and published."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "url")
        parser.add_argument("--name", default="", metavar="SLUG", help="of the site; default: from its address")
        parser.add_argument("--max-pages", type=int, default=10, metavar="N")
        parser.add_argument("--max-depth", type=int, default=2, metavar="N")
        who = "who proposes the tools; a model reviews what the rules propose"
        parser.add_argument("--method", choices=Method.values, default=None, help=f"{who} (default: rules)")
        parser.add_argument("--model", default="", metavar="NAME", help="a model to ask, such as gpt-5.4-mini")
        parser.add_argument("--budget-tokens", type=int, default=None, metavar="N", help="tokens a model may use")
        parser.add_argument("--headless", action=BooleanOptionalAction, default=None, help="hide or show the browser")
        add_session(parser)
        parser.add_argument("--queue", action="store_true", help="by the workers of ./agentify up, not in this process")
        parser.add_argument("--allow-private", action="store_true", help="the address is a private one, and mine")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--interactive", dest="how", action="store_const", const="ask", default="ask", help="ask here")
        every = "approve all but logins, those that write too"
        how.add_argument("--auto-approve", dest="how", action="store_const", const="all", help=every)
        how.add_argument("--board", dest="how", action="store_const", const="board", help="decide in the web browser")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "url")
        self.prepare_database()
        user = find_user(options["username"])
        site = self.site(user, options)
        report = Report(site.slug)
        how = {"queue": options["queue"], "headless": options["headless"], "steps": False}
        with with_session(site, options), working(self.say, **how) as work:
            self.map(site, user, options, work, report)
        if options["json"]:
            self.show_json(report.as_data(), on_one_line=True)
        else:
            self.print_report(report)
        self.say_if_nothing_runs(report)
        if options["how"] == "board":
            return 0 if report.proposals else 1
        return 0 if report.tools and not report.failed else 1

    def site(self, user: User, options: dict[str, Any]) -> Site:
        wanted = mapped_site.Wanted(user, find_team(user, options["team"]), options["url"], options["name"])
        if entry := wanted.needs_private():
            allow_private(entry, allowed=options["allow_private"], ask=self.ask)
        return wanted.site()

    def map(self, site: Site, user: User, options: dict[str, Any], work: Work, report: Report) -> None:
        mapping = self.survey(site, user, options, work)
        mapping.refresh_from_db()
        everything = list(mapping.proposals.all())
        found = [proposal for proposal in everything if not proposal.is_set_aside]
        report.pages, report.proposals = mapping.pages.count(), [proposal.name for proposal in found]
        for line in said_by_model(mapping, everything):
            self.say(line)
        if mapping.job.status != JobStatus.DONE:
            report.failed["map"] = mapping.job.error_text or f"the job is {mapping.job.status}"
        if not found:
            return
        if options["how"] == "board":
            report.board = settings.PUBLIC_URL + reverse("board", args=[mapping.pk])
            return
        chosen = self.chosen(found, how=options["how"])
        self.record(chosen, user, work, report)
        if report.tools:
            registry = recipes.export_registry(site=site)
            report.file = str(write_json(Path.cwd() / "recipes" / f"{site.slug}.tools.json", registry))

    def survey(self, site: Site, user: User, options: dict[str, Any], work: Work) -> Mapping:
        asking = asking_of(options)
        if asking.method != Method.RULES:
            self.say(f"{asking.method}: {cost_of(asking, site, options['max_pages'])}")
        with work.opening():
            mapping = sites.request_map(
                site=site,
                by=user,
                max_pages=options["max_pages"],
                max_depth=options["max_depth"],
                asking=asking,
                start_url=options["url"],
            )
        work.finish([mapping.job])
        return mapping

    def chosen(self, found: Sequence[Proposal], *, how: str) -> list[Proposal]:
        if how == "ask":
            return choose(found, ask=self.ask, say=self.say)
        kept = [proposal for proposal in approvable(found) if not proposal.destroys]
        for proposal in found:
            if proposal not in kept:
                self.say(f"left out {proposal.name}: {LOGIN if proposal.kind == ProposalKind.LOGIN else DESTROYS}.")
        return kept

    def record(self, chosen: Sequence[Proposal], user: User, work: Work, report: Report) -> None:
        if not chosen:
            self.say("none approved, so none was recorded.")
            return
        with work.opening():
            named = {proposal.pk for proposal in chosen if proposal.destroys}  # nothing else chooses them
            recordings = proposals.approve(proposals=chosen, by=user, really=named)
        work.finish([recording.job for recording in recordings])
        numbers = [recording.pk for recording in recordings]
        rows = Recording.objects.filter(pk__in=numbers).select_related("job", "proposal", "version__recipe__site__team")
        for recording in rows.order_by("pk"):
            self.publish(recording, user, report)

    def publish(self, recording: Recording, user: User, report: Report) -> None:
        """What has passed its verification; of the others the report says why not."""
        name = recording.proposal.name if recording.proposal else str(recording.version)
        version = recording.version
        if version is None:
            report.failed[name] = recording.job.error_text or f"the job is {recording.job.status}"
            return
        try:
            live = version.recipe.live_version_id == version.pk
            report.tools.append((version if live else recipes.publish(version=version, by=user)).recipe.name)
        except ServiceError as error:
            report.failed[name] = f"{error} {recording.job.error_text}".strip()

    def say_if_nothing_runs(self, report: Report) -> None:
        if report.board and not (settings.RUNNING or settings.GIVEN_URL):
            self.say("nothing answers there yet: ./agentify up starts it, and prints its address if that is another.")

    def print_report(self, report: Report) -> None:
        self.say(f"{report.pages} pages seen, {len(report.proposals)} tools proposed.")
        for name, why in report.failed.items():
            self.say(f"{name} failed: {why}")
        if report.board:
            self.show(f"Decide on the board: {report.board}")
        for name in report.tools:
            self.show(name)
        if report.file:
            self.say(
                f"written to {report.file}; call one: ./agentify call --site {report.site} --tool {report.tools[0]}"
            )
