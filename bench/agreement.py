"""Roles and names of the snapshot against get_by_role: on the practice site, or on any site by its address.

`--only ADDRESS` looks at other sites, each from the address on, without signing in; `--rounds` is how many pages of
each. Both ways are counted: what the snapshot says and get_by_role does not find so, and what get_by_role finds and the
snapshot does not have.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, cast
from urllib.parse import urlsplit

from bench.frame import NotReady, Options, Result
from bench.serving import context_for
from examples.practice import start
from recipes_app.browser.api import Error, Frame, Page
from recipes_app.browser.errors import BrowserError
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element, frame_at, take_snapshot, walk_frames
from recipes_app.browser.thread import BrowserThread, Desk

PAGES = 40
GOAL = 0.99
DEADLINE_S = 1800
# A page looks much like the next one of its kind.
OF_ONE_KIND = 6
TOLD = 20
ROLES = ["button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton"]
ROLES += ["tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "listbox", "option"]
NUMBERS = """found => {
  const { elements } = window[Symbol.for("agentify.watch")];
  return found.filter((e) => !(e.tagName === "OPTION" && e.closest("select"))).map((e) => elements.indexOf(e));
}"""


@dataclass(slots=True)
class Tally:
    """`agree` of `elements` are the same for both; `differ`: what is not, in words, with how often it was met."""

    pages: int = 0
    elements: int = 0
    agree: int = 0
    differ: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        return self.agree / self.elements if self.elements else 0.0

    def as_data(self) -> dict[str, Any]:
        worst = [f"{times} x {words}" for words, times in self.differ.most_common(TOLD)]
        return {"pages": self.pages, "elements": self.elements, "share": self.share, "differ": worst}


def run(options: Options) -> Result:
    thread = BrowserThread()
    try:
        with start(port=0) as practice:
            addresses = options.only or (practice.url,)
            most = options.rounds or PAGES
            found = {name: tally_of(thread, address, most) for name, address in named(addresses, practice.url)}
    finally:
        thread.stop()
    for name, tally in found.items():
        options.tell(f"{name}: {tally.as_data()}")
    worst = min(tally.share for tally in found.values())
    detail = {name: tally.as_data() for name, tally in found.items()}
    return Result("agreement", worst * 100, "%", f">= {GOAL:.0%} on each site", worst >= GOAL, None, detail)


def named(addresses: Iterable[str], practice: str) -> Iterator[tuple[str, str]]:
    for address in addresses:
        if not urlsplit(address).scheme.startswith("http"):
            raise NotReady("--only takes the addresses of sites, such as http://localhost:8000/.")
        yield ("practice site" if address == practice else urlsplit(address).netloc), address


def tally_of(thread: BrowserThread, address: str, most: int) -> Tally:
    def work(desk: Desk) -> Tally:
        with desk.session(context_for(address)) as session:
            return compare_site(session, address, most)

    tally: Tally = thread.call(work, deadline_s=DEADLINE_S)
    if not tally.elements:
        raise NotReady(f"nothing to compare was found at {address}.")
    return tally


def compare_site(session: BrowserSession, address: str, most: int) -> Tally:
    """The pages that links lead to, nearest first."""
    tally = Tally()
    todo, seen, kinds = deque([address]), {address}, Counter[str]()
    while todo and tally.pages < most:
        url = todo.popleft()
        if not is_page(session, url):
            continue
        elements = compare_page(session.page, tally)
        for link in links(elements, session.page.url):
            kind = kind_of(link)
            if link not in seen and kinds[kind] < OF_ONE_KIND:
                kinds[kind] += 1
                seen.add(link)
                todo.append(link)
    return tally


def is_page(session: BrowserSession, url: str) -> bool:
    try:
        arrival = session.goto(url, status_any=True)
    except (BrowserError, Error):
        return False
    return not arrival.download


def links(elements: Iterable[Element], url: str) -> Iterator[str]:
    host = urlsplit(url).netloc
    for element in elements:
        parts = urlsplit(element.href)
        if parts.netloc == host and "logout" not in parts.path:
            yield parts._replace(fragment="").geturl()


def kind_of(url: str) -> str:
    """Its path without numbers and the names of its parameters."""
    parts = urlsplit(url)
    path = "".join("0" if letter.isdigit() else letter for letter in parts.path)
    return f"{path.rpartition('/')[0]}?{'&'.join(sorted(pair.partition('=')[0] for pair in parts.query.split('&')))}"


def compare_page(page: Page, tally: Tally) -> tuple[Element, ...]:
    elements = take_snapshot(page).elements
    tally.pages += 1
    for path, _ in walk_frames(page.main_frame):
        known = [element for element in elements if element.by_role and element.frame == path]
        if known or not path:
            compare_frame(frame_at(page, path), known, tally)
    return elements


def compare_frame(frame: Frame, known: list[Element], tally: Tally) -> None:
    by_words = sorted(known, key=lambda element: (element.role, element.name))
    for (role, name), group in groupby(by_words, key=lambda element: (element.role, element.name)):
        # In exactly these words, no name at all included.
        same = frame.get_by_role(cast(Any, role), name=name, exact=True) if name else frame.locator(nameless(role))
        theirs = set(same.evaluate_all(NUMBERS))
        for element in group:
            count(tally, element.number in theirs, f'only ours: {role} "{name}" <{element.tag}>')
    ours = {element.number: element.role for element in known}
    for role in ROLES:
        for number in frame.get_by_role(cast(Any, role)).evaluate_all(NUMBERS):
            if ours.get(number) is None:
                count(tally, False, f"only theirs: {role}")


def nameless(role: str) -> str:
    return f'role={role}[name=""]'


def count(tally: Tally, is_same: bool, words: str) -> None:
    tally.elements += 1
    tally.agree += is_same
    if not is_same:
        tally.differ[words] += 1
