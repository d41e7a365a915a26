"""What the settings say of models: which services are set up, and what they cost. Loads no service's client."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from django.conf import settings

from recipes_app.llm import prices
from recipes_app.llm.connecting import Access
from recipes_app.llm.errors import NotConfigured
from recipes_app.llm.prices import BadPrices, Prices

SERVICES = ("openai", "anthropic")


def is_set_up(service: str) -> bool:
    """A server of one's own that speaks as OpenAI does may need no key."""
    if service == "openai":
        return bool(settings.OPENAI_API_KEY or settings.OPENAI_BASE_URL)
    return service == "anthropic" and bool(settings.ANTHROPIC_API_KEY)


def set_up() -> tuple[str, ...]:
    return tuple(service for service in SERVICES if is_set_up(service))


def chosen(service: str | None = None) -> str:
    """The one that was asked for, else the settings' choice, else the first that is set up; or NotConfigured."""
    wanted = service or settings.LLM_PROVIDER or next(iter(set_up()), "")
    if not wanted:
        raise NotConfigured("No model is set up: set OPENAI_API_KEY or ANTHROPIC_API_KEY.")
    if not is_set_up(wanted):
        name = f"{wanted.upper()}_API_KEY"
        raise NotConfigured(f"No key is set for {wanted}: set {name}." if wanted in SERVICES else f"No model {wanted}.")
    return wanted


def access_to(service: str, model: str = "") -> Access:
    """`model` instead of the settings' one, fast or not."""
    if service == "openai":
        return Access(
            service=service,
            key=settings.OPENAI_API_KEY,
            model=model or settings.AGENTIFY_MODEL,
            base_url=settings.OPENAI_BASE_URL,
            timeout_s=settings.LLM_TIMEOUT_S,
        )
    return Access(
        service=service,
        key=settings.ANTHROPIC_API_KEY,
        model=model or settings.LLM_MODEL,
        fast_model=model or settings.LLM_FAST_MODEL,
        base_url=settings.ANTHROPIC_BASE_URL,
        timeout_s=settings.LLM_TIMEOUT_S,
    )


def fallback_access(first: str) -> Access | None:
    """None where it is not wanted, or its service is not set up. A Claude is Anthropic's; others are of `first`."""
    if not settings.ENABLE_FALLBACK_LLM or not settings.FALLBACK_LLM_MODEL:
        return None
    name = settings.FALLBACK_LLM_MODEL
    service = "anthropic" if name.startswith("claude-") else "openai" if name.startswith("gpt-") else first
    return access_to(service, name) if is_set_up(service) else None


def mapping_budget() -> int:
    """Tokens one mapping may use unless its row says otherwise."""
    return int(settings.MAPPING_BUDGET_TOKENS)


def model_name(service: str) -> str:
    return access_to(service).model


def model_names(service: str) -> set[str]:
    """All that may be asked: the usual one, the fast one, the fallback."""
    usual, other = access_to(service), fallback_access(service)
    return {usual.model, usual.fast_model or usual.model, *([other.model] if other else [])}


def has_price(model: str, table: Prices) -> bool:
    return prices.price_of(model, table) is not None


def price_table() -> Prices:
    """Raises NotConfigured, as `budget_micros` does: `up` names such a setting at its start, and a job names it too."""
    try:
        return prices.table_of(settings.MODEL_PRICES)
    except BadPrices as error:
        raise NotConfigured(f"The setting MODEL_PRICES makes no sense: {error}.") from error


def budget_micros() -> int | None:
    """RUN_BUDGET_USD in millionths; None where money is not limited."""
    text = settings.RUN_BUDGET_USD.strip().lstrip("$")
    if not text:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(0)
    if not amount.is_finite() or amount <= 0:
        raise NotConfigured("The setting RUN_BUDGET_USD makes no sense: it is no amount of dollars, such as 0.50.")
    return int(amount * 1_000_000)
