"""Recorded conversations, replayed through the services' real clients."""

import pytest

from recipes_app.llm.base import Used
from tests.desks import DeskReplay
from tests.llm.conversation import converse
from tests.llm.questions import SERVICES


@pytest.mark.parametrize("service", SERVICES)
def test_a_recorded_conversation_is_asked_again_word_for_word(desk_replay: DeskReplay, service: str) -> None:
    used: list[Used] = []
    desk = desk_replay(f"shop_{service}")
    said = converse(desk.model(service, on_use=used.append))
    assert said.searched == {"q": "lamp", "limit": 3}
    assert said.names == ["Desk lamp", "Floor lamp"]
    assert "39.00" in said.text
    report = desk.report()
    assert (report["unmatched"], report["unused"], report["answered"]) == ([], [], 3)
    assert [each.purpose for each in used] == ["search", "names", "read"]
    assert sum(each.usage.tokens for each in used) == report["tokens"]["total"]
