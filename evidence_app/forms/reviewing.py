"""What a reviewer types: how the queue is narrowed, and what is decided."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from evidence_app.models.review import Answer, Decision, ExhibitState
from evidence_app.services.exhibits import ALL, ME, NOBODY, UNCONCLUDED, WAITS, Choices, Wanted
from evidence_app.services.reviews import MAX_WORDS, REASONS, Finding, Verdict

STATES = [
    (WAITS, "What waits"), *ExhibitState.choices, (UNCONCLUDED, "Approved, no conclusion"), (ALL, "Everything"),
]  # fmt: skip
AGES = [("", "Any age"), ("1", "A day or longer"), ("3", "Three days or longer"), ("7", "A week or longer")]


class QueueForm(forms.Form):
    """Nothing in it is ever refused: what is not understood narrows nothing."""

    q = forms.CharField(label="Sample", required=False, max_length=100)
    state = forms.ChoiceField(required=False, choices=STATES)
    run = forms.ChoiceField(required=False)
    task = forms.ChoiceField(required=False)
    control = forms.ChoiceField(required=False)
    period = forms.ChoiceField(required=False)
    days = forms.ChoiceField(label="Waits for", required=False, choices=AGES)
    assignee = forms.ChoiceField(label="Asked", required=False)

    def __init__(self, data: QueryDict, choices: Choices, people: list[str]) -> None:
        super().__init__(data)
        self.narrow("run", [(run.public_id, _run_said(run)) for run in choices.runs], "Any run")
        self.narrow("task", [(str(task.pk), task.title or task.task_id) for task in choices.tasks], "Any task")
        self.narrow("control", [(each, each) for each in choices.controls], "Any control")
        self.narrow("period", [(each, each) for each in choices.periods], "Any period")
        asked = [(ME, "Me"), (NOBODY, "Nobody"), *((name, name) for name in people)]
        self.narrow("assignee", asked, "Anybody")
        self.fields["q"].widget.attrs["placeholder"] = "Begins with…"

    def narrow(self, name: str, options: list[tuple[str, str]], anything: str) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", anything), *options]

    @property
    def wanted(self) -> Wanted:
        self.is_valid()
        given: dict[str, Any] = {name: value for name, value in self.cleaned_data.items() if value}
        for name in ("task", "days"):
            given[name] = int(given[name]) if name in given else None
        return Wanted(**{"state": WAITS, **given})

    @property
    def query(self) -> str:
        """Of an address; only what narrows."""
        self.is_valid()
        given = {
            name: value for name, value in self.cleaned_data.items() if value and (name, value) != ("state", WAITS)
        }
        return urlencode(given)


def _run_said(run: Any) -> str:
    return " · ".join(part for part in (run.title[:60], run.period) if part)


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(choices=Decision.choices)
    reason_code = forms.CharField(required=False, max_length=16)
    words = forms.CharField(required=False, max_length=MAX_WORDS)
    again = forms.BooleanField(required=False)
    answer = forms.ChoiceField(required=False, choices=[("", ""), *Answer.choices])
    answer_words = forms.CharField(required=False, max_length=MAX_WORDS)

    def verdict(self) -> Verdict:
        given = self.cleaned_data
        named = ("decision", "reason_code", "words", "again")
        return Verdict(**{name: given[name] for name in named}, seen=seen_in(self.data))


def finding_in(given: dict[str, Any]) -> Finding | None:
    return Finding(given["answer"], given["answer_words"]) if given["answer"] else None


def seen_in(data: Any) -> dict[int, str]:
    """`seen=12:3f2a…` once for each file that the page showed."""
    pairs = (value.partition(":") for value in data.getlist("seen"))
    return {number: sha256 for key, _, sha256 in pairs if (number := _number_of(key)) is not None}


def _number_of(text: str) -> int | None:
    """Of a row; none has more digits than a database counts to."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def reasons_for(decision: Decision) -> list[tuple[str, str]]:
    return [(each.value, str(each.label)) for each in REASONS[decision]]
