"""What a run may cost, said before it begins."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_app.spec.shapes import TaskSpec
from recipes_app.llm import prices
from recipes_app.llm.errors import NotConfigured
from recipes_app.services import model_settings

# Of one step of the agent: the question as measured on the practice site (2,465 to 2,637 tokens, most of it tools and
# page), and an answer that thinks a little. Filling in a form, with its pictures and files, took ten steps there.
STEP_INPUT, STEP_OUTPUT = 2_600, 120
USUAL_STEPS = 10


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens and money of a usual run, and of one in which every sample uses all of its steps."""

    model: str
    samples: int
    tokens: int
    most_tokens: int
    micros: int | None
    most_micros: int | None

    @property
    def in_words(self) -> str:
        money = "" if self.micros is None else f", {dollars(self.micros)}"
        most = "" if self.most_micros is None else f", {dollars(self.most_micros)}"
        name = self.model or "no model is set up"
        return (
            f"{name}. {self.samples} samples: about {self.tokens:,} tokens{money}; "
            f"at most {self.most_tokens:,} tokens{most} for one attempt each."
        )


def of_run(spec: TaskSpec, samples: int) -> Estimate:
    try:
        model = model_settings.model_name(model_settings.chosen())
    except NotConfigured:
        model = ""
    steps = min(spec.max_steps, USUAL_STEPS)
    return Estimate(
        model=model,
        samples=samples,
        tokens=_tokens(samples, steps),
        most_tokens=_tokens(samples, spec.max_steps),
        micros=_micros(model, samples * steps),
        most_micros=_micros(model, samples * spec.max_steps),
    )


def dollars(micros: int) -> str:
    return f"${micros / 1_000_000:.2f}" if micros >= 10_000 else "less than 1 cent"


def _tokens(samples: int, steps: int) -> int:
    return samples * steps * (STEP_INPUT + STEP_OUTPUT)


def _micros(model: str, steps: int) -> int | None:
    """Millionths of a dollar; None where the model has no price."""
    tokens, share = steps * (STEP_INPUT + STEP_OUTPUT), STEP_OUTPUT / (STEP_INPUT + STEP_OUTPUT)
    return prices.estimate(steps, tokens, model, table=model_settings.price_table(), answers=share).cost_micros
