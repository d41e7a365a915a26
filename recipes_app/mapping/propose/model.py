"""Ask a model about the rules' drafts: it keeps, merges, renames, describes, sets aside, or adds.

1. the survey and the drafts within a number of tokens (model_view)   2. one request, its answer of one schema
(model_answer)   3. what it says of the drafts, as far as it does no harm (model_changes)   4. what it adds, each on a
part that was surveyed (model_added)   5. pages it points to are looked at (behind). Nothing of it can lose a draft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from recipes_app.engine.document import dump_step, parse_recipe
from recipes_app.engine.errors import ArgumentsError, DocumentError
from recipes_app.engine.parameters import check_arguments
from recipes_app.llm.base import Answer, Asks, Message, Request
from recipes_app.llm.errors import ModelError
from recipes_app.llm.fencing import fence
from recipes_app.llm.sizes import tokens_of
from recipes_app.mapping.facts import PageSurvey, Survey
from recipes_app.mapping.propose.behind import planned
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.model_added import Adding
from recipes_app.mapping.propose.model_answer import SCHEMA, Review, Wanted, review_from
from recipes_app.mapping.propose.model_changes import Changing
from recipes_app.mapping.propose.model_guard import Guard, NotTaken
from recipes_app.mapping.propose.model_view import View, short, view_of

PURPOSE = "propose"
ANSWER_TOKENS = 3000
VIEW_TOKENS = 9000
LEAST_VIEW = 800
MAX_NOTES = 30
MAX_BEHIND = 6


@dataclass(frozen=True, slots=True)
class Proposed:
    """`failure` is one line for a person where the model was of no help and the drafts are the rules' own."""

    drafts: tuple[Draft, ...]
    notes: tuple[str, ...] = ()
    failure: str = ""
    asked: bool = False

    @property
    def added(self) -> int:
        return sum(draft.origin == "model" for draft in self.drafts)

    @property
    def set_aside(self) -> int:
        return sum(bool(draft.set_aside) for draft in self.drafts)


@cache
def instructions() -> str:
    return (files("recipes_app.mapping") / "prompts" / "propose.md").read_text(encoding="utf-8").strip()


def request_for(view: View) -> Request:
    title = "survey of a website"
    return Request(
        system=(instructions(),),
        messages=(Message("user", fence(view.text, title)),),
        answer_schema=SCHEMA,
        max_tokens=ANSWER_TOKENS,
        purpose=PURPOSE,
    )


def propose_by_model(survey: Survey, drafts: Sequence[Draft], asks: Asks, *, budget_tokens: int | None) -> Proposed:
    """The rules' drafts reviewed and completed; on any failure of the model the rules' drafts and why."""
    if not survey.pages:
        return Proposed(tuple(drafts))
    view = view_of(survey, drafts, tokens=view_tokens(budget_tokens))
    try:
        answer = asks.ask(request_for(view))
    except ModelError as error:
        return Proposed(tuple(drafts), failure=str(error), asked=True)
    return reviewed(survey, view, answer)


def view_tokens(budget: int | None) -> int:
    """What is left for the survey: the instructions, the schema, the answer and one repair round take their part."""
    if budget is None:
        return VIEW_TOKENS
    fixed = tokens_of(instructions()) + tokens_of(str(SCHEMA)) + ANSWER_TOKENS
    return min(VIEW_TOKENS, max(budget - fixed, LEAST_VIEW))


def reviewed(survey: Survey, view: View, answer: Answer) -> Proposed:
    """`answer.data` fits the schema, as whoever asked has seen to."""
    review = review_from(answer.data or {"drafts": [], "add": []})
    guard = Guard(survey, view.drafts)
    changing = Changing({draft.name: draft for draft in view.drafts}, guard)
    changing.follow(review)
    changed = [_sound(changing.drafts[draft.name], draft) for draft in view.drafts]
    drafts, notes = _completed(changed, review, Adding(view, guard))
    return Proposed(tuple(drafts), tuple([*changing.notes, *notes][:MAX_NOTES]), asked=True)


def _sound(draft: Draft, own: Draft) -> Draft:
    """A changed draft that cannot be carried out any more is the rules' own again."""
    return draft if draft == own or is_sound(draft) else own


def looked_behind(proposed: Proposed, survey: Survey, look: Callable[[str], PageSurvey | None]) -> Proposed:
    """`look` opens and surveys an address, None where that is not possible. What is found there is planned by rules."""
    seen: dict[str, PageSurvey | None] = {}
    drafts: list[Draft] = []
    for draft in proposed.drafts:
        if draft.behind and draft.behind not in seen and len(seen) < MAX_BEHIND:
            seen[draft.behind] = look(draft.behind)
        drafts.append(_behind(draft, seen.get(draft.behind), survey, drafts))
    return replace(proposed, drafts=tuple(drafts))


def _behind(draft: Draft, page: PageSurvey | None, survey: Survey, earlier: Sequence[Draft]) -> Draft:
    if page is None:
        return draft
    found = planned(draft, page, survey.pages)
    return draft if any(_same_tool(found, other) for other in earlier) or not is_sound(found) else found


def _completed(drafts: list[Draft], review: Review, adding: Adding) -> tuple[list[Draft], list[str]]:
    notes: list[str] = []
    for wanted in review.wanted:
        try:
            drafts.append(_added(wanted, drafts, adding))
        except NotTaken as error:
            notes.append(f"{short(wanted.name, 60) or 'A tool without a name'} was not added: {error}.")
    return drafts, notes


def _added(wanted: Wanted, drafts: Sequence[Draft], adding: Adding) -> Draft:
    draft = adding.draft(wanted, drafts)
    if any(_same_tool(draft, other) for other in drafts):
        raise NotTaken("it does what another tool does")
    if not is_sound(draft):
        raise NotTaken("its plan does not hold together")
    return draft


def _same_tool(draft: Draft, other: Draft) -> bool:
    planned = len(draft.steps) > 1 or bool(draft.submit_index)
    return planned and (draft.start_url, draft.steps) == (other.start_url, other.steps)


def is_sound(draft: Draft) -> bool:
    """The plan parses, and takes its own examples."""
    try:
        recipe = parse_recipe(
            {
                "name": draft.name,
                "description": draft.description,
                "parameters": draft.parameters,
                **({"returns": draft.returns} if draft.returns else {}),
                "side_effect": draft.side_effect,
                "steps": [dump_step(step) for step in draft.steps],
            }
        )
        for values in _tried(draft):
            check_arguments(recipe, values)
    except (DocumentError, ArgumentsError):
        return False
    return True


def _tried(draft: Draft) -> Iterable[dict[str, object]]:
    if draft.kind != "login":
        yield dict(draft.examples)
        if draft.others:
            yield dict(draft.others)
