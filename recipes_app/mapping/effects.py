"""What sending something brought about, and how a recipe waits for it, proves it and reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from recipes_app.browser.api import Error, Page
from recipes_app.browser.dialogs import SeenDialog
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Condition, DialogRule, Expect, Step, Target
from recipes_app.engine.substitution import placeholders
from recipes_app.mapping.bind import bind, mentions
from recipes_app.mapping.errors import NothingFound, RecordingFailed, Unreadable
from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.words import NOTHING_FOUND, says
from recipes_app.mapping.results import Reading, message_reading, new_reading, result_reading, rows_reading
from recipes_app.mapping.rows_meant import Meant, promises_rows, why_no_rows
from recipes_app.mapping.survey import survey_page, wait_while_busy
from recipes_app.mapping.traces import Trace, Traces, appeared, lasting_piece, look, url_glob

CHANGE_MS = 6000
POLL_MS = 100


@dataclass(frozen=True, slots=True)
class Effects:
    """Of one recording. `trusting`: the page's words are no proof, for they did not come again the last time.

    `pointed`: what a model named as part of the answer.
    """

    draft: Draft
    arguments: Mapping[str, Any]
    session: BrowserSession
    trusting: bool = False
    pointed: tuple[Target, ...] = ()

    @property
    def reads(self) -> bool:
        return self.draft.side_effect == "read"

    def wait_for_change(self, before: Traces, windows: int) -> Traces:
        """What the page says then, or the window that opened; `windows` is how many there had been before."""
        page = self.session.page
        settle(page)
        waited, after = 0, look(page)
        while waited < CHANGE_MS and after.url == before.url and after.texts == before.texts:
            if len(self.session.opened) > windows:
                break
            page.wait_for_timeout(POLL_MS)
            waited += POLL_MS
            after = look(page)
        page = newest_window(self.session, windows) or page
        settle(page)
        wait_while_busy(page)
        return look(page)

    def expectation(self, before: Traces, after: Traces, dialogs: Sequence[SeenDialog]) -> Expect | None:
        """RecordingFailed where a tool that writes brought nothing about that could be seen."""
        new = appeared(before, after)
        address = url_glob(before.url, after.url, self.arguments)
        if not self.reads and not new and address is None and not dialogs and not self._proves_itself:
            raise RecordingFailed("nothing on the page shows that something happened")
        condition = None if self.trusting else self._condition(before, after, new)
        rule = dialog_rule(dialogs, self.arguments)
        if condition is None and address is None and rule is None:
            return None
        return Expect(condition=condition, url=address, dialog=rule)

    @property
    def _proves_itself(self) -> bool:
        """The plan looks afterwards whether it was kept."""
        at = self.draft.submit_index
        return at is not None and any(step.op == "verify" for step in self.draft.steps[at + 1 :])

    def _condition(self, before: Traces, after: Traces, new: list[Trace]) -> Condition | None:
        if self.reads:
            return self._echo(before, after)
        piece = lasting_piece([each for each in new if each.tag != "input"], self.arguments, before.texts)
        return Condition("page_text_contains", value=piece) if piece else self._button(before, new)

    def _button(self, before: Traces, new: list[Trace]) -> Condition | None:
        """What an <input> says of itself is no text of the page: another button is there now."""
        said = (each for each in new if each.tag == "input")
        name = next(
            (each.text for each in said if lasting_piece([each], self.arguments, before.texts) == each.text), ""
        )
        return Condition("element_exists", target=Target(role="button", name=name)) if name else None

    def _echo(self, before: Traces, after: Traces) -> Condition | None:
        """A list that changes in place: wait for what was asked to be repeated on the page, if the page does that."""
        if not self.reads or before.url != after.url:
            return None
        for trace in appeared(before, after):
            bound = bind(trace.text, self.arguments)
            if bound != trace.text and not any(letter.isdigit() for letter in bound) and trace.kind != "line":
                return Condition("page_text_contains", value=bound)
        return None

    def reading(self, before: Traces, after: Traces, surveyed: PageSurvey, key: str) -> Reading | None:
        """What came back and how to read it: chosen by rules from the difference. NothingFound, RecordingFailed."""
        new = appeared(before, after)
        if self.reads:
            return self._found(new, surveyed, key)
        message = message_reading(new, self.session)
        return message or new_reading(surveyed, survey_page(self.session.page, picture=False), key)

    def _found(self, new: list[Trace], surveyed: PageSurvey, key: str) -> Reading:
        page = self.session.page
        after = survey_page(page, picture=False)
        reading = self._rows_or_page(surveyed, after, key)
        no_hits = says(NOTHING_FOUND, *(trace.text for trace in new)) or any(not t.total for t in after.tables)
        if no_hits and (reading is None or reading.is_page):
            raise NothingFound("nothing was found for the values tried; give others")
        if reading is None and promises_rows(self.draft):
            raise Unreadable(why_no_rows(self.draft))
        if reading is None:
            raise Unreadable("nothing came back that could be read as a list, a table or a page")
        if reading.is_page and self.draft.name.startswith("search") and self._asks_in(page.url):
            words = "too little was found for the values tried to tell what a list of results looks like; give others"
            raise NothingFound(words)
        return reading

    def _rows_or_page(self, before: PageSurvey, after: PageSurvey, key: str) -> Reading | None:
        """What a page says of itself is no answer of a tool that lists."""
        if not promises_rows(self.draft):
            return result_reading(before, after, self.session.page, key)
        meant = Meant(self.draft, self.session, self.arguments, self.pointed)
        return rows_reading(before, after, key, meant)

    def _asks_in(self, url: str) -> bool:
        """Whether an address repeats the question: then it shows results, however few, and not the one thing found."""
        return mentions(unquote_plus(urlsplit(url).query), self.arguments)


def joined(given: Expect | None, seen: Expect) -> Expect:
    """What the plan already expects stays; what was seen besides is added."""
    if given is None:
        return seen
    return Expect(
        condition=given.condition or seen.condition,
        appears=given.appears,
        disappears=given.disappears,
        url=given.url or seen.url,
        page_opened=given.page_opened or seen.page_opened,
        download=given.download,
        dialog=given.dialog or seen.dialog,
    )


def newest_window(session: BrowserSession, windows: int) -> Page | None:
    """The window that opened since there were so many, from now on the page in use; None where none is open."""
    page = next((page for page in reversed(session.opened[windows:]) if not page.is_closed()), None)
    if page is None:
        return None
    session.switch_to(page)
    try:
        page.wait_for_load_state("domcontentloaded", timeout=CHANGE_MS)
    except Error as error:
        # It may have closed itself at once: the page in use is its opener again.
        session.raise_if_lost(error)
    return session.page


def dialog_rule(dialogs: Sequence[SeenDialog], arguments: Mapping[str, Any]) -> DialogRule | None:
    if not dialogs:
        return None
    seen = dialogs[0]
    message = bind(seen.message, arguments)
    words = ["*" if any(letter.isdigit() for letter in word) else word for word in message.split()]
    return DialogRule(type=seen.type, message=" ".join(words) or None, answer="accept" if seen.allowed else "dismiss")


def address_after(step: Step, before: str, after: str, arguments: Mapping[str, Any]) -> str | None:
    """Where a step that leads on must lead. What it is found by decides about the last part of the way as well."""
    glob = url_glob(before, after, arguments)
    if glob is None or not placeholders(step.fields.get("target")):
        return glob
    head, _, tail = glob.partition("?")
    return f"{head.rpartition('/')[0]}/*{'?*' if tail else ''}"


def result_key(name: str) -> str:
    noun = name.partition("_")[2]
    return "results" if noun in {"", "site"} else noun
