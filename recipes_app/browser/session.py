"""One job's browser: a fresh context, its pages, and everything that happened in them."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

from playwright.sync_api import BrowserContext, Download, Error, Page, Request

from recipes_app.browser.dialogs import DialogRule, Dialogs
from recipes_app.browser.errors import BrowserLost
from recipes_app.browser.fetching import SmallText, fetch_small
from recipes_app.browser.navigation import Arrival, navigate
from recipes_app.browser.policy import Policy
from recipes_app.browser.proxy import ProxyPort, ProxyRecord
from recipes_app.browser.scripts import script
from recipes_app.browser.sending import Sending
from recipes_app.browser.states import SavedState, put_state, read_state

T = TypeVar("T")

WATCH = script("watch.js")
PUMP_MS = 20
# More at one time is a page that opens windows without end.
MAX_PAGES = 15
DOCUMENTS = 60
MEDIA_ENDINGS = ("png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "mp4", "webm", "mp3", "woff", "woff2")


@dataclass(frozen=True, slots=True)
class ContextShape:
    """The part of the options that cannot be changed once a context exists."""

    viewport: tuple[int, int]
    locale: str
    time_zone: str
    user_agent: str | None
    ignore_https_errors: bool
    block_media: bool
    scale: float


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """What a fresh context is like. user_agent None is the browser's own, honest one.

    It begins with `state`; `left` is told, on the browser thread, what there is of it once its work ended well.
    """

    viewport: tuple[int, int] = (1280, 800)
    locale: str = "en-US"
    time_zone: str = "UTC"
    user_agent: str | None = None
    state: SavedState | None = field(default=None, repr=False)
    left: Callable[[SavedState], None] | None = None
    policy: Policy = field(default_factory=Policy)
    block_media: bool = False
    ignore_https_errors: bool = False
    scale: float = 1  # pixels of a picture for one of the page

    @property
    def shape(self) -> ContextShape:
        return ContextShape(
            viewport=self.viewport,
            locale=self.locale,
            time_zone=self.time_zone,
            user_agent=self.user_agent,
            ignore_https_errors=self.ignore_https_errors,
            block_media=self.block_media,
            scale=self.scale,
        )


class BrowserSession:
    """Used on the browser thread only."""

    def __init__(
        self, context: BrowserContext, port: ProxyPort, on_close: Callable[[], None], *, block_media: bool = False
    ) -> None:
        self.context = context
        self.dialogs = Dialogs()
        self.downloads: list[Download] = []
        self.sending = Sending(lambda: port.policy)
        self._port = port
        self._on_close = on_close
        self._opened: list[Page] = []
        self._navigations: deque[Request] = deque(maxlen=DOCUMENTS)
        self._openers: dict[Page, Page | None] = {}
        self._crashed = False
        self._block_media = False
        self.is_flooded = False
        context.add_init_script(script=WATCH)
        context.on("page", self._watch)
        context.on("request", self._note_request)
        self.main = context.new_page()
        self._current = self.main
        if block_media:
            self._block_media = True
            self._leave_media_out(self.main)

    @property
    def page(self) -> Page:
        """The page in use: the one switched to, else the main one. A closed page falls back to its opener."""
        while self._current.is_closed() and self._current is not self.main:
            self._current = self.opener_of(self._current) or self.main
        return self._current

    @property
    def pages(self) -> tuple[Page, ...]:
        """Every open page, in the order they were opened; the main one first."""
        return tuple(page for page in self._opened if not page.is_closed())

    @property
    def opened(self) -> tuple[Page, ...]:
        """Every page ever opened, closed ones included."""
        return tuple(self._opened)

    def replace_main(self) -> None:
        """A fresh page instead of the main one, which may have stopped answering; every other page is closed too."""
        for page in self.pages:
            with suppress(Error):
                page.close()
        self.is_flooded = False
        self.main = self._current = self.context.new_page()

    def switch_to(self, page: Page) -> None:
        self._current = page

    def opener_of(self, page: Page) -> Page | None:
        """The nearest page still open in the chain of openers."""
        opener = self.opened_by(page)
        while opener is not None and opener.is_closed():
            opener = self.opened_by(opener)
        return opener

    def opened_by(self, page: Page) -> Page | None:
        """The page that opened it, closed since or not; Playwright itself forgets an opener that closed."""
        return self._openers.get(page)

    def wait_for_page(self, known: int, *, timeout_ms: float = 4000) -> Page | None:
        """The page opened after `known` (a length of `opened`) had been; None when none came in time."""
        return self._next_after(self._opened, known, timeout_ms)

    def wait_for_download(self, known: int, *, timeout_ms: float = 30_000) -> Download | None:
        """The download begun after `known` (a length of `downloads`) had been; None when none came in time."""
        return self._next_after(self.downloads, known, timeout_ms)

    def allow_dialog(self, rule: DialogRule) -> None:
        """Answer fitting dialogs as the rule says, from now on."""
        self.dialogs.allow_dialog(rule)

    def connections(self) -> tuple[ProxyRecord, ...]:
        """Every connection asked for, with the real peer address of those that were made."""
        return tuple(self._port.log)

    def refusals(self) -> tuple[ProxyRecord, ...]:
        """What the policy refused, in order, sub-resources included."""
        return tuple(record for record in self.connections() if record.refused_reason)

    def document_request(self, page: Page) -> Request | None:
        """The request whose answer the page shows: the last one for its address, else the last that was answered."""
        if not page.url.startswith(("http:", "https:")):
            return None
        asked = [request for request in reversed(self._navigations) if _is_of(request, page)]
        answered = [request for request in asked if request.existing_response is not None]
        here = page.url.partition("#")[0]
        fitting = [request for request in answered if request.url.partition("#")[0] == here]
        return next(iter(fitting or answered), None)

    def goto(self, url: str, timeout_ms: float = 30_000, status_any: bool = False) -> Arrival:
        """Show an address in the page in use, up to its parsed document.

        Raises BlockedByPolicy, or NavigationFailed (HTTP status of 400 and more too, unless status_any).
        """
        known = len(self.downloads)
        try:
            arrival = navigate(self.page, url, timeout_ms=timeout_ms, log=self._port.log)
        except Error as error:
            self.raise_if_lost(error)
            raise
        if arrival.download:
            self.wait_for_download(known, timeout_ms=timeout_ms)
        return arrival if status_any else arrival.unless_refused()

    def fetch_small(self, url: str, *, max_bytes: int, timeout_s: float) -> SmallText:
        """A small text by plain HTTP, without cookies, under the policy of this session."""
        agent = str(self.main.evaluate("navigator.userAgent"))
        proxy = self._port.server_url
        return fetch_small(url, proxy_url=proxy, agent=agent, max_bytes=max_bytes, timeout_s=timeout_s)

    def state(self) -> SavedState:
        """What another context begins with to be signed in as this one is."""
        return read_state(self.context, self.pages)

    def raise_if_lost(self, cause: Error | None = None) -> None:
        """Raise BrowserLost if the browser is gone: asked on any playwright Error, to tell a death from a refusal."""
        if self._crashed:
            raise BrowserLost("The page crashed.") from cause
        try:
            self.context.cookies("http://agentify.invalid")
        except Error as error:
            raise BrowserLost("The browser went away.") from (cause or error)

    def prepare(self, options: ContextOptions) -> None:
        """Give a context made ahead what this job wants of it."""
        self._port.policy = options.policy
        if options.state:
            put_state(self.context, self.main, options.state)

    def cut_off(self) -> None:
        """From now on nothing leaves this context: open connections end, and the browser is told it is offline."""
        self.sending.is_cut_off = True
        self._on_close()
        self.context.set_offline(True)

    def shut(self) -> None:
        """From now on nothing gets out of this context, which is about to be closed."""
        self._on_close()

    def close(self) -> None:
        """Ends the context and its way out. Silent when the browser has gone already."""
        try:
            self.context.close()
        except Error:
            # Whoever used the dead browser has seen the error; there is nothing left to close.
            return
        finally:
            self._on_close()

    def _watch(self, page: Page) -> None:
        self._opened.append(page)
        self._openers[page] = page.opener()
        self.sending.watch(page)
        if len(self.pages) > MAX_PAGES:
            self._close_surplus(page)
            return
        page.on("dialog", self.dialogs.answer)
        page.on("download", self._note_download)
        page.on("crash", self._note_crash)
        if self._block_media:
            self._leave_media_out(page)

    def _close_surplus(self, page: Page) -> None:
        self.is_flooded = True
        with suppress(Error):
            page.close()

    def _note_request(self, request: Request) -> None:
        self.sending.note_request(request)
        if request.is_navigation_request():
            self._navigations.append(request)

    def _note_download(self, download: Download) -> None:
        self.downloads.append(download)

    def _note_crash(self, _page: Page) -> None:
        self._crashed = True

    def _leave_media_out(self, page: Page) -> None:
        """Pictures, films and fonts are not requested. Cross-site iframes are targets of their own: not covered."""
        patterns = [f"*.{ending}{rest}" for ending in MEDIA_ENDINGS for rest in ("", "?*")]
        try:
            target = self.context.new_cdp_session(page)
            target.send("Network.enable")
            target.send("Network.setBlockedURLs", {"urls": patterns})
        except Error:
            # A popup that closed at once loads nothing any more.
            return

    def _next_after(self, things: list[T], known: int, timeout_ms: float) -> T | None:
        """Events arrive only while Playwright is being called, so the wait is made of short calls."""
        waited = 0
        while len(things) <= known and waited < timeout_ms:
            self.page.wait_for_timeout(PUMP_MS)
            waited += PUMP_MS
        return things[known] if len(things) > known else None


def _is_of(request: Request, page: Page) -> bool:
    """Whether it was for the page itself, and not for a frame in it."""
    try:
        return request.frame == page.main_frame
    except Error:
        # A request without a frame yet has none to ask for.
        return False
