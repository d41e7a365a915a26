"""The bell: what needs the person who is signed in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from recipes_app.models import Notice
from recipes_app.services import access
from recipes_app.services import notices as service
from recipes_app.views.signed_in import SignedIn

PAGE = 30


@login_required
@require_safe
def notice_list(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is None:
        return redirect("team_new")
    rows = Notice.objects.filter(user=request.user, team=team)
    shown = rows if request.GET.get("show") == "all" else rows.filter(read_at=None)
    page = Paginator(shown, PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "show": request.GET.get("show", ""), "unread": rows.filter(read_at=None).count()}
    return render(request, "notices/list.html", context)


@login_required
@require_POST
def notice_open(request: SignedIn, pk: int) -> HttpResponse:
    """Read from now on; on to the page that holds the next step."""
    notice = access.get_notice_for(request.user, pk)
    service.read(notices=Notice.objects.filter(pk=notice.pk), by=request.user)
    return redirect("notice_list" if request.POST.get("stay") else notice.path)


@login_required
@require_POST
def notice_read_all(request: SignedIn) -> HttpResponse:
    team = access.current_team(request)
    if team is not None and (number := service.read(notices=service.unread(request.user, team), by=request.user)):
        messages.success(request, f"{number} read.")
    return redirect("notice_list")
