"""A provider as an application asks it: masked, within a budget, patient, and with one chance to correct itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from recipes_app.llm import fencing, prices
from recipes_app.llm.base import Answer, Checking, OnUse, Provider, Request, Usage, Used
from recipes_app.llm.budget import Budget
from recipes_app.llm.checking import problems_of
from recipes_app.llm.errors import BadAnswer, Refused, Rejected, Unavailable
from recipes_app.llm.masking import Masking
from recipes_app.llm.prices import Prices
from recipes_app.llm.repair import asked_again
from recipes_app.llm.retry import Look, Retries, nothing, with_retries
from recipes_app.llm.sizes import size_of


def unheard(_used: Used) -> None:
    """To tell nobody what was used."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How a model is asked. `look` is called several times a second while it is waited for, and raises to stop;
    `window` is how many tokens fit into one request with its answer.
    """

    retries: Retries = field(default_factory=Retries)
    look: Look = nothing
    prices: Prices = field(default_factory=lambda: prices.KNOWN)
    window: int | None = None


class Model:
    """An `Asks`. Every request is counted, also one whose answer was no good; `on_use` hears of each as it is made.

    An answer that takes the run over its budget is still given: it is paid for. The next question is not asked.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        budget: Budget,
        fallback: Provider | None = None,
        on_use: OnUse | None = None,
        secrets: Collection[str] = (),
        manners: Manners | None = None,
    ) -> None:
        self._provider = provider
        self._budget = budget
        self._fallback = fallback
        self._on_use = on_use or unheard
        self._masking = Masking(secrets)
        self._manners = manners or Manners()
        self._spent = Usage()

    @property
    def spent(self) -> Usage:
        return self._spent

    def ask(self, request: Request, *, check: Checking | None = None) -> Answer:
        """An answer that is what was asked for, at the second try at the latest. Raises ModelError."""
        request = self._masking.request(_with_rule(request))
        answer = self._ask(request)
        problems = _problems(request, answer, check)
        if not problems:
            return answer
        again = self._masking.request(asked_again(request, answer, problems))
        answer = self._ask(again)
        problems = _problems(request, answer, check)
        if problems:
            raise BadAnswer(f"The model's answer could not be used, twice: {' '.join(problems)}")
        return answer

    def _ask(self, request: Request) -> Answer:
        """Of the provider, or where it cannot be reached of the fallback. Refused if the model declines."""
        try:
            answer = self._ask_of(self._provider, request)
        except Unavailable:
            if self._fallback is None:
                raise
            answer = self._ask_of(self._fallback, request)
        if answer.stop == "refusal":
            raise Refused(f"The model declined to answer: {answer.text.strip()[:200] or 'it gave no reason'}")
        return answer

    def _ask_of(self, provider: Provider, request: Request) -> Answer:
        model = provider.model_of(fast=request.fast)
        fitted = self._budget.fit(request, model, self._spent, self._manners.prices)
        self._fit_window(fitted, model)
        answer = with_retries(lambda: provider.ask(fitted), retries=self._manners.retries, look=self._manners.look)
        return self._counted(provider, model, request.purpose, answer)

    def _fit_window(self, request: Request, model: str) -> None:
        size = size_of(request) + request.max_tokens
        if self._manners.window is not None and size > self._manners.window:
            raise Rejected(f"The request is too long for {model}: about {size:,} tokens of {self._manners.window:,}.")

    def _counted(self, provider: Provider, model: str, purpose: str, answer: Answer) -> Answer:
        """The name that was asked for is the one that is counted: services answer with longer ones."""
        cost = prices.cost_of(answer.usage, prices.price_of(model, self._manners.prices))
        usage = replace(answer.usage, requests=max(1, answer.usage.requests), cost_micros=cost)
        self._spent = self._spent.plus(usage)
        self._on_use(Used(purpose or "other", provider.name, model, usage))
        return replace(answer, usage=usage, model=answer.model or model)


def _with_rule(request: Request) -> Request:
    """Where text of a page is in the question, what its fence means is said first."""
    if not fencing.is_fenced(request):
        return request
    return replace(request, system=(fencing.RULE, *request.system), cached=request.cached + 1)


def _problems(request: Request, answer: Answer, check: Checking | None) -> list[str]:
    found = problems_of(request, answer)
    if found or check is None:
        return found
    try:
        check(answer)
    except ValueError as error:
        return [str(error)]
    return []
