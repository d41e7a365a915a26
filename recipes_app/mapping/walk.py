"""Carry out the steps of a plan that lead up to what a tool does, each kept as a recipe will do it.

For each: 1. find its element   2. describe it lastingly, its values bound to parameters   3. do the step through the
engine, by that description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from recipes_app.browser.page import dismiss_consent, settle
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Expect, Recipe, Step, Target
from recipes_app.engine.events import Event
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.engine.substitution import omitted, placeholders, substitute
from recipes_app.mapping.effects import address_after, joined
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.lasting import lasting
from recipes_app.mapping.propose.draft import Draft, object_schema, with_more, without
from recipes_app.mapping.survey import survey_page, wait_while_busy
from recipes_app.mapping.traces import Traces, look

HIDDEN_OPS = frozenset({"check", "choose", "upload"})
LEADING_OPS = frozenset({"click", "double_click", "press", "press_enter"})
READING_OPS = frozenset({"extract", "extract_list", "extract_table"})
FILLING_OPS = frozenset({"type", "select", "choose", "check", "set_date"})
FIRST_OPTION = Target(role="option")


@dataclass(slots=True)
class Walk:
    """One recording under way. `steps` are the recipe so far.

    `more` are parameters that the plan did not know of, by name; of these `must` be given.
    """

    draft: Draft
    arguments: Mapping[str, Any]
    session: BrowserSession
    emit: Callable[[Event], None]
    dry_run: bool
    steps: list[Step] = field(default_factory=list)
    returns: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    outcome: Outcome | None = None
    left_out: set[str] = field(default_factory=set)
    untouched: tuple[Traces, PageSurvey] | None = None
    trusting: bool = False
    more: dict[str, Any] = field(default_factory=dict)
    must: tuple[str, ...] = ()

    @property
    def recipe(self) -> Recipe:
        draft = self.draft
        returns = object_schema(self.returns) if self.returns else draft.returns
        return Recipe(
            name=draft.name,
            description=draft.description,
            parameters=with_more(without(draft.parameters, self.left_out), self.more, self.must),
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
        schema = self.recipe.parameters
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

    def _lasting(self, planned: Step) -> Step:
        """The step with its element described for good; unchanged where it has none."""
        target = planned.fields.get("target")
        if not isinstance(target, Target) or planned.op in READING_OPS or target == FIRST_OPTION:
            return planned
        described = lasting(
            self.session,
            planned,
            substitute(target, self.arguments),
            self._shown_by(planned),
            hidden=planned.op in HIDDEN_OPS,
        )
        if placeholders(target) - placeholders(described):
            described = target
        return replace(planned, fields={**planned.fields, "target": described})

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
