"""A link may lead to something of another team one belongs to: the menu follows it there."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from recipes_app.models import Call, Team
from recipes_app.services import access
from recipes_app.views.given import LARGEST

# the beginning of a route, and the way from a team to what it is about
WHOSE = (
    ("sites/<int:pk>/", "sites"),
    ("mappings/<int:pk>/", "sites__mappings"),
    ("proposals/<int:pk>/", "sites__proposals"),
    ("recordings/<int:pk>/", "jobs__recording"),
    ("tools/<int:pk>/", "sites__recipes"),
    ("versions/<int:pk>/", "sites__recipes__versions"),
    ("healings/<int:pk>/", "jobs__healing"),
    ("teams/webhooks/<int:pk>/", "webhooks"),
)
# The same for pages of applications above this one; the way ends in what their address names.
MORE: list[tuple[str, str]] = []


class FollowTeam:
    """Middleware: before a page of one thing is shown, its team becomes the session's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> None:
        if request.method != "GET" or request.headers.get("HX-Request") or not request.user.is_authenticated:
            return
        team = team_of_page(request)
        if team and access.role_in(request.user, team) and team != access.current_team(request):
            access.switch_team(request, team)


def team_of_page(request: HttpRequest) -> Team | None:
    match = request.resolver_match
    if match is None:
        return None
    if (slug := match.kwargs.get("slug")) and match.route.startswith("teams/"):
        return Team.objects.filter(slug=slug).first()
    if (public_id := match.kwargs.get("public_id")) and match.route.startswith("calls/"):
        call = Call.objects.filter(job__public_id=public_id).select_related("job__team").first()
        return call.job.team if call else None
    way = next((way for route, way in (*WHOSE, *MORE) if match.route.startswith(route)), None)
    key = match.kwargs.get("pk", 0)
    if way and (public_id := match.kwargs.get("public_id")):
        return Team.objects.filter(**{way: public_id}).first()
    return Team.objects.filter(**{way: key}).first() if way and key <= LARGEST else None
