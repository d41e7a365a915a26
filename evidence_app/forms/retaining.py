"""The forms of holds, and of words that go with a decision."""

from __future__ import annotations

from typing import Any

from django import forms

from evidence_app.models import Run, TaskSpec
from recipes_app.models import Team


class WordsForm(forms.Form):
    words = forms.CharField(label="In words", max_length=1000, required=False)


class HoldForm(forms.Form):
    """`about`: "team", "task-7" or "run-12"."""

    about = forms.CharField(label="What it keeps", widget=forms.Select)
    words = forms.CharField(
        label="What for", max_length=1000, help_text="The case, the letter, the date. It stands in the ledger."
    )

    def __init__(self, team: Team, data: Any = None, *, about: str = "") -> None:
        super().__init__(data, initial={"about": about or "team"})
        self.team = team
        runs = Run.objects.filter(team=team).order_by("-pk").values_list("pk", "title", "period")[:200]
        specs = TaskSpec.objects.filter(team=team).order_by("task_id").values_list("pk", "task_id")
        choices = [
            ("team", "Everything of the team"),
            ("All runs of a task", [(f"task-{pk}", name) for pk, name in specs]),
            ("One run", [(f"run-{pk}", f"{title} {period}".strip()) for pk, title, period in runs]),
        ]
        self.fields["about"].widget.choices = choices

    def clean_about(self) -> dict[str, Any]:
        """As the service takes it: {"run": …}, {"spec": …} or nothing."""
        kind, _, number = self.cleaned_data["about"].partition("-")
        if kind == "team" and not number:
            return {}
        if kind in ("task", "run") and number.isdecimal() and len(number) < 19:
            model = TaskSpec if kind == "task" else Run
            row = model.objects.filter(team=self.team, pk=int(number)).first()
            if row is not None:
                return {"spec" if kind == "task" else "run": row}
        raise forms.ValidationError("Choose one of the list.")
