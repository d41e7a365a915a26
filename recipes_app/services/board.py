"""What people do with proposals before they decide: merge two into one, take one back, make two of one."""

from __future__ import annotations

import copy as copies
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from recipes_app.models import Proposal, User
from recipes_app.models.proposal import ProposalChange, ProposalStatus
from recipes_app.services import announcements, audit, planning, proposals
from recipes_app.services.errors import BadInput, WrongState

MOST_CHOICES = 12
NOT_COPIED = {
    "pk": None,
    "status": ProposalStatus.PROPOSED,
    "decided_by": None,
    "decided_at": None,
    "merged_into": None,
    "change": ProposalChange.NEW,
    "change_note": "",
    **proposals.UNAPPROVED,
}


@transaction.atomic
def merge(*, keep: Proposal, other: Proposal, by: User) -> Proposal:
    """`keep` stays as it is, with its parameters; `other` is rejected, and remembers into which one it went."""
    proposals.require_editor(keep, by)
    if keep.pk == other.pk or keep.mapping_id != other.mapping_id:
        raise BadInput(["Choose two proposals of one mapping."])
    if keep.status == ProposalStatus.REJECTED:
        raise WrongState(f"{keep.name} is rejected: keep one that is not.")
    if not proposals.decide(other, by, proposals.REJECTABLE, ProposalStatus.REJECTED):
        raise WrongState(f"{other.name} is {other.get_status_display().lower()}, so it cannot be merged away.")
    Proposal.objects.filter(pk=other.pk).update(merged_into=keep, **proposals.UNAPPROVED)
    audit.record(keep.site.team, by, "proposal.merged", proposals.subject_of(other), into=keep.name)
    announcements.decided(other)
    return keep


@transaction.atomic
def take_back(*, proposal: Proposal, by: User) -> Proposal:
    """A rejected or merged one waits for a decision again."""
    proposals.require_editor(proposal, by)
    rejected = Proposal.objects.filter(pk=proposal.pk, status=ProposalStatus.REJECTED)
    free = {"decided_by": None, "decided_at": None, "merged_into": None, **proposals.UNAPPROVED}
    if rejected.update(status=ProposalStatus.PROPOSED, **free) != 1:
        raise WrongState(f"{proposal.name} is {proposal.get_status_display().lower()}, not rejected.")
    audit.record(proposal.site.team, by, "proposal.taken_back", proposals.subject_of(proposal))
    proposal.refresh_from_db()
    return proposal


@transaction.atomic
def copy(*, proposal: Proposal, by: User) -> Proposal:
    """A second one of the same plan, with a name of its own, to be edited into something else."""
    proposals.require_editor(proposal, by)
    made = _second(proposal, proposal.name)
    audit.record(proposal.site.team, by, "proposal.copied", proposals.subject_of(made), of=proposal.name)
    return made


@transaction.atomic
def split(*, proposal: Proposal, by: User, parameter: str) -> list[Proposal]:
    """One for each choice of this parameter, which each of them has fixed; the one that was split is merged away."""
    proposals.require_editor(proposal, by)
    if proposal.status not in proposals.REJECTABLE:
        raise WrongState(f"{proposal.name} is {proposal.get_status_display().lower()}; split one that waits.")
    choices = splittable(proposal).get(parameter)
    if not choices:
        raise BadInput([f"{parameter} has no list of choices to split by."])
    made = [_fixed(proposal, parameter, choice) for choice in choices]
    proposals.decide(proposal, by, proposals.REJECTABLE, ProposalStatus.REJECTED)
    Proposal.objects.filter(pk=proposal.pk).update(merged_into=made[0], **proposals.UNAPPROVED)
    names = [each.name for each in made]
    audit.record(proposal.site.team, by, "proposal.split", proposals.subject_of(proposal), into=names, by=parameter)
    return made


def splittable(proposal: Proposal) -> dict[str, list[Any]]:
    """Parameters with a list of choices short enough, and the choices."""
    properties = (proposal.parameters.get("properties") or {}).items()
    found = {name: list(content.get("enum") or []) for name, content in properties if isinstance(content, dict)}
    return {name: choices for name, choices in found.items() if 2 <= len(choices) <= MOST_CHOICES}


def _fixed(proposal: Proposal, parameter: str, choice: Any) -> Proposal:
    word = slugify(str(choice)).replace("-", "_") or "other"
    made = _second(proposal, f"{proposal.name[:50]}_{word}"[:70], keep_name=True)
    made.description = f"{proposal.description.rstrip('. ')}, with {parameter} {choice}."
    made.steps = planning.with_value(made.steps, parameter, choice)
    made.parameters = _without(made.parameters, parameter)
    made.examples = {name: value for name, value in made.examples.items() if name != parameter}
    made.others = {name: value for name, value in made.others.items() if name != parameter}
    planning.check(made)
    made.submits = proposals.submits_of(made)
    made.save()
    return made


def _without(schema: dict[str, Any], parameter: str) -> dict[str, Any]:
    properties = {name: content for name, content in schema["properties"].items() if name != parameter}
    required = [name for name in schema.get("required", []) if name != parameter]
    kept = {name: value for name, value in schema.items() if name not in ("properties", "required")}
    return {**kept, "properties": properties, **({"required": required} if required else {})}


def _second(proposal: Proposal, name: str, *, keep_name: bool = False) -> Proposal:
    known = set(Proposal.objects.filter(mapping=proposal.mapping_id).values_list("name", flat=True))
    made = copies.deepcopy(proposal)
    for column, value in NOT_COPIED.items():
        setattr(made, column, value)
    made._state.adding = True
    made.created_at = timezone.now()
    made.name = proposals.free_name(name, known)
    said = "A part of" if keep_name else "A copy of"
    made.reason = f"{said} {proposal.name}. {proposal.reason}"
    made.save()
    return made
