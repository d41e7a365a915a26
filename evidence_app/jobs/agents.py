"""Jobs of the queue `agents`: planning a run, and collecting the evidence of one sample."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from django.db import transaction

from evidence_app import wiring
from evidence_app.agent import collector
from evidence_app.agent.capture import capture_page, lay_out
from evidence_app.agent.collector import Means
from evidence_app.agent.events import Acted, Captured, Confided, Decided, Saved, Spent
from evidence_app.agent.outcome import BUDGET_SPENT, Outcome
from evidence_app.agent.settings import AgentSettings
from evidence_app.jobs.gate import Gate, SignedOut
from evidence_app.models import Attempt, Run
from evidence_app.planning.planner import Plan, plan
from evidence_app.services import artifacts, attempts, output, plans, runs
from evidence_app.services.specs import spec_of
from evidence_app.spec.samples import SampleInput
from evidence_app.spec.shapes import TaskSpec
from recipes_app import model_wiring
from recipes_app import wiring as site_wiring
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe
from recipes_app.engine.events import Event, Progress
from recipes_app.jobs import running
from recipes_app.jobs.signed_in import Borrowed, borrow
from recipes_app.llm.base import Answer, Asks, Checking, Request, Usage
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import BudgetSpent, ModelError
from recipes_app.models import Site
from recipes_app.models.job import JobStatus
from recipes_app.services import model_use
from recipes_app.services.recipes import published_tools
from recipes_app.services.runs import Claim

__all__ = ["collect_sample", "plan_run"]


@running.end_for.register
def _(error: ModelError, claim: Claim) -> None:
    """Not a first answer could be had: the sample is tried again as a new attempt."""
    claim.finish(JobStatus.FAILED, {"error": str(error), "kind": error.kind})


@running.end_for.register
def _(error: SignedOut, claim: Claim) -> None:
    """What was collected so far stays in the attempt."""
    run = Run.objects.select_related("site").get(samples__attempts__job=claim.job)
    said = borrow(claim, run.site).expired(str(error)) if run.site else str(error)
    claim.finish(JobStatus.FAILED, {"error": said, "kind": "auth_expired"})


def collect_sample(job_id: int) -> None:
    running.run(job_id, _collect)
    attempt = Attempt.objects.select_related("sample__run__version").filter(job=job_id, written_at=None).first()
    if attempt is not None and attempt.finished_at is not None:
        output.write_attempt(attempt)


def plan_run(job_id: int) -> None:
    running.run(job_id, _plan_run)


def _plan_run(claim: Claim) -> None:
    run = Run.objects.select_related("team", "requested_by").get(plan_job=claim.job)
    sentence, budget = run.sentence, runs.tokens_left(run)

    def ask(desk: Desk) -> Plan:
        desk.emit(Progress("plan", 0, None, "Planning"))
        model = model_wiring.model_for(
            budget=Budget(tokens=budget), on_use=lambda used: desk.emit(Spent(used)), look=desk.raise_if_aborted
        )
        return plan(model, sentence)

    def hear(event: Event) -> None:
        if isinstance(event, Spent):
            model_use.note_use(claim=claim, used=event.used)

    planned = running.drive(claim, ask, hear=hear)
    with transaction.atomic():
        plans.keep_plan(claim=claim, run=run, plan=planned)
        claim.finish(JobStatus.DONE)


def _collect(claim: Claim) -> None:
    attempt = attempts.begin(claim=claim)
    run = attempt.sample.run
    runs.note_started(run)
    if runs.is_spent(run):
        runs.stop_for_budget(run)
        raise running.Failed("The budget of the run was spent.", BUDGET_SPENT)
    claim.keep_secret(attempts.secrets_of(attempt.sample))
    keeper = _Keeper(claim, attempt)
    plan = _plan(attempt, run, keeper.spent)
    borrowed = borrow(claim, plan.site)
    outcome, is_in = running.drive(claim, partial(_browse, plan, borrowed), hear=keeper.hear)
    borrowed.settle(is_in=is_in)
    attempts.finish(claim=claim, attempt=attempt, outcome=outcome)
    if any(reason.code == BUDGET_SPENT for reason in outcome.reasons):
        runs.stop_for_budget(run)


@dataclass(frozen=True, slots=True)
class _Plan:
    site: Site
    spec: TaskSpec
    sample: SampleInput
    before: collector.Before
    context: ContextOptions
    settings: AgentSettings
    tools: Mapping[str, Recipe]
    budget_tokens: int
    budget_micros: int | None
    spent: threading.Event  # the run's budget is, by all of its workers together


@dataclass(slots=True)
class _Paid:
    """An `Asks` that asks no more once the other workers of the run have spent what was left."""

    model: Asks
    is_over: threading.Event

    @property
    def spent(self) -> Usage:
        return self.model.spent

    def ask(self, request: Request, *, check: Checking | None = None) -> Answer:
        if self.is_over.is_set():
            raise BudgetSpent("The budget of the run was spent.")
        return self.model.ask(request, check=check)


def _plan(attempt: Attempt, run: Run, spent: threading.Event) -> _Plan:
    if run.version is None or run.site is None:
        raise running.Failed("The run has no task spec, or no site.", "refused")
    kept = attempts.before(attempt)
    spec = spec_of(run.version)
    return _Plan(
        site=run.site,
        spec=spec,
        sample=attempts.sample_input(attempt.sample),
        before=collector.Before(kept.checkpoint, kept.pending, kept.lessons, kept.layouts),
        context=wiring.context_options(site_wiring.context_options(run.site), spec),
        settings=wiring.agent_settings(),
        tools=published_tools(run.site),
        budget_tokens=runs.tokens_left(run),
        budget_micros=runs.micros_left(run),
        spent=spent,
    )


def _browse(plan: _Plan, borrowed: Borrowed, desk: Desk) -> tuple[Outcome, bool]:
    """On the browser thread. With whether what the browser is left with is signed in still."""
    model = model_wiring.model_for(
        budget=Budget(tokens=plan.budget_tokens, micros=plan.budget_micros),
        on_use=lambda used: desk.emit(Spent(used)),
        look=desk.raise_if_aborted,
    )
    gate = Gate(borrowed.loan, borrowed.again, desk) if borrowed.loan else None
    with desk.session(borrowed.keeping(plan.context)) as session:
        means = Means(
            session=session,
            model=_Paid(model, plan.spent),
            emit=desk.emit,
            capture=capture_page,
            lay=lay_out,
            settings=plan.settings,
            tools=plan.tools,
            pause=wiring.pause(desk.raise_if_aborted),
            gate=gate,
        )
        outcome = collector.collect(plan.spec, plan.sample, means, plan.before)
        if gate is not None:
            gate.close(session)
        return outcome, gate is not None and gate.is_in


@dataclass(frozen=True, slots=True)
class _Keeper:
    """Writes down what the agent tells, before the agent goes on."""

    claim: Claim
    attempt: Attempt
    spent: threading.Event = field(default_factory=threading.Event)

    def hear(self, event: Event) -> None:
        match event:
            case Confided():
                self.claim.keep_secret([*self.claim.secrets, *event.values])
            case Decided():
                attempts.note_decided(claim=self.claim, attempt=self.attempt, event=event)
            case Acted():
                attempts.note_acted(claim=self.claim, attempt=self.attempt, event=event)
            case Captured():
                artifacts.keep(claim=self.claim, attempt=self.attempt, event=event)
            case Saved():
                attempts.save_checkpoint(claim=self.claim, attempt=self.attempt, event=event)
                if runs.is_spent(self.attempt.sample.run):
                    self.spent.set()
            case Spent():
                model_use.note_use(claim=self.claim, used=event.used)
