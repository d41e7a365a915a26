"""A model to ask, as the settings have it. Apart from `wiring`: a worker that replays loads nothing of models.

Imported by jobs and commands only.
"""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings

from recipes_app.llm.base import Asks, OnUse, Provider
from recipes_app.llm.budget import Budget
from recipes_app.llm.connecting import connect
from recipes_app.llm.model import Manners, Model
from recipes_app.llm.retry import Look, nothing
from recipes_app.services import model_settings

USUAL = Budget()


def provider_for(method: str | None = None, model: str = "") -> Provider:
    """The service of that name, or the settings' choice; its client is loaded now. Raises NotConfigured."""
    return connect(model_settings.access_to(model_settings.chosen(method), model))


def model_for(
    method: str | None = None,
    *,
    model: str = "",
    budget: Budget = USUAL,
    on_use: OnUse | None = None,
    secrets: Collection[str] = (),
    look: Look = nothing,
) -> Asks:
    """A model to ask, within the budget (where it has no limit: MAPPING_BUDGET_TOKENS and RUN_BUDGET_USD).

    Raises NotConfigured.

    `model` names another than the settings do, for everything, the easy questions too.

    `on_use` hears of every request on the thread that asks; `look` is called while an answer is waited for, and raises
    to stop: a desk's `raise_if_aborted`.
    """
    provider = provider_for(method, model)
    fallback = model_settings.fallback_access(provider.name)
    tokens = settings.MAPPING_BUDGET_TOKENS if budget.tokens is None else budget.tokens
    micros = model_settings.budget_micros() if budget.micros is None else budget.micros
    return Model(
        provider,
        budget=Budget(tokens=tokens, micros=micros),
        fallback=connect(fallback) if fallback else None,
        on_use=on_use,
        secrets=secrets,
        manners=Manners(look=look, prices=model_settings.price_table(), window=settings.LLM_CONTEXT_WINDOW),
    )
