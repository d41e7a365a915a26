"""Both services' clients ask a desk, and get what it answers."""

import pytest

from recipes_app import model_wiring
from recipes_app.llm.base import Message, Request, ToolDef, Used
from recipes_app.llm.budget import Budget
from tests.desks import DeskScript

SEARCH = ToolDef(
    "search",
    "Find products.",
    {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
)
SERVICES = ("openai", "anthropic")


@pytest.mark.parametrize("service", SERVICES)
def test_a_tool_is_called_through_the_settings(desk_script: DeskScript, service: str) -> None:
    desk = desk_script([{"tool": "search", "arguments": {"q": "lamp"}}])
    used: list[Used] = []
    model = model_wiring.model_for(service, budget=Budget(tokens=5000), on_use=used.append)
    request = Request(("Be brief.",), (Message("user", "Find a lamp."),), (SEARCH,), choice="search", purpose="trial")
    answer = model.ask(request)
    assert [(call.name, dict(call.arguments)) for call in answer.calls] == [("search", {"q": "lamp"})]
    assert [(each.purpose, each.provider, each.usage.requests) for each in used] == [("trial", service, 1)]
    assert desk.requests[0]["tool_choice"] == {"mode": "tool", "name": "search", "parallel": False}


@pytest.mark.parametrize("service", SERVICES)
def test_an_object_is_answered(desk_script: DeskScript, service: str) -> None:
    desk = desk_script([{"json": {"names": ["a"]}}])
    schema = {"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}}
    answer = desk.model(service).ask(Request((), (Message("user", "Names?"),), answer_schema=schema))
    assert answer.data == {"names": ["a"]}
    assert answer.calls == ()
