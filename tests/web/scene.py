"""A team with a mapped site, proposals, a tool and calls: rows made by hand, for pages to show."""

import hashlib
import struct
import zlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.utils import timezone

from recipes_app.models import (
    Call,
    Job,
    JobPicture,
    JobStep,
    Mapping,
    Proposal,
    Recipe,
    Recording,
    Role,
    Site,
    SurveyPage,
    Team,
    User,
)
from recipes_app.models.job import JobKind, JobStatus, StepState
from tests.people import make_published, make_site, make_team, make_user

SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "q": {"type": "string", "description": "Words to look for."},
        "category": {"type": "string", "enum": ["Desks", "Chairs"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20},
        "since": {"type": "string", "format": "date"},
        "in_stock": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["q"],
    "additionalProperties": False,
}
STEPS: list[dict[str, Any]] = [
    {"op": "goto", "url": "/"},
    {"op": "type", "target": {"role": "searchbox", "name": "Search"}, "text": "{{q}}"},
    {"op": "click", "target": {"role": "button", "name": "Find"}},
    {"op": "extract_list", "items": {"css": "#all .product"}, "fields": {"name": {"css": "h2"}}, "key": "products"},
]
SEND: list[dict[str, Any]] = [
    {"op": "goto", "url": "/contact"},
    {"op": "type", "target": {"role": "textbox", "name": "Name"}, "text": "{{name}}"},
    {"op": "click", "target": {"role": "button", "name": "Send"}},
]
NAME: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
DOCUMENT: dict[str, Any] = {
    "name": "find_products",
    "description": "Find products by words.",
    "parameters": SEARCH,
    "side_effect": "read",
    "steps": STEPS,
}


@dataclass
class Scene:
    team: Team
    owner: User
    editor: User
    operator: User
    reviewer: User
    viewer: User
    stranger: User
    site: Site
    mapping: Mapping
    search: Proposal
    send: Proposal
    delete: Proposal
    recipe: Recipe
    picture: JobPicture


def make_scene() -> Scene:
    team = make_team()
    owner, editor = make_user("olga", team, Role.OWNER), make_user("ed", team, Role.EDITOR)
    site = make_site(team, owner)
    mapping, picture = make_mapping(site, owner)
    return Scene(
        team=team,
        owner=owner,
        editor=editor,
        operator=make_user("otto", team, Role.OPERATOR),
        reviewer=make_user("rita", team, Role.REVIEWER),
        viewer=make_user("vic", team, Role.VIEWER),
        stranger=make_user("sam", make_team("Green"), Role.OWNER),
        site=site,
        mapping=mapping,
        search=propose(mapping, "search_products", "read", SEARCH, {"q": "lamp"}, STEPS),
        send=propose(mapping, "send_message", "write", NAME, {"name": "Ada"}, SEND, submit_index=2, submits=2),
        delete=propose(mapping, "delete_ticket", "destructive", NAME, {"name": "T1"}, SEND, submits=1),
        recipe=make_published(site, DOCUMENT, owner),
        picture=picture,
    )


def make_job(team: Team, by: User, kind: JobKind, title: str, status: JobStatus = JobStatus.DONE, **more: Any) -> Job:
    now = timezone.now()
    ended = None if status in (JobStatus.QUEUED, JobStatus.RUNNING) else now
    started = None if status == JobStatus.QUEUED else now - timedelta(seconds=3)
    columns = {"queue": "agents", "started_at": started, "finished_at": ended, **more}
    return Job.objects.create(team=team, requested_by=by, kind=kind, title=title, status=status, **columns)


def make_mapping(site: Site, by: User, status: JobStatus = JobStatus.DONE, **more: Any) -> tuple[Mapping, JobPicture]:
    job = make_job(site.team, by, JobKind.MAP, f"Map {site.name}", status, **more)
    skipped = [{"url": f"{site.base_url}logout", "why": "its name says it ends the session"}]
    mapping = Mapping.objects.create(
        job=job, site=site, start_url=site.base_url, skipped=skipped, refused_hosts=["cdn.example.org"]
    )
    picture = make_picture(job)
    SurveyPage.objects.create(mapping=mapping, url=site.base_url, title="Shop", counts={"forms": 1}, picture=picture)
    return mapping, picture


def make_picture(job: Job, width: int = 1280, height: int = 900) -> JobPicture:
    data = png(width, height)
    picture = JobPicture(job=job, label="Shop", width=width, height=height, sha256=hashlib.sha256(data).hexdigest())
    picture.file.save("page.png", ContentFile(data))
    return picture


def png(width: int, height: int) -> bytes:
    """A grey picture of this size."""
    rows = zlib.compress((b"\0" + b"\xc0" * width) * height)
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b""))
    body = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def propose(
    mapping: Mapping,
    name: str,
    effect: str,
    parameters: dict[str, Any],
    examples: dict[str, Any],
    steps: list[dict[str, Any]],
    **more: Any,
) -> Proposal:
    page = mapping.pages.get()
    return Proposal.objects.create(
        site=mapping.site,
        mapping=mapping,
        name=name,
        description=f"What {name} does.",
        kind="action",
        side_effect=effect,
        parameters=parameters,
        examples=examples,
        start_url=mapping.start_url,
        steps=steps,
        reason="A form with one field.",
        page=page,
        picture=page.picture,
        box=[100, 200, 400, 80],
        **more,
    )


def make_call(scene: Scene, status: JobStatus, result: dict[str, Any] | None = None, **job: Any) -> Call:
    row = make_job(scene.team, scene.operator, JobKind.CALL, "Call find_products", status, **job)
    step = {"path": "0", "op": "goto", "sentence": "Open /", "state": StepState.DID, "ms": 120}
    JobStep.objects.create(job=row, seq=1, **step)
    version = scene.recipe.live_version
    assert version
    return Call.objects.create(job=row, recipe=scene.recipe, version=version, arguments={"q": "lamp"}, result=result)


def make_recording(scene: Scene, status: JobStatus) -> Recording:
    row = make_job(scene.team, scene.editor, JobKind.RECORD, "Record search_products", status)
    return Recording.objects.create(job=row, proposal=scene.search)
