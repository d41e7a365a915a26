"""A password that is typed on the page is in no row, no log, no prompt, no file and no answer afterwards."""

from __future__ import annotations

import base64
import html
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evidence_app.jobs import agents as evidence_agents
from evidence_app.services import runs, specs
from evidence_app.spec.samples import from_items
from examples.practice.server import PracticeSite
from recipes_app.browser.session import BrowserSession
from recipes_app.jobs import agents, running
from recipes_app.jobs import calls as call_jobs
from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.propose.login import login_draft
from recipes_app.mapping.survey import survey_page
from recipes_app.models import Job, JobPicture, Login, Mapping, Role, Session, Site, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services import calls, proposals
from tests.evidence.collecting import Moves
from tests.jobs.redis_server import RedisServer
from tests.people import make_published, make_site, make_team, make_user
from tests.pilot.flying import move

CANARY = 'Cän4ry & "<pw>" 7391'
WRONG = "Wr0ng-cänary-5520"
SPEC: dict[str, Any] = {
    "task_id": "accounts",
    "goal": "Take down who is signed in.",
    "output_schema": {"said": "string"},
    "required_fields": ["said"],
    "required_artifacts": ["account page"],
}
SignIn = Callable[[User], Client]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def vendor(request: pytest.FixtureRequest) -> str:
    if connection.vendor != request.param:
        pytest.skip(f"this is the test on {request.param}")
    return str(request.param)


@pytest.fixture
def site(transactional_db: None, practice: PracticeSite, browse: Callable[..., PageSurvey]) -> Site:
    """With its sign-in form as the rules propose it, and a tool that reads what lies behind."""
    practice.state.accounts["anna"].password = CANARY
    team = make_team()
    owner = make_user("olga", team, Role.OWNER)
    site = make_site(team, owner, base_url=practice.url)
    job = Job.objects.create(
        team=team, kind=JobKind.MAP, title="Map", queue="agents", requested_by=owner, status=JobStatus.DONE
    )
    mapping = Mapping.objects.create(job=job, site=site, start_url=practice.url)

    def look(session: BrowserSession) -> PageSurvey:
        session.goto(f"{practice.url}/login")
        return survey_page(session.page, picture=False)

    draft = login_draft([browse(look, url=practice.url)])
    assert draft is not None
    proposals.save_drafts(mapping=mapping, drafts=[{**draft.as_dict(), "box": None}])
    steps = [
        {"op": "goto", "url": f"{practice.url}/account"},
        {"op": "extract", "target": {"css": "p.lead"}, "key": "said", "timeout_ms": 1000},
    ]
    parameters = {"type": "object", "properties": {}}
    make_published(site, {"name": "who_am_i", "parameters": parameters, "side_effect": "read", "steps": steps}, owner)
    return site


def spellings(secret: str) -> Iterator[bytes]:
    """As it might lie somewhere."""
    raw = secret.encode()
    yield raw
    yield from (secret.encode("utf-16-le"), secret.encode("latin-1"), raw.hex().encode())
    yield from (quote(secret).encode(), quote_plus(secret).encode(), html.escape(secret).encode())
    yield from (json.dumps(secret)[1:-1].encode(), json.dumps(secret, ensure_ascii=False)[1:-1].encode())
    yield repr(secret)[1:-1].encode()
    for shift in range(3):  # in the midst of something longer
        yield base64.b64encode(b"\0" * shift + raw)[4:-4]


def rows() -> bytes:
    """Every table, as it lies."""
    found = b""
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{name}"')
            for row in cursor.fetchall():
                for value in row:
                    found += bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
    return found


def redis_as_it_lies(server: RedisServer) -> bytes:
    """Every key of every type."""
    client: Any = server.client()
    found = b""
    for key in client.keys("*"):
        found += key + (client.dump(key) or b"")
        reads: dict[str, Callable[[Any], object]] = {
            "string": client.get, "hash": client.hgetall, "set": client.smembers,
            "list": lambda key: client.lrange(key, 0, -1), "zset": lambda key: client.zrange(key, 0, -1),
        }  # fmt: skip
        kind = client.type(key).decode()
        found += repr(reads[kind](key)).encode() if kind in reads else b""
    return found


def sign_in_on_the_page(client: Client, site: Site, password: str) -> Login:
    address = reverse("login_new", args=[site.pk])
    assert 'type="password"' in client.get(address).content.decode()
    given = {"typed_username": "anna", "typed_password": password, "session": "default"}
    answer = client.post(address, given)
    assert answer.status_code == 302, answer.content.decode()
    return Login.objects.latest("pk")


@pytest.mark.slow
def test_what_was_typed_is_nowhere(
    vendor: str, site: Site, practice: PracticeSite, redis: RedisServer, place: running.Place, signed_in: SignIn,
    scripted: Callable[..., Moves], tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    client = signed_in(site.created_by)
    seen: list[bytes] = []
    refused = sign_in_on_the_page(client, site, WRONG)
    seen.append(redis_as_it_lies(redis))
    agents.sign_in_to(refused.job_id)
    refused.job.refresh_from_db()
    assert refused.job.error_text == "Not signed in: the site says “Wrong username or password”."
    assert not Session.objects.exists()

    login = sign_in_on_the_page(client, site, CANARY)
    seen += [redis_as_it_lies(redis), rows()]
    agents.sign_in_to(login.job_id)
    login.job.refresh_from_db()
    assert login.job.status == "done", login.job.error
    session = Session.objects.get()
    assert session.account_label == "anna"
    (cookie,) = session.state["storage"]["cookies"]
    assert cookie["expires"] > 0  # “Remember me” was ticked
    assert not JobPicture.objects.filter(job=login.job).exists()
    assert not login.job.steps.exists()

    call = calls.request_call(recipe=site.recipes.get(), by=site.created_by, arguments={})
    call_jobs.run_call(call.job_id)
    call.refresh_from_db()
    assert (call.result or {})["data"] == {"said": "Signed in as anna"}
    script = scripted(move("screenshot", label="account page"), move("done", extracted={"said": "Signed in as anna"}))
    version = specs.save(team=site.team, by=site.created_by, data=SPEC)
    samples = from_items([{"sample_id": "anna", "url": f"{practice.url}/account"}])
    run = runs.request_run(version=version, samples=samples, by=site.created_by)
    evidence_agents.collect_sample(runs.jobs_of(run).get().pk)
    assert run.samples.get().status == "done"

    pages = [
        reverse("site_detail", args=[site.pk]), reverse("login_detail", args=[login.pk]), reverse("job_list"),
        reverse("login_detail", args=[refused.pk]), reverse("registry_export", args=[site.pk]),
        reverse("run_detail", args=[run.public_id]), reverse("sample_detail", args=[run.samples.get().pk]),
        *(reverse("sdk_export", args=[site.pk, form]) for form in ("openapi", "anthropic", "python")),
    ]  # fmt: skip
    seen += [rows(), redis_as_it_lies(redis), caplog.text.encode(), repr(script.requests).encode()]
    seen += [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        seen.append(answer.getvalue())
    assert b"anna" in b"".join(seen)
    assert all(
        any(spelling in CANARY.encode(code) for spelling in spellings(CANARY)) for code in ("utf-8", "utf-16-le")
    )
    for secret in (CANARY, WRONG):
        for spelling in spellings(secret):
            assert not [text[max(0, at - 60) : at] for text in seen if (at := text.find(spelling)) >= 0], spelling
    tokens = list(practice.state.sessions)
    assert len(tokens) == 1
    assert not [text[:60] for text in seen if tokens[0].encode() in text]


def test_what_no_worker_took_is_gone_and_asked_for_again(
    site: Site, redis: RedisServer, place: running.Place, signed_in: SignIn
) -> None:
    client = signed_in(site.created_by)
    login = sign_in_on_the_page(client, site, CANARY)
    key = f"agentify:handover:{login.job.public_id}"
    assert 0 < redis.client().ttl(key) <= 300
    redis.client().delete(key)  # as after five minutes
    agents.sign_in_to(login.job_id)
    page = client.get(reverse("login_detail", args=[login.pk])).content.decode()
    assert "waited for a worker for five minutes and is gone" in page
    assert "Enter it again" in page


def test_who_signs_in_and_who_forgets(site: Site, redis: RedisServer, signed_in: SignIn) -> None:
    viewer = signed_in(make_user("vic", site.team, Role.VIEWER))
    stranger = signed_in(make_user("sam", make_team("Red"), Role.OWNER))
    session = Session.objects.create(site=site, name="old", state={"storage": {}}, created_by=site.created_by)
    login = sign_in_on_the_page(signed_in(site.created_by), site, CANARY)
    new, forget = reverse("login_new", args=[site.pk]), reverse("session_forget", args=[session.pk])
    given = {"typed_username": "anna", "typed_password": "x", "session": "mine"}
    for client, status in ((viewer, 403), (stranger, 404)):
        assert client.post(new, given).status_code == status
        assert client.post(forget).status_code == status
    assert viewer.get(reverse("login_detail", args=[login.pk])).status_code == 200
    assert stranger.get(reverse("login_detail", args=[login.pk])).status_code == 404
    owner = signed_in(site.created_by)
    busy = owner.post(new, {**given, "session": "default"})
    assert busy.status_code == 422
    assert "signing in to" in busy.content.decode()
    lacking = owner.post(new, {"typed_username": "anna", "session": "mine"})
    assert (lacking.status_code, Login.objects.count()) == (422, 1)
    assert 'value="anna"' in lacking.content.decode()
    assert owner.post(forget, follow=True).status_code == 200
    assert not Session.objects.filter(name="old").exists()
