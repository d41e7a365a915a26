"""The form that starts a run of a task spec."""

from __future__ import annotations

from typing import Any

from django import forms

from evidence_app.forms.populations import PopulationForm
from evidence_app.services.runs import MAX_RETRIES
from evidence_app.spec.samples import MAX_SAMPLES
from evidence_app.spec.selection import new_seed
from evidence_app.spec.shapes import TaskSpec


class StartForm(PopulationForm):
    control = forms.CharField(required=False, max_length=60, help_text="Such as CC6.2 or A.5.18.")
    period = forms.CharField(required=False, max_length=40, help_text="What it is evidence for, such as 2026-Q3.")
    choose = forms.IntegerField(
        label="How many of them", required=False, min_value=1, max_value=MAX_SAMPLES,
        help_text="Chosen by the seed, so that anybody can choose the same again. Empty: all.",
    )  # fmt: skip
    seed = forms.CharField(
        required=False, max_length=64, strip=True, initial=new_seed, help_text="Anything; it stands with the run."
    )
    budget_tokens = forms.IntegerField(
        label="Tokens at most", required=False, min_value=1000, max_value=10**12,
        help_text="For the whole run. Empty: the limit of this installation.",
    )  # fmt: skip
    retries = forms.IntegerField(
        label="Tries after a failure", min_value=0, max_value=MAX_RETRIES, initial=2,
        help_text="New attempts at a sample that failed, beside the old ones.",
    )  # fmt: skip

    def __init__(self, spec: TaskSpec, data: Any = None, files: Any = None) -> None:
        initial = {"control": spec.control, "period": spec.period, "retries": 2}
        super().__init__(data, files, schema=spec.input_schema, initial=initial)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        count = cleaned.get("choose")
        if not count:
            return cleaned
        if self.given is None:
            if cleaned.get("start_url"):
                self.add_error("choose", "What is found on a page is chosen from by hand, before it runs.")
            return cleaned
        try:
            self.given = self.given.some(count, cleaned.get("seed") or new_seed())
        except ValueError:
            self.add_error("choose", f"There are only {self.given.rows}.")
        return cleaned

    @property
    def how(self) -> dict[str, Any]:
        given = self.cleaned_data
        population = self.given.population if self.given else {}
        named = ("control", "period", "budget_tokens", "retries")
        return {**{name: given[name] for name in named}, "population": population}
