"""A proposal changed by a person: edited, merged, copied, split, taken back, recorded again."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from recipes_app.forms.problems import show_refusal
from recipes_app.forms.proposals import ProposalForm
from recipes_app.models import Proposal
from recipes_app.models.team import EDITORS
from recipes_app.services import access, board
from recipes_app.services import proposals as service
from recipes_app.services.errors import ServiceError
from recipes_app.views.given import number_of
from recipes_app.views.live import is_poll
from recipes_app.views.signed_in import SignedIn, refusals_told


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_edit(request: SignedIn, pk: int) -> HttpResponse:
    """Parameters are rows, with `?as=json` the schema itself. What is typed is checked: problems go to their field."""
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
            return redirect(place_of(proposal))
    context = {"proposal": access.get_proposal_for(request.user, pk), "form": form}
    return render(request, "proposals/edit.html", context, status=422 if form.errors else 200)


def place_of(proposal: Proposal) -> str:
    return f"{reverse('board', args=[proposal.mapping_id])}?p={proposal.pk}"


def change(request: SignedIn, pk: int, what: Callable[[Proposal], Proposal]) -> HttpResponse:
    """Do it and go to the proposal it gives; refused, stay at this one."""
    proposal = access.get_proposal_for(request.user, pk, EDITORS)
    following = proposal
    with refusals_told(request):
        following = what(proposal)
    return redirect(place_of(following))


@login_required
@require_POST
def proposal_merge(request: SignedIn, pk: int) -> HttpResponse:
    """This one is merged into the one named `into`, which keeps its parameters."""

    def merge(proposal: Proposal) -> Proposal:
        key = number_of(request.POST.get("into", "")) or 0
        kept = board.merge(keep=access.get_proposal_for(request.user, key, EDITORS), other=proposal, by=request.user)
        messages.success(request, f"{proposal.name} is merged into {kept.name}. It can be taken back.")
        return kept

    return change(request, pk, merge)


@login_required
@require_POST
def proposal_copy(request: SignedIn, pk: int) -> HttpResponse:
    """On to the form that edits the copy."""
    proposal = access.get_proposal_for(request.user, pk, EDITORS)
    try:
        made = board.copy(proposal=proposal, by=request.user)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect(place_of(proposal))
    messages.success(request, f"This is a copy of {proposal.name}. Give it a name of its own, and change what differs.")
    return redirect("proposal_edit", made.pk)


@login_required
@require_POST
def proposal_split(request: SignedIn, pk: int) -> HttpResponse:
    def split(proposal: Proposal) -> Proposal:
        made = board.split(proposal=proposal, by=request.user, parameter=request.POST.get("parameter", ""))
        messages.success(request, f"{proposal.name} is split into {', '.join(each.name for each in made)}.")
        return made[0]

    return change(request, pk, split)


@login_required
@require_POST
def proposal_take_back(request: SignedIn, pk: int) -> HttpResponse:
    def take_back(proposal: Proposal) -> Proposal:
        board.take_back(proposal=proposal, by=request.user)
        messages.success(request, f"{proposal.name} waits for a decision again.")
        return proposal

    return change(request, pk, take_back)


@login_required
@require_POST
def proposal_dry_run(request: SignedIn, pk: int) -> HttpResponse:
    return change(
        request,
        pk,
        lambda each: service.edit(proposal=each, by=request.user, dry_run=request.POST.get("dry_run") == "1"),
    )


@login_required
@require_POST
def proposal_record_again(request: SignedIn, pk: int) -> HttpResponse:
    def again(proposal: Proposal) -> Proposal:
        sure, hint = request.POST.get("sure") == "1", request.POST.get("hint")
        if service.record_again(proposal=proposal, by=request.user, really=sure, hint=hint) is None:
            messages.info(request, f"Your approval of {proposal.name} is kept. Another editor decides as well.")
        return proposal

    return change(request, pk, again)
