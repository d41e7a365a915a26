"""What an op may ask for while it runs: the scene of the whole run, and the act of one step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.api import Page
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.events import About, Event
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.hit import Hit, make_reachable
from recipes_app.engine.parameters import MASK
from recipes_app.engine.sentences import step_sentence, target_words
from recipes_app.engine.shapes import Offset, Recipe, Step, Target
from recipes_app.engine.target import Look, page_in_use, resolve
from recipes_app.engine.vocabulary import VOCABULARY


class RunSteps(Protocol):
    def __call__(self, steps: tuple[Step, ...], path: str, scene: Scene) -> None: ...


@dataclass(slots=True)
class Scene:
    """One run: what it was given, and what it has come to so far."""

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

    @property
    def session(self) -> BrowserSession:
        return self.scene.session

    @property
    def left_ms(self) -> float:
        """What is left of the step's time, but enough for one try."""
        return max(250.0, self.timeout_ms - (monotonic() - self.started) * 1000)

    def get(self, name: str, default: Any = None) -> Any:
        return self.step.fields.get(name, default)

    @property
    def target(self) -> Target | None:
        target = self.step.fields.get("target")
        return target if isinstance(target, Target) else None

    @property
    def words(self) -> str:
        return target_words(self.target)

    def look(self, *, visible: bool = True) -> Look:
        return Look(
            visible=visible,
            lenient=self.scene.is_old,
            opened=self.scene.opened,
            on_poll=self.scene.follow_new_pages,
        )

    @property
    def page(self) -> Page:
        """The page of the step's target, or the one in use."""
        return page_in_use(self.session, self.target, self.look())

    def find(self, target: Target | None = None, *, visible: bool = True) -> Found:
        wanted = target or self.target
        if wanted is None:
            raise StepFailure("missing", f"{self.step.op} names no target")
        found = resolve(self.session, wanted, self.left_ms, look=self.look(visible=visible))
        self.matched = found.matched
        if found.warning:
            self.note(f"{target_words(wanted)}: {found.warning}")
        return found

    def reach(self, found: Found, words: str | None = None, offset: Offset | None = None) -> Hit:
        hit = make_reachable(self.session, found, words or self.words, self.left_ms, offset)
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
