"""What has to happen on a changed page, worked out without the engine's own rules of agreement.

Each locator of a recorded target is tried by itself. Which of the nodes it finds is the right one is known from what
the node is to the site (keys.js): the address its form is sent to and the name it is sent under.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recipes_app.browser.api import Error, Frame
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import VOCABULARY, Locator, Recipe, Step, Target
from recipes_app.engine.finding.places import frames_of
from recipes_app.engine.substitution import omitted, substitute

KEYS = Path(__file__).with_name("keys.js").read_text(encoding="utf-8")
EACH = f"(elements) => elements.map({KEYS})"
STRONG = frozenset({"role", "label", "test_id"})
PATIENCE_MS = 5000
POLL_MS = 100


@dataclass(frozen=True, slots=True)
class Fact:
    """One locator on the page as it is now: what each visible node it finds is to the site."""

    is_strong: bool
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepFacts:
    path: str
    key: str
    facts: tuple[Fact, ...]

    @property
    def holds(self) -> bool:
        """Role and name, label or test id find the right one and nothing else."""
        return any(fact.is_strong and fact.keys == (self.key,) for fact in self.facts)

    @property
    def is_vetoed(self) -> bool:
        """Some locator finds one thing, and another."""
        return any(len(fact.keys) == 1 and fact.keys != (self.key,) for fact in self.facts)

    @property
    def kinds(self) -> frozenset[str]:
        """How a step whose element is not sure may be refused."""
        if not any(fact.keys for fact in self.facts):
            return frozenset({"missing"})
        several = any(len(fact.keys) > 1 for fact in self.facts)
        return frozenset({"drifted", "ambiguous"} if several else {"drifted"})


def acting_steps(recipe: Recipe, arguments: Mapping[str, Any]) -> Iterator[tuple[str, Step, Target]]:
    """The steps that use a control, up to the one that leaves the page, and their targets with values filled in."""
    for index, step in enumerate(recipe.steps):
        target = step.fields.get("target")
        if not VOCABULARY[step.op].writes or step.optional or not isinstance(target, Target):
            continue
        name = VOCABULARY[step.op].value_field
        if name is None or not omitted(step.fields.get(name), arguments):
            yield f"steps[{index}]", step, substitute(target, arguments)


def first_address(recipe: Recipe, arguments: Mapping[str, Any]) -> str:
    step = next(step for step in recipe.steps if step.op == "goto")
    return str(substitute(step.fields["url"], arguments, url=True))


def keys_of(session: BrowserSession, recipe: Recipe, arguments: Mapping[str, Any]) -> dict[str, str]:
    """On the unchanged page: what the element of each step is to the site."""
    open_first(session, recipe, arguments)
    found: dict[str, str] = {}
    for path, _step, target in acting_steps(recipe, arguments):
        frame = wait_for_frame(session, target)
        for locator in target.locators:
            keys = wait_for_keys(session, frame, target, locator)
            if len(keys) == 1:
                found[path] = keys[0]
                break
    return found


def facts_of(
    session: BrowserSession, recipe: Recipe, arguments: Mapping[str, Any], keys: Mapping[str, str]
) -> tuple[StepFacts, ...]:
    """On a changed page, once everything the recipe uses is shown."""
    open_first(session, recipe, arguments)
    wait_for_all(session, set(keys.values()))
    made: list[StepFacts] = []
    for path, _step, target in acting_steps(recipe, arguments):
        frame = wait_for_frame(session, target)
        facts = (Fact(is_strong(locator), keys_now(frame, target, locator)) for locator in target.locators)
        made.append(StepFacts(path, keys[path], tuple(facts) if frame else ()))
    return tuple(made)


def is_strong(locator: Locator) -> bool:
    return locator.kind in STRONG and (locator.kind != "role" or locator.name is not None)


def open_first(session: BrowserSession, recipe: Recipe, arguments: Mapping[str, Any]) -> None:
    session.goto(first_address(recipe, arguments))
    settle(session.page)


def wait_for_all(session: BrowserSession, keys: set[str]) -> None:
    """A page may never show all of it: then what it shows is what there is."""
    shown = f"""(found) => [...document.querySelectorAll("a, button, input, select, textarea")]
      .filter((e) => e.type === "file" || e.checkVisibility({{ visibilityProperty: true }})).map({KEYS})"""
    for _ in range(PATIENCE_MS // POLL_MS):
        there = {key for frame in session.page.frames for key in evaluate(frame, shown)}
        if keys <= there:
            return
        session.page.wait_for_timeout(POLL_MS)


def evaluate(frame: Frame, code: str) -> list[str]:
    try:
        found: list[str] = frame.evaluate(code)
    except Error:
        # A frame that is being replaced shows nothing.
        return []
    return found


def wait_for_frame(session: BrowserSession, target: Target) -> Frame | None:
    for _ in range(PATIENCE_MS // POLL_MS):
        frames = frames_of(session.page, target)
        if frames:
            return frames[0]
        session.page.wait_for_timeout(POLL_MS)
    return None


def wait_for_keys(session: BrowserSession, frame: Frame | None, target: Target, locator: Locator) -> tuple[str, ...]:
    for _ in range(PATIENCE_MS // POLL_MS):
        keys = keys_now(frame, target, locator)
        if keys:
            return keys
        session.page.wait_for_timeout(POLL_MS)
    return ()


def keys_now(frame: Frame | None, target: Target, locator: Locator) -> tuple[str, ...]:
    if frame is None:
        return ()
    scope = row_of(frame, target.within) if target.within else frame.locator("css=html")
    found = nodes(scope, locator)
    shown = found if locator.kind == "css" and "file" in locator.value else found.filter(visible=True)
    keys: list[str] = shown.evaluate_all(EACH)
    return tuple(keys)


def row_of(frame: Frame, within: Target) -> Nodes:
    """The recorded rows of this suite: a role and a text."""
    role: Any = within.role
    found = frame.get_by_role(role) if within.role else frame.locator(f"css={within.css}")
    return found.filter(has_text=within.text or "")


def nodes(scope: Nodes, locator: Locator) -> Nodes:
    """By Playwright alone. Names are the same whatever their case."""
    # Playwright puts a pattern between slashes.
    plain = re.escape(locator.name or locator.value).replace("/", r"\/")
    words = re.compile(rf"^\s*{plain}\s*$", re.IGNORECASE)
    role: Any = locator.value
    if locator.kind == "role":
        return scope.get_by_role(role, name=words) if locator.name else scope.get_by_role(role)
    if locator.kind == "css":
        return scope.locator(f"css={locator.value}")
    ways = {"label": scope.get_by_label, "placeholder": scope.get_by_placeholder, "title": scope.get_by_title}
    if locator.kind == "test_id":
        return scope.get_by_test_id(locator.value)
    return ways.get(locator.kind, scope.get_by_text)(words)
