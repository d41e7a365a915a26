"""One sample: its attempts, what each found and where, its pictures, what was done, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evidence_app.models import ActionEntry, Artifact, Attempt, Exhibit, Field, Sample
from evidence_app.models.evidence import ArtifactKind, Grounding
from evidence_app.models.run import SAMPLE_ENDED
from evidence_app.services import access, derived, reviews
from evidence_app.services.artifacts import PICTURES
from evidence_app.views.provenance import Account, account_of
from recipes_app.services import access as teams
from recipes_app.services import model_use
from recipes_app.views.allowed import allowed
from recipes_app.views.live import fragment
from recipes_app.views.signed_in import SignedIn

LOG = 200


@dataclass(frozen=True, slots=True)
class SeenField:
    """A value with the picture its box lies on."""

    row: Field
    picture: Artifact | None

    @property
    def is_doubted(self) -> bool:
        return bool(self.row.problem) or self.row.grounding == Grounding.NOT_FOUND or self.says_nothing

    @property
    def says_nothing(self) -> bool:
        return self.row.value is None or self.row.value == ""


@login_required
@require_safe
def sample_detail(request: SignedIn, pk: int) -> HttpResponse:
    sample = access.get_sample_for(request.user, pk)
    return render(request, "evidence/sample.html", context_of(request, sample))


@login_required
@require_safe
def sample_live(request: SignedIn, pk: int) -> HttpResponse:
    context = context_of(request, access.get_sample_for(request.user, pk))
    return fragment(request, "evidence/_sample.html", context, str(context["mark"]))


def context_of(request: SignedIn, sample: Sample) -> dict[str, Any]:
    run = sample.run
    attempts = list(sample.attempts.select_related("job").order_by("-number"))
    attempt = chosen(attempts, request.GET.get("attempt", ""))
    context: dict[str, Any] = {"sample": sample, "run": run, "attempts": attempts, "attempt": attempt, **around(sample)}
    context |= {"discovers_for": getattr(run, "discovers_for", None), **allowed(request.user, run.team)}
    context["may_make"] = teams.can(request.user, run.team, derived.MAKERS)
    if attempt is None:
        return {**context, "active": sample.status not in SAMPLE_ENDED, "mark": sample.status}
    found = evidence_of(attempt)
    exhibit = Exhibit.objects.filter(sample=sample).select_related("attempt", "run__team").first()
    hidden = exhibit is not None and reviews.is_judgment_hidden(exhibit, request.user)
    if hidden:
        found["actions"] = [discreet(each) for each in found["actions"]]
    return {
        **context, **found, "exhibit": exhibit, "judgment_hidden": hidden,
        "active": attempt.status not in SAMPLE_ENDED,
    }  # fmt: skip


def chosen(attempts: list[Attempt], number: str) -> Attempt | None:
    """The newest unless another is named; 404 for one that is not there."""
    if not number:
        return next(iter(attempts), None)
    found = next((each for each in attempts if str(each.number) == number), None)
    if found is None:
        raise Http404
    return found


def around(sample: Sample) -> dict[str, Sample | None]:
    """The samples before and after it in its run."""
    others = Sample.objects.filter(run=sample.run_id)
    return {
        "before": others.filter(number__lt=sample.number).order_by("-number").first(),
        "after": others.filter(number__gt=sample.number).order_by("number").first(),
    }


def evidence_of(attempt: Attempt) -> dict[str, Any]:
    files = list(attempt.artifacts.order_by("seq", "pk"))
    pictures = [row for row in files if row.kind in PICTURES and row.removed_at is None]
    fields = fields_of(attempt, pictures)
    actions = list(attempt.actions.order_by("-seq")[:LOG])
    first = next((each.picture for each in fields if each.picture), None)
    return {
        "files": [row for row in files if row.kind != ArtifactKind.THUMBNAIL],
        "pictures": pictures,
        "picture": first or (pictures[-1] if pictures else None),
        "fields": fields,
        "doubted": sum(each.is_doubted for each in fields),
        "actions": actions[::-1],
        "action_count": attempt.actions.count(),
        "accounts": accounts_of(files),
        "cost": model_use.of_job(attempt.job),
        "mark": _mark(attempt, len(files), len(actions)),
    }


def discreet(entry: ActionEntry) -> ActionEntry:
    """The last step says what the agent came to: not before the reviewer has."""
    if entry.action == "done":
        entry.params, entry.thinking, entry.result = {}, "", "Shown after your own conclusion."
        entry.evaluation = entry.next_goal = entry.memory_update = ""
    return entry


def fields_of(attempt: Attempt, pictures: list[Artifact]) -> list[SeenField]:
    """A box without its picture shows nothing; a value without a box may still have its picture."""
    known = {row.pk: row for row in pictures}
    return [SeenField(row, known.get(row.artifact_id or 0)) for row in attempt.fields.all()]


def accounts_of(files: list[Artifact]) -> list[Account]:
    return [account_of(row) for row in files if row.kind == ArtifactKind.STATEMENT]


def _mark(attempt: Attempt, files: int, actions: int) -> str:
    states = list(attempt.actions.values_list("state", flat=True)[:LOG])
    parts = (attempt.pk, attempt.status, attempt.step, attempt.last_thought, files, actions, states)
    return sha256(repr(parts).encode()).hexdigest()[:16]
