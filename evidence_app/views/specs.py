"""Task specs: listed, read, written, imported, saved as a file, archived."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evidence_app.forms.specs import ImportForm
from evidence_app.models import TaskSpec, TaskSpecVersion
from evidence_app.models.task_spec import SpecOrigin
from evidence_app.services import access, specs
from evidence_app.services.sending import GUARDED
from evidence_app.views.saying import spec_said
from recipes_app.forms.problems import show_refusal
from recipes_app.models import Team
from recipes_app.models.team import EDITORS
from recipes_app.services import access as teams
from recipes_app.services.errors import ServiceError
from recipes_app.views.allowed import allowed
from recipes_app.views.diffs import DiffLine, json_diff
from recipes_app.views.signed_in import SignedIn, refusals_told

PAGE = 50
DISCOVERY = "_discovery"  # how a task is called that was made to find the samples of another
BY_HAND = (SpecOrigin.WRITTEN, SpecOrigin.IMPORTED)


@login_required
@require_safe
def spec_list(request: SignedIn) -> HttpResponse:
    team = teams.current_team(request)
    if team is None:
        return redirect("team_new")
    archived = request.GET.get("archived") == "1"
    rows = TaskSpec.objects.filter(team=team, archived_at__isnull=not archived).order_by("task_id")
    rows = rows.annotate(
        version_count=Count("versions", distinct=True), run_count=Count("versions__runs", distinct=True)
    )
    of_discoveries = rows.filter(task_id__endswith=DISCOVERY).exclude(versions__origin__in=BY_HAND)
    shows_them = archived or request.GET.get("discoveries") == "1"
    set_apart = 0 if shows_them else of_discoveries.count()
    rows = rows if shows_them else rows.exclude(pk__in=of_discoveries.values("pk"))
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    kept = TaskSpec.objects.filter(team=team, archived_at__isnull=False).count()
    context = {"team": team, "page": page, "archived": archived, "kept": kept, "set_apart": set_apart}
    context |= {"query": "archived=1" if archived else f"discoveries={int(shows_them)}", **allowed(request.user, team)}
    return render(request, "evidence/spec_list.html", context)


@login_required
@require_safe
def spec_detail(request: SignedIn, pk: int) -> HttpResponse:
    row = access.get_spec_for(request.user, pk)
    versions = list(row.versions.select_related("author"))
    version = named_version(versions, request.GET.get("version", ""))
    spec = specs.spec_of(version)
    older = next((each for each in versions if each.number < version.number), None)
    context: dict[str, Any] = {
        "row": row, "version": version, "versions": versions, "spec": spec, "said": spec_said(spec),
        "older": older, "difference": difference(older, version), "newest": versions[0],
        "runs": version.runs.order_by("-pk")[:5], "schedules": row.schedules.filter(is_active=True),
    }  # fmt: skip
    return render(request, "evidence/spec_detail.html", {**context, **allowed(request.user, row.team)})


def named_version(versions: list[TaskSpecVersion], number: str) -> TaskSpecVersion:
    """The newest unless another is named."""
    found = next((each for each in versions if not number or str(each.number) == number), None)
    if found is None:
        raise Http404
    return found


def difference(old: TaskSpecVersion | None, new: TaskSpecVersion) -> list[DiffLine]:
    return json_diff(old.document, new.document) if old else []


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spec_import(request: SignedIn) -> HttpResponse:
    team = writing_team(request)
    if team is None:
        return redirect("team_new")
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            version = specs.save(team=team, by=request.user, data=form.written, origin=SpecOrigin.IMPORTED)
        except ServiceError as error:
            show_refusal(form, error)
        else:
            messages.success(request, f"{version.spec.task_id} is here as version {version.number}.")
            return redirect("spec_detail", version.spec_id)
    context = {"team": team, "form": form, **allowed(request.user, team)}
    return render(request, "evidence/spec_import.html", context, status=422 if form.errors else 200)


def writing_team(request: SignedIn) -> Team | None:
    team = teams.current_team(request)
    if team is not None and not teams.can(request.user, team, EDITORS):
        raise PermissionDenied
    return team


@login_required
@require_safe
def spec_export(request: SignedIn, pk: int) -> HttpResponse:
    row = access.get_spec_for(request.user, pk)
    version = named_version(list(row.versions.all()), request.GET.get("version", ""))
    text = json.dumps(version.document, ensure_ascii=False, indent=2) + "\n"
    name = content_disposition_header(True, f"{row.task_id}.json") or "attachment"
    return HttpResponse(text, content_type="application/json", headers={**GUARDED, "Content-Disposition": name})


@login_required
@require_POST
def spec_archive(request: SignedIn, pk: int) -> HttpResponse:
    row = access.get_spec_for(request.user, pk, EDITORS)
    with refusals_told(request):
        specs.archive(spec=row, by=request.user)
        messages.success(
            request, f"{row.task_id} is archived. Its runs stay, and importing or saving it brings it back."
        )
    return redirect("spec_list")
