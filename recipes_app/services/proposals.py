"""Proposed tools: kept as a mapping found them, edited, decided, recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.errors import ArgumentsError, DocumentError
from recipes_app.engine.parameters import check_arguments
from recipes_app.models import Mapping as MappingRow
from recipes_app.models import Proposal, Recording, SurveyPage, User
from recipes_app.models.job import JobKind
from recipes_app.models.proposal import ProposalStatus
from recipes_app.models.recipe import SideEffect
from recipes_app.models.team import EDITORS
from recipes_app.services import access, audit, dispatch
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

APPROVABLE = (ProposalStatus.PROPOSED, ProposalStatus.REJECTED)
REJECTABLE = (ProposalStatus.PROPOSED, ProposalStatus.FAILED)
EDITABLE = (ProposalStatus.PROPOSED, ProposalStatus.REJECTED, ProposalStatus.FAILED, ProposalStatus.RECORDED)
RECORDABLE = (ProposalStatus.RECORDED, ProposalStatus.FAILED)
COPIED = (
    "description", "kind", "side_effect", "parameters", "examples", "others", "returns",
    "start_url", "steps", "submit_index", "submits", "reason", "box",
)  # fmt: skip
CHANGEABLE = frozenset({"name", "description", "parameters", "examples", "side_effect", "dry_run"})


@transaction.atomic
def save_drafts(*, mapping: MappingRow, drafts: Iterable[Mapping[str, Any]]) -> list[Proposal]:
    """Plain dictionaries with the columns of COPIED, `name`, and `page_url` of the page each was found on."""
    pages = {page.url: page for page in mapping.pages.select_related("picture")}
    taken = set(mapping.proposals.values_list("name", flat=True))
    made = []
    for draft in drafts:
        name = _free_name(str(draft["name"]), taken)
        taken.add(name)
        made.append(_save_draft(mapping, draft, name, pages.get(str(draft.get("page_url", "")))))
    return made


def plan_of(proposal: Proposal) -> Document:
    """The proposal's plan as a recipe; DocumentError if it is none."""
    return parse_recipe(
        {
            "name": proposal.name,
            "description": proposal.description,
            "parameters": proposal.parameters,
            **({"returns": proposal.returns} if proposal.returns else {}),
            "side_effect": proposal.side_effect,
            "steps": proposal.steps,
        }
    )


@transaction.atomic
def edit(*, proposal: Proposal, by: User, **changes: Any) -> Proposal:
    """`changes`: any of CHANGEABLE. BadInput names what does not fit the plan."""
    _require_editor(proposal, by)
    if unknown := sorted(set(changes) - CHANGEABLE):
        raise BadInput([f"A proposal has no field {', '.join(unknown)} to edit."])
    if proposal.status not in EDITABLE:
        raise WrongState(f"{proposal.name} is {proposal.get_status_display().lower()}; wait until it has ended.")
    for name, value in changes.items():
        setattr(proposal, name, value)
    _check(proposal)
    proposal.submits = submits_of(proposal)
    columns = {name: getattr(proposal, name) for name in (*changes, "others", "submits")}
    if Proposal.objects.filter(pk=proposal.pk, status__in=EDITABLE).update(**columns) != 1:
        raise WrongState(f"Someone else has just decided about {proposal.name}.")
    audit.record(proposal.site.team, by, "proposal.edited", _subject(proposal), changed=sorted(changes))
    return proposal


@transaction.atomic
def approve(*, proposals: Iterable[Proposal], by: User) -> list[Recording]:
    """One recording job for each that was still undecided (or rejected); WrongState if none was."""
    return _record_all(list(proposals), by, "proposal.approved", APPROVABLE)


@transaction.atomic
def record_again(*, proposal: Proposal, by: User) -> Recording:
    return _record_all([proposal], by, "proposal.recorded_again", RECORDABLE)[0]


@transaction.atomic
def reject(*, proposals: Iterable[Proposal], by: User) -> list[Proposal]:
    """Those that were still undecided (or had failed); WrongState if none was."""
    chosen = list(proposals)
    rejected = [each for each in chosen if _decide(each, by, REJECTABLE, ProposalStatus.REJECTED)]
    if chosen and not rejected:
        raise WrongState("These proposals have been decided already.")
    for proposal in rejected:
        audit.record(proposal.site.team, by, "proposal.rejected", _subject(proposal))
    return rejected


def _record_all(chosen: list[Proposal], by: User, action: str, before: tuple[ProposalStatus, ...]) -> list[Recording]:
    made = []
    for proposal in chosen:
        if _decide(proposal, by, before, ProposalStatus.APPROVED):
            made.append(_open_recording(proposal, by))
            audit.record(proposal.site.team, by, action, _subject(proposal), dry_run=proposal.dry_run)
    if chosen and not made:
        states = ", ".join(sorted({f"{each.name} is {each.get_status_display().lower()}" for each in chosen}))
        raise WrongState(f"Nothing to record: {states}.")
    return made


def _decide(proposal: Proposal, by: User, before: tuple[ProposalStatus, ...], after: ProposalStatus) -> bool:
    _require_editor(proposal, by)
    now = timezone.now()
    row = Proposal.objects.filter(pk=proposal.pk, status__in=before)
    won = row.update(status=after, decided_by=by, decided_at=now) == 1
    proposal.refresh_from_db(fields=["status", "decided_by", "decided_at"])
    return won


def _open_recording(proposal: Proposal, by: User) -> Recording:
    job = dispatch.open_job(
        team=proposal.site.team,
        by=by,
        kind=JobKind.RECORD,
        title=f"Record {proposal.name}",
        deadline_s=settings.RECORDING_DEADLINE_S,
    )
    return Recording.objects.create(job=job, proposal=proposal)


def _save_draft(mapping: MappingRow, draft: Mapping[str, Any], name: str, page: SurveyPage | None) -> Proposal:
    proposal = Proposal(
        site=mapping.site,
        mapping=mapping,
        name=name,
        page=page,
        picture=page.picture if page else None,
        dry_run=draft.get("side_effect") == SideEffect.DESTRUCTIVE,
        **{column: draft[column] for column in COPIED if column in draft},
    )
    proposal.submits = submits_of(proposal)
    proposal.save()
    return proposal


def _check(proposal: Proposal) -> None:
    """The plan as a whole must parse, and take its own examples; a second set that does not fit any more is dropped."""
    try:
        plan = plan_of(proposal)
        check_arguments(plan, proposal.examples)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error
    except ArgumentsError as error:
        raise BadInput([f"The examples do not fit: {problem}" for problem in error.problems]) from error
    proposal.others = _fitting(plan, proposal.others)


def _fitting(plan: Document, values: dict[str, Any]) -> dict[str, Any]:
    try:
        return check_arguments(plan, values) if values else {}
    except ArgumentsError:
        return {}


def submits_of(proposal: Proposal) -> int:
    """How often recording and verification will really submit, whatever the person has changed of the draft.

    Recording submits once; then a tool that writes is verified with other values, a destructive one up to its
    submitting step. A dry run submits nothing at all.
    """
    if proposal.side_effect == SideEffect.READ:
        return proposal.submits
    if proposal.dry_run or proposal.submit_index is None:
        return 0
    return 1 if proposal.side_effect == SideEffect.DESTRUCTIVE else 2


def _free_name(name: str, taken: set[str]) -> str:
    name = name[:70]
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def _subject(proposal: Proposal) -> str:
    return f"proposal {proposal.pk} {proposal.name}"


def _require_editor(proposal: Proposal, by: User) -> None:
    if not access.can(by, proposal.site.team, EDITORS):
        raise NotAllowed("Your role does not let you decide about proposals.")
