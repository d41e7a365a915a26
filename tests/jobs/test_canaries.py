"""Canaries of published tools, against the practice site as it is, as it changes, and as it goes away."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from recipes_app.jobs import running
from recipes_app.jobs.inline import run_with
from recipes_app.models import (
    Healing,
    HealthCheck,
    Job,
    Membership,
    Notice,
    Recipe,
    RecipeVersion,
    Role,
    Site,
    User,
    WebhookDelivery,
)
from recipes_app.services import calls, canaries, health, notices, webhooks
from tests.jobs.test_healing import FILTER, OPENING, at_redesign
from tests.people import make_published, make_user

Watch = Callable[..., HealthCheck | None]


@pytest.fixture
def tool(site: Site, owner: User) -> Recipe:
    recipe = make_published(site, FILTER, owner)
    RecipeVersion.objects.update(examples={"status": "Open"}, published_by=owner)
    return make_old(recipe)


def make_old(recipe: Recipe) -> Recipe:
    """Published, and checked if it was, long ago."""
    long_ago = timezone.now() - timedelta(days=9)
    Recipe.objects.update(created_at=long_ago)
    RecipeVersion.objects.update(published_at=long_ago)
    HealthCheck.objects.update(at=long_ago)
    return Recipe.objects.select_related("site__team", "live_version").get(pk=recipe.pk)


@pytest.fixture
def watch(place: running.Place) -> Watch:
    """One round: a canary that is due, run and judged. With a document, the tool is that one now."""

    def once(recipe: Recipe, document: dict[str, Any] | None = None) -> HealthCheck | None:
        if document:
            RecipeVersion.objects.update(document=document)
        make_old(recipe)
        canaries.keep_watch()
        for job in Job.objects.filter(kind="call", status="queued"):
            run_with(place, job)
        canaries.keep_watch()
        return HealthCheck.objects.select_related("call__job").first()

    return once


def told() -> list[str]:
    return list(Notice.objects.filter(read_at=None).order_by("pk").values_list("event", flat=True))


def test_a_published_tool_that_reads_is_tried_in_bulk_with_what_verified(tool: Recipe, watch: Watch) -> None:
    check = watch(tool)
    assert check
    assert check.call
    assert (check.state, check.kind, check.call.via) == ("ok", "", "canary")
    assert (check.call.arguments, check.call.job.interactive) == ({"status": "Open"}, False)
    assert check.ms
    assert check.recipe.site.canary_at
    assert told() == []  # that it works is no news
    vitals = health.vitals_of(tool)
    assert vitals
    assert (vitals.state, vitals.worked, vitals.is_running) == ("ok", 1, False)


def test_it_is_tried_again_only_when_it_is_time(tool: Recipe, watch: Watch) -> None:
    watch(tool)
    HealthCheck.objects.update(at=timezone.now() - timedelta(hours=23))
    assert canaries.begin_one() is None
    HealthCheck.objects.update(at=timezone.now() - timedelta(hours=25))
    assert canaries.begin_one() is not None
    assert canaries.begin_one() is None  # one at a time


def test_a_version_published_just_now_was_verified_just_now(tool: Recipe) -> None:
    RecipeVersion.objects.update(published_at=timezone.now())
    assert canaries.begin_one() is None


def test_nobodys_call_waits_for_a_canary(tool: Recipe, owner: User) -> None:
    calls.request_call(recipe=tool, arguments={"status": "Open"}, by=owner)
    assert canaries.begin_one() is None


def test_a_site_is_left_alone_where_its_team_says_so(tool: Recipe) -> None:
    Site.objects.update(canary_hours=0)
    assert canaries.begin_one() is None


def test_what_writes_is_doubted_or_lacks_values_is_never_tried(tool: Recipe, site: Site, owner: User) -> None:
    make_published(site, OPENING, owner)
    pin = {"type": "object", "properties": {"pin": {"type": "string", "format": "password"}}}
    make_published(site, {**FILTER, "name": "secret", "parameters": pin, "steps": FILTER["steps"][:1]}, owner)
    make_old(tool)
    assert [recipe.name for recipe in canaries.due()] == ["filter_tickets"]
    RecipeVersion.objects.filter(recipe=tool).update(examples={})
    assert list(canaries.due()) == []
    RecipeVersion.objects.filter(recipe=tool).update(examples={"status": "Open"}, verdict=None)
    assert list(canaries.due()) == []


def test_it_runs_in_the_name_of_somebody_who_still_may(tool: Recipe, owner: User) -> None:
    eve = make_user("eve", tool.site.team, Role.OWNER)
    Membership.objects.filter(user=owner).update(role=Role.VIEWER)
    assert canaries.asker(tool) == eve
    Membership.objects.all().delete()
    assert canaries.begin_one() is None


def test_a_tool_that_breaks_is_told_once_with_its_healing_and_told_again_when_it_is_well(
    tool: Recipe, watch: Watch, owner: User, site: Site
) -> None:
    webhooks.add(team=site.team, by=owner, url="https://hooks.example.org/", events=["tool.failing", "tool.recovered"])
    watch(tool)
    broken = watch(tool, at_redesign(FILTER, "4"))
    assert broken
    assert (broken.state, broken.kind) == ("failing", "missing")
    healing = Healing.objects.get()
    assert Notice.objects.get(event="tool.failing").path == healing.get_absolute_url()
    watch(tool)
    assert told() == ["tool.failing"]
    assert Healing.objects.count() == 1
    watch(tool, FILTER)
    assert told() == ["tool.recovered"]  # the bad news is settled
    events = list(WebhookDelivery.objects.order_by("pk").values_list("event", flat=True))
    assert events == ["tool.failing", "tool.recovered"]
    assert WebhookDelivery.objects.latest("pk").payload["data"]["before"] == "failing"


def test_a_site_that_is_down_says_nothing_of_its_tools(tool: Recipe, watch: Watch, site: Site) -> None:
    watch(tool)
    address = site.base_url
    Site.objects.update(base_url="http://127.0.0.1:1/", private_hosts=["127.0.0.1:1"])
    for _ in range(2):
        check = watch(tool)
        assert check
        assert (check.state, check.kind) == ("unknown", "site_down")
    assert told() == ["site.unreachable"]
    vitals = health.vitals_of(tool)
    assert vitals
    assert (vitals.state, vitals.is_site_down) == ("ok", True)
    Site.objects.update(base_url=address, private_hosts=site.private_hosts)
    watch(tool)
    assert told() == []  # it can be reached again, and the tool was well before


def test_a_page_that_is_gone_is_the_tools_trouble(tool: Recipe, watch: Watch) -> None:
    watch(tool)
    check = watch(tool, {**FILTER, "steps": [{"op": "goto", "url": "/nowhere"}, *FILTER["steps"][1:]]})
    assert check
    assert (check.state, check.kind) == ("failing", "navigation")


def test_a_tool_that_works_by_less_than_was_recorded_drifts(tool: Recipe, watch: Watch) -> None:
    watch(tool)
    steps = [dict(step) for step in FILTER["steps"]]
    steps[1]["target"] = {"role": "combobox", "name": "No such name", "css": "select[name=status]"}
    check = watch(tool, {**FILTER, "steps": steps})
    assert check
    assert check.state == "drifting", (check.kind, check.detail)
    assert check.detail == "step 2 is not found any more by role+name"
    assert told() == ["tool.drifting"]


def test_a_canary_that_was_cancelled_is_no_news(tool: Recipe, watch: Watch) -> None:
    watch(tool)
    make_old(tool)
    check = canaries.begin_one()
    assert check
    assert check.call
    Job.objects.filter(pk=check.call.job_id).update(
        status="cancelled", error={"error": "Cancelled.", "kind": "cancelled"}
    )
    canaries.keep_watch()
    check.refresh_from_db()
    assert (check.state, told()) == ("unknown", [])


def test_news_that_was_read_is_told_again_when_it_happens_again(tool: Recipe, watch: Watch, owner: User) -> None:
    watch(tool)
    watch(tool, at_redesign(FILTER, "4"))
    notices.read(notices=Notice.objects.filter(user=owner), by=owner)
    watch(tool, FILTER)
    watch(tool, at_redesign(FILTER, "4"))
    assert told() == ["tool.failing"]
