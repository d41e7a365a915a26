"""What goes in and comes out."""

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from recipes_app.api.body import Given
from recipes_app.models import Call, JobFile, Recipe, RecipeVersion, Site

REFUSALS = frozenset({400, 401, 403, 404, 409, 413, 422})

KINDS_IN_WORDS = "bad_arguments, bad_request, auth_required, not_allowed, not_found, wrong_state, too_large, bug"


class Refusal(Schema):
    error: str = Field(description="One line for a person.")
    kind: str = Field(description=KINDS_IN_WORDS)
    problems: list[str] | None = Field(None, description="With bad_arguments: each problem in plain words.")


class SiteOut(Schema):
    slug: str
    name: str
    base_url: str
    tools: list[str] = Field(description="Names of its published tools.")


class ToolOut(Schema):
    name: str
    description: str
    side_effect: str = Field(description="read, write or destructive")
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")
    returns: dict[str, Any] | None = Field(description="JSON Schema of the data, where known.")
    version: int
    digest: str


class CallIn(Given):
    shape = '{"arguments": {…}}'

    arguments: dict[str, Any] = Field(default={}, description="By the tool's own JSON Schema.")


class CallHeaders(Schema):
    prefer: str = Field(
        "", alias="Prefer", description="wait=N: answer once the call has ended, but after N seconds at most (60)."
    )
    idempotency_key: str = Field(
        "", alias="Idempotency-Key", max_length=120, description="With the same key a tool is not called twice."
    )


class OnceHeaders(Schema):
    idempotency_key: str = Field(
        "", alias="Idempotency-Key", max_length=120, description="With the same key it is not done twice."
    )


class FileOut(Schema):
    key: str = Field(description="Which of the result's data it is.")
    name: str
    media_type: str
    size: int = Field(description="Bytes.")
    sha256: str
    url: str = Field(description="Where to fetch it, with the same token.")


class CallOut(Schema):
    id: str
    site: str
    tool: str
    version: int
    status: str = Field(description="queued, running, done, failed, errored, cancelled or interrupted")
    arguments: dict[str, Any] = Field(description="Values of secret parameters are masked.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: str = Field(description="What it is doing now, for a person.")
    result: dict[str, Any] | None = Field(
        description="Once it has ended: {ok, data, warnings, steps, llm_calls, url, …}"
    )
    error: dict[str, Any] | None = Field(description="Why it did not succeed: {error, kind, failed_step, op, url, …}")
    files: list[FileOut] = Field(description="What was downloaded, in the order it came.")
    url: str = Field(description="Where to look at this call again.")


class Page(Schema):
    limit: int = Field(20, ge=1, le=100)
    cursor: str = Field("", pattern=r"^[0-9a-f]{0,20}$", description="`next` of the page before.")


class CallLine(Schema):
    """A call in a list: `url` has its result."""

    id: str
    version: int
    status: str
    arguments: dict[str, Any] = Field(description="Values of secret parameters are masked.")
    via: str = Field(description="page, api, cli, mcp, task or demo")
    created_at: datetime
    finished_at: datetime | None
    error: dict[str, Any] | None
    url: str


class CallsOut(Schema):
    calls: list[CallLine] = Field(description="Newest first.")
    next: str | None = Field(description="The cursor of the next page; null on the last one.")


class ImportedOut(Schema):
    tool: str
    version: int
    status: str = Field(description="draft until it is verified and published on the tool's page")


def site_out(site: Site) -> SiteOut:
    names = list(Recipe.objects.published().filter(site=site).values_list("name", flat=True))
    return SiteOut(slug=site.slug, name=site.name, base_url=site.base_url, tools=names)


def tool_out(recipe: Recipe) -> ToolOut:
    """Of a published recipe."""
    version = recipe.live_version
    if version is None:
        raise ValueError(f"{recipe} is not published")
    return ToolOut(
        name=recipe.name,
        description=version.description,
        side_effect=version.effect,
        parameters=version.document.get("parameters") or {"type": "object", "properties": {}},
        returns=version.document.get("returns"),
        version=version.number,
        digest=version.digest,
    )


def call_out(call: Call) -> CallOut:
    job = call.job
    return CallOut(
        id=job.public_id,
        site=call.recipe.site.slug,
        tool=call.recipe.name,
        version=call.version.number,
        status=job.status,
        arguments=call.arguments,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        progress=" ".join(part for part in (job.phase, job.note) if part),
        result=call.result,
        error=job.error,
        files=[file_out(file) for file in job.files.all()],
        url=f"/api/v1/calls/{job.public_id}",
    )


def file_out(file: JobFile) -> FileOut:
    return FileOut(
        key=file.key,
        name=file.name,
        media_type=file.media_type,
        size=file.size,
        sha256=file.sha256,
        url=f"/api/v1/calls/{file.job.public_id}/files/{file.pk}",
    )


def call_line(call: Call) -> CallLine:
    job = call.job
    return CallLine(
        id=job.public_id,
        version=call.version.number,
        status=job.status,
        arguments=call.arguments,
        via=call.via,
        created_at=job.created_at,
        finished_at=job.finished_at,
        error=job.error,
        url=f"/api/v1/calls/{job.public_id}",
    )


def imported_out(version: RecipeVersion) -> ImportedOut:
    return ImportedOut(tool=version.recipe.name, version=version.number, status=version.status)
