"""Record a tool from what a person does: their deeds as steps, what these brought about, and what is read at the end.

While the person pauses, the page is looked at: what has come up since the last deed becomes what that step expects.
At the end something is read, unless the person has pointed at it: what came up, as after a recording by rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.listening import Heard, Listener
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.streaming import Stream
from recipes_app.engine.document import DocumentError, dump_step, parse_step
from recipes_app.mapping.bind import values_of
from recipes_app.mapping.facts import ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.paging import css_of
from recipes_app.mapping.propose.words import is_destructive
from recipes_app.mapping.results import Reading, message_reading, reading_of, result_reading
from recipes_app.mapping.survey import survey_page
from recipes_app.mapping.tape import ACTING, Tape
from recipes_app.mapping.traces import Traces, appeared, errors, lasting_piece, look, url_glob

Json = dict[str, Any]
PAUSE_S = 0.6
CLOSEST = """(element, css) => {
  for (let at = element; at; at = at.parentElement || at.getRootNode().host) if (at.matches(css)) return true;
  return false;
}"""
OWN_WORDS = ("text", "name", "label")


@dataclass(eq=False)
class HandRecorder:
    """`changed` is told the whole tape after each change. `stream` moves input and pictures."""

    session: BrowserSession
    changed: Callable[[list[Json]], None]
    is_remote: bool = False
    tape: Tape = field(default_factory=Tape)
    _seen: Traces | None = None
    _survey: PageSurvey | None = None
    _base: PageSurvey | None = None
    _looked_at: int = -1
    deeds: int = 0
    _sent: int = 0
    _news: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.listener = Listener(self.session, self._hear, lambda: tuple(values_of(self.tape.values())), self.is_remote)

    def begin(self, url: str) -> None:
        self.listener.listen()
        self.listener.note("goto", self.session.page, to=url)
        self.session.goto(url, status_any=True)
        self.listener.work()

    def each_round(self, idle_s: float) -> None:
        self._note_sent()
        if idle_s > PAUSE_S and self._looked_at != self.deeds:
            self._look()

    def finish(self) -> None:
        """What came last is looked at, and read."""
        self.listener.work()
        self._note_sent()
        page = self.session.page
        if page.is_closed():
            return
        settle(page)
        self._looked_at = -1
        self._look()
        if not any(entry.get("reads") for entry in self.tape.entries):
            self._read_what_came_up()

    # --- deeds

    def _hear(self, heard: Heard) -> None:
        if heard.kind == "pick":
            self._pick(heard)
            return
        if self.tape.add(heard):
            self.deeds += 1
            self._judge(self.tape.entries[-1] if self.tape.entries else None)
            self.changed(self.tape.entries)
        elif heard.kind in {"arrive", "submit"}:
            self.deeds += 1

    def _judge(self, entry: Json | None) -> None:
        if entry is not None and entry["op"] in ACTING:
            words = " ".join((entry["words"], str((entry.get("dialog") or {}).get("message", ""))))
            entry["destroys"] = is_destructive(entry["words"]) or is_destructive(words)

    def _note_sent(self) -> None:
        """Requests come in after the deed that caused them has been told."""
        new, self._sent = self.session.sending.requests[self._sent :], len(self.session.sending.requests)
        told = [self.tape.note_sent(request) for request in new]
        if any(told):
            self.deeds += 1
            self.changed(self.tape.entries)

    # --- what they brought about

    def _look(self) -> None:
        self._looked_at = self.deeds
        try:
            after, survey = look(self.session.page), survey_page(self.session.page, picture=False)
        except Error as error:
            # The page is being replaced; it is looked at again after the next deed, and at the end.
            self.session.raise_if_lost(error)
            return
        before, base = self._seen, self._survey
        self._seen, self._survey = after, survey
        last = next((each for each in reversed(self.tape.entries) if not each.get("reads")), None)
        if before is None or last is None or before == after:
            return
        if last["op"] in ACTING or last["fields"].get("press_enter") or last["sent"] or before.url != after.url:
            self._base, self._news = base, appeared(before, after)
            self._expect(last, before, after)
            self.changed(self.tape.entries)

    def _expect(self, entry: Json, before: Traces, after: Traces) -> None:
        values = self.tape.values()
        expect: Json = {}
        address = (
            None
            if entry["op"] in {"goto", "back", "reload"} or entry["opens"]
            else url_glob(before.url, after.url, values)
        )
        if address:
            expect["url"] = address
        if entry["sent"]:
            complaints = errors(before, after)
            entry["refused"] = "; ".join(complaints[:3])
            piece = "" if complaints else lasting_piece(appeared(before, after), values, before.texts)
            if piece:
                expect |= {"kind": "page_text_contains", "value": piece}
        entry["expect"] = expect or None

    # --- what is read

    def _pick(self, heard: Heard) -> None:
        reading = self._picked_list(heard) if heard.more.get("what") == "list" else self._picked_text(heard)
        if reading is None:
            self._add_problem(heard, "What was pointed at is no list, no table and no text that lasts.")
            return
        self._add(reading, heard)

    def _picked_list(self, heard: Heard) -> Reading | None:
        """The smallest list or table around what was pointed at."""
        survey = self._survey = survey_page(self.session.page, picture=False)
        there: list[TableFacts | ListFacts] = [*survey.tables, *survey.lists]
        around = [facts for facts in there if self._is_inside(heard, css_of(facts))]
        if not around:
            return None
        best = min(around, key=lambda facts: (isinstance(facts, ListFacts), facts.total))
        tables = [facts for facts in around if isinstance(facts, TableFacts)]
        return reading_of(tables[0] if tables else best, self._key("results"))

    def _is_inside(self, heard: Heard, css: str) -> bool:
        if heard.frame is None:
            return False
        node = heard.frame.locator(f"agentify-heard={heard.node.rpartition(':')[2]}")
        try:
            return bool(css) and bool(node.evaluate(CLOSEST, css))
        except Error:
            return False

    def _picked_text(self, heard: Heard) -> Reading | None:
        """Found by what it is, never by what it says."""
        target = dict(heard.target or {})
        said = {str(heard.facts.get("words", "")), str((target.get("fingerprint") or {}).get("name", ""))}
        ways = [
            way
            for way in target.get("locators", ())
            if not said & {str(way.get(part, "")) for part in OWN_WORDS} - {""}
        ]
        kept = [way for way in ways if "css" in way or "test_id" in way or "role" in way]
        if not kept:
            return None
        plain = {"locators": kept, **{part: target[part] for part in ("within", "frames") if target.get(part)}}
        try:
            step = parse_step({"op": "extract", "target": plain, "key": self._key("text")})
        except DocumentError:
            return None
        return Reading(step, str(step.fields["key"]), {"type": "string"})

    def _read_what_came_up(self) -> None:
        wrote = any(entry["sent"] for entry in self.tape.entries)
        try:
            reading = message_reading(self._news, self.session) if wrote else self._found()
        except Error as error:
            self.session.raise_if_lost(error)
            return
        if reading is not None:
            self._add(reading, Heard("read", self._page_number(), self.session.page.url))

    def _found(self) -> Reading | None:
        survey = self._survey
        if survey is None:
            return None
        acted = any(entry["op"] in ACTING or entry["value"] for entry in self.tape.entries)
        nothing = replace(survey, lists=(), tables=(), definitions=(), final_url="")
        base = self._base if acted and self._base is not None else nothing
        return result_reading(base, survey, self.session.page, "results") or result_reading(
            nothing, survey, self.session.page, "results"
        )

    def _add(self, reading: Reading, heard: Heard) -> None:
        entry = self._blank(heard) | {"step": dump_step(reading.step), "reads": {reading.key: reading.schema}}
        entry["op"] = reading.step.op
        self.tape.entries.append(entry)
        self.changed(self.tape.entries)

    def _add_problem(self, heard: Heard, problem: str) -> None:
        self.tape.entries.append(self._blank(heard) | {"problem": problem})
        self.changed(self.tape.entries)

    def _blank(self, heard: Heard) -> Json:
        number = max((entry["id"] for entry in self.tape.entries), default=0) + 1
        empty: Json = {
            "op": "",
            "fields": {},
            "target": None,
            "node": "",
            "value": None,
            "expect": None,
            "dialog": None,
        }
        return {
            "id": number,
            **empty,
            "page": heard.page,
            "url": heard.url,
            "sent": [],
            "opens": [],
            "words": "",
            "posts": False,
            "problem": "",
        }

    def _key(self, wanted: str) -> str:
        taken = {key for entry in self.tape.entries for key in entry.get("reads") or ()}
        numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
        return wanted if wanted not in taken else next(each for each in numbered if each not in taken)

    def _page_number(self) -> int:
        return self.session.opened.index(self.session.page)


def record_by_hand(recorder: HandRecorder, stream: Stream, *, idle_limit_s: float) -> str:
    """How it ended: "finish", "closed" (the window), or "idle" (nobody did anything for so long)."""

    known = [0]

    def each_round(idle_s: float) -> None:
        if recorder.deeds != known[0]:
            # At one's own screen nothing else tells that somebody is there.
            known[0], idle_s = recorder.deeds, 0.0
            stream.last_input_at = monotonic()
        if not stream.is_asked:
            recorder.each_round(idle_s)
        if idle_s > idle_limit_s:
            stream.ended = "idle"

    how = stream.run(each_round)
    if how == "finish":
        recorder.finish()
    return how
