"""Proposed tools: kept as a mapping found them, edited, decided, recorded."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from recipes_app.engine.plain_json import clean, clean_text
from recipes_app.models import Mapping as MappingRow
from recipes_app.models import Proposal, Recording, SurveyPage, User
from recipes_app.models.job import JobKind
from recipes_app.models.mapping import Method
from recipes_app.models.proposal import ProposalOrigin, ProposalStatus
from recipes_app.models.recipe import SideEffect, lowers
from recipes_app.models.team import EDITORS
from recipes_app.services import access, announcements, audit, dispatch, planning, remapping, taken
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

APPROVABLE = (ProposalStatus.PROPOSED, ProposalStatus.REJECTED)
REJECTABLE = (ProposalStatus.PROPOSED, ProposalStatus.FAILED)
EDITABLE = (ProposalStatus.PROPOSED, ProposalStatus.REJECTED, ProposalStatus.FAILED, ProposalStatus.RECORDED)
RECORDABLE = (ProposalStatus.RECORDED, ProposalStatus.FAILED)
COPIED = (
    "description", "kind", "side_effect", "parameters", "examples", "others", "returns",
    "start_url", "steps", "submit_index", "submits", "reason", "box",
)  # fmt: skip
FOLLOWING = ("others", "submits", "proposed_effect", "steps", "submit_index")  # what changes along with an edit
CHANGEABLE = frozenset({"name", "description", "parameters", "examples", "others", "side_effect", "dry_run"})
# A model looks at each page before it acts, and may be asked a second time.
MODEL_TIMES = 3
UNAPPROVED: dict[str, None] = {"first_approved_by": None, "seconded_by": None, "seconded_at": None}


@transaction.atomic
def save_drafts(*, mapping: MappingRow, drafts: Iterable[Mapping[str, Any]]) -> list[Proposal]:
    """Plain dictionaries with the columns of COPIED, `name`, and `page_url` of the page each was found on.

    One with `set_aside` (why a model left it out) waits for nobody, and can be taken back by a person.
    """
    pages = {page.url: page for page in mapping.pages.select_related("picture")}
    taken = set(mapping.proposals.values_list("name", flat=True))
    made: list[Proposal] = []
    given = list(drafts)
    for draft in given:
        name = free_name(str(draft["name"]), taken)
        taken.add(name)
        made.append(_save_draft(mapping, draft, name, pages.get(str(draft.get("page_url", "")))))
    _note_merges(given, made)
    remapping.compare(mapping, [each for each in made if each.status == ProposalStatus.PROPOSED])
    return made


@transaction.atomic
def edit(
    *, proposal: Proposal, by: User, relabel: bool = False, renamed: Mapping[str, str] | None = None, **changes: Any
) -> Proposal:
    """`changes`: any of CHANGEABLE. BadInput names what does not fit the plan.

    `relabel` says that a person knows the plan does more than the new label. `renamed` maps old names of parameters to
    new ones; the plan follows, and what filled a parameter that is gone is left out of it.
    """
    require_editor(proposal, by)
    if unknown := sorted(set(changes) - CHANGEABLE):
        raise BadInput([f"A proposal has no field {', '.join(unknown)} to edit."])
    if proposal.status not in EDITABLE:
        raise WrongState(f"{proposal.name} is {proposal.get_status_display().lower()}; wait until it has ended.")
    proposal.proposed_effect, label = proposal.plan_effect, proposal.side_effect
    for name, value in changes.items():
        setattr(proposal, name, value)
    planning.follow(proposal, renamed or {})
    planning.check(proposal)
    if others := changes.get("others"):
        planning.check_others(proposal, others)
    _check_name(proposal)
    lowered = proposal.side_effect != label and lowers(proposal.plan_effect, proposal.side_effect)
    if lowered and not relabel:
        raise BadInput({"side_effect": planning.understated(proposal)})
    proposal.submits = submits_of(proposal)
    columns = {name: getattr(proposal, name) for name in (*changes, *FOLLOWING)}
    with taken.or_say(f"Another proposal of this mapping is called {proposal.name}."):
        saved = Proposal.objects.filter(pk=proposal.pk, status__in=EDITABLE).update(**columns, **UNAPPROVED)
    if saved != 1:
        raise WrongState(f"Someone else has just decided about {proposal.name}.")
    relabelled = {"plan": proposal.plan_effect, "label": proposal.side_effect} if lowered else {}
    audit.record(proposal.site.team, by, "proposal.edited", subject_of(proposal), changed=sorted(changes), **relabelled)
    return proposal


@transaction.atomic
def approve(*, proposals: Iterable[Proposal], by: User, really: Container[int] = frozenset()) -> list[Recording]:
    """One recording job for each that was still undecided (or rejected); WrongState if none was.

    What destroys something for real is recorded only if its number is in `really`: BadInput otherwise, for all.
    Where the team wants two people for what is destructive, the first approval makes no recording: it waits.
    """
    return _record_all(list(proposals), by, "proposal.approved", APPROVABLE, really)


@transaction.atomic
def record_again(*, proposal: Proposal, by: User, really: bool = False, hint: str | None = None) -> Recording | None:
    """`hint`: a word for whoever records it. None where a second approver is waited for."""
    require_editor(proposal, by)
    if hint is not None:
        proposal.hint = clean_text(" ".join(hint.split()))[:500]
        Proposal.objects.filter(pk=proposal.pk).update(hint=proposal.hint)
    sure = {proposal.pk} if really else frozenset[int]()
    return next(iter(_record_all([proposal], by, "proposal.recorded_again", RECORDABLE, sure)), None)


@transaction.atomic
def reject(*, proposals: Iterable[Proposal], by: User) -> list[Proposal]:
    """Those that were still undecided (or had failed); WrongState if none was."""
    chosen = list(proposals)
    rejected = [each for each in chosen if decide(each, by, REJECTABLE, ProposalStatus.REJECTED)]
    if chosen and not rejected:
        raise WrongState("These proposals have been decided already.")
    for proposal in rejected:
        Proposal.objects.filter(pk=proposal.pk).update(**UNAPPROVED)
        audit.record(proposal.site.team, by, "proposal.rejected", subject_of(proposal))
        announcements.decided(proposal)
    return rejected


def _record_all(
    chosen: list[Proposal], by: User, action: str, before: tuple[ProposalStatus, ...], really: Container[int]
) -> list[Recording]:
    made = []
    if held := [each.name for each in chosen if each.destroys and each.pk not in really]:
        raise BadInput([f"{', '.join(held)}: what is destructive is recorded only by its own tick, or as a dry run."])
    waiting = [each for each in chosen if each.needs_second and _approve_first(each, by, before)]
    for proposal in [each for each in chosen if each not in waiting]:
        if _may_decide(proposal, by) and decide(proposal, by, before, ProposalStatus.APPROVED):
            made.append(_open_recording(proposal, by))
            audit.record(proposal.site.team, by, action, subject_of(proposal), dry_run=proposal.dry_run)
            announcements.decided(proposal)
    if chosen and not made and not waiting:
        raise WrongState(_why_nothing(chosen, by))
    return made


def _approve_first(proposal: Proposal, by: User, before: tuple[ProposalStatus, ...]) -> bool:
    """The first of two approvals, where there was none: it waits for somebody else's."""
    require_editor(proposal, by)
    unseen = Proposal.objects.filter(pk=proposal.pk, status__in=before, first_approved_by=None)
    if unseen.update(first_approved_by=by) != 1:
        return False
    proposal.refresh_from_db(fields=["first_approved_by"])
    audit.record(proposal.site.team, by, "proposal.approved_first", subject_of(proposal), dry_run=proposal.dry_run)
    announcements.second_wanted(proposal)
    return True


def _may_decide(proposal: Proposal, by: User) -> bool:
    """Nobody seconds what they approved first."""
    return not (proposal.needs_second and proposal.first_approved_by_id in (None, by.pk))


def _why_nothing(chosen: list[Proposal], by: User) -> str:
    own = [each.name for each in chosen if each.needs_second and each.first_approved_by_id == by.pk]
    if own:
        return f"You approved {', '.join(own)} first. It is destructive, so another editor decides."
    states = ", ".join(sorted({f"{each.name} is {each.get_status_display().lower()}" for each in chosen}))
    return f"Nothing to record: {states}."


def decide(proposal: Proposal, by: User, before: tuple[ProposalStatus, ...], after: ProposalStatus) -> bool:
    """Whether this decision was the one that counts. Of two approvals, `by` is the second."""
    require_editor(proposal, by)
    now, second = timezone.now(), after == ProposalStatus.APPROVED and proposal.needs_second
    row = Proposal.objects.filter(pk=proposal.pk, status__in=before)
    columns: dict[str, Any] = {"decided_by": by}
    if second:
        row = row.filter(first_approved_by=proposal.first_approved_by_id)
        columns = {"decided_by": proposal.first_approved_by, "seconded_by": by, "seconded_at": now}
    won = row.update(status=after, decided_at=now, merged_into=None, **columns) == 1
    proposal.refresh_from_db(
        fields=["status", "decided_by", "decided_at", "merged_into", "first_approved_by", "seconded_by", "seconded_at"]
    )
    return won


def _open_recording(proposal: Proposal, by: User) -> Recording:
    job = dispatch.open_job(
        team=proposal.site.team,
        by=by,
        kind=JobKind.RECORD,
        title=f"Record {proposal.name}",
        deadline_s=settings.RECORDING_DEADLINE_S * (MODEL_TIMES if _may_ask(proposal) else 1),
    )
    return Recording.objects.create(job=job, proposal=proposal)


def _may_ask(proposal: Proposal) -> bool:
    return proposal.origin == ProposalOrigin.MODEL or proposal.mapping.method != Method.RULES


def _note_merges(given: Iterable[Mapping[str, Any]], made: list[Proposal]) -> None:
    by_name = {str(draft["name"]): proposal for draft, proposal in zip(given, made, strict=True)}
    for draft, proposal in zip(given, made, strict=True):
        into = by_name.get(str(draft.get("merged_into") or ""))
        if into is not None:
            proposal.merged_into = into
            proposal.save(update_fields=["merged_into"])


def _save_draft(mapping: MappingRow, draft: Mapping[str, Any], name: str, page: SurveyPage | None) -> Proposal:
    proposal = Proposal(
        site=mapping.site,
        mapping=mapping,
        name=name,
        page=page,
        picture=page.picture if page else None,
        dry_run=draft.get("side_effect") == SideEffect.DESTRUCTIVE,
        proposed_effect=draft.get("side_effect", ""),
        origin=draft.get("origin") or ProposalOrigin.RULES,
        status=ProposalStatus.REJECTED if draft.get("set_aside") else ProposalStatus.PROPOSED,
        **{column: clean(draft[column]) for column in COPIED if column in draft},
    )
    if why := draft.get("set_aside"):
        proposal.reason = clean(f"Set aside by the model. {why}. What the rules saw: {proposal.reason}")
    proposal.submits = submits_of(proposal)
    proposal.save()
    return proposal


def _check_name(proposal: Proposal) -> None:
    others = Proposal.objects.filter(mapping=proposal.mapping_id, name=proposal.name).exclude(pk=proposal.pk)
    if others.exists():
        raise BadInput({"name": f"Another proposal of this mapping is called {proposal.name}."})


def submits_of(proposal: Proposal) -> int:
    """How often recording and verification will really submit, whatever the person has changed of the draft.

    Recording submits once; then a tool that reads is verified twice, one that writes with other values, a destructive
    one up to its submitting step. A dry run submits nothing at all.
    """
    if proposal.is_safe:
        return proposal.submits
    if proposal.dry_run or (proposal.submit_index is None and proposal.has_plan):
        return 0
    times = {SideEffect.READ: 3, SideEffect.WRITE: 2}.get(SideEffect(proposal.side_effect), 1)
    # What a person recorded has been done by them; only the verification is still to come.
    return times - 1 if proposal.origin == ProposalOrigin.HAND else times


def free_name(name: str, taken: set[str]) -> str:
    name = name[:70]
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def subject_of(proposal: Proposal) -> str:
    return f"proposal {proposal.pk} {proposal.name}"


def require_editor(proposal: Proposal, by: User) -> None:
    if not access.can(by, proposal.site.team, EDITORS):
        raise NotAllowed("Your role does not let you decide about proposals.")
