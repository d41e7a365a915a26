"""How services are reached. The client of one is loaded when it is first connected to, and by nothing before."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module

from recipes_app.llm.base import Provider
from recipes_app.llm.errors import NotConfigured

CLIENTS = {
    "openai": "recipes_app.llm.providers.openai",
    "anthropic": "recipes_app.llm.providers.anthropic",
}
CONNECT_S = 10


@dataclass(frozen=True, slots=True)
class Access:
    """`base_url` empty: the service's own. `timeout_s` is how long one answer may take."""

    service: str
    key: str = field(repr=False)
    model: str
    fast_model: str = ""
    base_url: str = ""
    timeout_s: float = 120


def connect(access: Access) -> Provider:
    """Nothing is sent yet."""
    if access.service not in CLIENTS:
        raise NotConfigured(f"There is no model service {access.service!r}. There are: {', '.join(CLIENTS)}.")
    provider: Provider = import_module(CLIENTS[access.service]).connect(access)
    return provider
