"""What goes in and comes out where evidence is collected."""

from datetime import datetime
from typing import Any

from ninja import Field, Schema

from evidence_app.models.run import RunStatus, SampleStatus
from evidence_app.services.runs import MAX_RETRIES
from recipes_app.api.body import Given

RUN_STATUSES = ", ".join(RunStatus.values)
SAMPLE_STATUSES = ", ".join(SampleStatus.values)


class TaskVersionOut(Schema):
    task_id: str
    version: int
    digest: str
    origin: str = Field(description="written, imported or planned")
    author: str
    created_at: datetime
    archived: bool
    document: dict[str, Any] = Field(description="The task spec, as it can be imported again.")
    url: str


class TaskLine(Schema):
    task_id: str
    title: str
    version: int = Field(description="The newest.")
    archived: bool
    url: str


class TasksOut(Schema):
    tasks: list[TaskLine] = Field(description="By their task_id.")
    next: str | None = Field(description="The cursor of the next page; null on the last one.")


class EstimateOut(Schema):
    model: str = Field(description="Empty: no model is set up.")
    samples: int
    tokens: int = Field(description="What is to be expected.")
    most_tokens: int = Field(description="If every sample uses all of its steps, once.")
    micros: int | None = Field(description="Millionths of a US dollar; null where the model's price is not known.")
    most_micros: int | None
    basis: str = Field(description="Past samples of this task, or the assumption that was made.")
    in_words: str


class RunIn(Given):
    shape = (
        '{"task": "…", "samples": [{"sample_id": "…", "url": "…"}, …]}, or {"task": "…", "start_url": "…"} to find the '
        'samples first, or {"sentence": "…"}'
    )

    task: str = Field("", max_length=80, description="A task_id of the team.")
    version: int | None = Field(None, description="Of that task; default: the newest.")
    samples: list[Any] | None = Field(
        None, description="Objects with a sample_id, a url, and any columns the task wants; or texts that are ids."
    )
    start_url: str = Field("", max_length=2000, description="A list page; every entry becomes a sample of a draft.")
    sentence: str = Field("", description="What to collect, and where: a model makes a draft of it.")
    draft: bool = Field(default=False, description="Wait to be confirmed before anything is opened.")
    title: str = Field("", max_length=200)
    control: str = Field("", max_length=60, description="Such as CC6.2; default: the task's.")
    period: str = Field("", max_length=40, description="Such as 2026-Q3; default: the task's.")
    retries: int = Field(2, ge=0, le=MAX_RETRIES, description="New attempts at a sample that failed.")
    budget_tokens: int | None = Field(None, ge=1000, le=10**12, description="Default: the installation's limit.")
    budget_usd: float | None = Field(None, gt=0, le=1_000_000)


class SamplesIn(Given):
    shape = '{"samples": [{"sample_id": "…", "url": "…"}, …]}'

    samples: list[Any] = Field(description="All of them, instead of those the draft has.")


class SpentOut(Schema):
    requests: int = Field(description="To models.")
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None = Field(description="null where the price of a model that was asked is not known.")


class RunLine(Schema):
    id: str
    title: str
    task: str | None = Field(description="Its task_id; null while a sentence is being planned.")
    task_version: int | None
    status: str = Field(description=f"{RUN_STATUSES}; done once every sample has ended, however it ended.")
    control: str
    period: str
    via: str = Field(description="page, api, cli or schedule")
    samples: int
    by_status: dict[str, int] = Field(description="How many samples stand where.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: dict[str, Any] | None = Field(description="{error, kind}: why it could not be planned, or was ended.")
    url: str


class RunOut(RunLine):
    requested_by: str
    warnings: list[str] = Field(description="What a person should look at before it is confirmed.")
    population: dict[str, Any] = Field(description="Where the samples came from: {source, rows, sha256}.")
    discovery: str | None = Field(description="The run that finds its samples.")
    retries: int
    budget_tokens: int | None
    budget_usd: float | None
    cost: SpentOut
    folder: str = Field(description="Its name among the files of runs.")
    page: str = Field(description="The page on which people see it.")


class RunsOut(Schema):
    runs: list[RunLine] = Field(description="Newest first.")
    next: str | None = Field(description="The cursor of the next page; null on the last one.")


class RunResumed(RunOut):
    again: int = Field(description="How many samples are tried again.")


class SampleLine(Schema):
    number: int
    sample_id: str
    source_url: str = Field(description="Where it begins.")
    status: str = Field(description=SAMPLE_STATUSES)
    attempts: int
    step: int = Field(description="Of its newest attempt.")
    max_steps: int
    last_thought: str
    reasons: list[dict[str, Any]] = Field(description="Of its newest attempt: {code, text}, why it is not simply done.")
    url: str


class SamplesOut(Schema):
    samples: list[SampleLine] = Field(description="By their number.")
    next: int | None = Field(description="The cursor of the next page; null on the last one.")


class FieldOut(Schema):
    path: str = Field(description="name, rows[3].title")
    value: Any
    type: str
    problem: str = Field(description="Not of its type, empty though required.")
    grounding: str = Field(description="text, control, not_found or unchecked: whether it stands on a captured page")
    source_url: str
    step: int | None
    artifact: int | None = Field(description="The picture it can be seen on.")
    box: list[float] | None = Field(description="x, y, width, height in pixels of that picture.")


class ArtifactOut(Schema):
    id: int
    sample: int = Field(description="The sample's number.")
    attempt: int
    name: str
    kind: str
    label: str
    media_type: str
    size: int = Field(description="Bytes.")
    sha256: str
    width: int
    height: int
    source_url: str
    step: int | None
    taken_at: datetime
    capture: str = Field(description="The artifacts of one capture share it.")
    derived_from: int | None
    statement: dict[str, Any] | None = Field(description="What is known of the capture, where this is its statement.")
    removed_at: datetime | None = Field(description="Its bytes were deleted then, by its task's retention.")
    url: str = Field(description="Where to fetch its bytes, with the same token.")


class ArtifactsOut(Schema):
    artifacts: list[ArtifactOut] = Field(description="In the order they were kept.")
    next: int | None = Field(description="The cursor of the next page; null on the last one.")


class AttemptOut(Schema):
    number: int
    cause: str = Field(description="first, retry, recapture or resumed")
    status: str = Field(description=SAMPLE_STATUSES)
    reasons: list[dict[str, Any]]
    extracted: dict[str, Any]
    judgment: dict[str, Any] | None
    notes: str
    errors: list[Any]
    step: int
    max_steps: int
    current_url: str
    started_at: datetime | None
    finished_at: datetime | None
    cost: SpentOut
    fields: list[FieldOut]
    artifacts: list[ArtifactOut]


class SampleOut(SampleLine):
    run: str
    columns: dict[str, Any] = Field(description="What else was given of it; secrets are masked.")
    tries: list[AttemptOut] = Field(description="Oldest first; nothing is written over.")


class RunsPage(Schema):
    limit: int = Field(20, ge=1, le=100)
    cursor: str = Field("", pattern=r"^[0-9a-f]{0,20}$", description="`next` of the page before.")
    status: str = Field("", description=RUN_STATUSES)
    task: str = Field("", max_length=80, description="Runs of this task only.")


class NumberPage(Schema):
    limit: int = Field(50, ge=1, le=500)
    cursor: int = Field(0, ge=0, le=2**62, description="`next` of the page before.")


class SamplesPage(NumberPage):
    status: str = Field("", description=SAMPLE_STATUSES)


class TasksPage(Schema):
    limit: int = Field(50, ge=1, le=500)
    cursor: str = Field("", max_length=80, description="`next` of the page before.")
    archived: bool = False
