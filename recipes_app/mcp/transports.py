"""The two ways to reach the server: standard input and output, or HTTP with a token."""

from __future__ import annotations

from collections.abc import Callable

import uvicorn
from anyio import to_thread
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl

from recipes_app.mcp.seams import House
from recipes_app.mcp.server import build

PATH = "/mcp"


class Tokens:
    """API tokens: made on the team's page, asked for again at each request."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def verify_token(self, token: str) -> AccessToken | None:
        scopes = await to_thread.run_sync(self.house.allows, token)
        return AccessToken(token=token, client_id=token[:12], scopes=scopes) if scopes else None


async def over_stdio(house: House, version: str) -> None:
    server = build(house, version)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def over_http(house: House, version: str, bind: tuple[str, int], ready: Callable[[str], None]) -> None:
    """Until it is stopped; `ready` is told the address, whose port may have been chosen by the system."""
    host, port = bind
    config = uvicorn.Config("", host=host, port=port, log_level="warning", access_log=False, ws="none")
    listening = config.bind_socket()
    address = f"http://{host}:{listening.getsockname()[1]}"
    url = AnyHttpUrl(address)
    config.app = build(house, version).streamable_http_app(
        streamable_http_path=PATH,
        host=host,
        auth=AuthSettings(issuer_url=url, resource_server_url=None, required_scopes=[]),
        token_verifier=Tokens(house),
        transport_security=only(host),
    )
    ready(address + PATH)
    await uvicorn.Server(config).serve(sockets=[listening])


def only(host: str) -> TransportSecuritySettings | None:
    """Behind a name of its own the proxy in front checks the Host header; here the SDK's rule for loopback holds."""
    return None if host in {"127.0.0.1", "localhost", "::1"} else TransportSecuritySettings()
