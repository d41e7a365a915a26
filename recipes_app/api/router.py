"""The API as a whole; agentify's urls include `api.urls` under /api/v1/."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI

from recipes_app.api import calls, mappings, more, sessions, sites, tools, webhooks
from recipes_app.api.auth import Bearer
from recipes_app.api.body import StrictParser
from recipes_app.api.docs import Listing
from recipes_app.api.errors import add_handlers, refusal

api = NinjaAPI(
    title="Agentify API",
    version="1",
    description="The tools of a team. Every request carries `Authorization: Bearer agt_…`.",
    auth=Bearer(),
    docs=Listing(),
    parser=StrictParser(),
    urls_namespace="api",
)
api.add_router("/sites", sites.router)
api.add_router("/sites", tools.router)
api.add_router("/sites", sessions.router)
api.add_router("", calls.router)
api.add_router("", mappings.router)
api.add_router("/webhooks", webhooks.router)
for _prefix, _dotted in more.ROUTERS:
    api.add_router(_prefix, _dotted)
add_handlers(api)


@csrf_exempt
def nowhere(request: HttpRequest) -> HttpResponse:
    return refusal(404, f"There is nothing at {request.path}; /api/v1/docs lists what there is.")
