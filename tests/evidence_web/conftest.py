"""People of a team with tasks, runs and evidence made by hand; and runs that really collect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from evidence_app.jobs import agents
from evidence_app.models import Run, TaskSpec, TaskSpecVersion
from evidence_app.services import runs, specs
from evidence_app.spec.samples import from_items
from recipes_app.jobs import running
from recipes_app.models import Role, Team, User
from recipes_app.models.job import JobStatus
from tests.browser.site import LittleSite
from tests.evidence.collecting import Moves
from tests.evidence_jobs.conftest import people_site, place, scripted
from tests.people import make_site, make_team, make_user
from tests.pilot.flying import move
from tests.web.conftest import files_apart, signed_in, visit

__all__ = ["files_apart", "people_site", "place", "scripted", "signed_in", "visit"]

Scripts = Callable[..., Moves]
SPEC: dict[str, Any] = {
    "task_id": "people",
    "title": "Names and titles",
    "goal": "Take down name and title.",
    "output_schema": {"name": "string", "title": "string | null"},
    "required_fields": ["name"],
    "required_artifacts": ["person page"],
    "milestones": ["person found"],
    "judgment_required": True,
    "judgment_question": "Is the person still employed?",
}


PLAIN: dict[str, Any] = {
    "task_id": "plain",
    "goal": "Take down name and title.",
    "output_schema": {"name": "string", "title": "string", "manager": "string | null"},
    "required_fields": ["name", "title"],
    "required_artifacts": ["person page"],
}


@dataclass
class Room:
    """A team of everybody, a stranger with another team, a site and one task."""

    team: Team
    owner: User
    editor: User
    operator: User
    viewer: User
    stranger: User
    version: TaskSpecVersion

    @property
    def task(self) -> TaskSpec:
        return self.version.spec

    def request(self, *names: str, **how: Any) -> Run:
        samples = from_items([{"sample_id": name, "url": f"http://127.0.0.1:1/{name}"} for name in names or ("ann",)])
        return runs.request_run(version=self.version, samples=samples, by=self.operator, **how)


def make_room() -> Room:
    team = make_team("Blue")
    roles = {"olga": Role.OWNER, "ed": Role.EDITOR, "otto": Role.OPERATOR, "vic": Role.VIEWER}
    owner, editor, operator, viewer = (make_user(name, team, role) for name, role in roles.items())
    stranger = make_user("sam", make_team("Red"), Role.OWNER)
    make_site(team, owner)
    version = specs.save(team=team, by=editor, data=SPEC)
    return Room(team, owner, editor, operator, viewer, stranger, version)


@pytest.fixture
def room(db: None) -> Room:
    return make_room()


@pytest.fixture(autouse=True)
def evidence_root(settings: Settings, tmp_path: Path) -> Path:
    settings.EVIDENCE_ROOT = tmp_path / "evidence"
    settings.OPENAI_API_KEY = "sk-of-a-test"
    return tmp_path / "evidence"


@pytest.fixture
def live_room(transactional_db: None) -> Room:
    """Its rows are seen by other threads as well: a worker's, the web server's."""
    return make_room()


def ask(room: Room, site: LittleSite, *names: str) -> Run:
    make_site(room.team, room.owner, base_url=site.url, slug="people")
    version = specs.save(team=room.team, by=room.editor, data=PLAIN)
    samples = from_items([{"sample_id": name, "url": f"{site.url}/{name}"} for name in names])
    return runs.request_run(version=version, samples=samples, by=room.operator, retries=0)


def collect(run: Run) -> None:
    while job := runs.jobs_of(run).filter(status=JobStatus.QUEUED).order_by("pk").first():
        agents.collect_sample(job.pk)
    run.refresh_from_db()


@pytest.fixture
def collected(live_room: Room, place: running.Place, people_site: LittleSite, scripted: Scripts) -> Run:
    """One sample, with a value that is on no page."""
    run = ask(live_room, people_site, "ann")
    found = {"name": "Ann", "title": "Engineer", "manager": "Zoe"}
    scripted(move("screenshot", label="person page"), move("done", extracted=found))
    collect(run)
    return run
