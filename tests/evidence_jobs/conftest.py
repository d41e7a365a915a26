"""People, a site of the test's own, and a model whose answers are written beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from evidence_app.models import Run
from evidence_app.services import runs, specs
from evidence_app.spec.samples import from_items
from recipes_app import model_wiring
from recipes_app.browser.thread import BrowserThread
from recipes_app.jobs import running
from recipes_app.llm.scripted import Scripted
from recipes_app.models import Role, User
from tests.browser.site import LittleSite, serve
from tests.evidence.collecting import Moves
from tests.people import make_site, make_team, make_user

PERSON = """<title>{name}</title><h1>{name}</h1><dl><dt>Title</dt><dd>{title}</dd></dl><a href=/people>All people</a>"""
SPEC: dict[str, Any] = {
    "task_id": "people",
    "goal": "Take down name and title.",
    "output_schema": {"name": "string", "title": "string"},
    "required_fields": ["name", "title"],
    "required_artifacts": ["person page"],
}


@pytest.fixture
def owner(transactional_db: None) -> User:
    return make_user("olga", make_team("Blue"), Role.OWNER)


@pytest.fixture
def people_site() -> Iterator[LittleSite]:
    with serve() as site:
        for name, title in (("ann", "Engineer"), ("bo", "Director"), ("cy", "Clerk")):
            site.pages[f"/{name}"] = PERSON.format(name=name.title(), title=title)
        yield site


@pytest.fixture
def place(browser: BrowserThread) -> Iterator[running.Place]:
    with running.at(running.Place(running.new_name(), browser)) as here:
        yield here


@pytest.fixture(autouse=True)
def evidence_root(settings: Settings, tmp_path: Path) -> Path:
    settings.EVIDENCE_ROOT = tmp_path / "evidence"
    return tmp_path / "evidence"


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Moves]:
    """`scripted(move(…), …)`: the agent's answers from now on, begun anew."""

    def use(*moves: Any, **others: Any) -> Moves:
        script = Moves(moves, others)
        monkeypatch.setattr(model_wiring, "provider_for", lambda *_args, **_more: Scripted(script))
        return script

    return use


@pytest.fixture
def request_people(owner: User, people_site: LittleSite) -> Callable[..., Run]:
    """`request_people("ann", …)`: a run over these people of the test's site."""

    def make(*names: str, spec: dict[str, Any] | None = None, **how: Any) -> Run:
        team = owner.memberships.get().team
        make_site(team, owner, base_url=people_site.url)
        version = specs.save(team=team, by=owner, data={**SPEC, **(spec or {})})
        samples = from_items([{"sample_id": name, "url": f"{people_site.url}/{name}"} for name in names])
        return runs.request_run(version=version, samples=samples, by=owner, **how)

    return make
