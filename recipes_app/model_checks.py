"""What settings about models must not say."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

from recipes_app.llm.errors import NotConfigured
from recipes_app.services import model_settings

MODELS = "models"
LEAST_WINDOW = 8_000
LEAST_BUDGET = 2_000


@checks.register(MODELS)
def model_settings_make_sense(**_options: Any) -> list[checks.CheckMessage]:
    wrong = [*_wrong_numbers(), *_wrong_money(), *_wrong_addresses(), *_wrong_choice()]
    return [checks.Error(said, id="agentify.E010") for said in wrong] + [*_unpriced()]


def _wrong_numbers() -> Iterator[str]:
    least = {
        "LLM_TIMEOUT_S": 1,
        "LLM_CONTEXT_WINDOW": LEAST_WINDOW,
        "MAPPING_BUDGET_TOKENS": LEAST_BUDGET,
        "RECORDING_BUDGET_TOKENS": LEAST_BUDGET,
    }
    for name, lowest in least.items():
        if getattr(settings, name) < lowest:
            yield f"The setting {name} makes no sense: {lowest} is the least that is of use."


def _wrong_money() -> Iterator[str]:
    for read in (model_settings.budget_micros, model_settings.price_table):
        try:
            read()
        except NotConfigured as error:
            yield str(error)


def _wrong_addresses() -> Iterator[str]:
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        url = urlsplit(getattr(settings, name))
        if getattr(settings, name) and not (url.scheme in ("http", "https") and url.hostname):
            yield f"The setting {name} makes no sense: it is no http(s) address."


def _wrong_choice() -> Iterator[str]:
    chosen = settings.LLM_PROVIDER
    if chosen and chosen not in model_settings.SERVICES:
        known = " and ".join(model_settings.SERVICES)
        yield f"The setting LLM_PROVIDER makes no sense: there is no {chosen}; there are {known}."
    elif chosen and not model_settings.is_set_up(chosen):
        yield f"The setting LLM_PROVIDER makes no sense: {chosen.upper()}_API_KEY is not set."


def _unpriced() -> Iterator[checks.CheckMessage]:
    """Where money is limited, a model without a price is not asked at all: better said now than in a job."""
    try:
        limited, table = model_settings.budget_micros() is not None, model_settings.price_table()
    except NotConfigured:
        return
    names = sorted(name for service in model_settings.set_up() for name in model_settings.model_names(service))
    for name in names if limited else ():
        if not model_settings.has_price(name, table):
            said = f"RUN_BUDGET_USD is set, and no price is known for {name}: it will not be asked."
            yield checks.Warning(said, "Add it to MODEL_PRICES, or leave RUN_BUDGET_USD empty.", id="agentify.W010")
