"""The difference between two versions of a recipe, line by line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from recipes_app.models import RecipeVersion


@dataclass(frozen=True)
class DiffLine:
    """`kind` is added, removed, same or where."""

    kind: str
    sign: str
    text: str


KINDS = {"+": ("added", "+"), "-": ("removed", "-"), "@": ("where", "…"), " ": ("same", "")}


def diff(old: RecipeVersion, new: RecipeVersion) -> list[DiffLine]:
    return json_diff(old.document, new.document)


def json_diff(old: Any, new: Any) -> list[DiffLine]:
    lines = unified_diff(_lines(old), _lines(new), lineterm="", n=3)
    return list(_said(line for line in lines if not line.startswith(("---", "+++"))))


def _lines(document: Any) -> list[str]:
    return json.dumps(document, indent=2, ensure_ascii=False).splitlines()


def _said(lines: Iterator[str]) -> Iterator[DiffLine]:
    for line in lines:
        kind, sign = KINDS[line[0]]
        yield DiffLine(kind, sign, "" if kind == "where" else line[1:])
