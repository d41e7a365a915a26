"""A published tool that uses another one of its site."""

from typing import Any

from recipes_app.jobs import running
from recipes_app.jobs.calls import run_call
from recipes_app.models import Call, Site, User
from recipes_app.services import calls
from tests.jobs.documents import search_products
from tests.people import make_published


def caller(site: Site, tool: str) -> dict[str, Any]:
    step = {"op": "call", "tool": tool, "args": {"q": "{{_item}}"}}
    return {
        "name": "search_all",
        "side_effect": "read",
        "parameters": {"properties": {"words": {"type": "array", "items": {"type": "string"}}}, "required": ["words"]},
        "steps": [{"op": "for_each", "items": "{{words}}", "into": "found", "steps": [step]}],
    }


def call(site: Site, document: dict[str, Any], by: User, **arguments: Any) -> Call:
    made = calls.request_call(recipe=make_published(site, document, by), arguments=arguments, by=by)
    run_call(made.job.pk)
    return Call.objects.select_related("job").get(pk=made.pk)


def test_a_tool_runs_another_one_for_each_word(place: running.Place, site: Site, owner: User) -> None:
    search = search_products(site.base_url)
    make_published(site, search, owner)
    done = call(site, caller(site, search["name"]), owner, words=["pen", "lamp"])
    assert done.result is not None
    assert done.result["ok"], done.result
    assert [sorted(entry) for entry in done.result["data"]["found"]] == [["heading"], ["heading"]]
    paths = list(done.job.steps.values_list("path", flat=True))
    assert "steps[0].items[1].steps[0].call.steps[0]" in paths


def test_only_live_tools_of_the_same_site_can_be_used(place: running.Place, site: Site, owner: User) -> None:
    done = call(site, caller(site, "search_products"), owner, words=["pen"])
    assert done.result is not None
    assert (done.result["ok"], "there is no tool search_products" in str(done.result)) == (False, True)
