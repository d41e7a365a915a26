"""Task specs: read, written, imported; each change is a version."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from ninja import Body, Query, Router, Status

from evidence_app.api.found import task_of, version_of
from evidence_app.api.schemas import EstimateOut, TaskLine, TasksOut, TasksPage, TaskVersionOut
from evidence_app.models import TaskSpec, TaskSpecVersion
from evidence_app.models.task_spec import SpecOrigin
from evidence_app.services import estimates, specs
from evidence_app.spec.samples import MAX_SAMPLES
from recipes_app.api.auth import TokenRequest, need
from recipes_app.api.schemas import REFUSALS, Refusal
from recipes_app.services.errors import BadInput

router = Router(tags=["tasks"])
BASE = "/api/v1/tasks"


@router.get("", response={200: TasksOut, REFUSALS: Refusal})
def list_tasks(request: TokenRequest, page: Query[TasksPage]) -> TasksOut:
    """The tasks of the token's team, with their newest versions. Scope: read or call."""
    token = need(request, "read", "call")
    rows = TaskSpec.objects.filter(team=token.team, archived_at__isnull=not page.archived, task_id__gt=page.cursor)
    found = list(rows.order_by("task_id").prefetch_related("versions")[: page.limit + 1])
    shown = found[: page.limit]
    more = len(found) > page.limit
    return TasksOut(tasks=[task_line(row) for row in shown], next=shown[-1].task_id if more else None)


@router.post("", response={200: TaskVersionOut, 201: TaskVersionOut, REFUSALS: Refusal})
def save_task(request: TokenRequest, response: HttpResponse, given: Body[dict[str, Any]]) -> Status[TaskVersionOut]:
    """Write or import a task spec, as one JSON object: 201 and a new version of the task of its `task_id`, 200 where
    nothing changed. What is wrong is said with its path. Scope: manage."""
    return saved(request, response, given)


@router.put("/{task_id}", response={200: TaskVersionOut, 201: TaskVersionOut, REFUSALS: Refusal})
def change_task(
    request: TokenRequest, response: HttpResponse, task_id: str, given: Body[dict[str, Any]]
) -> Status[TaskVersionOut]:
    """A new version of a task that is there: 201, or 200 where nothing changed. Scope: manage."""
    task_of(need(request, "manage"), task_id)
    if given.setdefault("task_id", task_id) != task_id:
        raise BadInput({"task_id": f"This is the address of {task_id}."})
    return saved(request, response, given)


@router.get("/{task_id}", response={200: TaskVersionOut, REFUSALS: Refusal})
def show_task(request: TokenRequest, task_id: str) -> TaskVersionOut:
    """The newest version of a task. Scope: read or call."""
    return version_out(version_of(need(request, "read", "call"), task_id))


@router.get("/{task_id}/versions", response={200: list[TaskVersionOut], REFUSALS: Refusal})
def list_versions(request: TokenRequest, task_id: str) -> list[TaskVersionOut]:
    """All versions of a task, newest first. Scope: read or call."""
    rows = task_of(need(request, "read", "call"), task_id).versions.select_related("spec", "author")
    return [version_out(version) for version in rows]


@router.get("/{task_id}/versions/{number}", response={200: TaskVersionOut, REFUSALS: Refusal})
def show_version(request: TokenRequest, task_id: str, number: int) -> TaskVersionOut:
    """One version of a task. Scope: read or call."""
    return version_out(version_of(need(request, "read", "call"), task_id, number))


@router.get("/{task_id}/estimate", response={200: EstimateOut, REFUSALS: Refusal})
def estimate_run(request: TokenRequest, task_id: str, samples: int = 1) -> EstimateOut:
    """What a run of the newest version over so many samples may cost. Scope: read or call."""
    version = version_of(need(request, "read", "call"), task_id)
    if not 1 <= samples <= MAX_SAMPLES:
        raise BadInput({"samples": f"1 to {MAX_SAMPLES}"})
    return EstimateOut.from_orm(estimates.of_version(version, specs.spec_of(version), samples))


def saved(request: TokenRequest, response: HttpResponse, document: dict[str, Any]) -> Status[TaskVersionOut]:
    token = need(request, "manage")
    before = TaskSpecVersion.objects.filter(spec__team=token.team, spec__task_id=str(document.get("task_id", "")))
    known = set(before.values_list("pk", flat=True))
    version = specs.save(team=token.team, by=token.owner, data=document, origin=SpecOrigin.IMPORTED)
    out = version_out(version)
    response.headers["Location"] = out.url
    return Status(200 if version.pk in known else 201, out)


def task_line(row: TaskSpec) -> TaskLine:
    newest = max((version.number for version in row.versions.all()), default=0)
    return TaskLine(
        task_id=row.task_id,
        title=row.title,
        version=newest,
        archived=row.archived_at is not None,
        url=f"{BASE}/{row.task_id}",
    )


def version_out(version: TaskSpecVersion) -> TaskVersionOut:
    task_id = version.spec.task_id
    return TaskVersionOut(
        task_id=task_id,
        version=version.number,
        digest=version.digest,
        origin=version.origin,
        author=version.author.get_username(),
        created_at=version.created_at,
        archived=version.spec.archived_at is not None,
        document=version.document,
        url=f"{BASE}/{task_id}/versions/{version.number}",
    )
