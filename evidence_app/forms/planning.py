"""The form of a sentence that becomes a run."""

from __future__ import annotations

from django import forms

from evidence_app.services.estimates import dollars
from evidence_app.services.plans import MAX_SENTENCE
from recipes_app.llm import prices
from recipes_app.llm.errors import NotConfigured
from recipes_app.services import model_settings

PLAN_TOKENS = 4_000


def model_at_hand() -> str:
    """The name of the model that would be asked; empty where none is set up."""
    try:
        return model_settings.model_name(model_settings.chosen())
    except NotConfigured:
        return ""


class SentenceForm(forms.Form):
    sentence = forms.CharField(
        label="What to collect, and where",
        max_length=MAX_SENTENCE,
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "placeholder": "For each of https://people.example/ann and https://people.example/bo: take down name, "
                "title and manager, with a picture of the page.",
            }
        ),
    )
    control = forms.CharField(
        required=False, max_length=60, help_text="Of a framework, such as CC6.2 or A.5.18. It stands on the evidence."
    )
    period = forms.CharField(required=False, max_length=40, help_text="What it is evidence for, such as 2026-Q3.")
    budget_tokens = forms.IntegerField(
        label="Tokens at most",
        required=False,
        min_value=1000,
        max_value=100_000_000,
        help_text="For the whole run. Empty: the limit of this installation.",
    )

    @property
    def model(self) -> str:
        return model_at_hand()

    @property
    def cost(self) -> str:
        """Of the plan alone: the run's own estimate stands on its draft."""
        if not self.model:
            return ""
        table = model_settings.price_table()
        micros = prices.estimate(1, PLAN_TOKENS, self.model, table=table, answers=0.25).cost_micros
        money = "" if micros is None else f", {dollars(micros)}"
        return f"Planning asks {self.model} once: about {PLAN_TOKENS:,} tokens{money}."
