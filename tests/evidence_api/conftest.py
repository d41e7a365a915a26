"""A team with tasks and runs, and programs of its people."""

import pytest

from recipes_app.models import Membership
from tests.api.conftest import Program, program
from tests.evidence_web.conftest import Room, evidence_root, room

__all__ = ["evidence_root", "room"]


@pytest.fixture
def editors(room: Room) -> Program:
    return program(room.editor)


@pytest.fixture
def operators(room: Room) -> Program:
    return program(room.operator)


@pytest.fixture
def strangers(room: Room) -> Program:
    assert Membership.objects.filter(user=room.stranger, team=room.team).count() == 0
    return program(room.stranger)
