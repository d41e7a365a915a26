"""The form of a run that recurs."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms

from evidence_app.forms.populations import PopulationForm
from evidence_app.models import TaskSpec
from evidence_app.services import schedules, specs
from recipes_app.models import Team


class ScheduleForm(PopulationForm):
    """Its samples are named beforehand: nobody is there to look over a discovery."""

    spec = forms.ModelChoiceField(label="Task", queryset=TaskSpec.objects.none(), empty_label="Choose a task")
    cron = forms.CharField(
        label="When", max_length=120, initial="0 6 1 */3 *",
        help_text="Five fields: minute, hour, day of the month, month, day of the week. “0 6 * * 1” is each Monday at "
        "06:00; “0 6 1 */3 *” the first day of each quarter.",
    )  # fmt: skip
    time_zone = forms.ChoiceField(label="By the clock of", initial="UTC")
    period = forms.CharField(
        required=False, max_length=60, initial="{year}-Q{quarter}",
        help_text="{year}, {quarter}, {month}, {week} and {day} are filled in at each run.",
    )  # fmt: skip

    ways = ("file", "text", "url")

    def __init__(self, team: Team, data: Any = None, files: Any = None, *, spec: TaskSpec | None = None) -> None:
        super().__init__(data, files, schema={}, initial={"spec": spec})
        del self.fields["start_url"]
        if isinstance(choice := self.fields["spec"], forms.ModelChoiceField):
            choice.queryset = TaskSpec.objects.filter(team=team, archived_at=None)
        if isinstance(zone := self.fields["time_zone"], forms.ChoiceField):
            zone.choices = [(name, name) for name in sorted(available_timezones())]

    def clean(self) -> dict[str, Any]:
        """The samples have to fit the task that was chosen."""
        chosen: TaskSpec | None = self.cleaned_data.get("spec")
        if chosen and (version := chosen.versions.first()):
            self.schema = specs.spec_of(version).input_schema
        cleaned = super().clean()
        given = [str(cleaned.get(name) or "") for name in ("cron", "time_zone", "period")]
        for name, text in schedules.problems(*given).items():
            if name not in self.errors:
                self.add_error(name, text)
        return cleaned
