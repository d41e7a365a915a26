"""A recording with its tries, and with the model that the proposal's mapping was made with, if it was made with one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings

from recipes_app import model_wiring, wiring
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe
from recipes_app.engine.parameters import secret_values
from recipes_app.jobs import running
from recipes_app.jobs.signed_in import Borrowed
from recipes_app.llm.base import Asks, Used
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import ModelError, NotConfigured
from recipes_app.mapping.attempts import Made, Order, is_planned, make
from recipes_app.mapping.propose.draft import Draft
from recipes_app.models import Proposal
from recipes_app.models.mapping import Method
from recipes_app.models.proposal import ProposalOrigin
from recipes_app.services import model_use
from recipes_app.services.recordings import is_of_a_failure
from recipes_app.services.runs import Claim


@dataclass(frozen=True, slots=True)
class Plan:
    """`method` is whom to ask, "" for nobody; `hint` a person's word, which only a model can follow, or a failure's.

    `as_called` is how a recipe will be called, and therefore verified.
    """

    draft: Draft
    context: ContextOptions
    as_called: Callable[[Recipe], ContextOptions]
    dry_run: bool
    method: str = ""
    model: str = ""
    hint: str = ""


def plan_for(proposal: Proposal, draft: Draft, borrowed: Borrowed) -> Plan:
    mapping = proposal.mapping
    asks = mapping.method != Method.RULES or proposal.origin == ProposalOrigin.MODEL
    return Plan(
        draft=draft,
        context=borrowed.context(wiring.context_options(proposal.site)),
        as_called=lambda recipe: borrowed.context(wiring.call_options(proposal.site, recipe)),
        dry_run=proposal.dry_run,
        method=mapping.method if asks else "",
        model=mapping.model,
        hint=proposal.hint,
    )


def made(claim: Claim, plan: Plan) -> Made:
    """RecordingFailed; Failed where a model was needed and was of no help. What it used is kept in any case."""
    tab = model_use.Tab(claim)
    try:
        return running.drive(claim, partial(_make, plan, tab.put), hear=tab.write)
    except ModelError as error:
        raise running.Failed(str(error), error.kind) from error
    finally:
        tab.write()


def _make(plan: Plan, on_use: Callable[[Used], None], desk: Desk) -> Made:
    """On the browser thread."""
    order = Order(
        draft=plan.draft,
        open_session=lambda: desk.session(plan.context),
        open_call=lambda recipe: desk.session(plan.as_called(recipe)),
        emit=desk.emit,
        dry_run=plan.dry_run,
        model=_model(plan, on_use, desk),
        by_model=bool(plan.hint) and not is_of_a_failure(plan.hint),
        hint=plan.hint,
    )
    return make(order)


def _model(plan: Plan, on_use: Callable[[Used], None], desk: Desk) -> Asks | None:
    """None where nobody is to be asked, or nobody is set up and the plan may do without."""
    if not plan.method:
        return None
    draft = plan.draft
    secrets = {text for values in (draft.examples, draft.others) for text in secret_values(draft.parameters, values)}
    try:
        return model_wiring.model_for(
            plan.method if plan.method != Method.RULES else None,
            model=plan.model,
            budget=Budget(tokens=settings.RECORDING_BUDGET_TOKENS),
            on_use=on_use,
            secrets=secrets,
            look=desk.raise_if_aborted,
        )
    except NotConfigured:
        if is_planned(draft):
            return None
        raise
