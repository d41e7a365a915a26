"""The audit tasks of the practice site's back office, run whole: jobs, rows, files, a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evidence_app.models import Run
from evidence_app.services import runs, specs
from evidence_app.spec.samples import from_items
from examples.practice.server import PracticeSite
from recipes_app import model_wiring
from recipes_app.llm.scripted import Scripted
from recipes_app.models import User
from tests.evidence_audits.auditors import Auditor
from tests.evidence_jobs.conftest import evidence_root, owner, place
from tests.people import make_site

__all__ = ["evidence_root", "owner", "place"]

TASKS = Path(__file__).resolve().parent.parent.parent / "examples" / "tasks"
Item = dict[str, Any]


@pytest.fixture
def audit(owner: User, practice: PracticeSite) -> Callable[..., Run]:
    """`audit("commit_review", [{"sample_id": …, "url": "/office/…"}])`: a run over pages of the practice site."""

    return partial(request_audit, owner, practice)


@pytest.fixture
def auditor(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Auditor]:
    """`auditor(read_commit)`: from now on this one answers the agent's questions."""

    def use(reads: Any) -> Auditor:
        made = Auditor(reads)
        monkeypatch.setattr(model_wiring, "provider_for", lambda *_args, **_more: Scripted(made))
        return made

    return use


def request_audit(by: User, practice: PracticeSite, task: str, items: list[Item], **how: Any) -> Run:
    team = by.memberships.get().team
    if not team.sites.exists():
        make_site(team, by, base_url=practice.url)
    document = json.loads((TASKS / f"{task}.json").read_text())
    document.update(how.pop("spec", {}))
    version = specs.save(team=team, by=by, data=document)
    samples = from_items([{**item, "url": practice.url + item["url"]} for item in items])
    return runs.request_run(version=version, samples=samples, by=by, **how)
