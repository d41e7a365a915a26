"""Record a tool: carry the plan out once, and keep what will find the same things again.

For each step of the plan: 1. find its element   2. describe it lastingly, its values bound to parameters
3. do the step through the engine, by that description   4. for what was sent: see what it brought about,
keep it as the step's expectation, and append the step that reads what came back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from recipes_app.browser.api import Error, Response
from recipes_app.browser.describe import describe
from recipes_app.browser.dialogs import AllowDialog
from recipes_app.browser.errors import Indistinct
from recipes_app.browser.page import dismiss_consent, settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import DocumentError, Expect, Recipe, Step, Target, parse_target
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.events import Event, Progress
from recipes_app.engine.parameters import check_arguments
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.engine.substitution import omitted, placeholders, substitute
from recipes_app.engine.target import Look, resolve
from recipes_app.mapping.bind import bind_target, values_of
from recipes_app.mapping.effects import Effects, address_after, dialog_rule, result_key
from recipes_app.mapping.errors import NothingFound, RecordingFailed, TooFast, Unreadable
from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.missing import refusal_of_missing
from recipes_app.mapping.propose.draft import Draft, object_schema, without
from recipes_app.mapping.propose.words import TOO_FAST, says
from recipes_app.mapping.results import Reading
from recipes_app.mapping.rows_meant import promises_rows
from recipes_app.mapping.sections import other_sections
from recipes_app.mapping.survey import survey_page, wait_while_busy
from recipes_app.mapping.traces import Traces, appeared, errors, look

PHASE = "record"
FIND_MS = 5000
POLL_MS = 100
ASK_MS = 700
PAUSE_MS = 6000
HIDDEN_OPS = frozenset({"check", "choose", "upload"})
LEADING_OPS = frozenset({"click", "double_click", "press", "press_enter"})
READING_OPS = frozenset({"extract", "extract_list", "extract_table"})
FILLING_OPS = frozenset({"type", "select", "choose", "check", "set_date"})
READING_LOOPS = frozenset({"repeat", "for_each"})
BAD_STATUS = 400
LastResort = Callable[[BrowserSession, str], Reading | None]
FIRST_OPTION = Target(role="option")


@dataclass(frozen=True, slots=True)
class Recorded:
    """`submit_path` is the step that submits, for later dry runs; `submitted` how often that was really done.

    `arguments` are those of the recording: where those given found nothing, a tool that reads is tried with others.
    """

    recipe: Recipe
    result: Outcome
    warnings: tuple[str, ...] = ()
    submitted: int = 0
    submit_path: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Recorder:
    """One recording under way. `steps` are the recipe so far."""

    draft: Draft
    arguments: Mapping[str, Any]
    session: BrowserSession
    emit: Callable[[Event], None]
    dry_run: bool
    steps: list[Step] = field(default_factory=list)
    returns: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    bad_answers: list[str] = field(default_factory=list)
    outcome: Outcome | None = None
    submitted: int = 0
    submit_path: str | None = None
    pause_ms: int = 0
    left_out: set[str] = field(default_factory=set)
    untouched: tuple[Traces, PageSurvey] | None = None
    trusting: bool = False
    last_resort: LastResort | None = None
    pointed: tuple[Target, ...] = ()

    def record(self) -> Recorded:
        page, bad_answers = self.session.page, self.bad_answers

        def note_answer(response: Response) -> None:
            if response.status >= BAD_STATUS and response.request.is_navigation_request():
                bad_answers.append(f"HTTP {response.status}")

        page.on("response", note_answer)
        try:
            self._carry_out()
        except RecordingFailed as failure:
            failure.outcome = failure.outcome or self.outcome
            failure.submitted = self.submitted
            raise
        finally:
            page.remove_listener("response", note_answer)
        if self.outcome is None:
            raise RecordingFailed("the plan has no steps")
        result = replace(self.outcome, data=dict(self.data), warnings=list(self.warnings))
        return Recorded(self.recipe, result, tuple(self.warnings), self.submitted, self.submit_path, self.arguments)

    def _carry_out(self) -> None:
        total = len(self.draft.steps)
        for index, planned in enumerate(self.draft.steps):
            self.emit(Progress(PHASE, index, total, self.draft.name))
            if index == self.draft.submit_index:
                self._submit(planned)
            elif self.dry_run and self.submit_path:
                self.steps.append(planned)
            elif planned.op in READING_OPS or (planned.op in READING_LOOPS and self.draft.returns is not None):
                self._read(planned)
            else:
                self._prepare(planned)
        if self.draft.kind == "detail":
            self._refuse_missing()
        self.emit(Progress(PHASE, total, total, self.draft.name))

    def _refuse_missing(self) -> None:
        step = refusal_of_missing(self.draft, look(self.session.page), self.session, FIND_MS * 3)
        if step is not None:
            opened = next(index for index, each in enumerate(self.steps) if each.op == "goto")
            self.steps.insert(opened + 1, step)

    @property
    def recipe(self) -> Recipe:
        draft = self.draft
        returns = object_schema(self.returns) if self.returns else draft.returns
        return Recipe(
            name=draft.name,
            description=draft.description,
            parameters=without(draft.parameters, self.left_out),
            returns=returns,
            side_effect=draft.side_effect,
            steps=tuple(self.steps),
        )

    def _prepare(self, planned: Step) -> None:
        """A step that only leads up to what the tool does."""
        try:
            step = self._lasting(planned)
        except RecordingFailed as failure:
            if not self._leave_out(planned, failure):
                raise
            return
        if omitted({key: value for key, value in planned.fields.items() if key != "target"}, self.arguments):
            self.steps.append(step)
            return
        before = self.session.page.url
        if planned.op in FILLING_OPS and self.untouched is None and self._answers_by_itself:
            self.untouched = (look(self.session.page), survey_page(self.session.page, picture=False))
        self._do(step)
        if planned.op == "goto":
            self._arrive()
        elif planned.op in LEADING_OPS and not self.trusting:
            self._expect_address(before)

    def _leave_out(self, planned: Step, failure: RecordingFailed) -> bool:
        """A choice that nobody has to make, and whose control nothing tells apart, is no part of the tool."""
        names = placeholders({key: value for key, value in planned.fields.items() if key != "target"})
        schema = self.draft.parameters
        asked = {
            name for name in names if self.arguments.get(name) != schema["properties"].get(name, {}).get("default")
        }
        if not names or asked or names & set(schema.get("required", ())):
            return False
        self.left_out |= names
        self.arguments = {name: value for name, value in self.arguments.items() if name not in names}
        self.warnings.append(f"left out {', '.join(sorted(names))}: {failure.message}")
        return True

    @property
    def _answers_by_itself(self) -> bool:
        """A page that answers each choice at once: what was there before is seen before the first of them."""
        at = self.draft.submit_index
        return at is not None and self.draft.steps[at].op == "wait"

    def _expect_address(self, before: str) -> None:
        """A step that led to another page must lead to one like it."""
        glob = address_after(self.steps[-1], before, self.session.page.url, self.arguments)
        if glob is not None:
            self.steps[-1] = replace(self.steps[-1], expect=joined(self.steps[-1].expect, Expect(url=glob)))

    def _arrive(self) -> None:
        page = self.session.page
        settle(page)
        button = dismiss_consent(page)
        if button:
            settle(page)
            target = Target(role="button", name=button)
            self.steps.append(Step("click", {"target": target}, optional=True, note="closes the consent banner"))
        wait_while_busy(page)

    def _read(self, planned: Step) -> None:
        self._do(planned)
        key = str(planned.fields.get("into") or planned.fields["key"])
        self.data[key] = self.outcome.data.get(key) if self.outcome else None
        if planned.op != "extract" and not self.data[key]:
            raise RecordingFailed(f"nothing could be read as {key}", self.outcome)

    def _submit(self, planned: Step) -> None:
        if self.pause_ms:
            self._do(Step("wait", {"ms": self.pause_ms}, note="the site refuses what is sent sooner"))
        step = self._lasting(planned)
        self.submit_path = f"steps[{len(self.steps)}]"
        if self.dry_run:
            self.steps.append(replace(step, expect=self._question(step)))
            self.warnings.append("recorded without submitting: what comes back was not seen")
            return
        page = self.session.page
        before, surveyed = self.untouched or (look(page), survey_page(page, picture=False))
        dialogs = len(self.session.dialogs.log)
        with ExitStack() as stack:
            if self.draft.side_effect != "read":
                stack.enter_context(self.session.dialogs.allowing(AllowDialog(type="confirm")))
            self._send(step)
        self.submitted += 1
        after = self._effects.wait_for_change(before)
        self._refuse_errors(before, after)
        expect = self._effects.expectation(before, after, self.session.dialogs.log[dialogs:])
        if expect is not None:
            self.steps[-1] = replace(self.steps[-1], expect=joined(self.steps[-1].expect, expect))
        if not any(step.op in READING_OPS for step in self.draft.steps):
            self._append_reading(before, after, surveyed)

    def _send(self, step: Step) -> None:
        """By Enter in the field typed into last, where the button of a search is covered: a click sent nothing."""
        try:
            self._do(step)
        except RecordingFailed as failure:
            error = (failure.outcome.error if failure.outcome else None) or {}
            typed = [each for each in self.steps if each.op == "type"]
            if error.get("kind") != "covered" or not self._is_search or not typed:
                raise
            self.steps.pop()
            self._do(Step("press_enter", {"target": typed[-1].fields["target"]}))

    def _append_reading(self, before: Traces, after: Traces, surveyed: PageSurvey) -> None:
        key = result_key(self.draft.name)
        try:
            reading = self._effects.reading(before, after, surveyed, key)
        except Unreadable:
            reading = self.last_resort(self.session, key) if self.last_resort else None
            if reading is None or (promises_rows(self.draft) and reading.schema.get("type") != "array"):
                raise
        if reading is None:
            self.warnings.append("nothing was found to return; the tool only says that it worked")
            return
        others = other_sections(self.session.page, reading, appeared(before, after)) if self._is_search else ()
        for each in (reading, *others):
            self.returns[each.key] = each.schema
            self._read(each.step)

    @property
    def _is_search(self) -> bool:
        return self.draft.kind == "search" and self.draft.side_effect == "read"

    @property
    def _effects(self) -> Effects:
        return Effects(self.draft, self.arguments, self.session, self.trusting, self.pointed)

    def _question(self, step: Step) -> Expect | None:
        """What the page asks before it submits: pressed with the context cut off, so that nothing can be sent."""
        target, seen = step.fields.get("target"), self.session.dialogs.log
        if step.op != "click" or not isinstance(target, Target):
            return None
        known, waited = len(seen), 0
        pressed = resolve(self.session, substitute(target, self.arguments), FIND_MS).locator
        self.session.cut_off()
        try:
            pressed.click(timeout=FIND_MS, no_wait_after=True)
            while len(seen) == known and waited < ASK_MS:
                self.session.page.wait_for_timeout(POLL_MS)
                waited += POLL_MS
        except Error as error:
            # A page that could not be left shows so; whether it asked before is in the log.
            self.session.raise_if_lost(error)
        asked = [replace(each, allowed=True) for each in seen[known:] if each.type == "confirm"]
        rule = dialog_rule(asked, self.arguments)
        return Expect(dialog=rule) if rule else None

    def _refuse_errors(self, before: Traces, after: Traces) -> None:
        if self.bad_answers:
            raise RecordingFailed(f"the site answered with an error: {self.bad_answers[-1]}", self.outcome)
        found = errors(before, after)
        if found and self.pause_ms == 0 and says(TOO_FAST, *found):
            raise TooFast("the site wants more time between opening a form and sending it", self.outcome)
        if found:
            raise RecordingFailed(f"the site did not accept the values: {'; '.join(found[:5])}", self.outcome)

    def _lasting(self, planned: Step) -> Step:
        """The step with its element described for good; unchanged where it has none."""
        target = planned.fields.get("target")
        if not isinstance(target, Target) or planned.op in READING_OPS or target == FIRST_OPTION:
            return planned
        described = self._described(planned, substitute(target, self.arguments))
        if placeholders(target) - placeholders(described):
            described = target
        return replace(planned, fields={**planned.fields, "target": described})

    def _described(self, planned: Step, target: Target) -> Target:
        look_for = Look(visible=planned.op not in HIDDEN_OPS)
        try:
            found = resolve(self.session, target, FIND_MS, look=look_for)
            shown = self._shown_by(planned)
            return bind_target(
                parse_target(describe(self.session, found.locator, prefer=tuple(values_of(shown)))), shown
            )
        except StepFailure as failure:
            raise RecordingFailed(failure.message) from failure
        except (Indistinct, DocumentError) as error:
            raise RecordingFailed(str(error)) from error
        except Error as error:
            self.session.raise_if_lost(error)
            raise RecordingFailed(f"an element could not be described: {str(error).splitlines()[0]}") from error

    def _shown_by(self, planned: Step) -> dict[str, Any]:
        """The arguments that a control's own words can depend on: those the plan finds it by, and those of the address.

        That a button says what happens to be typed elsewhere is no reason to look for it by that.
        """
        urls = [step.fields.get("url") for step in self.steps if step.op == "goto"]
        names = placeholders(planned.fields.get("target")) | placeholders(urls)
        return {name: value for name, value in self.arguments.items() if name in names}

    def _do(self, step: Step) -> None:
        """Run the newest step through the engine, as the recipe will."""
        self.steps.append(step)
        last = len(self.steps) - 1
        recipe = replace(self.recipe, returns=None)
        self.outcome = run(recipe, self.arguments, self.session, emit=self.emit, options=RunOptions(start_at=last))
        self.warnings += [warning for warning in self.outcome.warnings if warning not in self.warnings]
        if not self.outcome.ok:
            error = self.outcome.error or {}
            raise RecordingFailed(str(error.get("error") or "a step failed"), self.outcome)


def joined(given: Expect | None, seen: Expect) -> Expect:
    """What the plan already expects stays; what was seen besides is added."""
    if given is None:
        return seen
    return Expect(
        condition=given.condition or seen.condition,
        appears=given.appears,
        disappears=given.disappears,
        url=given.url or seen.url,
        page_opened=given.page_opened,
        download=given.download,
        dialog=given.dialog or seen.dialog,
    )


def record(  # noqa: PLR0913 - everything by name
    draft: Draft,
    arguments: Mapping[str, Any],
    session: BrowserSession,
    emit: Callable[[Event], None],
    *,
    dry_run: bool = False,
    trusting: bool = False,
    last_resort: LastResort | None = None,
    pointed: tuple[Target, ...] = (),
) -> Recorded:
    """Submits at most once; a dry run stops before. RecordingFailed, ArgumentsError; BrowserLost passes.

    `pointed`: elements that belong to what the tool is to return, where somebody named some.
    """
    if draft.kind == "login":
        raise RecordingFailed("a sign-in is recorded with real credentials, not from a proposal")
    plan = Recipe(name=draft.name, parameters=draft.parameters, side_effect=draft.side_effect, steps=draft.steps)
    given = check_arguments(plan, dict(arguments))
    more: dict[str, Any] = {"trusting": trusting, "last_resort": last_resort, "pointed": pointed}
    first = Recorder(draft, given, session, emit, dry_run, **more)
    try:
        return first.record()
    except TooFast:
        # What was refused for its haste was not accepted: it may be sent again, this time like a person would.
        return replace(first, steps=[], outcome=None, submit_path=None, pause_ms=PAUSE_MS).record()
    except NothingFound:
        if draft.side_effect != "read" or not draft.others or dict(draft.others) == dict(arguments):
            raise
        others = check_arguments(plan, dict(draft.others))
        return Recorder(draft, others, session, emit, dry_run, **more).record()
