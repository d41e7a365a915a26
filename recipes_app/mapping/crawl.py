"""Survey a website within budgets, without changing anything on it.

1. take the most promising page (frontier)   2. open it; what cannot be opened is recorded, not raised
3. dismiss a consent banner, wait until the page is quiet   4. look at it whole (survey)   5. sort its links
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from recipes_app.browser.answering import answer_within, raise_if_silent
from recipes_app.browser.api import Error, PageSilent
from recipes_app.browser.dialogs import AllowDialog
from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.page import dismiss_consent, settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.events import Event, Progress
from recipes_app.mapping.explore import Explorer
from recipes_app.mapping.facts import LinkFacts, PageSurvey, Skipped, Survey
from recipes_app.mapping.frontier import Candidate, Frontier, clusters_of, rank_link
from recipes_app.mapping.risks import why_risky, why_risky_url
from recipes_app.mapping.robots import Robots, fetch_robots, read_robots
from recipes_app.mapping.survey import survey_page, wait_while_busy
from recipes_app.mapping.urls import page_url, same_site

PHASE = "crawl"
MAX_SKIPPED = 200
SILENT_MS = 8000
FEW_WINDOWS = 5
OPENED_RANK = 4


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    max_pages: int = 10
    max_depth: int = 2
    politeness_s: float = 0.2
    robots: bool = True
    seed_urls: tuple[str, ...] = ()
    allowed_hosts: frozenset[str] = frozenset()
    page_timeout_ms: int = 15_000
    press_openers: bool = True


@dataclass(frozen=True, slots=True)
class PageSeen(Event):
    """One more page of the survey, with its picture."""

    page: PageSurvey

    def as_dict(self) -> dict[str, Any]:
        page = self.page
        return {
            "kind": "PageSeen",
            "url": page.final_url,
            "title": page.title,
            "depth": page.depth,
            "shape": page.shape,
        }


@dataclass(slots=True)
class Crawl:
    """One crawl under way."""

    session: BrowserSession
    start_url: str
    options: CrawlOptions
    emit: Callable[[Event], None]
    robots: Robots
    frontier: Frontier = field(default_factory=Frontier)
    pages: list[PageSurvey] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    explorer: Explorer = field(init=False)

    def __post_init__(self) -> None:
        self.explorer = Explorer(self.session, self.options.page_timeout_ms)

    def run(self) -> Survey:
        for url in (self.start_url, *self.options.seed_urls):
            self.frontier.add(page_url(url) or url, depth=0, rank=0)
        while len(self.pages) < self.options.max_pages and (candidate := self.frontier.next()):
            self._visit(candidate)
        self._report(f"{len(self.pages)} pages seen")
        return Survey(self.start_url, tuple(self.pages), self._skipped())

    def _visit(self, candidate: Candidate) -> None:
        if self.options.robots and not self.robots.allows(candidate.url):
            self._skip(candidate, "robots.txt asks not to")
            return
        self._report(candidate.url)
        self._pause()
        sent = len(self.session.sending.requests)
        try:
            status = self._open(candidate)
            if status is None:
                return
            page = self._look(candidate, status, sent)
        except (PageSilent, NavigationFailed) as error:
            self._skip(candidate, error.reason if isinstance(error, NavigationFailed) else "the page stopped answering")
            self.session.replace_main()
            return
        except Error as error:
            self.session.raise_if_lost(error)
            self._skip(candidate, f"could not be read: {str(error).splitlines()[0]}")
            return
        self._keep(candidate, page)

    def _open(self, candidate: Candidate) -> int | None:
        """The HTTP status, or None with the reason recorded."""
        try:
            answer = self.session.goto(candidate.url, timeout_ms=self.options.page_timeout_ms)
        except NavigationFailed as error:
            self._skip(candidate, error.reason if error.status is None else f"answered HTTP {error.status}")
            raise_if_silent(self.session.page, min(SILENT_MS, self.options.page_timeout_ms))
            return None
        except BlockedByPolicy as error:
            self._skip(candidate, f"not allowed: {error}")
            return None
        if answer.download:
            self._skip(candidate, "is a download")
            return None
        final = page_url(self.session.page.url)
        if final is None or not same_site(final, self.start_url, self.options.allowed_hosts):
            self._skip(candidate, f"leads to another site ({final or self.session.page.url})")
            return None
        if final != candidate.url and any(page.final_url == final for page in self.pages):
            self._skip(candidate, f"leads to {final}, which was seen already")
            return None
        return answer.status or 200

    def _look(self, candidate: Candidate, status: int, sent: int) -> PageSurvey:
        page = self.session.page
        refused = len(self.session.refusals())
        settle(page)
        raise_if_silent(page, min(SILENT_MS, self.options.page_timeout_ms))
        if self.session.is_flooded:
            raise NavigationFailed(page.url, "it opens windows without end")
        with answer_within(self.options.page_timeout_ms):
            if dismiss_consent(page):
                settle(page)
            wait_while_busy(page)
            seen = survey_page(page, url=candidate.url, depth=candidate.depth, status=status)
        sends = tuple(dict.fromkeys(self.session.sending.requests[sent:]))
        seen = self._explored(seen)
        hosts = sorted({record.host for record in self.session.refusals()[refused:]})
        return replace(seen, refused_hosts=tuple(hosts), sends=sends)

    def _explored(self, page: PageSurvey) -> PageSurvey:
        """With what its buttons show; of a page whose kind is known, only the menus of forms that are new."""
        make = page.shape.rpartition("#")[2]
        if not self.options.press_openers:
            return page
        if any(known.shape.rpartition("#")[2] == make for known in self.pages):
            return self.explorer.menus_of(page)
        seen = self.explorer.explore(page)
        for url in self.explorer.found:
            self.opened.setdefault(url, page.final_url)
        return seen

    def _keep(self, candidate: Candidate, page: PageSurvey) -> None:
        self._close_extras()
        self.frontier.known.add(page_url(page.final_url) or page.final_url)
        self.frontier.seen(candidate, page)
        self.pages.append(page)
        self.emit(Progress(PHASE, len(self.pages), self.options.max_pages, page.final_url))
        self.emit(PageSeen(page))
        if candidate.depth < self.options.max_depth:
            self._sort_links(page, candidate.depth + 1)
            self._add_opened(candidate.depth + 1)

    def _close_extras(self) -> None:
        extras = [page for page in self.session.pages if page is not self.session.main]
        if len(extras) > FEW_WINDOWS:
            self.session.replace_main()
            return
        for extra in extras:
            with suppress(Error):
                extra.close()

    def _sort_links(self, page: PageSurvey, depth: int) -> None:
        clusters = clusters_of(page)
        for link in page.links:
            url = page_url(link.url)
            if url is None or not same_site(url, self.start_url, self.options.allowed_hosts):
                continue
            why = self._why_not(link)
            if why:
                self.skipped.setdefault(url, why)
            else:
                self.frontier.add(url, depth=depth, rank=rank_link(link), clusters=clusters.get(link.url, ()))

    def _add_opened(self, depth: int) -> None:
        """Pages that buttons led to, where a site has no links."""
        for opened in self.opened:
            url = page_url(opened)
            if url and same_site(url, self.start_url, self.options.allowed_hosts) and not why_risky_url(url):
                self.frontier.add(url, depth=depth, rank=OPENED_RANK)
        self.opened.clear()

    def _why_not(self, link: LinkFacts) -> str | None:
        if link.download:
            return "is a download"
        risk = why_risky(link)
        return f"would change something: {risk}" if risk else None

    def _skip(self, candidate: Candidate, why: str) -> None:
        self.frontier.failed(candidate)
        self.skipped[candidate.url] = why

    def _skipped(self) -> tuple[Skipped, ...]:
        """One entry per page refused; pages left out by shape or budget are counted, not listed."""
        listed = [Skipped(url, why) for url, why in self.skipped.items()]
        counted = [
            Skipped(shape, f"{count} more pages of a shape seen often enough")
            for shape, count in self.frontier.left_out.items()
        ]
        rest = len(self.frontier.waiting)
        if rest:
            counted.append(Skipped(self.start_url, f"{rest} more links beyond the budget of {self.options.max_pages}"))
        if len(listed) > MAX_SKIPPED:
            counted.append(Skipped(self.start_url, f"{len(listed) - MAX_SKIPPED} more pages not followed"))
        return tuple(listed[:MAX_SKIPPED] + counted)

    def _pause(self) -> None:
        seconds = max(self.options.politeness_s, self.robots.delay_s if self.options.robots else 0)
        if self.pages and seconds:
            self.session.page.wait_for_timeout(seconds * 1000)

    def _report(self, note: str) -> None:
        self.emit(Progress(PHASE, len(self.pages), self.options.max_pages, note))


def crawl(session: BrowserSession, start_url: str, options: CrawlOptions, emit: Callable[[Event], None]) -> Survey:
    """Never raises for a page; lets a lost browser through."""
    session.allow_dialog(AllowDialog(type="beforeunload"))
    robots = fetch_robots(session, start_url) if options.robots else read_robots("")
    return Crawl(session, start_url, options, emit, robots).run()
