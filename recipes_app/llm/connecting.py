"""How services are reached. The client of one is loaded when it is first connected to, and by nothing before."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

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


class Client(Provider, Protocol):
    """A Provider that holds connections."""

    def close(self) -> None: ...


_open: dict[tuple[int, Access], Client] = {}


def connect(access: Access) -> Provider:
    """Nothing is sent yet. One client for the same access in a process: connections are used again, and what a server
    has shown not to know is not tried again.
    """
    if access.service not in CLIENTS:
        raise NotConfigured(f"There is no model service {access.service!r}. There are: {', '.join(CLIENTS)}.")
    place = (os.getpid(), access)
    if place not in _open:
        client: Client = import_module(CLIENTS[access.service]).connect(access)
        _open[place] = client
    return _open[place]


def disconnect() -> None:
    """Closes every connection of this process."""
    for pid, access in list(_open):
        client = _open.pop((pid, access))
        if pid == os.getpid():
            client.close()
