"""One room with one pack for tests that only look at it or change copies of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bundle.making import Room, pack_of, room_in


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Room, Path]:
    folder = tmp_path_factory.mktemp("room")
    room = room_in(folder)
    return room, pack_of(room, folder / "pack.zip")
