"""The official client at a real server process, over both transports, with calls that are really replayed."""

import json
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from examples.practice.server import PracticeSite
from recipes_app.models import Call, Role, Site, User
from recipes_app.services import tokens
from tests.jobs.documents import search_products, stuck, subscribe
from tests.jobs.processes import ROOT, Processes, until
from tests.people import make_published, make_site, make_team, make_user

RETURNS = {"type": "object", "properties": {"heading": {"type": "string"}}, "required": ["heading"]}


@dataclass(frozen=True)
class Shop:
    processes: Processes
    site: Site
    owner: User

    @property
    def database(self) -> Path:
        return Path(self.processes.env["DATABASE_URL"].removeprefix("sqlite:///"))

    def over_stdio(self) -> StdioServerParameters:
        command = ["manage.py", "mcp", "shop", "--as", "olga"]
        return StdioServerParameters(command=sys.executable, args=command, env=self.processes.env, cwd=ROOT)

    def change_a_tool(self) -> None:
        """As the web process would, seen by everybody who looks at the database."""
        with sqlite3.connect(self.database) as rows:
            rows.execute("UPDATE recipes_app_recipe SET live_version_id = NULL WHERE name = 'subscribe'")


@pytest.fixture
def shop(processes: Processes, practice: PracticeSite) -> Shop:
    owner = make_user("olga", make_team("Blue"), Role.OWNER)
    site = make_site(owner.memberships.get().team, owner, base_url=practice.url)
    for document in (search_products(practice.url, returns=RETURNS), stuck(practice.url), subscribe(practice.url)):
        make_published(site, document, owner)
    return Shop(processes, site, owner)


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def in_time() -> None:
        with anyio.fail_after(120):
            await work()

    anyio.run(in_time)


@pytest.mark.slow
def test_over_stdio_tools_are_listed_called_stopped_and_their_calls_read(shop: Shop) -> None:
    async def work() -> None:
        async with Client(shop.over_stdio()) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert sorted(tools) == ["get_stuck", "search_products", "subscribe"]
            search, write = tools["search_products"], tools["subscribe"]
            assert search.input_schema["required"] == ["q"]
            assert search.output_schema == RETURNS
            assert (search.annotations.read_only_hint, search.annotations.destructive_hint) == (True, False)
            assert write.annotations.read_only_hint is False

            heard: list[str] = []

            async def hear(progress: float, total: float | None, message: str | None) -> None:
                heard.append(message or "")

            result = await client.call_tool("search_products", {"q": "lamp"}, progress_callback=hear)
            assert (result.is_error, result.structured_content) == (False, {"heading": "Products"})
            assert heard
            wrong = await client.call_tool("search_products", {"q": 3})
            assert wrong.is_error
            assert "q" in json.loads(text_of(wrong))["error"]

            await stop_a_call(client)
            found = [
                each for each in (await client.list_resources()).resources if each.name == "Call of search_products"
            ]
            read = await client.read_resource(found[0].uri)
            call = json.loads(read.contents[0].text)
            assert (call["status"], call["result"]["data"]) == ("done", {"heading": "Products"})
            with pytest.raises(MCPError, match="there is nothing"):
                await client.read_resource("agentify://nowhere/1")

            async with client.listen(tools_list_changed=True) as changes:
                shop.change_a_tool()
                async for _ in changes:
                    break
            assert "subscribe" not in {tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools}

    run(work)
    ended = {call.recipe.name: (call.job.status, call.via) for call in Call.objects.select_related("job", "recipe")}
    assert ended == {"search_products": ("done", "mcp"), "get_stuck": ("cancelled", "mcp")}


async def stop_a_call(client: Client) -> None:
    """Cancelled once it is under way: the server stops it in the browser, too."""
    begun = anyio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    async with anyio.create_task_group() as group:

        async def call() -> None:
            await client.call_tool("get_stuck", {}, progress_callback=hear)

        group.start_soon(call)
        await begun.wait()
        group.cancel_scope.cancel()


@pytest.mark.slow
def test_over_http_only_a_token_of_the_team_is_let_in_and_acts_within_its_scopes(shop: Shop) -> None:
    team = shop.site.team
    caller, reader = (tokens.make_token(team=team, owner=shop.owner, name=s, scopes=[s])[1] for s in ("call", "read"))
    stranger = make_user("rita", make_team("Red"), Role.OWNER)
    strange = tokens.make_token(team=stranger.memberships.get().team, owner=stranger, name="x", scopes=["call"])[1]
    address = serve(shop)

    async def work() -> None:
        for wrong in ("", strange, "agt_wrong"):
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {wrong}"} if wrong else {}) as http:
                assert (await http.post(address, json={})).status_code == 401
        changed = anyio.Event()

        async def hear(message: Any) -> None:
            if isinstance(message, types.ToolListChangedNotification):
                changed.set()

        async with connected(address, caller, hear) as client:
            assert len((await client.list_tools()).tools) == 3
            result = await client.call_tool("search_products", {"q": "lamp"})
            assert result.structured_content == {"heading": "Products"}
            shop.change_a_tool()
            await changed.wait()
            assert len((await client.list_tools()).tools) == 2
        async with connected(address, reader, hear) as client:
            assert len((await client.list_tools()).tools) == 2
            refused = await client.call_tool("search_products", {"q": "lamp"})
            assert refused.is_error
            assert "scope call" in text_of(refused)

    run(work)
    assert list(Call.objects.values_list("token__name", "job__status")) == [("call", "done")]


def serve(shop: Shop) -> str:
    shop.processes.start("mcp", "shop", "--as", "olga", "--http", "--port", "0", "--no-queue")
    until(lambda: re.search(r"serving at (\S+);", shop.processes.logs()), shop.processes)
    found = re.search(r"serving at (\S+);", shop.processes.logs())
    assert found
    return found[1]


@asynccontextmanager
async def connected(address: str, token: str, hear: Any) -> AsyncIterator[Client]:
    """By the handshake of clients that are a year old."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(transport, mode="legacy", message_handler=hear) as client:
            yield client


def text_of(result: types.CallToolResult) -> str:
    first = result.content[0]
    assert isinstance(first, types.TextContent)
    return first.text
