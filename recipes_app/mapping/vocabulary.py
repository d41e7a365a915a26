"""The word lists of words.toml, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((files("recipes_app.mapping") / "words.toml").read_text(encoding="utf-8"))


def split(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split("|") if word.strip())


def words(section: str, key: str) -> frozenset[str]:
    return frozenset(split(_tables()[section][key]))


def verbs(section: str) -> dict[str, str]:
    """What buttons say -> the English verb it means."""
    return {word: verb for verb, text in _tables()[section].items() for word in split(text)}


def meanings() -> tuple[tuple[frozenset[str], tuple[str, str]], ...]:
    """Words of a field's purpose, and two values for such a field; in the order in which they count."""
    return tuple((frozenset(split(entry["words"])), tuple(entry["values"])) for entry in _tables()["meanings"])


def pattern_tries() -> tuple[str, ...]:
    return split(_tables()["patterns"]["tries"])
