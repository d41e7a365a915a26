"""The board: proposals of one mapping, looked at, edited and decided."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.proposals import ProposalForm
from recipes_app.models import Mapping, Proposal
from recipes_app.models.proposal import ProposalStatus
from recipes_app.models.recipe import SideEffect
from recipes_app.models.team import EDITORS
from recipes_app.services import access
from recipes_app.services import proposals as service
from recipes_app.services.errors import ServiceError
from recipes_app.services.recipes import publishable
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
    context["newer"] = newer_board(mapping)
    if is_poll(request):
        return render(request, "proposals/_detail.html", context)
    context |= {"counts": counts, "page_count": mapping.pages.count()}
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
    rows = mapping.proposals.select_related("decided_by", "page", "picture", "site__team")
    return sorted(rows, key=lambda proposal: (SideEffect.values.index(proposal.side_effect), proposal.pk))


def pick(shown: Sequence[Proposal], wanted: str) -> Proposal | None:
    """The one asked for, else the first that waits, else the first."""
    by_key = {str(proposal.pk): proposal for proposal in shown}
    waiting = next((each for each in shown if each.status == ProposalStatus.PROPOSED), None)
    return by_key.get(wanted) or waiting or next(iter(shown), None)


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
    }
    return context | (recording_context(recording) if recording else {})


def states_context(mapping: Mapping) -> dict[str, Any]:
    rows = list(mapping.proposals.only("pk", "status", "name"))
    mark = "-".join(f"{row.pk}{row.status[:4]}" for row in rows)
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
        names = in_words([each.proposal for each in recordings if each.proposal])
        messages.success(request, f"Approved {names}: recording starts at once.")


def in_words(proposals: Sequence[Proposal]) -> str:
    return proposals[0].name if len(proposals) == 1 else f"{len(proposals)} proposals"


def where_next(mapping: Mapping, show: str, decided: list[Proposal]) -> str:
    """The next one that waits; where none does, the one decided last stays in view."""
    everyone = [each for each in in_order(mapping) if show in ("", each.side_effect)]
    last = decided[-1] if decided else None
    after = everyone.index(last) + 1 if last in everyone else 0
    turn = everyone[after:] + everyone[:after]
    following = next((each for each in turn if each.status == ProposalStatus.PROPOSED), last)
    query = f"?p={following.pk}" if following else "?"
    return f"{query}&show={show}" if show in SideEffect.values else query


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_edit(request: SignedIn, pk: int) -> HttpResponse:
    """Parameters are rows, with `?as=json` the schema itself."""
    proposal = access.get_proposal_for(request.user, pk, EDITORS)
    data = request.POST if request.method == "POST" else None
    form = ProposalForm(proposal, data, as_json=request.GET.get("as") == "json")
    if is_poll(request):
        return render(request, "proposals/_check.html", {"form": form, "fine": form.is_valid()})
    if request.method == "POST" and form.is_valid():
        try:
            service.edit(proposal=proposal, by=request.user, **form.changes())
        except ServiceError as error:
            show_refusal(form, error)
        else:
            messages.success(request, f"{proposal.name} is saved.")
            return redirect(f"{reverse('board', args=[proposal.mapping_id])}?p={proposal.pk}")
    context = {"proposal": access.get_proposal_for(request.user, pk), "form": form}
    return render(request, "proposals/edit.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def proposal_dry_run(request: SignedIn, pk: int) -> HttpResponse:
    proposal = access.get_proposal_for(request.user, pk, EDITORS)
    with refusals_told(request):
        service.edit(proposal=proposal, by=request.user, dry_run=request.POST.get("dry_run") == "1")
    return redirect(f"{reverse('board', args=[proposal.mapping_id])}?p={proposal.pk}")


@login_required
@require_POST
def proposal_record_again(request: SignedIn, pk: int) -> HttpResponse:
    proposal = access.get_proposal_for(request.user, pk, EDITORS)
    with refusals_told(request):
        service.record_again(proposal=proposal, by=request.user, really=request.POST.get("sure") == "1")
    return redirect(f"{reverse('board', args=[proposal.mapping_id])}?p={proposal.pk}")
