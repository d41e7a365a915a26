"""All samples of a run as one table; what a spreadsheet would take for a formula is made harmless, and only here."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from typing import Any

from evidence_app.models import Attempt, Run
from evidence_app.spec.shapes import TaskSpec

NUMBER = re.compile(r"[-+]?(\d+([.,]\d+)*|\.\d+)(e[-+]?\d+)?%?", re.IGNORECASE)
FIRST = ("sample_id", "status")
FORMULAS = ("=", "+", "-", "@")
LAST = ("judgment", "reasons", "errors", "notes")


def combined_csv(run: Run, spec: TaskSpec) -> str:
    rows = list(_newest(run))
    names = [each.name for each in spec.output]
    others = sorted({name for row in rows for name in row.extracted if name not in names})
    columns = [*names, *others]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([safe_cell(name) for name in [*FIRST, *columns, *LAST]])
    for row in rows:
        cells = [row.sample.sample_id, row.status, *(row.extracted.get(name) for name in columns)]
        reasons = "; ".join(str(reason.get("text", "")) for reason in row.reasons)
        writer.writerow([safe_cell(value) for value in [*cells, row.judgment, reasons, row.errors or "", row.notes]])
    return text.getvalue()


def safe_cell(value: Any) -> str:
    """A number stays one, also a negative one; a text that begins like a formula gets an apostrophe in front, also
    where spaces, control characters or ones that are not seen stand before, or the sign is a wide one."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = "true" if value is True else "false" if value is False else str(value)
    if _first_seen(text) in FORMULAS and not NUMBER.fullmatch(text.strip()):
        return f"'{text}"
    return f"'{text}" if text[:1] in ("\t", "\r") else text


def _first_seen(text: str) -> str:
    """The first letter that is no space, control or format character, in its usual width; blank where there is none."""
    seen = (letter for letter in text if unicodedata.category(letter)[0] not in "ZC")
    return unicodedata.normalize("NFKC", next(seen, ""))[:1]


def _newest(run: Run) -> list[Attempt]:
    newest: dict[int, Attempt] = {}
    for attempt in Attempt.objects.filter(sample__run=run).select_related("sample").order_by("number"):
        newest[attempt.sample_id] = attempt
    return sorted(newest.values(), key=lambda attempt: attempt.sample.number)
