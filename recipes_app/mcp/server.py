"""One site as a server of the Model Context Protocol: its published tools, its calls and what they left behind.

The house is asked on threads; everything here runs on one event loop.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError

from recipes_app.mcp import words
from recipes_app.mcp.seams import House, Refused

LOOK_EVERY_S = 0.2
WATCH_EVERY_S = 1.0
MOST_SESSIONS = 500
P = ParamSpec("P")
T = TypeVar("T")
Ctx = ServerRequestContext[Any, Any]


class ToolServer(Server[Any]):
    """Says at once that its list of tools may change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


class Desk:
    """Answers the requests of every connection."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.bus = InMemorySubscriptionBus()
        self.sessions: dict[str, ServerSession] = {}

    async def list_tools(self, ctx: Ctx, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        self.remember(ctx)
        found = await ask(self.house.tools, who())
        return types.ListToolsResult(tools=[words.tool(each) for each in found])

    async def call_tool(self, ctx: Ctx, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What cannot be tried, and what failed, is a result that says so: the model can do better with it."""
        asker = who()
        try:
            call = await ask(self.house.begin, asker, params.name, params.arguments or {})
        except Refused as error:
            return words.failed({"error": str(error), "kind": "bad_arguments"})
        try:
            return await self.follow(ctx, call)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await ask(self.house.cancel, asker, call)
            raise

    async def follow(self, ctx: Ctx, call: str) -> types.CallToolResult:
        said, number = "", 0
        while not (standing := await ask(self.house.look, call)).ended:
            if standing.note != said:
                said, number = standing.note, number + 1
                # A protocol wants numbers that grow, whatever the work counts.
                await ctx.session.report_progress(number, None, standing.note)
            await anyio.sleep(LOOK_EVERY_S)
        return words.outcome(standing, call)

    async def list_resources(self, _: Ctx, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        found = await ask(self.house.resources, who())
        return types.ListResourcesResult(resources=[words.resource(each) for each in found])

    async def list_templates(
        self, _: Ctx, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(self, _: Ctx, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            content = await ask(self.house.read, who(), params.uri)
        except Refused as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        return types.ReadResourceResult(contents=[words.contents(params.uri, content)])

    def remember(self, ctx: Ctx) -> None:
        """Who has seen the list is told when it changes: the newest session of each connection."""
        headers = getattr(ctx.request, "headers", {})
        self.sessions[headers.get("mcp-session-id", "")] = ctx.session
        while len(self.sessions) > MOST_SESSIONS:
            del self.sessions[next(iter(self.sessions))]

    async def watch(self) -> None:
        known = await ask(self.house.state)
        while True:
            await anyio.sleep(WATCH_EVERY_S)
            now = await ask(self.house.state)
            if now != known:
                known = now
                await self.tell()

    async def tell(self) -> None:
        await self.bus.publish(ToolsListChanged())
        for key, session in list(self.sessions.items()):
            try:
                await session.send_tool_list_changed()
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, MCPError):
                self.sessions.pop(key, None)


def build(house: House, version: str) -> ToolServer:
    desk = Desk(house)
    return ToolServer(
        house.name,
        version=version,
        instructions=house.about,
        lifespan=lambda _: watching(desk),
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=desk.list_resources,
        on_list_resource_templates=desk.list_templates,
        on_read_resource=desk.read_resource,
        on_subscriptions_listen=ListenHandler(desk.bus),
    )


@asynccontextmanager
async def watching(desk: Desk) -> AsyncIterator[None]:
    async with anyio.create_task_group() as group:
        group.start_soon(desk.watch)
        try:
            yield
        finally:
            group.cancel_scope.cancel()


async def ask(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await to_thread.run_sync(lambda: function(*args, **kwargs))


def who() -> str:
    """The token of the request under way; nothing on standard input."""
    token = get_access_token()
    return token.token if token else ""


TEMPLATES = [
    types.ResourceTemplate(
        uri_template="agentify://calls/{id}",
        name="A call",
        description="Its arguments, result or error.",
        mime_type="application/json",
    ),
    types.ResourceTemplate(
        uri_template="agentify://runs/{id}",
        name="A run that collects evidence",
        description="How its samples stand, and the artifacts they brought.",
        mime_type="application/json",
    ),
    types.ResourceTemplate(
        uri_template="agentify://artifacts/{id}", name="An artifact", description="Its bytes, as they were hashed."
    ),
]
