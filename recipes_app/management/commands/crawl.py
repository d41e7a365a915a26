"""`./agentify crawl`: look at a website and say what a mapping would see. Writes nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from recipes_app import wiring
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.snapshot import Element, take_snapshot
from recipes_app.browser.thread import Desk
from recipes_app.engine.events import Event
from recipes_app.management import work
from recipes_app.management.command import AgentifyCommand
from recipes_app.management.given import add_words, take_words
from recipes_app.management.reach import allow_passing, passing_site, web_address
from recipes_app.mapping.crawl import CrawlOptions, PageSeen, crawl
from recipes_app.mapping.facts import PageSurvey, Skipped, Survey

SHOWN = 2


class Command(AgentifyCommand):
    help = "Survey a website without changing or recording anything, and list the pages that were seen."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        add_words(parser, "url")
        parser.add_argument("--max-pages", type=int, default=10, metavar="N")
        parser.add_argument("--max-depth", type=int, default=2, metavar="N")
        parser.add_argument("--elements", action="store_true", help="also list what can be used on each page")
        parser.add_argument("--allow-private", action="store_true", help="the address is a private one, and mine")

    def run(self, options: dict[str, Any]) -> int:
        take_words(options, "url")
        url = web_address(options["url"])
        site = passing_site(url, options["username"])
        allow_passing(site, allowed=options["allow_private"], ask=self.ask)
        looker = Looker(
            url=url,
            context=wiring.context_options(site),
            limits=CrawlOptions(max_pages=options["max_pages"], max_depth=options["max_depth"]),
            elements={} if options["elements"] else None,
        )
        with work.working(self.say) as here:
            browser = here.place().browser
            survey = work.drive(browser, looker.look, deadline_s=settings.MAPPING_DEADLINE_S, hear=here.tell)
        self.report(survey, looker.elements or {}, as_json=options["json"])
        return 0 if survey.pages else 1

    def report(self, survey: Survey, elements: dict[str, list[str]], *, as_json: bool) -> None:
        if as_json:
            self.show_json(as_data(survey, elements), on_one_line=True)
            return
        for page in survey.pages:
            self.show(f"{page.depth}  {page.final_url}  {page.title}  {what_is_there(page)}".rstrip())
            for line in elements.get(page.final_url, ()):
                self.show(f"     {line}")
        for line in left_out(survey.skipped):
            self.say(line)


@dataclass(slots=True)
class Looker:
    """`elements` by address, where they are wanted."""

    url: str
    context: ContextOptions
    limits: CrawlOptions
    elements: dict[str, list[str]] | None = field(default=None)

    def look(self, desk: Desk) -> Survey:
        with desk.session(self.context) as session:

            def hear(event: Event) -> None:
                if isinstance(event, PageSeen) and self.elements is not None:
                    self.elements[event.page.final_url] = [
                        line_of(each) for each in take_snapshot(session.page).elements
                    ]
                desk.emit(event)

            return crawl(session, self.url, self.limits, hear)


def line_of(element: Element) -> str:
    states = f" ({', '.join(element.states)})" if element.states else ""
    return f'{element.role} "{element.name}"{states}'


def what_is_there(page: PageSurvey) -> str:
    counts = (("form", page.forms), ("list", page.lists), ("table", page.tables))
    named = [f"{len(found)} {noun}{'s' * (len(found) != 1)}" for noun, found in counts if found]
    return f"({', '.join(named)})" if named else ""


def left_out(skipped: Iterable[Skipped]) -> list[str]:
    """One line per reason, with an address or two; all of them are in the JSON."""
    by_reason: dict[str, list[str]] = {}
    for each in skipped:
        by_reason.setdefault(each.why, []).append(each.url)
    return [f"left out {_some(urls)}: {why}" for why, urls in by_reason.items()]


def _some(urls: list[str]) -> str:
    more = f" and {len(urls) - SHOWN} more" if len(urls) > SHOWN else ""
    return f"{', '.join(urls[:SHOWN])}{more}"


def as_data(survey: Survey, elements: dict[str, list[str]]) -> dict[str, Any]:
    pages = [
        {
            "url": page.final_url,
            "title": page.title,
            "depth": page.depth,
            "status": page.status,
            "shape": page.shape,
            "forms": len(page.forms),
            "lists": len(page.lists),
            "tables": len(page.tables),
            "links": page.links_total,
            **({"elements": elements[page.final_url]} if page.final_url in elements else {}),
        }
        for page in survey.pages
    ]
    return {"url": survey.start_url, "pages": pages, "skipped": [{"url": s.url, "why": s.why} for s in survey.skipped]}
