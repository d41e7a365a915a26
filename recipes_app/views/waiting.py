"""Versions that somebody may be waited for to verify or publish."""

from django.db.models import OuterRef, QuerySet, Subquery

from recipes_app.models import RecipeVersion, Team


def newest_versions(team: Team) -> QuerySet[RecipeVersion]:
    """The newest version of each of the team's tools: older ones wait for nobody."""
    newest = RecipeVersion.objects.filter(recipe=OuterRef("recipe")).order_by("-number").values("pk")[:1]
    rows = RecipeVersion.objects.filter(recipe__site__team=team, pk=Subquery(newest))
    return rows.select_related("recipe__site", "author").order_by("-created_at")
