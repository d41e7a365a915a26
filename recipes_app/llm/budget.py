"""What a run may spend. Looked at before every request: one that could not be paid for is not sent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from recipes_app.llm import prices
from recipes_app.llm.base import Request, Usage
from recipes_app.llm.errors import BudgetSpent, NotConfigured
from recipes_app.llm.prices import Prices
from recipes_app.llm.sizes import size_of

LEAST_ANSWER = 256
"""Tokens. An answer with less room than this, and less than was asked for, is not worth its question."""


@dataclass(frozen=True, slots=True)
class Budget:
    """None is no limit. `micros` is millionths of a US dollar."""

    tokens: int | None = None
    micros: int | None = None

    def fit(self, request: Request, model: str, spent: Usage, table: Prices) -> Request:
        """The request with its answer limited to what is left; BudgetSpent if that is too little.

        NotConfigured where money is limited and the model has no known price.
        """
        size = size_of(request)
        room = min(self._tokens_left(spent) - size, self._tokens_paid(size, model, spent, table))
        if room < min(request.max_tokens, LEAST_ANSWER):
            raise BudgetSpent(f"The budget for models is used up: {self._in_words(spent)}.")
        return replace(request, max_tokens=min(request.max_tokens, room))

    def _tokens_left(self, spent: Usage) -> int:
        return _UNLIMITED if self.tokens is None else self.tokens - spent.tokens

    def _tokens_paid(self, size: int, model: str, spent: Usage, table: Prices) -> int:
        """How long an answer the money that is left still pays for."""
        if self.micros is None:
            return _UNLIMITED
        price = prices.price_of(model, table)
        question = prices.cost_of(Usage(input_tokens=size), price)
        if price is None or question is None or spent.cost_micros is None:
            raise NotConfigured(
                f"Money for models is limited, and what {model} costs is not known: set MODEL_PRICES, or limit tokens."
            )
        left = self.micros - spent.cost_micros - question
        return int(left / price.output) if price.output else (_UNLIMITED if left >= 0 else 0)

    def _in_words(self, spent: Usage) -> str:
        tokens = f"{spent.tokens:,} tokens" + ("" if self.tokens is None else f" of {self.tokens:,}")
        if self.micros is None or spent.cost_micros is None:
            return tokens
        return f"{tokens}, ${spent.cost_micros / 1e6:.4f} of ${self.micros / 1e6:.2f}"


_UNLIMITED = 2**53
