"""What models cost: a small table with its date. A model that is not in it has no price; none is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from recipes_app.llm.base import Usage

AS_OF = date(2026, 10, 24)
DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens, which is millionths of a dollar for one. `cached` is for input read from the
    service's cache, `written` for input put into it.
    """

    input: float
    output: float
    cached: float
    written: float


Prices = Mapping[str, Price]

KNOWN: Prices = {
    "gpt-5.5": Price(5.00, 30.00, 0.50, 5.00),
    "gpt-5.4": Price(2.50, 15.00, 0.25, 2.50),
    "gpt-5.4-mini": Price(0.75, 4.50, 0.075, 0.75),
    "gpt-5.4-nano": Price(0.20, 1.25, 0.02, 0.20),
    "claude-opus-5-5": Price(4.00, 20.00, 0.20, 5.00),
    "claude-opus-5": Price(5.00, 25.00, 0.50, 6.25),
    "claude-opus-4-8": Price(5.00, 25.00, 0.50, 6.25),
    "claude-opus-4-6": Price(5.00, 25.00, 0.50, 6.25),
    "claude-sonnet-5-5": Price(2.00, 10.00, 0.10, 2.50),
    "claude-sonnet-5": Price(2.00, 10.00, 0.20, 2.50),
    "claude-sonnet-4-6": Price(3.00, 15.00, 0.30, 3.75),
    "claude-haiku-4-5": Price(1.00, 5.00, 0.10, 1.25),
}


class BadPrices(ValueError):
    """The text is no table of prices; the message says why."""


def table_of(text: str) -> Prices:
    """KNOWN with what `text` adds or corrects: {"model": {"input": 1.5, "output": 6, "cached": 0.15}}, dollars for a
    million tokens; `cached` and `written` are `input` unless given.
    """
    if not text.strip():
        return KNOWN
    try:
        given = json.loads(text)
    except ValueError as error:
        raise BadPrices(f"not JSON ({error})") from error
    if not isinstance(given, dict):
        raise BadPrices('not of the form {"model": {"input": 1.5, "output": 6}}')
    return {**KNOWN, **{name: _price(name, entry) for name, entry in given.items()}}


def price_of(model: str, table: Prices = KNOWN) -> Price | None:
    """By its name, or by its name without the date some services put behind it."""
    return table.get(model) or table.get(DATED.sub("", model))


def cost_of(usage: Usage, price: Price | None) -> int | None:
    """Millionths of a dollar, rounded up."""
    if price is None:
        return None
    plain = max(0, usage.input_tokens - usage.cached_tokens - usage.written_tokens)
    parts = (
        plain * price.input,
        usage.cached_tokens * price.cached,
        usage.written_tokens * price.written,
        usage.output_tokens * price.output,
    )
    return -int(-sum(parts) // 1)


def estimate(requests: int, tokens: int, model: str, *, table: Prices = KNOWN, answers: float = 0.2) -> Usage:
    """What so many requests of so many tokens in all would be, a share of `answers` of them output, nothing cached."""
    output = round(tokens * answers)
    usage = Usage(requests=requests, input_tokens=tokens - output, output_tokens=output)
    return Usage(
        requests=usage.requests,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_micros=cost_of(usage, price_of(model, table)),
    )


def _price(name: str, entry: Any) -> Price:
    needed, known = {"input", "output"}, {"input", "output", "cached", "written"}
    if not isinstance(entry, dict) or not needed <= set(entry) <= known:
        raise BadPrices(f"{name} needs input and output, and may have cached and written")
    for word, value in entry.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            raise BadPrices(f"{name}: {word} is not a number of dollars")
    whole = {"cached": entry["input"], "written": entry["input"], **entry}
    return Price(**whole)
