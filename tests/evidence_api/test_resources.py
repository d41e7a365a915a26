"""Runs and artifacts as programs read them over MCP."""

import hashlib
import json

import pytest

from evidence_app.api import resources
from evidence_app.models.review import Shown
from recipes_app.mcp.seams import Refused
from recipes_app.models import Membership
from tests.api.conftest import Program
from tests.evidence_api.test_evidence_api import brought, started
from tests.evidence_web.conftest import PLAIN, Room

pytestmark = pytest.mark.django_db


def test_a_run_names_its_artifacts_whose_bytes_can_be_read_and_the_taking_is_noted(
    editors: Program, room: Room
) -> None:
    editors.post("/tasks", PLAIN)
    run = started(editors)
    row = brought(run["id"])
    assert [shown.uri for shown in resources.listed(room.team)] == [f"agentify://runs/{run['id']}"]
    read = resources.read(room.team, room.editor, f"agentify://runs/{run['id']}")
    assert read is not None
    told = json.loads(read.data)
    assert (told["run"]["id"], told["artifacts"][0]["sha256"]) == (run["id"], row.sha256)
    taken = resources.read(room.team, room.editor, f"agentify://artifacts/{row.pk}")
    assert taken is not None
    assert (hashlib.sha256(taken.data).hexdigest(), taken.media_type) == (row.sha256, "text/html")
    assert Shown.objects.filter(user=room.editor).count() == 1


def test_another_team_finds_nothing_and_what_is_no_resource_of_evidence_is_left_to_others(
    editors: Program, room: Room
) -> None:
    run = started(editors)
    row = brought(run["id"])
    red = Membership.objects.get(user=room.stranger).team
    assert resources.listed(red) == []
    for uri in (f"agentify://runs/{run['id']}", f"agentify://artifacts/{row.pk}", "agentify://artifacts/x"):
        with pytest.raises(Refused, match="there is no"):
            resources.read(red, room.stranger, uri)
    assert resources.read(room.team, room.editor, "agentify://calls/1") is None
