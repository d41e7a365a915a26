"""The board: proposals of one mapping, looked at, edited and decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from recipes_app.models import Mapping, Proposal, Recipe
from recipes_app.models.proposal import ProposalChange, ProposalStatus
from recipes_app.models.recipe import SideEffect
from recipes_app.models.team import EDITORS
from recipes_app.services import access
from recipes_app.services import proposals as service
from recipes_app.services.board import splittable
from recipes_app.services.recipes import publishable
from recipes_app.services.remapping import difference_of
from recipes_app.services.wording import submits_in_words
from recipes_app.views.allowed import allowed
from recipes_app.views.given import numbers_of
from recipes_app.views.live import fragment, is_poll
from recipes_app.views.rail import badges
from recipes_app.views.recordings import recording_context
from recipes_app.views.signed_in import SignedIn, refusals_told
from recipes_app.views.words import crop_of, parameter_rows, returns_in_words, say_steps

MOVING = (ProposalStatus.APPROVED, ProposalStatus.RECORDING)


@login_required
@require_safe
def board(request: SignedIn, pk: int) -> HttpResponse:
    mapping = access.get_mapping_for(request.user, pk)
    shown, counts = filtered(mapping, request.GET.get("show", ""))
    picked = pick(shown, request.GET.get("p", ""))
    may = allowed(request.user, mapping.site.team)
    context = {**may, "mapping": mapping, "site": mapping.site, "proposals": shown, "show": request.GET.get("show", "")}
    if picked:
        context |= detail_context(picked)
        context["waits_for_other"] = picked.needs_second and picked.first_approved_by_id == request.user.pk
    context["newer"] = newer_board(mapping)
    if is_poll(request):
        return render(request, "proposals/_detail.html", context)
    context |= {"counts": counts, "page_count": mapping.pages.count(), "gone": gone_from(mapping)}
    context["left_out"] = sum(len(found) for found in mapping.pages.values_list("why_not", flat=True))
    context["publishable"] = publishable(mapping.site) if may["may_edit"] else []
    return render(request, "proposals/board.html", context | states_context(mapping))


def newer_board(mapping: Mapping) -> Mapping | None:
    """The mapping that proposed something after this one, so that what is undecided here waits no more."""
    return mapping.site.mappings.filter(pk__gt=mapping.pk, proposals__isnull=False).order_by("-pk").first()


def filtered(mapping: Mapping, show: str) -> tuple[list[Proposal], list[tuple[str, str, int]]]:
    """(the proposals to show, [(value, label, how many) of each filter])"""
    everything = in_order(mapping)
    counts = [("", "All", len(everything))]
    for value, label in SideEffect.choices:
        number = sum(proposal.side_effect == value for proposal in everything)
        if number:
            counts.append((value, str(label), number))
    return [each for each in everything if show in ("", each.side_effect)], counts


def in_order(mapping: Mapping) -> list[Proposal]:
    """What only reads comes first, what destroys last."""
    rows = mapping.proposals.select_related(
        "decided_by", "seconded_by", "first_approved_by", "merged_into", "page", "picture", "site__team"
    )
    return sorted(rows, key=lambda proposal: (SideEffect.values.index(proposal.side_effect), proposal.pk))


def pick(shown: Sequence[Proposal], wanted: str) -> Proposal | None:
    """The one asked for, else the first that waits, else the first."""
    by_key = {str(proposal.pk): proposal for proposal in shown}
    waiting = next((each for each in shown if waits(each)), None)
    return by_key.get(wanted) or waiting or next(iter(shown), None)


def waits(proposal: Proposal) -> bool:
    return proposal.status == ProposalStatus.PROPOSED and proposal.change != ProposalChange.SAME


def tallies(mapping: Mapping) -> dict[str, int]:
    waiting, safe = mapping.proposals.waiting().count(), mapping.proposals.waiting().safe().count()
    return {"waiting": waiting, "safe": safe, "unsafe": waiting - safe}


def detail_context(proposal: Proposal) -> dict[str, Any]:
    recording = proposal.recordings.select_related("job", "version__recipe").first()
    context: dict[str, Any] = {
        "proposal": proposal,
        "crop": crop_of(proposal),
        "rows": parameter_rows(proposal.parameters, proposal.examples),
        "returns": returns_in_words(proposal.returns, recorded=False),
        "said": say_steps(proposal.steps, parameters=proposal.parameters),
        "submits": submits_in_words(proposal),
        "editable": proposal.status in service.EDITABLE,
        "approvable": proposal.status in service.APPROVABLE,
        "rejectable": proposal.status in service.REJECTABLE,
        "recordable": proposal.status in service.RECORDABLE,
        "difference": difference_of(proposal) if proposal.change == ProposalChange.CHANGED else None,
        "published": published_as(proposal),
        "others": others_of(proposal),
        "splittable": list(splittable(proposal)),
    }
    return context | (recording_context(recording) if recording else {})


def published_as(proposal: Proposal) -> Recipe | None:
    """The tool that is published under its name."""
    if proposal.change == ProposalChange.NEW:
        return None
    return Recipe.objects.published().filter(site=proposal.site_id, name=proposal.name).first()


def others_of(proposal: Proposal) -> list[Proposal]:
    """Those it could be merged into."""
    rows = proposal.mapping.proposals.exclude(pk=proposal.pk).exclude(status=ProposalStatus.REJECTED)
    return list(rows.order_by("name")) if proposal.status in service.REJECTABLE else []


@dataclass(frozen=True)
class Gone:
    """A published tool that this mapping did not find; `seen`: though it looked at the page."""

    recipe: Recipe
    seen: bool


def gone_from(mapping: Mapping) -> list[Gone]:
    recipes = Recipe.objects.published().filter(site=mapping.site, name__in=mapping.gone)
    pages = set(mapping.pages.values_list("url", flat=True))
    return [Gone(each, bool(pages & pages_of(each))) for each in recipes]


def pages_of(recipe: Recipe) -> set[str]:
    """The pages on which it was proposed."""
    rows = Proposal.objects.filter(recordings__version__recipe=recipe)
    return {url for pair in rows.values_list("page__url", "start_url") for url in pair if url}


def states_context(mapping: Mapping) -> dict[str, Any]:
    rows = list(mapping.proposals.select_related("site__team"))
    mark = sha256(repr([(row.pk, row.status, row.first_approved_by_id) for row in rows]).encode()).hexdigest()[:16]
    moving = any(row.status in MOVING for row in rows)
    return {"states": rows, "moving": moving, "states_mark": mark, **tallies(mapping)}


@login_required
@require_safe
def board_states(request: SignedIn, pk: int) -> HttpResponse:
    """The states in the list, each put into its place, so that ticks and focus stay as they are."""
    mapping = access.get_mapping_for(request.user, pk)
    context = {"mapping": mapping, "swap": True, "newer": newer_board(mapping), **states_context(mapping)}
    context |= {"badges": badges(mapping.site.team), **allowed(request.user, mapping.site.team)}
    context["publishable"] = publishable(mapping.site) if context["may_edit"] else []
    return fragment(request, "proposals/_states.html", context, context["states_mark"])


@login_required
@require_POST
def proposal_decide(request: SignedIn, pk: int) -> HttpResponse:
    """`action` is approve or reject (of the `proposal`s named), or approve_safe, approve_all, reject_all."""
    mapping = access.get_mapping_for(request.user, pk, EDITORS)
    action = request.POST.get("action", "")
    chosen = chosen_by(mapping, action, request.POST.getlist("proposal"))
    if not chosen:
        messages.warning(request, "Nothing was chosen. Tick proposals in the list first.")
    else:
        with refusals_told(request):
            decide(request, chosen, reject=action.startswith("reject"))
    return redirect(reverse("board", args=[mapping.pk]) + where_next(mapping, request.POST.get("show", ""), chosen))


def chosen_by(mapping: Mapping, action: str, keys: list[str]) -> list[Proposal]:
    proposals = mapping.proposals.select_related("site__team")
    if action == "approve_safe":
        return list(proposals.waiting().safe())
    if action in ("approve_all", "reject_all"):
        return list(proposals.waiting())
    return list(proposals.filter(pk__in=numbers_of(keys)))


def decide(request: SignedIn, chosen: list[Proposal], *, reject: bool) -> None:
    """What destroys something is approved only with `sure`, so never by a bulk button or one slip of a key."""
    if reject:
        rejected = service.reject(proposals=chosen, by=request.user)
        messages.success(request, f"Rejected {in_words(rejected)}.")
        return
    really = {each.pk for each in chosen} if request.POST.get("sure") == "1" else set[int]()
    held = [each for each in chosen if each.destroys and each.pk not in really]
    if held:
        text = f"Not approved: {in_words(held)}. What is destructive needs its own tick, beside its Approve button."
        messages.warning(request, text)
    if rest := [each for each in chosen if each not in held]:
        recordings = service.approve(proposals=rest, by=request.user, really=really)
        if begun := [each.proposal for each in recordings if each.proposal]:
            messages.success(request, f"Approved {in_words(begun)}: recording starts at once.")
        if waiting := [each for each in rest if each.needs_second and each.first_approved_by_id == request.user.pk]:
            text = (
                f"Your approval of {in_words(waiting)} is kept. It is destructive, so another editor decides as well."
            )
            messages.info(request, text)


def in_words(proposals: Sequence[Proposal]) -> str:
    return proposals[0].name if len(proposals) == 1 else f"{len(proposals)} proposals"


def where_next(mapping: Mapping, show: str, decided: list[Proposal]) -> str:
    """The next one that waits; where none does, the one decided last stays in view."""
    everyone = [each for each in in_order(mapping) if show in ("", each.side_effect)]
    last = decided[-1] if decided else None
    after = everyone.index(last) + 1 if last in everyone else 0
    turn = everyone[after:] + everyone[:after]
    following = next((each for each in turn if waits(each)), last)
    query = f"?p={following.pk}" if following else "?"
    return f"{query}&show={show}" if show in SideEffect.values else query
