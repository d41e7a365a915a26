"""The queue of the review room, its bulk approval, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.functional import cached_property
from django.views.decorators.http import require_POST, require_safe

from evidence_app.forms.reviewing import QueueForm
from evidence_app.models import Artifact, Conclusion, Exhibit, Shown
from evidence_app.models.review import ExhibitState, ShownAs
from evidence_app.services import doubts, exhibits, four_eyes, integrity, reviews, standing
from evidence_app.services.artifacts import PICTURES
from recipes_app.models import Team, User
from recipes_app.models.team import SIGNERS
from recipes_app.services import access, notices
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.given import numbers_of
from recipes_app.views.signed_in import SignedIn

PAGE = 50

if TYPE_CHECKING:
    Base = Paginator[Exhibit]
else:
    Base = Paginator


class FewPages(Base):
    """Counts no further than a person would turn pages."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list
        return exhibits.count_of(rows) if isinstance(rows, QuerySet) else len(rows)


@dataclass(frozen=True, slots=True)
class Row:
    """An exhibit in the list: how many of its pictures stood before who looks, and whether they are barred from it."""

    exhibit: Exhibit
    pictures: int
    seen: int
    is_barred: bool
    is_concluded: bool
    is_unfounded: bool  # a value stands on no page: it is asked about, one by one

    @property
    def lacks_conclusion(self) -> bool:
        return self.exhibit.state == ExhibitState.APPROVED and not self.is_concluded

    @property
    def may_be_ticked(self) -> bool:
        return (
            self.exhibit.is_waiting and not self.is_barred and not self.is_unfounded and 0 < self.pictures == self.seen
        )


@login_required
@require_safe
def review_queue(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    form = form_of(request.GET, team)
    rows = exhibits.queue(team, form.wanted, request.user)
    shown = rows.select_related("sample", "run__version__spec", "assignee", "attempt").defer("attempt__checkpoint")
    page = FewPages(shown, PAGE).get_page(request.GET.get("page"))
    listed = rows_of(page, request.user)
    context = {
        "team": team,
        "form": form,
        "query": form.query,
        "page": page,
        "rows": listed,
        "more": page.paginator.count > exhibits.COUNTED,
        "tickable": sum(each.may_be_ticked for each in listed),
        "first": listed[0].exhibit if listed else None,
        "anything": bool(listed) or Exhibit.objects.filter(team=team).exists(),
        "may_sign": access.can(request.user, team, SIGNERS),
        **allowed(request.user, team),
    }
    return render(request, "reviews/queue.html", context)


@login_required
@require_POST
def review_bulk(request: SignedIn) -> HttpResponse:
    """What was ticked; each of it stood before this person, or it is left with the reason."""
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    keys = numbers_of(request.POST.getlist("exhibit"))
    ticked = list(Exhibit.objects.filter(team=team, pk__in=keys).select_related("sample", "attempt", "run"))
    try:
        bulk = reviews.bulk_approve(exhibits=ticked, by=request.user)
    except ServiceError as error:
        messages.error(request, str(error))
        return redirect("review_queue")
    if bulk.approved:
        messages.success(request, f"{len(bulk.approved)} approved. Each of them can be opened and taken back.")
    for sample, why in bulk.refused[:10]:
        messages.error(request, f"{sample.sample_id}: {why}")
    if not ticked:
        messages.error(request, "Nothing was ticked.")
    return redirect("review_queue")


@login_required
@require_safe
def review_overview(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    found = standing.of_team(team)
    most = max((count for _, count in found.days), default=0)
    context = {
        "team": team,
        "standing": found,
        "integrity": integrity.state_for_page(),
        "bars": [(day, count, round(100 * count / most) if most else 0) for day, count in found.days],
        **allowed(request.user, team),
    }
    return render(request, "reviews/overview.html", context)


def form_of(data: QueryDict, team: Team) -> QueueForm:
    people = [each.get_username() for each in notices.people_of(team, SIGNERS)]
    return QueueForm(data, exhibits.choices(team), people)


def rows_of(page: Page[Exhibit], user: User) -> list[Row]:
    """Five queries, however many there are."""
    shown = list(page)
    attempts = {each.attempt_id: each for each in shown}
    pictures = Artifact.objects.filter(attempt__in=attempts, kind__in=PICTURES, removed_at=None)
    hashes = {key: (attempt, sha256) for key, attempt, sha256 in pictures.values_list("pk", "attempt", "sha256")}
    seen_rows = Shown.objects.filter(user=user, artifact__in=hashes, how=ShownAs.SEEN)
    seen = {key for key, sha256 in seen_rows.values_list("artifact", "sha256") if hashes[key][1] == sha256}
    barred = four_eyes.barred_from(user, {each.run_id for each in shown})
    counts: dict[int, list[int]] = {key: [0, 0] for key in attempts}
    for key, (attempt, _) in hashes.items():
        counts[attempt][0] += 1
        counts[attempt][1] += key in seen
    samples, unfounded = [each.sample_id for each in shown], doubts.unfounded(attempts)
    concluded = set(Conclusion.objects.filter(sample__in=samples).order_by().values_list("sample_id", flat=True))
    return [
        Row(
            each,
            counts[each.attempt_id][0],
            counts[each.attempt_id][1],
            is_barred=each.run_id in barred,
            is_concluded=each.sample_id in concluded,
            is_unfounded=each.attempt_id in unfounded,
        )
        for each in shown
    ]
