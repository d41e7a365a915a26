"""Who calls the API: the bearer of a token, acting as its owner within one team and the token's scopes."""

from django.http import Http404, HttpRequest
from ninja.security import HttpBearer

from recipes_app.models import ApiToken, Recipe, Site
from recipes_app.services import tokens
from recipes_app.services.errors import NotAllowed


class TokenRequest(HttpRequest):
    """What an operation is given once `Bearer` has let it in."""

    auth: ApiToken


class Bearer(HttpBearer):
    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        if "\0" in request.path:  # PostgreSQL cannot even be asked for such a name
            raise Http404("There is no such thing here.")
        return tokens.find_token(token)


def need(request: TokenRequest, *scopes: str) -> ApiToken:
    """The token, if it has one of these scopes."""
    if not set(scopes) & set(request.auth.scopes):
        raise NotAllowed(
            f"This token does not have the scope {' or '.join(scopes)}: make one that has on the team's page."
        )
    return request.auth


def site_of(token: ApiToken, slug: str) -> Site:
    """404 for a site of another team, as for one that does not exist."""
    site = Site.objects.of(token.team).filter(slug=slug).select_related("team").first()
    if site is None:
        raise Http404(f"There is no site {slug}.")
    return site


def recipe_of(token: ApiToken, slug: str, name: str) -> Recipe:
    """A tool whatever has become of it: its calls can be looked at when it is retired, too."""
    recipe = Recipe.objects.filter(site=site_of(token, slug), name=name).first()
    if recipe is None:
        raise Http404(f"The site {slug} has no tool {name}.")
    return recipe


def tool_of(token: ApiToken, slug: str, name: str) -> Recipe:
    """A published tool."""
    rows = Recipe.objects.published().filter(site=site_of(token, slug), name=name)
    recipe = rows.select_related("site__team", "live_version").first()
    if recipe is None:
        raise Http404(f"The site {slug} has no published tool {name}.")
    return recipe
