"""The form that marks what a copy of a picture leaves out."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from evidence_app.models import Artifact, Field
from evidence_app.store.images import Box

LINE = re.compile(r"\s*(-?\d{1,7})\s*[,;\s]\s*(-?\d{1,7})\s*[,;\s]\s*(\d{1,7})\s*[,;\s]\s*(\d{1,7})\s*")
ROOM = 4  # pixels around a value


class RedactForm(forms.Form):
    """`marked`: the places, in pixels of the picture, from both its lists."""

    boxes = forms.CharField(
        label="Places", required=False, max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4, "class": "mono", "spellcheck": "false"}),
        help_text="One a line: left, top, width, height in pixels. Drawing on the picture adds lines.",
    )  # fmt: skip
    fields_found = forms.ModelMultipleChoiceField(
        label="Values", required=False, queryset=Field.objects.none(), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, row: Artifact, data: Any = None) -> None:
        super().__init__(data)
        if isinstance(choice := self.fields["fields_found"], forms.ModelMultipleChoiceField):
            choice.queryset = Field.objects.filter(artifact=row, box__isnull=False)
            choice.label_from_instance = _label  # type: ignore[method-assign]

    @property
    def marked(self) -> list[Box]:
        drawn = self.cleaned_data["boxes"]
        return [*drawn, *(_around(each.box) for each in self.cleaned_data["fields_found"])]

    def clean_boxes(self) -> list[Box]:
        lines = [line for line in self.cleaned_data["boxes"].splitlines() if line.strip()]
        found = [LINE.fullmatch(line) for line in lines]
        for number, match in enumerate(found, 1):
            if match is None:
                raise forms.ValidationError(f"Line {number} is not four whole numbers.")
        return [(int(m[1]), int(m[2]), int(m[3]), int(m[4])) for m in found if m]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("boxes") and not cleaned.get("fields_found"):
            self.add_error("boxes", "Mark at least one place: draw on the picture, or choose a value.")
        return cleaned


def _label(obj: Any) -> str:
    return f"{obj.path}: {obj.value}"[:120]


def _around(box: list[float]) -> Box:
    x, y, width, height = (round(each) for each in box)
    return (x - ROOM, y - ROOM, width + 2 * ROOM, height + 2 * ROOM)
