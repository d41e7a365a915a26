"""One exhibit before a reviewer: what was captured and what is known of it, checked as it is shown; and their word."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from evidence_app.forms.reviewing import DecisionForm, finding_in, reasons_for, seen_in
from evidence_app.models import Artifact, Comment, Conclusion, Exhibit, Review, Sample
from evidence_app.models.evidence import ArtifactKind
from evidence_app.models.review import Answer, Decision, ExhibitState, ShownAs
from evidence_app.services import access, artifacts, comparing, exhibits, four_eyes, places, remarks, reviews, showing
from evidence_app.views import looking
from evidence_app.views.provenance import with_place
from evidence_app.views.quality import Check, checks_of
from evidence_app.views.queue import form_of
from evidence_app.views.samples import LOG, accounts_of, discreet, fields_of
from recipes_app.models import User
from recipes_app.services.errors import BadInput, ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.given import number_of
from recipes_app.views.signed_in import SignedIn

HASH = re.compile("[0-9a-f]{64}")
MOST_TEXT = 50_000  # bytes of a page's text that are shown


@dataclass(frozen=True, slots=True)
class SaidReview:
    """A decision as it stands now: `state` is undone, stale, or what was decided."""

    row: Review
    state: str
    may_undo: bool
    redacted: list[Artifact]  # copies made after an approval, which did not stand before who approved


@login_required
@require_safe
def review_exhibit(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    try:
        exhibit = reviews.exhibit_of(sample)
    except ServiceError as error:
        messages.info(request, str(error))
        return redirect("sample_detail", sample.pk)
    return render(request, "reviews/exhibit.html", context_of(request, exhibit))


def context_of(request: SignedIn, exhibit: Exhibit) -> dict[str, Any]:
    sample, run, user = exhibit.sample, exhibit.run, request.user
    before = comparing.last_signed(exhibit)
    why_not = four_eyes.why_not(run, user)
    return {
        "exhibit": exhibit,
        "sample": sample,
        "run": run,
        "attempt": exhibit.attempt,
        "newest": sample.attempts.order_by("number").last(),
        "total": run.samples.count(),
        "why_not": why_not,
        "who_can": four_eyes.can_said(run) if why_not else "",
        "barred_for": four_eyes.reasons(run, user),
        "is_broken": four_eyes.is_broken(run, user),
        "reasons": {each.value: reasons_for(each) for each in (Decision.REJECT, Decision.RECAPTURE)},
        "answers": Answer.choices,
        "people": [each for each in four_eyes.who_can(run) if each != user or each == exhibit.assignee],
        "last": looking.last_of(last_decision(request, user)),
        "before_signed": before,
        "asked": looking.asked_of(exhibit),
        **looking.first_of(exhibit, before),
        **place_in_queue(request, exhibit),
        **evidence_of(exhibit, user),
        **said_about(exhibit, user),
        **allowed(user, run.team),
    }


def place_in_queue(request: SignedIn, exhibit: Exhibit) -> dict[str, Any]:
    form = form_of(request.GET, exhibit.run.team)
    rows = exhibits.queue(exhibit.run.team, form.wanted, request.user)
    return {"query": form.query, "around": exhibits.around(exhibit, rows)}


def last_decision(request: SignedIn, user: User) -> Review | None:
    """What this person has decided just before, for the key that takes it back."""
    key = number_of(request.GET.get("last", ""))
    if key is None:
        return None
    return Review.objects.filter(pk=key, reviewer=user, undone_at=None).select_related("sample", "attempt").first()


def evidence_of(exhibit: Exhibit, user: User) -> dict[str, Any]:
    attempt = exhibit.attempt
    files = showing.files_of(attempt)
    checked = showing.checked(files, at_a_look=showing.AT_A_LOOK)
    damaged = [each for each in checked if each.problem]
    for each in damaged:
        showing.alarm(each.row, each.problem, user)
    pictures = showing.pictures_of(files)
    fields = fields_of(attempt, pictures)
    hidden = reviews.is_judgment_hidden(exhibit, user)
    actions = list(attempt.actions.order_by("-seq")[:LOG])[::-1]
    first = next((each.picture for each in fields if each.picture), None)
    return {
        "checked": checked,
        "damaged": damaged,
        "pictures": pictures,
        "picture": first or (pictures[0] if pictures else None),
        "seen": showing.seen_by(user, pictures),
        "fields": fields,
        "doubted": sum(each.is_doubted for each in fields),
        "judgment_hidden": hidden,
        "actions": [discreet(each) for each in actions] if hidden else actions,
        "action_count": attempt.actions.count(),
        "accounts": [with_place(each, places.place_of(each.artifact, exhibit.run)) for each in accounts_of(files)],
        "quality": quality_of(files),
        "texts": texts_of([each.row for each in checked if each.is_hashed and not each.problem]),
    }


def texts_of(files: list[Artifact]) -> list[tuple[str, str]]:
    """The captured pages as text, the beginning of each."""
    found = []
    for row in files:
        if row.kind == ArtifactKind.TEXT:
            with artifacts.blobs().open(row.sha256) as file:
                found.append((row.label, file.read(MOST_TEXT).decode(errors="replace")))
    return found


def quality_of(files: list[Artifact]) -> list[tuple[str, list[Check]]]:
    statements = [row for row in files if row.statement]
    return [(row.label, checks_of(row.statement or {})) for row in statements]


def said_about(exhibit: Exhibit, user: User) -> dict[str, Any]:
    rows = list(Review.objects.filter(sample=exhibit.sample).select_related("reviewer", "undone_by", "attempt"))
    copies = list(Artifact.objects.filter(attempt__sample=exhibit.sample, kind=ArtifactKind.REDACTED))
    open_rows = [row for row in rows if row.undone_at is None and row.attempt_id == exhibit.attempt_id]
    newest = open_rows[-1] if open_rows else None
    older = [row for row in rows if row.undone_at is None and row.attempt_id != exhibit.attempt_id]
    conclusions = list(Conclusion.objects.filter(sample=exhibit.sample).select_related("reviewer", "attempt"))
    return {
        "said": [
            SaidReview(row, _state(row, exhibit), row == newest and row.reviewer == user, _redacted_after(row, copies))
            for row in rows
        ],
        "newest_review": newest,
        "newest_signed": older[-1].attempt.number if older else "",
        **looking.signatures(exhibit, rows, conclusions, user),
        "own": next((row for row in reversed(conclusions) if row.reviewer_id == user.pk), None),
        "comments": list(Comment.objects.filter(sample=exhibit.sample).select_related("by")),
        "lookers": _lookers(exhibit),
    }


def _redacted_after(row: Review, copies: list[Artifact]) -> list[Artifact]:
    if row.decision != Decision.APPROVE:
        return []
    return [each for each in copies if each.attempt_id == row.attempt_id and each.taken_at > row.at]


def _state(row: Review, exhibit: Exhibit) -> str:
    if row.undone_at is not None:
        return "undone"
    return "stale" if row.attempt_id != exhibit.attempt_id else row.decision


def _lookers(exhibit: Exhibit) -> list[tuple[str, str, int]]:
    """[(person, how, files)] of the attempt that is shown."""
    rows = exhibit.attempt.artifacts.exclude(shown=None).order_by().values_list("shown__user__username", "shown__how")
    counted = rows.annotate(Count("pk", distinct=True))
    return sorted((name, str(ShownAs(how).label), count) for name, how, count in counted)


@login_required
@require_POST
def review_decide(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        said = (str(each) for problems in form.errors.values() for each in problems)
        return _refused(request, sample, BadInput(list(said)))
    try:
        finding = finding_in(form.cleaned_data)
        review = reviews.decide(sample=sample, by=request.user, verdict=form.verdict(), finding=finding)
    except ServiceError as error:
        return _refused(request, sample, error)
    return redirect(_next_page(request, sample, review))


def _refused(request: SignedIn, sample: Sample, error: ServiceError) -> HttpResponse:
    """The same page, with what was chosen and typed: nothing of it is lost, and no key signs by mistake."""
    looking.refuse(request, error)
    try:
        exhibit = reviews.exhibit_of(sample)
    except ServiceError:
        return redirect("sample_detail", sample.pk)
    given = looking.given_in(request.POST)
    return render(request, "reviews/exhibit.html", {**context_of(request, exhibit), "given": given})


def _next_page(request: SignedIn, sample: Sample, review: Review) -> str:
    """On to the next that waits; at its end back to the queue, or to the run that was gone through."""
    exhibit = reviews.exhibit_of(sample)
    form = form_of(request.GET, exhibit.run.team)
    after = exhibits.following(exhibit, exhibits.queue(exhibit.run.team, form.wanted, request.user))
    if after is not None and after.pk != exhibit.pk:
        return f"{reverse('review_exhibit', args=[after.sample_id])}?{form.query}&last={review.pk}"
    became = "first signature; it waits for another" if exhibit.state == ExhibitState.SECOND else ""
    said = became or review.get_decision_display().lower()
    messages.success(request, f"{sample.sample_id}: {said}. That was the last here.")
    if form.wanted.run:
        return reverse("run_detail", args=[exhibit.run.public_id])
    return f"{reverse('review_queue')}?{form.query}"


@login_required
@require_POST
def review_undo(request: SignedIn, pk: int) -> HttpResponse:
    """`pk` of the review; back to what it was about."""
    rows = Review.objects.filter(pk=pk).select_related("sample__run__team", "reviewer")
    review = rows.first()
    if review is None:
        raise Http404
    sample = access.get_sample_for(request.user, review.sample_id)
    with looking.refusals_said(request):
        reviews.undo(review=review, by=request.user, words=request.POST.get("words", ""))
        messages.success(request, f"Taken back: {sample.sample_id} waits again. The decision stays in its history.")
    return redirect(_page(sample, request))


@login_required
@require_POST
def review_conclude(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    answer, words = request.POST.get("answer", ""), request.POST.get("answer_words", "")
    try:
        reviews.conclude(sample=sample, by=request.user, seen=seen_in(request.POST), answer=answer, words=words)
    except ServiceError as error:
        return _refused(request, sample, error)
    messages.success(request, "Your conclusion is kept.")
    return redirect(_page(sample, request))


@login_required
@require_POST
def review_comment(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    with looking.refusals_said(request):
        remarks.comment(sample=sample, by=request.user, text=request.POST.get("text", ""))
    return redirect(f"{_page(sample, request)}#comments")


@login_required
@require_POST
def review_assign(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    name = request.POST.get("to", "")
    to = User.objects.filter(username=name, memberships__team=sample.run.team).first() if name else None
    with looking.refusals_said(request):
        remarks.assign(sample=sample, to=to, by=request.user)
        messages.success(request, f"{to} is asked to review it." if to else "It is left to whoever comes.")
    return redirect(_page(sample, request))


@login_required
@require_POST
def review_seen(request: SignedIn, pk: int) -> JsonResponse:
    """The page tells that a picture stood at full size, and what its browser hashed: {artifact, sha256}."""
    sample = access.get_sample_for(request.user, pk)
    try:
        told = json.loads(request.body)
        key, sha256 = number_of(str(told["artifact"])), str(told["sha256"])
    except (ValueError, KeyError, TypeError, RecursionError):
        key, sha256 = None, ""
    if key is None or (sha256 and not HASH.fullmatch(sha256)):
        return JsonResponse({"error": "{artifact, sha256} is expected"}, status=400)
    row = access.get_artifact_for(request.user, key)
    if row.attempt.sample_id != sample.pk:
        raise Http404
    try:
        showing.note_seen(row=row, user=request.user, sha256=sha256)
    except ServiceError as error:
        return JsonResponse({"error": str(error)}, status=409)
    return JsonResponse({"seen": row.pk})


@login_required
@require_safe
def review_compared(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    try:
        found = comparing.compared(reviews.exhibit_of(sample))
    except ServiceError as error:
        raise Http404(str(error)) from error
    return render(request, "reviews/_compared.html", {"comparison": found, "sample": sample})


@login_required
@require_POST
def break_glass(request: SignedIn, public_id: str) -> HttpResponse:
    run = access.get_run_for(request.user, public_id)
    name = request.POST.get("person") or request.user.get_username()
    person = User.objects.filter(username=name, memberships__team=run.team).first()
    with looking.refusals_said(request):
        if person is None:
            raise BadInput({"person": f"Nobody of {run.team} is called {name}."})
        four_eyes.break_glass(run=run, user=person, by=request.user, words=request.POST.get("words", ""))
        messages.warning(request, f"{person} may sign {run.title} now. It stands in the ledger, and everybody is told.")
    return redirect("run_detail", run.public_id)


def _page(sample: Sample, request: SignedIn) -> str:
    form = form_of(request.GET, sample.run.team)
    return f"{reverse('review_exhibit', args=[sample.pk])}?{form.query}"
