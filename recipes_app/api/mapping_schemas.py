"""What goes in and comes out where a site is mapped."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse
from ninja import Field, Schema

from recipes_app.api.body import Given
from recipes_app.api.model_use import ModelUseOut, model_use_out
from recipes_app.engine.parameters import mask
from recipes_app.models import Mapping, Proposal, Recording
from recipes_app.models.mapping import Method
from recipes_app.services.sites import Asking
from recipes_app.services.wording import submits_in_words


class MappingIn(Given):
    shape = (
        '{"start_url": "…", "max_pages": 10, "max_depth": 2, "method": "rules", "budget_tokens": 20000}, all optional'
    )

    start_url: str = Field(default="", max_length=500, description="A page of the site; default: its first one.")
    max_pages: int = 10
    max_depth: int = 2
    method: str = Field(
        default=Method.RULES.value,
        description=f"{', '.join(Method.values)}; a model reviews and completes what the rules propose.",
    )
    model: str = Field(default="", max_length=120, description="Of that service; default: the installation's.")
    budget_tokens: int | None = Field(default=None, description="Of a model; default: the installation's limit.")

    @property
    def asking(self) -> Asking:
        return Asking(self.method, self.model, self.budget_tokens)


class EstimateOut(Schema):
    method: str
    model: str
    pages: int
    requests: int = Field(description="What is to be expected.")
    tokens: int
    micros: int | None = Field(description="Millionths of a US dollar; null where the model's price is not known.")
    most_requests: int = Field(description="What it cannot exceed.")
    most_tokens: int
    most_micros: int | None
    in_words: str


class DecisionsIn(Given):
    shape = '{"approve": ["name", …], "reject": ["name", …], "really": ["name", …]}'

    approve: list[str] = Field(default=[], max_length=500, description="Names; each is recorded and verified.")
    reject: list[str] = Field(default=[], max_length=500)
    really: list[str] = Field(
        default=[], max_length=500, description="Which of the approved may really destroy something while recorded."
    )


class PageOut(Schema):
    url: str
    title: str
    status: int


class MappingOut(Schema):
    id: str
    site: str
    status: str = Field(description="queued, running, done, failed, errored, cancelled or interrupted")
    method: str
    start_url: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    progress: str = Field(description="What it is doing now, for a person.")
    pages: list[PageOut]
    proposals: int
    gone: list[str] = Field(description="Published tools that an earlier mapping found and this one did not.")
    model_said: dict[str, Any] = Field(description="failure, notes, added, set_aside; empty where no model was asked.")
    model_use: ModelUseOut
    error: dict[str, Any] | None
    url: str = Field(description="Where to look at this mapping again; its proposals are at …/proposals.")
    board: str = Field(description="The page on which people decide.")


class ProposalOut(Schema):
    name: str
    description: str
    kind: str = Field(description="action, search, list, detail or login")
    side_effect: str = Field(description="read, write or destructive")
    parameters: dict[str, Any]
    examples: dict[str, Any] = Field(description="The values it will be recorded with.")
    returns: dict[str, Any] | None
    dry_run: bool
    submits: int = Field(description="How often approving really sends something to the site.")
    means: str = Field(description="The same in words.")
    reason: str
    origin: str = Field(description="rules, model or hand")
    status: str = Field(description="proposed, approved, rejected, recording, recorded or failed")
    waits_for_second: bool = Field(description="Approved by one editor; the team wants two for what is destructive.")
    merged_into: str | None = Field(description="The proposal it was merged into.")
    change: str = Field(description="new; same as the tool that is published under its name; or changed")
    change_note: str
    version: int | None = Field(description="The version its last recording made.")
    error: dict[str, Any] | None = Field(description="Why its last recording did not succeed.")
    model_use: ModelUseOut | None = Field(description="Of its last recording.")


def mapping_out(mapping: Mapping) -> MappingOut:
    job = mapping.job
    count = f"{job.done_count} of {job.total_count}" if job.total_count else ""
    return MappingOut(
        id=job.public_id,
        site=mapping.site.slug,
        status=job.status,
        method=mapping.method,
        start_url=mapping.start_url,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        progress=" ".join(part for part in (job.phase, count, job.note) if part),
        pages=[PageOut(url=page.url, title=page.title, status=page.status) for page in mapping.pages.all()],
        proposals=mapping.proposals.count(),
        gone=mapping.gone,
        model_said=mapping.model_said,
        model_use=model_use_out(job),
        error=job.error,
        url=f"/api/v1/mappings/{job.public_id}",
        board=settings.PUBLIC_URL + reverse("board", args=[mapping.pk]),
    )


def proposal_out(proposal: Proposal, last: Recording | None) -> ProposalOut:
    return ProposalOut(
        name=proposal.name,
        description=proposal.description,
        kind=proposal.kind,
        side_effect=proposal.side_effect,
        parameters=proposal.parameters,
        examples=mask(proposal.parameters, proposal.examples),
        returns=proposal.returns,
        dry_run=proposal.dry_run,
        submits=proposal.submits,
        means=submits_in_words(proposal),
        reason=proposal.reason,
        origin=proposal.origin,
        status=proposal.status,
        waits_for_second=bool(proposal.first_approved_by_id) and proposal.needs_second,
        merged_into=proposal.merged_into.name if proposal.merged_into else None,
        change=proposal.change,
        change_note=proposal.change_note,
        version=last.version.number if last and last.version else None,
        error=last.job.error if last else None,
        model_use=model_use_out(last.job) if last else None,
    )
