"""Lists of samples: nothing is lost, merged or renamed. As many out as in, or a refusal with row numbers."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

MAX_SAMPLES = 100_000
MAX_ID = 300
MAX_FOLDER = 80
MAX_SHOWN = 20
ID_COLUMNS = ("sample_id", "id")
UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)
RESERVED = frozenset({"memory", "logs", "con", "prn", "aux", "nul"})
OWN_COLUMNS = frozenset({"sample_id", "id", "url"})


@dataclass(frozen=True, slots=True)
class SampleInput:
    """`sample_id` character for character as it was given; `folder` is unique among the list and safe on any disk."""

    sample_id: str
    url: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""


class SamplesRefused(ValueError):
    """`problems` are lines for a person, with the row each is about; `str()` of it joins them."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        shown = list(self.problems[:MAX_SHOWN])
        if len(self.problems) > MAX_SHOWN:
            shown.append(f"and {len(self.problems) - MAX_SHOWN} more")
        super().__init__("; ".join(shown))


def read_csv(data: bytes, *, input_schema: Mapping[str, Any] | None = None) -> tuple[SampleInput, ...]:
    """Rows are numbered as a spreadsheet numbers them: the header is row 1. A byte-order mark is no part of a name."""
    text = _decoded(data)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        lines = list(reader)
    except csv.Error as error:
        raise SamplesRefused([f"line {reader.line_num}: {error}"]) from error
    if not lines:
        raise SamplesRefused(["the file is empty; its first row names the columns"])
    header = [name.strip() for name in lines[0]]
    _check_header(header)
    numbered = [(number, line) for number, line in enumerate(lines[1:], start=2) if any(cell.strip() for cell in line)]
    problems = [
        f"row {number}: {len(line)} cells, the header names {len(header)}"
        for number, line in numbered
        if len(line) != len(header)
    ]
    if problems:
        raise SamplesRefused(problems)
    return _samples(
        [(f"row {number}", dict(zip(header, line, strict=True))) for number, line in numbered], input_schema
    )


def read_json(data: bytes, *, input_schema: Mapping[str, Any] | None = None) -> tuple[SampleInput, ...]:
    """A list of objects with a sample_id or id, or of texts that are ids."""
    try:
        items = json.loads(_decoded(data))
    except ValueError as error:
        raise SamplesRefused([f"this is no JSON: {error}"]) from error
    return from_items(items, input_schema=input_schema)


def from_items(items: object, *, input_schema: Mapping[str, Any] | None = None) -> tuple[SampleInput, ...]:
    if not isinstance(items, list):
        raise SamplesRefused(["samples are a list"])
    rows = []
    for at, item in enumerate(items, start=1):
        if not isinstance(item, str | dict):
            raise SamplesRefused([f"item {at}: an object with a sample_id, or a text"])
        rows.append((f"item {at}", {"sample_id": item} if isinstance(item, str) else item))
    return _samples(rows, input_schema)


def one_sample(url: str, sample_id: str = "sample_001") -> tuple[SampleInput, ...]:
    return from_items([{"sample_id": sample_id, "url": url}])


def as_rows(samples: Iterable[SampleInput]) -> list[dict[str, Any]]:
    return [{"sample_id": each.sample_id, "url": each.url, **each.extra} for each in samples]


def safe_name(text: str, *, limit: int = MAX_FOLDER) -> str:
    """A name for a file or folder made of letters, digits, dots, dashes and underscores; never empty, never hidden."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = UNSAFE.sub("_", plain).strip("._-")[:limit].rstrip("._-")
    if not name or name.lower() in RESERVED:
        return f"item_{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return name


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SamplesRefused([f"line {line}: this is not UTF-8; save the file as UTF-8"]) from error


def _check_header(header: list[str]) -> None:
    problems = [f"column {at}: has no name" for at, name in enumerate(header, start=1) if not name]
    seen: dict[str, int] = {}
    for at, name in enumerate(header, start=1):
        if name and name.lower() in seen:
            problems.append(f"column {at}: {name!r} is the name of column {seen[name.lower()]} too")
        seen.setdefault(name.lower(), at)
    if not any(name in ID_COLUMNS for name in header):
        near = next((name for name in header if name.lower() in ID_COLUMNS), None)
        hint = f"; {near!r} is written otherwise" if near else ""
        problems.append(f"no column is named sample_id or id{hint}")
    if problems:
        raise SamplesRefused(problems)


def _samples(rows: list[tuple[str, dict[str, Any]]], schema: Mapping[str, Any] | None) -> tuple[SampleInput, ...]:
    if len(rows) > MAX_SAMPLES:
        raise SamplesRefused([f"{len(rows)} samples; at most {MAX_SAMPLES} in one run"])
    problems: list[str] = [] if rows else ["there is no sample in it"]
    found: list[tuple[str, SampleInput]] = []
    for where, row in rows:
        sample = _sample(where, row, problems)
        problems += _missing_columns(where, row, schema or {})
        if sample is not None:
            found.append((where, sample))
    problems += _alike(found)
    if problems:
        raise SamplesRefused(problems)
    return _with_folders([sample for _, sample in found])


def _sample(where: str, row: dict[str, Any], problems: list[str]) -> SampleInput | None:
    column = next((name for name in ID_COLUMNS if not _blank(row.get(name))), None)
    if column is None:
        problems.append(f"{where}: the sample_id is blank")
        return None
    value = row[column]
    sample_id = value if isinstance(value, str) else str(value)
    url = row.get("url")
    url = "" if _blank(url) else str(url).strip()
    problem = _bad_id(sample_id) or _bad_url(url)
    if problem:
        problems.append(f"{where}: {problem}")
        return None
    extra = {name: cell for name, cell in row.items() if name not in {column, "sample_id", "url"}}
    return SampleInput(sample_id.strip(), url, extra)


def _bad_id(sample_id: str) -> str:
    if len(sample_id) > MAX_ID:
        return f"a sample_id of {len(sample_id)} characters; at most {MAX_ID}"
    if any(unicodedata.category(letter) == "Cc" for letter in sample_id):
        return "the sample_id holds control characters"
    return ""


def _bad_url(url: str) -> str:
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return f"{url[:80]!r} is no address"
    return "" if parts.scheme in ("http", "https") and host else f"{url[:80]!r} is no http(s) address"


def _missing_columns(where: str, row: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """A column is needed unless its declared type says null."""
    needed = [name for name, kind in schema.items() if "null" not in str(kind).lower() and name not in OWN_COLUMNS]
    return [f"{where}: {name} is blank" for name in needed if _blank(row.get(name))]


def _alike(found: list[tuple[str, SampleInput]]) -> list[str]:
    """Ids that are the same, or the same to a spreadsheet: 007 and 7, Anna and anna."""
    problems: list[str] = []
    seen: dict[str, tuple[str, SampleInput]] = {}
    for where, sample in found:
        key = _folded(sample.sample_id)
        first = seen.setdefault(key, (where, sample))
        if first[1] is sample:
            continue
        same = first[1].sample_id == sample.sample_id
        words = "stands there twice" if same else f"and {first[1].sample_id!r} can be taken for one another"
        problems.append(f"{where}: {sample.sample_id!r} {words}; see {first[0]}")
    return problems


def _folded(sample_id: str) -> str:
    folded = unicodedata.normalize("NFKC", sample_id).casefold().strip()
    return folded.lstrip("0") or "0" if folded.isdigit() else folded


def _with_folders(samples: list[SampleInput]) -> tuple[SampleInput, ...]:
    taken: set[str] = set()
    made = []
    for sample in samples:
        folder = base = safe_name(sample.sample_id)
        number = 2
        while folder.lower() in taken:
            folder, number = f"{base}_{number}", number + 1
        taken.add(folder.lower())
        made.append(SampleInput(sample.sample_id, sample.url, sample.extra, folder))
    return tuple(made)


def _blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
