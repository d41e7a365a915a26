"""What a run may cost, said before it begins."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Sum

from evidence_app.models import Attempt, TaskSpecVersion
from evidence_app.models import TaskSpec as TaskRow
from evidence_app.spec.shapes import TaskSpec
from recipes_app.llm import prices
from recipes_app.llm.errors import NotConfigured
from recipes_app.models import ModelUse
from recipes_app.services import model_settings

# Of one step of the agent: the question as measured on the practice site (2,465 to 2,637 tokens, most of it tools and
# page), and an answer that thinks a little. Filling in a form, with its pictures and files, took ten steps there.
STEP_INPUT, STEP_OUTPUT = 2_600, 120
USUAL_STEPS = 10
LOOKED_AT = 200  # of the newest attempts at samples of the task


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens and money of a usual run, and of one in which every sample uses all of its steps."""

    model: str
    samples: int
    tokens: int
    most_tokens: int
    micros: int | None
    most_micros: int | None
    basis: str = ""  # what the numbers rest on
    budget: int = 0  # tokens, at which the run is stopped

    @property
    def in_words(self) -> str:
        money = "" if self.micros is None else f", {dollars(self.micros)}"
        most = "" if self.most_micros is None else f", {dollars(self.most_micros)}"
        name = self.model or "no model is set up"
        return (
            f"{name}. {self.samples} samples: about {self.tokens:,} tokens{money}; "
            f"at most {self.most_tokens:,} tokens{most} for one attempt each. {self.basis}{self._too_little}"
        )

    @property
    def _too_little(self) -> str:
        if self.tokens <= self.budget:
            return ""
        return f" That is more than the run may use, {self.budget:,} tokens: it stops there, before its last samples."


@dataclass(frozen=True, slots=True)
class Usual:
    """Of one sample: steps, requests, and tokens asked and answered."""

    steps: float
    requests: float
    given: float
    answered: float
    basis: str


def of_run(spec: TaskSpec, samples: int, *, task: TaskRow | None = None, budget: int | None = None) -> Estimate:
    """`task`: its past runs say what a sample really uses; without any the assumption is said. `budget`: tokens."""
    try:
        model = model_settings.model_name(model_settings.chosen())
    except NotConfigured:
        model = ""
    usual = (_used(task) if task else None) or _assumed(spec, "this task has not been run" if task else "a first run")
    most = max(1.0, spec.max_steps / usual.steps)
    return Estimate(
        model=model,
        samples=samples,
        tokens=_tokens(usual, samples),
        most_tokens=_tokens(usual, samples * most),
        micros=_micros(model, usual, samples),
        most_micros=_micros(model, usual, samples * most),
        basis=usual.basis,
        budget=settings.EVIDENCE_BUDGET_TOKENS if budget is None else budget,
    )


def of_version(version: TaskSpecVersion, spec: TaskSpec, samples: int, *, budget: int | None = None) -> Estimate:
    return of_run(spec, samples, task=version.spec, budget=budget)


def dollars(micros: int) -> str:
    return f"${micros / 1_000_000:.2f}" if micros >= 10_000 else "less than 1 cent"


def _used(task: TaskRow) -> Usual | None:
    """What samples of this task used, whatever became of them; None where none ended after asking a model."""
    ended = Attempt.objects.filter(sample__run__version__spec=task, finished_at__isnull=False, step__gt=0)
    rows = list(ended.filter(job__model_uses__requests__gt=0).distinct().order_by("-pk")[:LOOKED_AT])
    if not rows:
        return None
    used = ModelUse.objects.filter(job__attempt_at_sample__in=rows).aggregate(
        asked=Sum("requests"), given=Sum("input_tokens"), answered=Sum("output_tokens")
    )
    count = len(rows)
    steps = sum(row.step for row in rows) / count
    given, answered = used["given"] / count, used["answered"] / count
    whose = "the last sample" if count == 1 else f"the last {count} samples"
    basis = f"As {whose} of this task used: {steps:.0f} steps, {given:,.0f} tokens asked and {answered:,.0f} answered."
    return Usual(steps, used["asked"] / count, given, answered, basis)


def _assumed(spec: TaskSpec, why: str) -> Usual:
    steps = min(spec.max_steps, USUAL_STEPS)
    basis = f"An assumption ({why}): {steps} steps, each with {STEP_INPUT:,} tokens asked and {STEP_OUTPUT} answered."
    return Usual(steps, steps, steps * STEP_INPUT, steps * STEP_OUTPUT, basis)


def _tokens(usual: Usual, samples: float) -> int:
    return round(samples * (usual.given + usual.answered))


def _micros(model: str, usual: Usual, samples: float) -> int | None:
    """Millionths of a dollar; None where the model has no price."""
    tokens, requests = _tokens(usual, samples), round(samples * usual.requests)
    share = usual.answered / max(1.0, usual.given + usual.answered)
    return prices.estimate(requests, tokens, model, table=model_settings.price_table(), answers=share).cost_micros
