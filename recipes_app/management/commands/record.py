"""`./agentify record`: a person shows a tool in a browser on their own screen; it is proposed, verified, published."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.streaming import Shown
from recipes_app.browser.thread import BrowserThread
from recipes_app.browser.windows import find_windowed
from recipes_app.formats.taped import Edits, lines
from recipes_app.jobs import inline, running
from recipes_app.jobs.remote import by_way_of
from recipes_app.management.acting import find_site, find_user
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.given import add_words, take_words
from recipes_app.management.plain import Refused
from recipes_app.management.work import working
from recipes_app.models import Proposal, RemoteBrowser, User
from recipes_app.models.team import EDITORS
from recipes_app.services import access, dispatch, proposals, recipes, remotes
from recipes_app.services.errors import BadInput


@dataclass(slots=True)
class AtTheScreen:
    """The window is the person's own; what comes in is that they are done: Enter in the terminal."""

    say: Callable[[str], None]
    shows_pictures: bool = False
    idle_s: float = field(default_factory=lambda: float(settings.REMOTE_DEADLINE_S))
    said: dict[int, str] = field(default_factory=dict)

    def listen(self, inbox: queue.SimpleQueue[Mapping[str, Any]], stop: threading.Event) -> None:
        if sys.stdin.readline() and not stop.is_set():
            inbox.put({"kind": "finish"})

    def show(self, shown: Shown) -> None:
        """The window shows itself."""

    def taped(self, entries: list[dict[str, Any]]) -> None:
        """Each step once, and again when it has changed."""
        for number, line in enumerate(lines(entries, Edits()), 1):
            if self.said.get(line.id) != line.sentence:
                self.say(f"{number:>3}  {line.sentence}")
                self.said[line.id] = line.sentence
            if line.problem and self.said.get(-line.id) != line.problem:
                self.say(f"     {line.problem}")
                self.said[-line.id] = line.problem


class Command(AgentifyCommand):
    help = "Record a tool by hand: a browser opens, you show once what the tool shall do; Enter here ends it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "site", site="its short name, as ./agentify list has it")
        parser.add_argument("--url", default="", metavar="URL", help="where to begin; default: the site's first page")
        parser.add_argument("--name", default="", metavar="TOOL", help="of the tool; asked for if not given")
        parser.add_argument("--publish", action="store_true", help="publish it once it has passed its verification")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "site")
        path = find_windowed()
        self.prepare_database()
        user = find_user(options["username"])
        site = find_site(user, options["site"], options["team"])
        with dispatch.staying_here():
            remote = remotes.start(site=site, by=user, start_url=options["url"])
        self.say("the browser opens. Show what the tool shall do, then press Enter here (or close the window).")
        self.drive(remote, path)
        remote.refresh_from_db()
        if not remotes.lines_of(remote):
            self.say(f"nothing was recorded. {remote.job.error_text}".rstrip())
            return 1
        proposal = self.proposal(remote, user, options["name"])
        return self.verify(proposal, user, options)

    def drive(self, remote: RemoteBrowser, path: str) -> None:
        """What was recorded is in the row, however the browser ended."""
        way = AtTheScreen(self.say)
        browser = BrowserThread(LaunchOptions(executable=path, headless=False)).start()
        try:
            with by_way_of(way):
                inline.run_with(running.Place(running.new_name(), browser), remote.job)
        finally:
            browser.stop()

    def proposal(self, remote: RemoteBrowser, user: User, name: str) -> Proposal:
        for line in remotes.lines_of(remote):
            if line.name and not line.fixed:
                self.name_parameter(remote, user, line.id, line.name)
        wanted = name or self.answer(f"Name of the tool [{remotes.name_for(remote)}]: ") or remotes.name_for(remote)
        made = remotes.finish(remote=remote, by=user, wish=remotes.Wish(wanted))
        if made is None:
            raise Refused("the browser still runs.")
        self.say(f"proposed {made.name} ({made.get_side_effect_display().lower()}).")
        return made

    def name_parameter(self, remote: RemoteBrowser, user: User, number: int, name: str) -> None:
        while wanted := self.answer(f"Parameter {name}: Enter keeps the name, = keeps the value, or a new name: "):
            try:
                if wanted == "=":
                    remotes.fix(remote=remote, by=user, number=number, fixed=True)
                else:
                    remotes.rename(remote=remote, by=user, number=number, name=wanted)
            except BadInput as error:
                self.say(str(error))
                continue
            return

    def answer(self, question: str) -> str:
        """Nothing where nobody can be asked."""
        try:
            return self.ask(question).strip()
        except EOFError:
            return ""

    def verify(self, proposal: Proposal, user: User, options: dict[str, Any]) -> int:
        if not access.can(user, proposal.site.team, EDITORS):
            self.say("an editor approves it on the board.")
            return 0
        with working(self.say) as work:
            with work.opening():
                (recording,) = proposals.approve(proposals=[proposal], by=user)
            work.finish([recording.job])
        recording.refresh_from_db()
        version = recording.version
        passed = bool(version and (version.verdict or {}).get("passed"))
        if version is not None and passed and options["publish"]:
            version = recipes.publish(version=version, by=user)
        report = {
            "site": proposal.site.slug,
            "tool": proposal.name,
            "passed": passed,
            "status": version.status if version else "failed",
        }
        if options["json"]:
            self.show_json(report, on_one_line=True)
        else:
            self.show("{site}  {tool}  {status}".format(**report))
        if not passed:
            self.say(recording.job.error_text or "it did not pass its verification.")
        return 0 if passed else 1
