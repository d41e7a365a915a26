"""Mapping a site, and deciding what its proposals become. What a token may do here is up to its owner's role."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from ninja import Header, Router, Status

from recipes_app.api.auth import TokenRequest, need, site_of
from recipes_app.api.mapping_schemas import (
    DecisionsIn,
    EstimateOut,
    MappingIn,
    MappingOut,
    ProposalOut,
    mapping_out,
    proposal_out,
)
from recipes_app.api.schemas import REFUSALS, OnceHeaders, Refusal
from recipes_app.models import ApiToken, Mapping, Proposal, Recording
from recipes_app.models.mapping import Method
from recipes_app.services import estimates, proposals, runs, sites
from recipes_app.services.errors import BadInput
from recipes_app.services.once import once

router = Router(tags=["mappings"])


@router.post("/sites/{slug}/mappings", response={202: MappingOut, REFUSALS: Refusal})
def start_mapping(
    request: TokenRequest,
    response: HttpResponse,
    slug: str,
    headers: Header[OnceHeaders],
    given: MappingIn | None = None,
) -> Status[MappingOut]:
    """Survey the site and propose tools; 202 and where to look. One mapping of a site at a time; with the same
    `Idempotency-Key` none is begun twice. Scope: manage."""
    token = need(request, "manage")
    wanted = given or MappingIn()
    where = wanted.model_dump(include={"start_url", "max_pages", "max_depth"})
    site = site_of(token, slug)

    def make() -> str:
        return sites.request_map(site=site, by=token.owner, asking=wanted.asking, **where).job.public_id

    place, asked = f"mappings of {site.pk}", wanted.model_dump()
    made = once(token=token, key=headers.idempotency_key, place=place, asked=asked, make=make)
    out = mapping_out(mapping_of(token, made))
    response.headers["Location"] = out.url
    return Status(202, out)


@router.get("/sites/{slug}/mappings/estimate", response={200: EstimateOut, REFUSALS: Refusal})
def estimate_mapping(
    request: TokenRequest, slug: str, method: str = Method.RULES.value, model: str = "", max_pages: int = 10
) -> EstimateOut:
    """What a mapping by that method would ask of a model, before anything is asked. Scope: manage."""
    site = site_of(need(request, "manage"), slug)
    if method not in Method.values:
        raise BadInput({"method": f"There is no method {method!r}."})
    pages = min(max(max_pages, 1), sites.MAX_PAGES)
    return EstimateOut.from_orm(estimates.of_mapping(method, site=site, model=model[:120], max_pages=pages))


@router.get("/mappings/{public_id}", response={200: MappingOut, REFUSALS: Refusal})
def show_mapping(request: TokenRequest, public_id: str) -> MappingOut:
    """One mapping of the team, as it stands now. Scope: manage."""
    return mapping_out(mapping_of(need(request, "manage"), public_id))


@router.post("/mappings/{public_id}/cancel", response={200: MappingOut, 202: MappingOut, REFUSALS: Refusal})
def cancel_mapping(request: TokenRequest, public_id: str) -> Status[MappingOut]:
    """Stop a mapping: 200 if it was still waiting, 202 if its worker has been told. Scope: manage."""
    token = need(request, "manage")
    job = runs.request_cancel(job=mapping_of(token, public_id).job, by=token.owner)
    return Status(202 if job.is_active else 200, mapping_out(mapping_of(token, public_id)))


@router.get("/mappings/{public_id}/proposals", response={200: list[ProposalOut], REFUSALS: Refusal})
def list_proposals(request: TokenRequest, public_id: str) -> list[ProposalOut]:
    """What the mapping proposes, and what has become of each. Scope: manage."""
    return all_out(mapping_of(need(request, "manage"), public_id).proposals.order_by("pk"))


@router.post("/mappings/{public_id}/decisions", response={200: list[ProposalOut], REFUSALS: Refusal})
def decide(request: TokenRequest, public_id: str, given: DecisionsIn) -> list[ProposalOut]:
    """Approve and reject proposals by name, all of them or none; those approved are recorded and verified by a worker.
    `really` names those of them that may destroy something meanwhile. Scope: manage."""
    token = need(request, "manage")
    mapping = mapping_of(token, public_id)
    check_decisions(given)
    approved, rejected = named(mapping, given.approve), named(mapping, given.reject)
    really = {proposal.pk for proposal in named(mapping, given.really)}
    with transaction.atomic():
        if approved:
            proposals.approve(proposals=approved, by=token.owner, really=really)
        if rejected:
            proposals.reject(proposals=rejected, by=token.owner)
    decided = [proposal.pk for proposal in (*approved, *rejected)]
    return all_out(mapping.proposals.filter(pk__in=decided).order_by("pk"))


def mapping_of(token: ApiToken, public_id: str) -> Mapping:
    rows = Mapping.objects.filter(job__team=token.team, job__public_id=public_id)
    mapping = rows.select_related("job", "site__team").first()
    if mapping is None:
        raise Http404(f"There is no mapping {public_id}.")
    return mapping


def check_decisions(given: DecisionsIn) -> None:
    if not (given.approve or given.reject):
        raise BadInput([f"nothing is decided; expected {DecisionsIn.shape}"])
    if both := sorted(set(given.approve) & set(given.reject)):
        raise BadInput([f"{', '.join(both)}: approved and rejected at once"])
    if loose := sorted(set(given.really) - set(given.approve)):
        raise BadInput([f"really: {', '.join(loose)} not among those approved"])


def named(mapping: Mapping, names: Sequence[str]) -> list[Proposal]:
    found = list(mapping.proposals.filter(name__in=set(names)).select_related("site__team").order_by("pk"))
    if unknown := sorted(set(names) - {proposal.name for proposal in found}):
        raise BadInput([f"this mapping proposes no {name}" for name in unknown])
    return found


def all_out(rows: QuerySet[Proposal]) -> list[ProposalOut]:
    found = list(rows.select_related("site__team", "merged_into"))
    recordings = Recording.objects.filter(proposal__in=found).select_related("job", "version").order_by("pk")
    last = {recording.proposal_id: recording for recording in recordings}
    return [proposal_out(proposal, last.get(proposal.pk)) for proposal in found]
