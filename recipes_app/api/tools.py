"""The published tools of a site."""

from ninja import Router

from recipes_app.api.auth import TokenRequest, need, site_of, tool_of
from recipes_app.api.schemas import REFUSALS, Refusal, ToolOut, tool_out
from recipes_app.models import Recipe

router = Router(tags=["tools"])


@router.get("/{slug}/tools", response={200: list[ToolOut], REFUSALS: Refusal})
def list_tools(request: TokenRequest, slug: str) -> list[ToolOut]:
    """Published tools with the JSON Schema of their parameters. Scope: read or call."""
    site = site_of(need(request, "read", "call"), slug)
    rows = Recipe.objects.published().filter(site=site).select_related("live_version")
    return [tool_out(recipe) for recipe in rows]


@router.get("/{slug}/tools/{name}", response={200: ToolOut, REFUSALS: Refusal})
def show_tool(request: TokenRequest, slug: str, name: str) -> ToolOut:
    """One published tool. Scope: read or call."""
    return tool_out(tool_of(need(request, "read", "call"), slug, name))
