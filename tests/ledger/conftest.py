"""A team, and one test for each of the databases."""

import pytest
from django.db import connection

from evidence_app.models import Run
from tests.evidence_web.conftest import Room, evidence_root, room, signed_in
from tests.ledger.vault import collect

__all__ = ["evidence_root", "room", "signed_in"]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def vendor(request: pytest.FixtureRequest) -> str:
    """What guards and superusers can do differs, so these tests are run on both."""
    if connection.vendor != request.param:
        pytest.skip(f"this is the test on {request.param}")
    return str(request.param)


@pytest.fixture
def collected(room: Room) -> Run:
    """A run of two samples, both done."""
    return collect(room, "ann", "bo")
