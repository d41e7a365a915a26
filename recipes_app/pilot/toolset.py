"""From a model's call to a Step with a lasting target, done by the engine. There is no other way to act.

1. Is the call one of those offered, its arguments as described?   2. Which element is meant, in words that last?
3. Does whoever owns this flight allow the step?   4. Do it, and say in a line what it brought about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recipes_app.browser.api import Error
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.describe import describe
from recipes_app.browser.errors import Indistinct
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element, locate
from recipes_app.engine.arguments import problems_of
from recipes_app.engine.document import parse_target
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.naming import PLACEHOLDER
from recipes_app.engine.shapes import Condition, Locator, Step, Target
from recipes_app.llm.base import ToolCall, ToolDef
from recipes_app.pilot.hands import Done, Hands
from recipes_app.pilot.seams import Deed, Scene, Turn
from recipes_app.pilot.tools import ENDING, TOOLS, offered

WAIT_MS = 10_000
OPENS = """e => {
  const link = e.closest("a[target],area[target]");
  return Boolean(link) && !["", "_self", "_top", "_parent"].includes(link.target.toLowerCase());
}"""
MAX_PROBLEM = 300
# What each of these tools is as an op, and which of its arguments goes into which field.
ON_ELEMENTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "click": ("click", {}),
    "type_text": ("type", {"text": "text", "press_enter": "press_enter"}),
    "select_option": ("select", {"value": "value"}),
    "choose": ("choose", {"value": "value"}),
    "check": ("check", {"value": "value"}),
    "set_date": ("set_date", {"value": "value"}),
    "upload": ("upload", {"file": "files"}),
    "hover": ("hover", {}),
    "press": ("press", {"key": "key"}),
    "scroll": ("scroll", {"direction": "direction"}),
}
WITHOUT_ELEMENT = frozenset({"press", "scroll"})


class BadCall(Exception):
    """The call names nothing that is there; the message is for the model."""


class NotPossible(Exception):
    """The call is understood and cannot be done; the message is for the model."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What stands behind a deed: the engine's account of the step, and the element it was about."""

    done: Done
    element: Element | None = None
    call: str = ""


Guard = Callable[[Step, Element | None], str | None]


@dataclass(slots=True)
class BrowserTools:
    """`offers` are the names of the tools given. `prefer`: texts that a row should rather be found by.

    `guard` may refuse a step in words for the model. `by_place`: an element that nothing lasting tells from its peers
    is acted on by its place among them; else it is refused, for a recipe could not find it again.
    """

    hands: Hands
    offers: Sequence[str] = tuple(TOOLS)
    prefer: Sequence[str] = ()
    guard: Guard | None = None
    by_place: bool = False
    more: Sequence[ToolDef] = field(default_factory=tuple)

    @property
    def session(self) -> BrowserSession:
        return self.hands.run.session

    def definitions(self, _scene: Scene, turn: Turn) -> tuple[ToolDef, ...]:
        """At the last turn only what ends the flight."""
        names = [name for name in self.offers if name in ENDING or not turn.is_last]
        return (*offered(names), *(() if turn.is_last else self.more))

    def act(self, call: ToolCall, scene: Scene) -> Deed:
        try:
            self._check(call)
            if call.name in ENDING:
                return ending(call)
            step, element = self._step(call, scene)
        except BadCall as problem:
            return Deed(str(problem), ok=False, bad=True)
        except NotPossible as problem:
            return Deed(str(problem), ok=False)
        refusal = self.guard(step, element) if self.guard else None
        if refusal:
            return Deed(refusal, ok=False)
        return deed_of(self.hands.do(step, opens=self._opens(step, element)), element, call)

    def _check(self, call: ToolCall) -> None:
        known = {tool.name: tool for tool in (*offered(self.offers), *self.more)}
        if call.name not in known:
            raise BadCall(f"There is no tool {call.name[:60]}; there are {', '.join(known)}.")
        problems = (
            [call.problem] if call.problem else problems_of(known[call.name].parameters, call.arguments, call.name)
        )
        if problems:
            raise BadCall("; ".join(problems)[:MAX_PROBLEM])
        self._check_placeholders(call)

    def _check_placeholders(self, call: ToolCall) -> None:
        texts = [value for value in call.arguments.values() if isinstance(value, str)]
        named = {name for text in texts for name in PLACEHOLDER.findall(text)}
        unknown = sorted(named - set(self.hands.run.arguments))
        if unknown:
            raise BadCall(f"There is no parameter {', '.join(unknown)}.")

    def _step(self, call: ToolCall, scene: Scene) -> tuple[Step, Element | None]:
        if call.name in ON_ELEMENTS:
            return self._on_element(call, scene)
        if call.name == "extract":
            return self._reading(call, scene)
        return Step(*self._plain(call)), None

    def _plain(self, call: ToolCall) -> tuple[str, dict[str, object]]:
        given = call.arguments
        match call.name:
            case "goto":
                return "goto", {"url": given["url"]}
            case "wait_for":
                return "wait_for", {"condition": Condition("page_text_contains", given["text"], timeout_ms=WAIT_MS)}
            case "dialog":
                return "dialog", dict(given)
            case "switch_page":
                return "switch_page", {"to": self._page(given["to"])}
            case _:
                return call.name, {}

    def _page(self, which: str) -> str:
        """The newest page by the step that opened it, as a recipe names it."""
        newest = self.session.pages[-1]
        if which == "main" or newest is self.session.main:
            return "main"
        opened = self.hands.run.opened
        path = next((path for path, pages in opened.items() if newest in pages and path.startswith("steps[")), None)
        if path is None:
            raise NotPossible("The newest page was opened by no step of yours.")
        return f"opened_by:{path}"

    def _on_element(self, call: ToolCall, scene: Scene) -> tuple[Step, Element | None]:
        op, names = ON_ELEMENTS[call.name]
        fields: dict[str, object] = {ours: call.arguments[key] for key, ours in names.items() if key in call.arguments}
        if op == "upload":
            fields["files"] = self._file(str(fields["files"]))
        if "element" not in call.arguments and call.name in WITHOUT_ELEMENT:
            return Step(op, fields), None
        element = element_of(scene, call)
        return Step(op, {"target": self.target_of(locate(self.session.page, element), element), **fields}), element

    def _opens(self, step: Step, element: Element | None) -> bool:
        """A link that is made to open a page of its own: the page comes a moment after the click."""
        if step.op != "click" or element is None:
            return False
        try:
            return bool(locate(self.session.page, element).evaluate(OPENS, timeout=WAIT_MS))
        except Error as error:
            self.session.raise_if_lost(error)
            return False

    def _file(self, named: str) -> str:
        name = named.strip("{} ")
        if name not in self.hands.run.arguments:
            raise BadCall("Only a file that is given as a parameter can be uploaded: write {{its name}}.")
        return f"{{{{{name}}}}}"

    def _reading(self, call: ToolCall, scene: Scene) -> tuple[Step, Element | None]:
        name, words = str(call.arguments["name"]), call.arguments.get("words")
        if "element" in call.arguments:
            element = element_of(scene, call)
            return Step(
                "extract", {"target": self.target_of(locate(self.session.page, element), element), "key": name}
            ), element
        if not words:
            raise BadCall("extract needs an element or words.")
        found = self.session.page.get_by_text(str(words)).filter(visible=True)
        if found.count() != 1:
            raise NotPossible(f"{found.count()} places show “{words}”; one is needed.")
        return Step("extract", {"target": self.target_of(found, None), "key": name}), None

    def target_of(self, nodes: Nodes, element: Element | None) -> Target:
        try:
            return parse_target(describe(self.session, nodes, prefer=tuple(self.prefer)))
        except (Indistinct, DocumentError) as error:
            if self.by_place and element is not None and element.by_role:
                return placed(self.session, nodes, element)
            raise NotPossible(f"{error} Take another way to it.") from error
        except Error as error:
            self.session.raise_if_lost(error)
            raise NotPossible("That element has left the page; look at the page as it is now.") from error


def element_of(scene: Scene, call: ToolCall) -> Element:
    number = call.arguments["element"]
    if number not in scene.elements:
        raise BadCall(f"There is no element {number} on the page shown.")
    return scene.elements[number]


def placed(session: BrowserSession, nodes: Nodes, element: Element) -> Target:
    """By role, name and its number among its peers: good for now, not for a recipe."""
    if element.frame:
        raise NotPossible("It cannot be told from others like it inside its frame.")
    peers = session.page.get_by_role(element.role, name=element.name or None, exact=True)  # type: ignore[arg-type]
    order = peers.evaluate_all("(all, me) => all.indexOf(me)", nodes.element_handle())
    if order < 0:
        raise NotPossible("It cannot be told from others like it.")
    return Target(locators=(Locator("role", element.role, element.name or None),), nth=order)


def ending(call: ToolCall) -> Deed:
    given = call.arguments
    if call.name == "fail":
        return Deed(str(given["reason"]), ends="failed")
    ends = "done" if given["success"] else "failed"
    result = given.get("result") or {}
    return Deed(str(given["summary"]), ends="done" if ends == "done" else "failed", result=result)


def deed_of(done: Done, element: Element | None, call: ToolCall) -> Deed:
    doing = Doing(with_file(done), element, call.name)
    if not done.ok:
        return Deed(" ".join([done.error, *_asked(done)]).strip(), ok=False, facts=doing)
    return Deed("; ".join(_brought(done)), step=doing.done.step, facts=doing)


def with_file(done: Done) -> Done:
    """A click that brought a file is a download, which keeps it."""
    if not (done.ok and done.files and done.step.op == "click"):
        return done
    fields = {"target": done.step.fields["target"], "key": "file"}
    return replace(done, step=replace(done.step, op="download", fields=fields, expect=None))


def _brought(done: Done) -> Iterable[str]:
    if done.url != done.url_before:
        yield f"now at {done.url}"
    if done.opened:
        yield "it opened a new page, which is shown now"
    if done.files:
        yield f"a file came: {done.files[0]}"
    if done.value is not None:
        yield f"read: {str(done.value)[:MAX_PROBLEM]}"
    yield from _asked(done)
    yield from (note for note in done.notes if not note.startswith("a new page opened"))


def _asked(done: Done) -> Iterable[str]:
    for seen in done.dialogs[:2]:
        answered = (
            "accepted" if seen.answer == "accept" else "dismissed; to accept it, call dialog first, then do it again"
        )
        yield f"the page asked “{seen.message[:120]}” ({seen.type}), which was {answered}"
