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

from recipes_app.browser.api import Response
from recipes_app.browser.dialogs import AllowDialog
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Expect, Recipe, Step, Target
from recipes_app.engine.events import Event, Progress
from recipes_app.engine.parameters import check_arguments
from recipes_app.engine.runner import Outcome
from recipes_app.mapping.asking import question
from recipes_app.mapping.effects import Effects, joined, result_key
from recipes_app.mapping.errors import NothingFound, RecordingFailed, TooFast, Unreadable
from recipes_app.mapping.facts import FormFacts, PageSurvey
from recipes_app.mapping.missing import refusal_of_missing
from recipes_app.mapping.parts import MAX_PARTS, next_part, params_beside, sending_step
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.paging import COMPLETE, COMPLETE_KEY, PAGES, paged_results, pages_schema
from recipes_app.mapping.propose.words import TOO_FAST, says
from recipes_app.mapping.results import Reading
from recipes_app.mapping.rows_meant import promises_rows
from recipes_app.mapping.sections import other_sections
from recipes_app.mapping.survey import survey_page
from recipes_app.mapping.traces import Traces, appeared, errors, look
from recipes_app.mapping.walk import READING_OPS, Walk

PHASE = "record"
FIND_MS = 5000
PAUSE_MS = 6000
READING_LOOPS = frozenset({"repeat", "for_each"})
BAD_STATUS = 400
WINDOW_MS = 12_000
LastResort = Callable[[BrowserSession, str], Reading | None]


@dataclass(frozen=True, slots=True)
class Recorded:
    """`submit_path` is the step that submits, for later dry runs; `submitted` how often that was really done.

    `arguments` are those of the recording: where those given found nothing, a tool that reads is tried with others.
    `others` are second values of those parameters that only the recording brought to light.
    """

    recipe: Recipe
    result: Outcome
    warnings: tuple[str, ...] = ()
    submitted: int = 0
    submit_path: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Recorder(Walk):
    """One recording under way."""

    others: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    bad_answers: list[str] = field(default_factory=list)
    submitted: int = 0
    submit_path: str | None = None
    pause_ms: int = 0
    parts: int = 0
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
        told = tuple(self.warnings)
        return Recorded(self.recipe, result, told, self.submitted, self.submit_path, self.arguments, self.others)

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

    def _expect_window(self) -> None:
        """What follows happens in the window that this step opened, however late it came."""
        step = self.steps[-1]
        self.steps[-1] = replace(step, expect=joined(step.expect, Expect(page_opened=True)), timeout_ms=WINDOW_MS)

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
            self.steps.append(replace(step, expect=question(step, self.arguments, self.session)))
            self.warnings.append("recorded without submitting: what comes back was not seen")
            return
        page = self.session.page
        before, surveyed = self.untouched or (look(page), survey_page(page, picture=False))
        dialogs, windows = len(self.session.dialogs.log), len(self.session.opened)
        with ExitStack() as stack:
            if self.draft.side_effect != "read":
                stack.enter_context(self.session.dialogs.allowing(AllowDialog(type="confirm")))
            self._send(step)
        self.submitted = 1 if self._is_of_several else self.submitted + 1
        after = self._effects.wait_for_change(before, windows)
        self._refuse_errors(before, after)
        if self.session.page is not page:
            self._expect_window()
        expect = self._effects.expectation(before, after, self.session.dialogs.log[dialogs:])
        if expect is not None:
            self.steps[-1] = replace(self.steps[-1], expect=joined(self.steps[-1].expect, expect))
        later = next_part(planned, surveyed, self.session.page) if self.draft.side_effect == "write" else None
        if later is not None and self.parts < MAX_PARTS:
            self._fill_later(later)
        elif not any(step.op in READING_OPS for step in self.draft.steps):
            self._append_reading(before, after, surveyed)

    @property
    def _is_of_several(self) -> bool:
        """What an earlier part sent and what this one sends is one thing for the site."""
        return self.parts > 0

    def _fill_later(self, form: FormFacts) -> None:
        """A part that is only shown once the one before was sent: its fields are parameters as well."""
        self.parts += 1
        sending = sending_step(form)
        for param in params_beside(form, self.recipe.parameters["properties"]):
            self.more[param.name] = param.schema
            self.must += (param.name,) if param.required else ()
            self.arguments = {**self.arguments, param.name: param.values.first}
            self.others[param.name] = param.values.second
            self._prepare(param.step)
        self._submit(sending)

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
        others = list(other_sections(self.session.page, reading, appeared(before, after))) if self._is_search else []
        for each in (reading, *others):
            self.returns[each.key] = each.schema
            self._read(each.step)
        if self._is_search and not others and self.last_resort is None:
            self._turn_pages(reading.key)

    def _turn_pages(self, key: str) -> None:
        """Results that go on: the next page is read too, and where that works how many are read is a parameter."""
        survey = survey_page(self.session.page, picture=False)
        step = paged_results(self.steps[-1], survey)
        if step is None or survey.pager is None or PAGES in self.recipe.parameters["properties"]:
            return
        alone = replace(self, steps=self.steps[:-1], warnings=[], arguments={**self.arguments, PAGES: 2})
        alone.more = {**self.more, PAGES: pages_schema(survey.pager)}
        try:
            alone._do(step)
        except RecordingFailed as failure:
            self.warnings.append(f"read from one page: {failure.message}")
            return
        read = alone.outcome.data if alone.outcome else {}
        rows, known = read.get(key) or [], self.data[key]
        if len(rows) > len(known) and rows[: len(known)] == known:
            self.steps, self.arguments, self.more, self.outcome = (
                alone.steps,
                alone.arguments,
                alone.more,
                alone.outcome,
            )
            self.returns[COMPLETE_KEY] = COMPLETE
            self.data |= {key: rows, COMPLETE_KEY: read.get(COMPLETE_KEY)}

    @property
    def _is_search(self) -> bool:
        return self.draft.kind == "search" and self.draft.side_effect == "read"

    @property
    def _effects(self) -> Effects:
        return Effects(self.draft, self.arguments, self.session, self.trusting, self.pointed)

    def _refuse_errors(self, before: Traces, after: Traces) -> None:
        if self.bad_answers:
            raise RecordingFailed(f"the site answered with an error: {self.bad_answers[-1]}", self.outcome)
        found = errors(before, after)
        if found and self.pause_ms == 0 and says(TOO_FAST, *found):
            raise TooFast("the site wants more time between opening a form and sending it", self.outcome)
        if found:
            raise RecordingFailed(f"the site did not accept the values: {'; '.join(found[:5])}", self.outcome)


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
        again = Recorder(draft, given, session, emit, dry_run, **more, pause_ms=PAUSE_MS, submitted=first.submitted)
        return again.record()
    except NothingFound:
        if draft.side_effect != "read" or not draft.others or dict(draft.others) == dict(arguments):
            raise
        others = check_arguments(plan, dict(draft.others))
        return Recorder(draft, others, session, emit, dry_run, **more).record()
