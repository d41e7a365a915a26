"""Look for what took the place of an element that a step does not find any more.

1. replay up to that step, never beyond, sending nothing   2. see what is on the page, and what the other steps find
3. the most similar element, if there is one clearly   4. describe it lastingly, see that the description finds it
5. a picture of the page with it outlined
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recipes_app.browser.api import Error, Frame, Page
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.describe import describe
from recipes_app.browser.errors import Indistinct
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Element, frame_at, locate, take_snapshot
from recipes_app.engine.document import VOCABULARY, DocumentError, Recipe, Step, Target, parse_target
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.events import Event, Progress
from recipes_app.engine.finding.locating import scope_of
from recipes_app.engine.finding.outcome import Found, lost_in
from recipes_app.engine.finding.places import frames_of
from recipes_app.engine.healing import Around, Choice, Scored, Traits, named, search, words
from recipes_app.engine.nesting import inner_steps, path_in_document
from recipes_app.engine.parameters import secret_values
from recipes_app.engine.runner import RunOptions, run
from recipes_app.engine.scripts import script, with_aria
from recipes_app.engine.sentences import target_words
from recipes_app.engine.shapes import Branch
from recipes_app.engine.submitting import submits
from recipes_app.engine.substitution import placeholders, substitute
from recipes_app.engine.target import Look, look_once, resolve
from recipes_app.mapping.bind import bind_target, values_of

PHASE = "heal"
FIND_MS = 2500
PICTURE_MS = 5000
PARTS = re.compile(r"(\w+)\[(\d+)\]")
HIDDEN_OPS = frozenset({"check", "choose", "upload"})


@dataclass(frozen=True, slots=True)
class Healing:
    """`target` is None where nothing is proposed, and `message` says why. `found`: the element, in words."""

    message: str
    target: Target | None = None
    found: str = ""
    score: float | None = None
    second: str = ""
    second_score: float | None = None
    reasons: tuple[str, ...] = ()
    picture: bytes | None = None


class NothingToPropose(Exception):
    """One sentence for a person."""


def heal(
    recipe: Recipe,
    path: str,
    arguments: Mapping[str, Any],
    session: BrowserSession,
    emit: Callable[[Event], None],
    *,
    options: RunOptions,
) -> Healing:
    """Never raises for what a page did; Aborted and BrowserLost pass through."""
    secrets = secret_values(recipe.parameters, arguments)
    try:
        step = step_at(recipe, path_in_document(path))
        target = target_of(step)
        emit(Progress(PHASE, 0, 2, "Going to the step"))
        go_to(recipe, path, arguments, session, emit, options)
        emit(Progress(PHASE, 1, 2, "Comparing what is there"))
        return Healer(recipe, step, target, arguments, session).propose()
    except NothingToPropose as reason:
        return Healing(str(reason), picture=picture_of(session.page, hidden=bool(secrets)))


def target_of(step: Step) -> Target:
    target = step.fields.get("target")
    if not isinstance(target, Target):
        raise NothingToPropose("This step names no single element, so there is none to look for.")
    return target


def step_at(recipe: Recipe, path: str) -> Step:
    """`steps[2].then[0]`"""
    steps: tuple[Step, ...] = recipe.steps
    step: Step | None = None
    for name, number in PARTS.findall(path):
        if step is not None:
            steps = named_steps(step, name)
        if int(number) >= len(steps):
            raise NothingToPropose(f"This version has no step {path}.")
        step = steps[int(number)]
    if step is None:
        raise NothingToPropose(f"This version has no step {path}.")
    return step


def named_steps(step: Step, name: str) -> tuple[Step, ...]:
    inner = step.fields.get(name)
    if not isinstance(inner, tuple) or any(isinstance(each, Branch) for each in inner):
        raise NothingToPropose("A step inside several branches is mended by hand: edit the recipe.")
    return tuple(each for each in inner if isinstance(each, Step))


def go_to(
    recipe: Recipe,
    path: str,
    arguments: Mapping[str, Any],
    session: BrowserSession,
    emit: Callable[[Event], None],
    options: RunOptions,
) -> None:
    refuse_to_send(recipe, path)
    dry = replace(options, stop_before_submit=True, submit_path=path_in_document(path), picture_on_failure=False)
    outcome = run(recipe, arguments, session, emit=emit, options=dry)
    if outcome.stopped_before is not None:
        return
    why = str((outcome.error or {}).get("error", "")) or "the step is not reached with these values"
    raise NothingToPropose(f"The replay did not come as far as the step: {why}")


def refuse_to_send(recipe: Recipe, path: str) -> None:
    """Of a tool that only reads anything may be done again; of others nothing that could have sent something."""
    if recipe.side_effect == "read":
        return
    first = int(PARTS.findall(path)[0][1])
    for step in recipe.steps[:first]:
        if any(submits(each) or each.expect is not None or each.op == "call" for each in with_inner(step)):
            raise NothingToPropose("A step before it may change something on the site, and is not done only to look.")


def with_inner(step: Step) -> Iterator[Step]:
    yield step
    for inner in inner_steps(step):
        yield from with_inner(inner)


@dataclass(frozen=True, slots=True)
class Healer:
    recipe: Recipe
    step: Step
    old: Target
    arguments: Mapping[str, Any]
    session: BrowserSession

    @property
    def target(self) -> Target:
        filled: Target = substitute(self.old, self.arguments)
        return filled

    @property
    def is_secret(self) -> bool:
        return bool(secret_values(self.recipe.parameters, self.arguments))

    @property
    def look(self) -> Look:
        return Look(visible=self.step.op not in HIDDEN_OPS, lenient=self.recipe.format == 1)

    def propose(self) -> Healing:
        found = self.found_as_before()
        if found is None:
            return self.most_similar()
        lost = lost_in(found.matched)
        if not lost:
            raise NothingToPropose(
                "The element is there, and is found by all that was recorded of it. Call the tool again."
            )
        target = self.described(found.locator)
        reasons = (f"found for sure by {found.matched.partition(';')[0]}", f"not found any more by {lost}")
        return Healing("", target, target_words(target), 1.0, reasons=reasons, picture=self.picture(found.locator))

    def found_as_before(self) -> Found | None:
        try:
            return resolve(self.session, self.target, FIND_MS, look=self.look)
        except StepFailure:
            return None

    def most_similar(self) -> Healing:
        elements, traits = self.candidates()
        choice = search(self.target, self.step.op, traits, self.around())
        if choice.best is None:
            shown = picture_of(self.session.page, hidden=self.is_secret)
            second, score = told(choice.second), scored(choice.second)
            return Healing(sentence(choice), second=second, second_score=score, picture=shown)
        element = elements[traits.index(choice.best.traits)]
        node = locate(self.session.page, element)
        target = self.described(node)
        return Healing(
            message="",
            target=target,
            found=named(choice.best),
            score=choice.best.score,
            second=told(choice.second),
            second_score=scored(choice.second),
            reasons=choice.best.reasons,
            picture=self.picture(node),
        )

    def candidates(self) -> tuple[list[Element], list[Traits]]:
        """What the step could use, where it is to be looked for: in its frame, in what it stands in."""
        page = self.session.page
        snapshot = take_snapshot(page)
        elements: list[Element] = []
        traits: list[Traits] = []
        for path in sorted({element.frame for element in snapshot.elements}):
            frame = frame_at(page, path)
            if not self.may_be_in(frame):
                continue
            more = frame.evaluate(f"(box) => ({with_aria('candidates.js')})(box)", self.box_in(frame))
            for element in (each for each in snapshot.elements if each.frame == path):
                facts = more[element.number]
                if facts["inside"] and "hidden" not in element.states:
                    elements.append(element)
                    traits.append(traits_of_element(element, facts))
        return elements, traits

    def may_be_in(self, frame: Frame) -> bool:
        return frame in frames_of(self.session.page, self.target)

    def box_in(self, frame: Frame) -> Any:
        if self.target.within is None:
            return None
        boxes = scope_of(frame, self.target)
        if isinstance(boxes, Frame) or boxes.count() != 1:
            raise NothingToPropose(f"What it stands in is not there once: {target_words(self.target.within)}.")
        return boxes.element_handle()

    def around(self) -> Around:
        """What the recipe's other steps find on this page."""
        numbers: dict[bool, list[int]] = {True: [], False: []}
        before = True
        for step in self.recipe.steps:
            if step is self.step:
                before = False
            elif VOCABULARY[step.op].writes and (number := self.number_of(step)) >= 0:
                numbers[before].append(number)
        return Around(tuple(numbers[True]), tuple(numbers[False]), self.forms_of(numbers[True] + numbers[False]))

    def number_of(self, step: Step) -> int:
        target = step.fields.get("target")
        if not isinstance(target, Target) or target.frames != self.target.frames:
            return -1
        try:
            look = Look(visible=step.op not in HIDDEN_OPS)
            found = look_once(self.session, substitute(target, self.arguments), look, patient=True)
            return int(found.locator.evaluate(script("number.js"))) if isinstance(found, Found) else -1
        except Error as error:
            self.session.raise_if_lost(error)
            return -1

    def forms_of(self, numbers: Sequence[int]) -> frozenset[int]:
        frames = frames_of(self.session.page, self.target)
        if not frames or not numbers:
            return frozenset()
        facts = frames[0].evaluate(f"(box) => ({with_aria('candidates.js')})(box)", None)
        return frozenset(facts[number]["form"] for number in numbers if number < len(facts)) - {-1}

    def described(self, node: Nodes) -> Target:
        """Lasting, bound to the arguments it showed before, and seen to find that very element."""
        names = placeholders(self.old) | placeholders([step.fields.get("url") for step in self.recipe.steps])
        shown = {name: value for name, value in self.arguments.items() if name in names}
        try:
            made = parse_target(describe(self.session, node, prefer=tuple(values_of(shown))))
            target = replace(bind_target(made, shown), page=self.old.page)
            again = resolve(self.session, substitute(target, self.arguments), FIND_MS, look=self.look)
        except (Indistinct, DocumentError) as error:
            raise NothingToPropose(f"The most similar element cannot be described so that it lasts: {error}") from error
        except StepFailure as failure:
            raise NothingToPropose(f"Its new description does not hold: {failure.message}") from failure
        if again.locator.and_(node).count() != 1:
            raise NothingToPropose("Its new description finds another element.")
        return target

    def picture(self, node: Nodes) -> bytes | None:
        try:
            node.scroll_into_view_if_needed(timeout=PICTURE_MS)
            node.evaluate(script("outline.js"))
        except Error as error:
            self.session.raise_if_lost(error)
        return picture_of(self.session.page, hidden=self.is_secret)


def traits_of_element(element: Element, facts: Mapping[str, Any]) -> Traits:
    attributes = {key: str(value) for key, value in element.attributes.items() if isinstance(value, str)}
    return Traits(
        tag=element.tag,
        role=element.role,
        name=element.name,
        attributes=attributes | ({"type": element.type} if element.type else {}),
        landmark=element.landmark,
        near=facts["near"],
        form=facts["form"],
        order=element.number,
    )


def sentence(choice: Choice) -> str:
    return f"{choice.words[:1].upper()}{choice.words[1:]}."


def told(scored: Scored | None) -> str:
    return words(scored) if scored else ""


def scored(found: Scored | None) -> float | None:
    return found.score if found else None


def picture_of(page: Page, *, hidden: bool) -> bytes | None:
    """`hidden`: a secret may have been typed anywhere, so no field shows what it holds."""
    fields = "input, textarea, [contenteditable]" if hidden else "input[type=password]"
    try:
        return page.screenshot(timeout=PICTURE_MS, mask=[page.locator(fields)])
    except Error:
        # A page that cannot be drawn has no picture; the words say the rest.
        return None
