"""What an op may ask for while it runs: the scene of the whole run, and the act of one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.api import Page
from recipes_app.browser.looking import Wish
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.events import About, Event
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.hit import Hit, make_reachable
from recipes_app.engine.nesting import path_in_document
from recipes_app.engine.parameters import MASK
from recipes_app.engine.sentences import step_sentence, target_words
from recipes_app.engine.shapes import Offset, Recipe, Step, Target
from recipes_app.engine.target import Look, page_in_use, resolve
from recipes_app.engine.vocabulary import VOCABULARY

MAX_WARNINGS = 200
MAX_ROWS = 2000


class RunSteps(Protocol):
    def __call__(self, steps: tuple[Step, ...], path: str, scene: Scene, *, first: int = 0) -> None: ...


@dataclass(slots=True)
class Scene:
    """One run: what it was given, and what it has come to so far.

    Inside a loop or another tool some of it is changed for a while: see `changed`. `prefix` is what the paths of the
    tool's own steps begin with, `scrolled` whether the last scrolling moved anything.
    """

    recipe: Recipe
    arguments: Mapping[str, Any]
    session: BrowserSession
    emit: Callable[[Event], None]
    run_steps: RunSteps
    base_url: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    opened: dict[str, list[Page]] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    secret_fields: list[Nodes] = field(default_factory=list)
    pages_seen: int = 1
    tools: Mapping[str, Recipe] = field(default_factory=dict)
    callers: tuple[str, ...] = ()
    prefix: str = ""
    scrolled: bool = False
    max_download: int = 100 * 1024 * 1024

    @contextmanager
    def changed(self, **changes: Any) -> Iterator[None]:
        """With some of its fields replaced, until the block ends in whatever way."""
        before = {name: getattr(self, name) for name in changes}
        for name, value in changes.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    def warn(self, message: str) -> None:
        """Loops can warn without end; the first ones say enough."""
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append(self.clean(message))
        elif len(self.warnings) == MAX_WARNINGS:
            self.warnings.append("there were more warnings")

    def add_row(self, row: dict[str, Any]) -> None:
        """Of the steps of a very long run the first MAX_ROWS are listed; events tell of all."""
        if len(self.steps) < MAX_ROWS:
            self.steps.append(row)
        elif len(self.steps) == MAX_ROWS:
            self.steps.append({"path": "", "op": "", "ms": 0, "matched": "", "status": "more"})

    def note_opened(self, path: str, pages: list[Page]) -> None:
        """Under the step's path as it ran, and as it is written in the file, with and without its index brackets."""
        own = path.removeprefix(self.prefix)
        for name in (own, path_in_document(own)):
            self.opened[name] = pages
            self.opened[name.removeprefix("steps[").removesuffix("]")] = pages

    @property
    def is_old(self) -> bool:
        return self.recipe.format == 1

    def may_write(self, step: Step) -> bool:
        return VOCABULARY[step.op].writes and self.recipe.side_effect != "read"

    def clean(self, text: str) -> str:
        """A text without the secrets among the arguments."""
        for secret in self.secrets:
            text = text.replace(secret, MASK)
        return text

    def follow_new_pages(self) -> None:
        """The first Agentify had no word for pages: there the newest one is the one that counts."""
        opened = self.session.opened
        if self.is_old and len(opened) > self.pages_seen:
            newest = next((page for page in reversed(opened[self.pages_seen :]) if not page.is_closed()), None)
            if newest is not None:
                self.session.switch_to(newest)
        self.pages_seen = len(opened)


@dataclass(slots=True)
class Act:
    """One attempt at one step, its placeholders filled. `sent` is true once the page may have felt it."""

    scene: Scene
    step: Step
    original: Step
    path: str
    timeout_ms: float
    started: float = field(default_factory=monotonic)
    sent: bool = False
    matched: str = ""
    notes: list[str] = field(default_factory=list)
    opens: bool = False
    # What the next step waits for, where that does not hold yet.
    awaited: bool = False
    # Whether the page is being left, where that was seen after the last thing done to it.
    left: bool | None = None
    # Whether another document has taken the place of the one it was done to.
    arrived: bool = False

    @property
    def session(self) -> BrowserSession:
        return self.scene.session

    @property
    def left_ms(self) -> float:
        """What is left of the step's time, but enough for one try."""
        return max(250.0, self.timeout_ms - (monotonic() - self.started) * 1000)

    @property
    def is_over(self) -> bool:
        return (monotonic() - self.started) * 1000 >= self.timeout_ms

    def get(self, name: str, default: Any = None) -> Any:
        return self.step.fields.get(name, default)

    @property
    def target(self) -> Target | None:
        target = self.step.fields.get("target")
        return target if isinstance(target, Target) else None

    @property
    def words(self) -> str:
        return target_words(self.target)

    def look(self, *, visible: bool = True, wish: Wish | None = None) -> Look:
        return Look(
            visible=visible,
            wish=wish or Wish(),
            lenient=self.scene.is_old,
            opened=self.scene.opened,
            on_poll=self.scene.follow_new_pages,
        )

    @property
    def page(self) -> Page:
        """The page of the step's target, or the one in use."""
        return page_in_use(self.session, self.target, self.look())

    def find(self, target: Target | None = None, *, visible: bool = True, wish: Wish | None = None) -> Found:
        wanted = target or self.target
        if wanted is None:
            raise StepFailure("missing", f"{self.step.op} names no target")
        found = resolve(self.session, wanted, self.left_ms, look=self.look(visible=visible, wish=wish))
        self.matched = found.matched
        if found.warning:
            self.note(f"{target_words(wanted)}: {found.warning}")
        return found

    def reach(
        self, found: Found, words: str | None = None, offset: Offset | None = None, *, through: bool = False
    ) -> Hit:
        hit = make_reachable(self.session, found, words or self.words, self.left_ms, offset, through=through)
        self.opens = hit.opens
        for note in hit.notes:
            self.note(note)
        return hit

    def send(self) -> None:
        """Called right before the page can feel anything. Returns only when it is written down that we are about to."""
        if self.sent:
            return
        if self.scene.may_write(self.step):
            self.scene.emit(About(self.path, self.step.op, step_sentence(self.original), may_write=True))
        self.sent = True

    def keep(self, value: Any) -> None:
        self.scene.data[str(self.get("key", "result"))] = value

    def note(self, message: str) -> None:
        if message not in self.notes:
            self.notes.append(message)

    def fail(self, kind: str, message: str, candidates: list[str] | None = None) -> StepFailure:
        return StepFailure(kind, message, looked_for=self.words, candidates=candidates or ())
