"""Replay: a recipe's steps, one after the other. No model is ever asked.

The life of a step: fill its placeholders, find, make sure, say that it is about to act, act, see what must follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from recipes_app.browser.answering import ANSWER_MS, answer_within
from recipes_app.browser.api import Error, PageSilent
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.act import Act, Scene
from recipes_app.engine.breaking import Broken, Stopped
from recipes_app.engine.departures import Departures
from recipes_app.engine.errors import ArgumentsError, StepFailure
from recipes_app.engine.events import About, Did, Event, StepFailed, Warned
from recipes_app.engine.expectations import check_expectations, dialogs_allowed, is_awaited, remember
from recipes_app.engine.failures import Expected, as_failure, seen_at_login, with_complaint
from recipes_app.engine.nesting import path_in_document
from recipes_app.engine.ops import OPS
from recipes_app.engine.parameters import check_arguments, secret_values
from recipes_app.engine.returns import check_returns
from recipes_app.engine.sending import telling, with_warning
from recipes_app.engine.sentences import step_sentence
from recipes_app.engine.shapes import Recipe, Step
from recipes_app.engine.submitting import submits
from recipes_app.engine.substitution import look_up, omitted, placeholders, substitute_step
from recipes_app.engine.vocabulary import VOCABULARY, default_timeout_ms

RETRIES = 2
LEAST_ANSWER_MS = 2000.0
PICTURE_MS = 3000
LONGEST_SAID = 300


@dataclass(frozen=True, slots=True)
class RunOptions:
    """`start_at`: index of the first step to run. `base_url`: what relative addresses are joined to.

    `stop_before_submit` is a dry run: it ends before the step at `submit_path`, or where that is not known before the
    first step that may send something. `tools`: what the op call may use, by name. `max_download`: bytes of one file.
    """

    start_at: int | None = None
    stop_before_submit: bool = False
    submit_path: str | None = None
    picture_on_failure: bool = True
    base_url: str = ""
    tools: Mapping[str, Recipe] = field(default_factory=dict)
    max_download: int = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Outcome:
    ok: bool
    data: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    error: dict[str, Any] | None = None
    picture: bytes | None = None
    stopped_before: str | None = None

    def as_result(self) -> dict[str, Any]:
        """The answer of a call as plain JSON."""
        result: dict[str, Any] = {
            "ok": self.ok,
            "data": self.data,
            "warnings": self.warnings,
            "steps": self.steps,
            "llm_calls": 0,
            "url": self.url,
        }
        if self.error is not None:
            result["error"] = self.error
        if self.stopped_before is not None:
            result["stopped_before"] = self.stopped_before
        return result


def run(
    recipe: Recipe,
    arguments: Mapping[str, Any],
    session: BrowserSession,
    *,
    emit: Callable[[Event], None],
    options: RunOptions | None = None,
) -> Outcome:
    """Never raises for what a page did; Aborted and BrowserLost pass through."""
    options = options or RunOptions()
    try:
        complete = check_arguments(recipe, arguments)
    except ArgumentsError as error:
        return Outcome(False, error={"error": str(error), "kind": "bad_arguments", "problems": list(error.problems)})
    runner = Runner(options)
    scene = Scene(
        recipe=recipe,
        arguments=complete,
        session=session,
        emit=emit,
        run_steps=runner.run_steps,
        base_url=options.base_url,
        secrets=secret_values(recipe.parameters, complete),
        pages_seen=len(session.opened),
        tools=options.tools,
        callers=(recipe.name,),
        max_download=options.max_download,
    )
    known = len(session.sending.requests)
    with telling(scene):
        return with_warning(runner.run(scene), scene, known)


@dataclass(frozen=True, slots=True)
class Runner:
    options: RunOptions

    def run(self, scene: Scene) -> Outcome:
        first = self.options.start_at or 0
        try:
            self.run_steps(scene.recipe.steps[first:], "steps", scene, first=first)
            scene.warnings += check_returns(scene.recipe, scene.data)
        except Stopped as stop:
            return replace(outcome_of(scene), stopped_before=stop.path)
        except Broken as broken:
            return self.broken_outcome(scene, broken)
        except StepFailure as failure:
            return replace(outcome_of(scene, ok=False), error=error_of(scene, failure))
        return outcome_of(scene)

    def run_steps(self, steps: tuple[Step, ...], path: str, scene: Scene, *, first: int = 0) -> None:
        """`first` is the place of the first of these steps in the list that `path` names."""
        for index, (step, following) in enumerate(zip(steps, (*steps[1:], None), strict=False), start=first):
            self.run_step(step, f"{path}[{index}]", scene, following)

    def run_step(self, step: Step, path: str, scene: Scene, following: Step | None = None) -> None:
        if self.options.stop_before_submit and self.must_not_do(step, path):
            raise Stopped(path)
        if lacks_its_value(step, scene.arguments):
            report(scene, Did(path, step.op, 0, status="skipped", detail="its argument was not given"))
            return
        started = monotonic()
        try:
            act = self.attempt(step, path, scene, following)
        except StepFailure as failure:
            self.failed(scene, step, path, failure, started)
            return
        except Broken as broken:
            # A step inside this one: where this one is optional, so is all that it holds.
            if not step.optional:
                raise
            self.failed(scene, step, path, broken.failure, started)
            return
        ms = round((monotonic() - started) * 1000)
        for note in act.notes:
            scene.warn(f"{path}: {note}")
        report(scene, Did(path, step.op, ms, act.matched, detail="; ".join(act.notes)))

    def must_not_do(self, step: Step, path: str) -> bool:
        if self.options.submit_path is not None:
            return self.options.submit_path in {path, path_in_document(path)}
        return submits(step)

    def attempt(self, step: Step, path: str, scene: Scene, following: Step | None) -> Act:
        """The step, tried again after a passing failure while the page cannot have felt it, or when it only reads."""
        if not scene.may_write(step):
            scene.emit(About(path, step.op, step_sentence(step), may_write=False))
        for attempt in range(RETRIES + 1):
            act = self.act_for(step, path, scene)
            try:
                self.do(act, following)
            except Expected as error:
                failure = as_failure(error, scene.session)
                again = may_retry(act, error) and attempt < RETRIES
                if not again:
                    raise masked(failure, scene) from error
                scene.session.page.wait_for_timeout(100)
            else:
                return act
        raise AssertionError("unreachable")

    def act_for(self, step: Step, path: str, scene: Scene) -> Act:
        missing = omitted_outside_values(step, scene.arguments)
        if missing:
            raise StepFailure("bad_arguments", f"this step needs {', '.join(missing)}, which was not given")
        timeout = step.timeout_ms
        if timeout is None:
            timeout = default_timeout_ms(step.op, optional=step.optional)
        return Act(scene, substitute_step(step, scene.arguments), step, path, timeout)

    def do(self, act: Act, following: Step | None) -> None:
        act.scene.follow_new_pages()
        before = remember(act)
        with dialogs_allowed(act), answer_within(min(ANSWER_MS, max(act.timeout_ms, LEAST_ANSWER_MS))):
            if OPS[act.step.op].writes:
                act.awaited = is_awaited(act, following)
                with Departures(act.session, act.page) as departures:
                    OPS[act.step.op].run(act)
                    act.arrived = departures.follow(act.left)
            else:
                OPS[act.step.op].run(act)
            check_expectations(act, before)

    def failed(self, scene: Scene, step: Step, path: str, failure: StepFailure, started: float) -> None:
        ms = round((monotonic() - started) * 1000)
        message = scene.clean(failure.message)
        if step.optional:
            scene.warn(f"{path}: {message}")
            scene.emit(Warned(path, step.op, message))
            scene.add_row(row(path, step, ms, "warned"))
            return
        with answer_within(LEAST_ANSWER_MS):
            failure = with_complaint(seen_at_login(failure, scene), scene)
        scene.emit(StepFailed(path, step.op, failure.kind, scene.clean(failure.message)))
        scene.add_row(row(path, step, ms, "failed"))
        raise Broken(path, step, failure)

    def broken_outcome(self, scene: Scene, broken: Broken) -> Outcome:
        picture = take_picture(scene) if self.options.picture_on_failure else None
        error = error_of(scene, broken.failure, broken.path, broken.step)
        return replace(outcome_of(scene, ok=False), error=error, picture=picture)


def may_retry(act: Act, error: Exception) -> bool:
    """Only what passes by itself: a document replaced or a node redrawn under the step. Searches retry on their own."""
    spec = VOCABULARY[act.step.op]
    if isinstance(error, PageSilent):
        return False
    return isinstance(error, Error) and (not act.sent or not (spec.writes or spec.nests))


def masked(failure: StepFailure, scene: Scene) -> StepFailure:
    return StepFailure(
        failure.kind,
        scene.clean(failure.message),
        looked_for=failure.looked_for and scene.clean(failure.looked_for),
        candidates=[scene.clean(candidate) for candidate in failure.candidates],
        status=failure.status,
    )


def lacks_its_value(step: Step, arguments: Mapping[str, Any]) -> bool:
    """An omitted optional argument makes the step that needs it for its value a no-op; an empty one does not."""
    name = VOCABULARY[step.op].value_field
    return name is not None and bool(omitted(step.fields.get(name), arguments))


def omitted_outside_values(step: Step, arguments: Mapping[str, Any]) -> list[str]:
    """Without its argument a target could mean another node, so nothing is done. Addresses and texts may be empty."""
    needed = set().union(
        *(placeholders(value) for name, value in step.fields.items() if name in {"target", "items", "key", "to"})
    )
    return sorted(name for name in needed if look_up(name, arguments) is None)


def report(scene: Scene, did: Did) -> None:
    scene.add_row({"path": did.path, "op": did.op, "ms": did.ms, "matched": did.matched, "status": did.status})
    scene.emit(replace(did, detail=scene.clean(did.detail)))


def row(path: str, step: Step, ms: int, status: str) -> dict[str, Any]:
    return {"path": path, "op": step.op, "ms": ms, "matched": "", "status": status}


def outcome_of(scene: Scene, *, ok: bool = True) -> Outcome:
    return Outcome(ok, dict(scene.data), list(scene.warnings), list(scene.steps), scene.clean(scene.session.page.url))


def error_of(scene: Scene, failure: StepFailure, path: str = "", step: Step | None = None) -> dict[str, Any]:
    message = f"{said(step, scene)}: {failure.message}" if step else failure.message
    return {
        "error": scene.clean(message),
        "kind": failure.kind,
        "failed_step": path,
        "op": step.op if step else "",
        "url": scene.clean(scene.session.page.url),
        "partial": dict(scene.data),
        "looked_for": failure.looked_for,
        "found": list(failure.candidates),
        **({"status": failure.status} if failure.status is not None else {}),
    }


def said(step: Step, scene: Scene) -> str:
    """The step with the values it was done with, where it had them all and they are short enough to be read."""
    if omitted(step.fields, scene.arguments):
        return step_sentence(step)
    try:
        with_values = step_sentence(substitute_step(step, scene.arguments))
    except StepFailure:
        return step_sentence(step)
    return with_values if len(with_values) <= LONGEST_SAID else step_sentence(step)


def take_picture(scene: Scene) -> bytes | None:
    """Fields that hold a secret are covered."""
    try:
        return scene.session.page.screenshot(timeout=PICTURE_MS, mask=list(scene.secret_fields))
    except Error as error:
        scene.session.raise_if_lost(error)
        return None
