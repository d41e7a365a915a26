"""From a call of the agent to what it does: the browser's part by the pilot's tools, the evidence's part here.

1. May it be done now?   2. Say what is about to happen   3. Do it   4. Say what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from evidence_app.agent.actions import BREAKING, ENDING, OF_PILOT
from evidence_app.agent.capturing import Capture, CapturedFile, Captures, Lays
from evidence_app.agent.completeness import Verdict, check_done
from evidence_app.agent.events import Acted, Captured, Confided, Decided
from evidence_app.agent.politeness import Pause, no_pause
from evidence_app.agent.progress import Progress, collected
from evidence_app.agent.recovery import RunState
from evidence_app.agent.statement import statement_of_file
from evidence_app.spec.shapes import TaskSpec
from evidence_app.spec.values import check_value
from recipes_app.browser.api import Error
from recipes_app.browser.originals import name_of, shown_file
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element, locate
from recipes_app.engine.arguments import problems_of
from recipes_app.engine.document import dump_step
from recipes_app.engine.events import Downloaded, Event
from recipes_app.engine.shapes import Step
from recipes_app.llm.base import ToolCall, ToolDef
from recipes_app.pilot.seams import Deed, Scene, Turn
from recipes_app.pilot.toolset import BadCall, BrowserTools, Doing, NotPossible, deed_of, element_of

MAX_SAID = 2000
LEAVE_MS = 5000
# Calls on an element that may lead to another page, and elements without an address of their own that do.
LEADING = frozenset({"click", "download"})
PRESSED = frozenset({"button", "menuitem", "tab", "link"})
BATCH_SHIFT = 0.2
BATCH_ELEMENTS = 3
Looks = Callable[[BrowserSession, Scene, str], str]


@dataclass(slots=True)
class EvidenceTools:
    """A `Toolset`. `seq` numbers the actions of the whole attempt, over its resumptions too."""

    spec: TaskSpec
    hands: BrowserTools
    tools: Mapping[str, ToolDef]
    emit: Callable[[Event], None]
    capture: Captures
    lay: Lays
    look: Looks
    progress: Progress
    state: RunState
    pause: Pause = no_pause
    seq: int = 0
    thought: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[int, int] = (0, 0)
    must_finish: bool = False
    gave_up: bool = False
    brought: bool = False  # whether the last action brought data
    turn: Turn | None = None
    verdict: Verdict | None = None
    _asked: Scene | None = None
    _broken: str = ""

    @property
    def session(self) -> BrowserSession:
        return self.hands.session

    def definitions(self, scene: Scene, turn: Turn) -> tuple[ToolDef, ...]:
        """At the last step, and where nothing moves any more, only what ends the task."""
        self.turn, self._asked, self._broken = turn, scene, ""
        only_end = self.must_finish or turn.is_last
        return tuple(tool for name, tool in self.tools.items() if name in ENDING or not only_end)

    def act(self, call: ToolCall, scene: Scene) -> Deed:
        self.brought = False
        self.seq += 1
        url = self.session.page.url
        given = dict(call.arguments)
        input_tokens, output_tokens = self.tokens
        secrets = _secrets_in(call, scene)
        if secrets:
            self.emit(Confided(secrets))
        self.emit(Decided(self.seq, call.name, given, scene.mark, url, self.thought, input_tokens, output_tokens))
        began = monotonic()
        try:
            self._refuse(call, scene)
            self.pause(_asks_for(call, scene))
            deed = self._do(call, scene)
        except BadCall as problem:
            deed = Deed(str(problem), ok=False, bad=True)
        except NotPossible as problem:
            deed = Deed(str(problem), ok=False)
        if call.name in BREAKING or not deed.ok:
            self._broken = call.name
        self.state.done(call.name, _about(call, scene), url=url, ok=deed.ok)
        step = None if deed.step is None else dump_step(deed.step)
        ms = int((monotonic() - began) * 1000)
        self.emit(Acted(self.seq, deed.ok, deed.said[:MAX_SAID], self.session.page.url, ms, step))
        return deed

    def heard(self, event: Event) -> None:
        """The engine's events on their way out; a file that came is kept as evidence."""
        if not isinstance(event, Downloaded):
            self.emit(event)
            return
        file = CapturedFile("download", event.media_type, path=event.path, name=event.name, sha256=event.sha256)
        statement = statement_of_file(self.session, event.url, event.size)
        self._keep(Capture(event.key, event.url, (file,), statement=statement))

    # --- may it be done

    def _refuse(self, call: ToolCall, scene: Scene) -> None:
        if call.name not in self.tools:
            raise BadCall(f"There is no action {call.name[:60]}; there are {', '.join(self.tools)}.")
        schema = self.tools[call.name].parameters
        problems = [call.problem] if call.problem else problems_of(schema, call.arguments, call.name)
        if problems and call.name not in ("done", "save_progress"):
            raise BadCall("; ".join(problems)[:MAX_SAID])
        if self._broken:
            raise NotPossible(f"Not done: nothing else is done after {self._broken} in the same answer.")
        self._refuse_moved(call, scene)
        if self.state.repeats(call.name, _about(call, scene), url=self.session.page.url):
            raise NotPossible(f"Not done: {call.name} was done three times running here and changed nothing.")

    def _refuse_moved(self, call: ToolCall, scene: Scene) -> None:
        """A later call of one answer names elements of the page as it was when the answer was given."""
        asked = self._asked
        if asked is None or asked is scene or not asked.elements:
            return
        shift = abs(len(scene.elements) - len(asked.elements))
        if shift > max(BATCH_ELEMENTS, len(asked.elements) * BATCH_SHIFT):
            raise NotPossible("Not done: the page has changed since; look at it again.")
        number = call.arguments.get("element")
        if isinstance(number, int) and _same(asked.elements.get(number), scene.elements.get(number)) is False:
            raise NotPossible(f"Not done: {number} is another element now; look at the page again.")

    # --- do it

    def _do(self, call: ToolCall, scene: Scene) -> Deed:
        own: dict[str, Callable[[ToolCall, Scene], Deed]] = {
            "screenshot": self._screenshot,
            "download": self._download,
            "save_progress": self._save,
            "done": self._done,
            "fail": self._fail,
            "look": self._look,
            "call": self._call,
        }
        return own.get(call.name, self._browse)(call, scene)

    def _browse(self, call: ToolCall, scene: Scene) -> Deed:
        deed = self.hands.act(replace(call, name=OF_PILOT[call.name]), scene)
        if call.name == "goto":
            deed = self._opened(deed, str(call.arguments["url"]))
        if call.name == "extract" and deed.ok and isinstance(deed.facts, Doing):
            self.progress.note_text(self.seq, str(call.arguments["name"]), str(deed.facts.done.value))
            self._lay_out()
            self.brought = True
        return deed

    def _opened(self, deed: Deed, url: str) -> Deed:
        """An address that is a file and no page: the file itself is the evidence."""
        done = deed.facts.done if isinstance(deed.facts, Doing) else None
        if deed.ok and shown_file(self.session.page):
            return self._fetched_and_left(url)
        if deed.ok or done is None or not done.files:
            return deed
        return self._fetched(Step("download", {"url": url, "key": done.files[0]}), done.files[0])

    def _fetched_and_left(self, url: str) -> Deed:
        """A full Chromium shows a PDF where the headless shell saves it: in the end it is the same in both."""
        name = name_of(self.session.page.url)
        deed = self._fetched(Step("download", {"url": url, "key": name}), name)
        with suppress(Error):
            self.session.page.go_back(timeout=LEAVE_MS, wait_until="domcontentloaded")
        return deed

    def _fetched(self, step: Step, label: str) -> Deed:
        done = self.hands.hands.do(step)
        if not done.ok:
            return Deed(done.error, ok=False, facts=Doing(done))
        self.brought = True
        return Deed(f"The file was kept as {label}.", step=done.step, facts=Doing(done))

    def _download(self, call: ToolCall, scene: Scene) -> Deed:
        element, label = element_of(scene, call), str(call.arguments["label"])
        target = self.hands.target_of(locate(self.session.page, element), element)
        return self._fetched(Step("download", {"target": target, "key": label}), label)

    def _call(self, call: ToolCall, _scene: Scene) -> Deed:
        given = call.arguments
        step = Step("call", {"tool": str(given["tool"]), "args": dict(given["arguments"]), "into": str(given["tool"])})
        done = self.hands.hands.do(step)
        deed = deed_of(done, None, call)
        self.brought = deed.ok
        if deed.ok and done.value is None:
            value = self.hands.hands.run.data.get(str(given["tool"]))
            deed = replace(deed, said=f"{given['tool']} gave {str(value)[:MAX_SAID]}")
        return deed

    # --- evidence

    def _look(self, call: ToolCall, scene: Scene) -> Deed:
        return Deed(self.look(self.session, scene, str(call.arguments["question"])))

    def _screenshot(self, call: ToolCall, _scene: Scene) -> Deed:
        label = str(call.arguments["label"])
        if not label.strip():
            raise BadCall("A screenshot needs a label.")
        taken = self.capture(self.session, label.strip(), self.spec.capture)
        if not taken.files:
            why = "; ".join(taken.flaws) or "the page gave none"
            return Deed(f"No picture could be taken: {why}.", ok=False)
        again = self._keep(taken)
        self.brought = not again
        flaws = f" Something of the page is not in it: {'; '.join(taken.flaws)}." if taken.flaws else ""
        same = " It is the same picture as one before." if again else ""
        step = Step("screenshot", {"label": taken.label, "full_page": True})
        return Deed(f"Kept as {taken.label}.{same}{flaws}", step=step)

    def _keep(self, taken: Capture) -> bool:
        """Whether its first file is the same as one before."""
        layout = None if taken.layout is None else replace(taken.layout, step=self.seq)
        self.emit(Captured(self.seq, replace(taken, layout=layout)))
        self.progress.labels.append(taken.label)
        self.progress.flawed(taken.label, layout.capture if layout else "", taken.flaws)
        if layout is not None:
            self.progress.saw(layout)
        first = taken.files[0].sha256 if taken.files else ""
        again = bool(first) and first in self.progress.hashes
        if first:
            self.progress.hashes.append(first)
        return again

    def _lay_out(self) -> None:
        self.progress.saw(replace(self.lay(self.session), step=self.seq))

    def _save(self, call: ToolCall, _scene: Scene) -> Deed:
        given = call.arguments
        extracted = given.get("extracted")
        if not isinstance(extracted, Mapping):
            raise BadCall("extracted has to be an object.")
        changed = self.progress.save(extracted)
        self._note(given)
        marked = self._mark(given)
        self._ground(extracted)
        self.brought = changed
        url = self.session.page.url
        if changed and url not in self.state.exhausted:
            self.state.exhausted.append(url)
        said = "Saved." if changed else "Nothing new in it; it was saved before."
        return Deed(f"{said} {marked}".strip(), ok=changed or bool(marked))

    def _fail(self, call: ToolCall, _scene: Scene) -> Deed:
        self.gave_up = True
        self.progress.notes.append(str(call.arguments["note"]))
        return Deed(str(call.arguments["note"]), ends="failed")

    def _done(self, call: ToolCall, _scene: Scene) -> Deed:
        """Checked on a copy: what is turned away leaves nothing behind in what was saved."""
        given = call.arguments
        extracted = given.get("extracted")
        if not isinstance(extracted, Mapping):
            raise BadCall("extracted has to be an object.")
        judgment = given.get("judgment")
        self._mark(given)
        candidate = replace(self.progress, extracted=dict(self.progress.extracted))
        candidate.save(extracted)
        self._ground(extracted)
        said = dict(judgment) if isinstance(judgment, Mapping) else self.progress.judgment
        verdict = check_done(self.spec, collected(self.progress, candidate.extracted, said))
        is_end = self.must_finish or (self.turn is not None and self.turn.is_last)
        if not verdict.complete and not is_end:
            reasons = " ".join(reason.text for reason in verdict.reasons)
            return Deed(f"Not done yet. {reasons}", ok=False)
        self.progress.extracted, self.progress.judgment = dict(verdict.extracted), said
        self._note(given)
        self.verdict = verdict
        return Deed("Done.", ends="done", result=dict(verdict.extracted))

    def _note(self, given: Mapping[str, Any]) -> None:
        note = str(given.get("note") or "").strip()
        if note:
            self.progress.notes.append(note)

    def _mark(self, given: Mapping[str, Any]) -> str:
        known = {each.id for each in self.spec.milestones}
        asked = given.get("milestones")
        names = [str(name) for name in asked] if isinstance(asked, list) else []
        new = [name for name in names if name in known and name not in self.progress.milestones]
        self.progress.milestones += new
        return f"Milestones reached: {', '.join(new)}." if new else ""

    def _ground(self, extracted: Mapping[str, Any]) -> None:
        """Values that no picture shows yet but the page in use does: it is captured, so that they can be shown."""
        self._lay_out()
        values = [extracted, typed_values(self.spec, extracted)]
        unshown = self.progress.look_for(values)
        if any(self._stands_on(value, self.session.page.url) for value in unshown):
            taken = self.capture(self.session, f"seen at step {self.seq}", self.spec.capture)
            if taken.files:
                self._keep(taken)
                self.progress.look_for(values)

    def _stands_on(self, value: Any, url: str) -> bool:
        sighting = self.progress.sighting_of(value)
        return sighting is not None and not sighting.capture and sighting.url == url


def typed_values(spec: TaskSpec, extracted: Mapping[str, Any]) -> dict[str, Any]:
    """As they will be kept: a date in ISO form stands on the page in another."""
    known = {each.name: each for each in spec.output}
    return {name: check_value(value, known[name]).value for name, value in extracted.items() if name in known}


def _about(call: ToolCall, scene: Scene) -> str:
    """What the call is about, in words that stay the same while the page does."""
    given = call.arguments
    element = scene.elements.get(given["element"]) if isinstance(given.get("element"), int) else None
    if element is not None:
        return f"{element.role} {element.name}".strip()
    return str(given.get("url") or given.get("direction") or given.get("label") or given.get("key") or "")[:200]


def _secrets_in(call: ToolCall, scene: Scene) -> tuple[str, ...]:
    """What goes into a field that hides what is typed into it."""
    number, text = call.arguments.get("element"), call.arguments.get("text")
    element = scene.elements.get(number) if isinstance(number, int) else None
    return (text,) if element is not None and element.type == "password" and isinstance(text, str) and text else ()


def _asks_for(call: ToolCall, scene: Scene) -> str:
    """The address that the call may ask for; nothing where it stays on its page. Where a button leads to is not known
    before: it counts as the site's own."""
    given = call.arguments
    element = scene.elements.get(given["element"]) if isinstance(given.get("element"), int) else None
    if call.name == "goto":
        return str(given["url"])
    if call.name in LEADING and element is not None:
        if not element.href:
            return scene.url if element.role in PRESSED else ""
        return "" if _is_same_page(element.href, scene.url) else element.href
    return scene.url if call.name in ("back", "call") or given.get("press_enter") or given.get("key") == "Enter" else ""


def _is_same_page(href: str, url: str) -> bool:
    return href.startswith("#") or ("#" in href and href.partition("#")[0] == url.partition("#")[0])


def _same(before: Element | None, now: Element | None) -> bool | None:
    """None where there was none to compare with."""
    if before is None:
        return None
    return now is not None and (before.role, before.name, before.frame) == (now.role, now.name, now.frame)
