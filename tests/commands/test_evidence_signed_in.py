"""Evidence behind a sign-in: with the site's saved login, signing in again on the way, or saying what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evidence_app.jobs import agents
from evidence_app.models import ActionEntry, Attempt, Run
from evidence_app.services import runs, specs
from evidence_app.spec.samples import from_items
from examples.practice.server import PracticeSite
from recipes_app.jobs import running
from recipes_app.llm.base import Answer, Request
from recipes_app.models import Notice, Session, Site
from recipes_app.models.job import JobStatus
from recipes_app.services.errors import BadInput
from tests.commands.conftest import Agentify
from tests.commands.test_login import PASSWORD, site
from tests.evidence.collecting import Moves
from tests.evidence_jobs.conftest import evidence_root, place, scripted
from tests.pilot.flying import move

__all__ = ["evidence_root", "place", "scripted", "site"]
Scripts = Callable[..., Moves]
SPEC: dict[str, Any] = {
    "task_id": "accounts",
    "goal": "Take down who is signed in.",
    "output_schema": {"said": "string"},
    "required_fields": ["said"],
}
ANNA = {"said": "Signed in as anna"}


def ask(site: Site, practice: PracticeSite, **spec: Any) -> Run:
    version = specs.save(team=site.team, by=site.created_by, data={**SPEC, **spec})
    samples = from_items([{"sample_id": "anna", "url": f"{practice.url}/account"}])
    return runs.request_run(version=version, samples=samples, by=site.created_by, retries=0)


def collect(run: Run) -> Attempt:
    job = runs.jobs_of(run).get(status=JobStatus.QUEUED)
    agents.collect_sample(job.pk)
    return Attempt.objects.select_related("job").get(job=job)


def in_vault(agentify: Agentify) -> None:
    for field, value in (("username", "anna"), ("password", PASSWORD)):
        agentify("vault", "put", f"vault:shop/anna#{field}", typed=f"{value}\n")
    done = agentify("login", "shop", "--session", "audit", "--vault", "shop/anna")
    assert done.status == 0, done.err


def test_a_sample_begins_signed_in_and_signs_in_again_where_the_site_has_forgotten(
    agentify: Agentify, site: Site, practice: PracticeSite, place: running.Place, scripted: Scripts
) -> None:
    in_vault(agentify)
    with pytest.raises(BadInput, match="no session other; it has audit"):
        ask(site, practice, session="other")
    scripted(move("done", extracted=ANNA))
    attempt = collect(ask(site, practice, session="audit"))
    assert (attempt.status, attempt.extracted) == ("done", ANNA)
    assert attempt.fields.get(path="said").grounding == "text"
    practice.state.sessions.clear()
    said = scripted(move("done", extracted=ANNA))
    again = collect(ask(site, practice, session="audit"))
    assert (again.status, again.fields.get(path="said").grounding) == ("done", "text")
    assert "You are signed in again now" in str(said.requests)
    assert len(practice.state.sessions) == 1
    assert Session.objects.get().status == "valid"
    told = json.dumps([row.params for row in ActionEntry.objects.all()]) + str(said.requests)
    assert PASSWORD not in told
    assert not [sid for sid in practice.state.sessions if sid in told]


def test_in_the_middle_it_goes_on_where_it_was(
    agentify: Agentify,
    site: Site,
    practice: PracticeSite,
    place: running.Place,
    scripted: Scripts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_vault(agentify)
    orders = f"{practice.url}/account/orders"
    script = scripted(move("goto", url=orders), move("done", extracted=ANNA))
    answer = script.script

    def forgetting(request: Request) -> Answer:
        """The site forgets everybody once the agent has seen the first page."""
        if len(script.requests) == 1:
            practice.state.sessions.clear()
        return answer(request)

    monkeypatch.setattr(script, "script", forgetting)
    attempt = collect(ask(site, practice, session="audit"))
    assert (attempt.status, attempt.current_url) == ("done", f"{practice.url}/account")
    assert str(script.requests).count("You are signed in again now") >= 1


def test_without_a_vault_it_says_what_to_do_and_tells_those_who_can(
    agentify: Agentify, site: Site, practice: PracticeSite, place: running.Place, scripted: Scripts
) -> None:
    assert agentify("login", "shop", typed=f"anna\n{PASSWORD}\n").status == 0
    practice.state.sessions.clear()
    scripted(move("done", extracted=ANNA))
    attempt = collect(ask(site, practice))
    assert attempt.status != "done"
    error = attempt.job.error or {}
    assert error["kind"] == "auth_expired"
    assert "./agentify login shop" in error["error"]
    assert Session.objects.get().status == "expired"
    assert Notice.objects.filter(text__contains="has signed the session default out", read_at=None).count() == 1
    assert agentify("login", "shop", typed=f"anna\n{PASSWORD}\n").status == 0
    assert not Notice.objects.filter(text__contains="has signed the session", read_at=None).exists()


def test_a_state_file_of_another_program_becomes_a_session(
    agentify: Agentify, site: Site, practice: PracticeSite, tmp_path: Path
) -> None:
    file = tmp_path / "state.json"
    for text, why in (
        ("{", "is no saved state"),
        ('{"cookies": []}', "no lists"),
        ('{"cookies": [], "origins": []}', ""),
    ):
        file.write_text(text)
        refused = agentify("login", "shop", "--state", str(file))
        assert refused.status != 0
        assert why in refused.err
    assert agentify("login", "shop", typed=f"anna\n{PASSWORD}\n").status == 0
    file.write_text(json.dumps(Session.objects.get().state["storage"]))
    done = agentify("login", "shop", "--state", str(file), "--session", "brought", "--account", "anna")
    assert done.status == 0, done.err
    assert agentify("call", "shop", "who_am_i", "--session", "brought").data["data"] == {"said": "Signed in as anna"}
