"""Forms that take a list of samples: rows that are edited, a file, pasted text, one address."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from evidence_app.models import Sample
from evidence_app.services import confidential
from evidence_app.spec import selection
from evidence_app.spec.samples import SampleInput, SamplesRefused, from_items, one_sample, read_csv, read_json
from recipes_app.engine.parameters import MASK

MAX_BYTES = 20_000_000
MAX_ROWS = 100  # beyond that a table of fields is no way to edit them
MAX_FIELDS = 900  # Django takes 1000 at most
MAX_PROBLEMS = 200
OWN = ("sample_id", "url")
BLANK_ROWS = 3
CODE = {"class": "code", "spellcheck": "false"}


@dataclass(frozen=True, slots=True)
class Given:
    """Samples as they were given; `digest` of the very bytes. `selection`: how some of `rows` were chosen, if so."""

    samples: tuple[SampleInput, ...]
    source: str
    digest: str
    rows: int
    selection: Mapping[str, Any] | None = None

    @property
    def population(self) -> dict[str, Any]:
        chosen = {"selection": dict(self.selection)} if self.selection else {}
        return {"source": self.source, "sha256": self.digest, "rows": self.rows, **chosen}

    def some(self, count: int, seed: str) -> Given:
        """ValueError where there are not so many."""
        samples = selection.selected(self.samples, count, seed)
        return replace(self, samples=samples, selection=selection.said(count, self.rows, seed))


class PopulationForm(forms.Form):
    """Exactly one way of naming the samples. `given` after validation; None where they are to be found first."""

    file = forms.FileField(
        label="A file", required=False, help_text="CSV with a header (sample_id, url, and more), or JSON: a list."
    )
    text = forms.CharField(
        label="Or paste the rows",
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 6, **CODE, "placeholder": "sample_id,url\nann,https://people.example/ann"}
        ),
    )
    url = forms.CharField(
        label="Or one address", required=False, max_length=2000, help_text="One sample: this page.",
        widget=forms.TextInput(attrs={"inputmode": "url"}),
    )  # fmt: skip
    start_url = forms.CharField(
        label="Or find them on a page", required=False, max_length=2000,
        help_text="A list page; every entry becomes a sample, and you look at them before anything runs.",
        widget=forms.TextInput(attrs={"inputmode": "url"}),
    )  # fmt: skip

    ways: tuple[str, ...] = ("file", "text", "url", "start_url")

    def __init__(
        self,
        data: QueryDict | None = None,
        files: MultiValueDict[str, Any] | None = None,
        *,
        schema: Mapping[str, Any],
        **options: Any,
    ) -> None:
        super().__init__(data, files, **options)
        self.schema = schema
        self.given: Given | None = None
        self.problems: list[str] = []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        named = [way for way in self.ways if way in self.fields and self._is_named(cleaned.get(way))]
        if len(named) != 1:
            raise forms.ValidationError(
                "Name the samples: in a file, as rows, by one address, or by the page that lists them."
                if not named
                else f"Name the samples in one way only; now there are {len(named)}."
            )
        if named[0] != "start_url":
            self._read(named[0], cleaned)
        return cleaned

    def _is_named(self, value: Any) -> bool:
        return bool(value.strip() if isinstance(value, str) else value)

    def _read(self, way: str, cleaned: Mapping[str, Any]) -> None:
        data = self._bytes(way, cleaned[way])
        if len(data) > MAX_BYTES:
            self.add_error(way, f"At most {MAX_BYTES // 1_000_000} MB.")
            return
        source = f"file {cleaned['file'].name}" if way == "file" else {"text": "pasted", "url": "one address"}[way]
        try:
            samples = one_sample(cleaned[way]) if way == "url" else read_rows(data, self.schema)
        except SamplesRefused as error:
            self.problems = list(error.problems[:MAX_PROBLEMS])
            count = len(error.problems)
            self.add_error(way, f"{count} thing{'' if count == 1 else 's'} to put right, listed below.")
            return
        self.given = Given(samples, source, hashlib.sha256(data).hexdigest(), rows=len(samples))

    def _bytes(self, way: str, value: Any) -> bytes:
        """A file that is refused is shown as rows, to be put right in place: a browser keeps no file."""
        if way != "file":
            return str(value).encode()
        data: bytes = value.read(MAX_BYTES + 1)
        if isinstance(self.data, QueryDict) and len(data) <= 1_000_000:
            self.data = self.data.copy()
            self.data["text"] = data.decode("utf-8-sig", "replace")
        return data


def read_rows(data: bytes, schema: Mapping[str, Any]) -> tuple[SampleInput, ...]:
    """CSV, or JSON where it begins like that."""
    looks = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    reader = read_json if looks in (b"[", b"{") else read_csv
    return reader(data, input_schema=schema)


class RowsForm:
    """The samples of a draft: a table of fields while they are few, else CSV. Nothing typed is lost when refused."""

    def __init__(self, samples: Iterable[Sample], data: QueryDict | None = None, *, schema: Mapping[str, Any]) -> None:
        self.schema = schema
        self.problems: list[str] = []
        rows = [{"sample_id": each.sample_id, "url": each.url, **confidential.masked(each.extra)} for each in samples]
        self.columns = data.getlist("column") if data else columns_of(rows, schema)
        self.rows = (
            cells_of(data, len(self.columns)) if data else [[shown(row.get(c)) for c in self.columns] for row in rows]
        )
        self.as_table = len(rows) <= MAX_ROWS and (len(rows) + BLANK_ROWS) * len(self.columns) <= MAX_FIELDS
        self.text = data.get("text", "") if data else ("" if self.as_table else as_csv(self.columns, self.rows))
        if data:
            self.as_table = "text" not in data

    @property
    def has_secrets(self) -> bool:
        return any(cell == MASK for row in self.rows for cell in row)

    @property
    def blank_rows(self) -> list[list[str]]:
        return [[""] * len(self.columns)] * BLANK_ROWS

    def read(self) -> tuple[SampleInput, ...] | None:
        """None where something is wrong: `problems` say what."""
        try:
            if not self.as_table:
                return read_rows(self.text.encode(), self.schema)
            return from_items(
                [dict(zip(self.columns, row, strict=True)) for row in self.rows if any(cell.strip() for cell in row)],
                input_schema=self.schema,
            )
        except SamplesRefused as error:
            self.problems = [problem.replace("item ", "row ", 1) for problem in error.problems[:MAX_PROBLEMS]]
            return None


def columns_of(rows: list[dict[str, Any]], schema: Mapping[str, Any]) -> list[str]:
    more = dict.fromkeys(name for row in rows for name in row if name not in OWN)
    return [*OWN, *dict.fromkeys([*(name for name in schema if name not in (*OWN, "id")), *more])]


def cells_of(data: QueryDict, width: int) -> list[list[str]]:
    columns = [data.getlist(f"cell{at}") for at in range(width)]
    height = max((len(column) for column in columns), default=0)
    return [[column[at] if at < len(column) else "" for column in columns] for at in range(height)]


def shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_csv(columns: list[str], rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([columns, *rows])
    return text.getvalue()
