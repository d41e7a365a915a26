"""Upkeep and workers as real processes: a published tool is tried by itself, and what that came to goes out signed."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from examples.practice.server import PracticeSite
from recipes_app.models import HealthCheck, Recipe, RecipeVersion, Role, User, WebhookDelivery
from recipes_app.services import webhooks
from tests.jobs.processes import Processes, until
from tests.jobs.receiver import Receiver
from tests.jobs.test_healing import FILTER, at_redesign
from tests.people import make_published, make_site, make_team, make_user

pytestmark = pytest.mark.slow


@pytest.fixture
def receiver(processes: Processes, settings: Settings) -> Iterator[Receiver]:
    server = Receiver(answers=[503, 200])
    server.start()
    settings.ALLOWED_PRIVATE_HOSTS = [server.host]
    processes.env["ALLOWED_PRIVATE_HOSTS"] = server.host
    yield server
    server.stop()


def test_a_tool_that_broke_is_found_out_and_its_team_is_sent_a_message(
    processes: Processes, practice: PracticeSite, receiver: Receiver
) -> None:
    owner: User = make_user("olga", make_team("Blue"), Role.OWNER)
    site = make_site(owner.memberships.get().team, owner, base_url=practice.url)
    recipe = make_published(site, at_redesign(FILTER, "4"), owner)
    long_ago = timezone.now() - timedelta(days=9)
    RecipeVersion.objects.update(examples={"status": "Open"}, published_by=owner, published_at=long_ago)
    Recipe.objects.update(created_at=long_ago)
    webhooks.add(team=site.team, by=owner, url=receiver.url, events=["tool.failing"])
    for command in (("upkeep",), ("worker", "calls"), ("worker", "packs")):
        processes.start(*command)
    until(lambda: HealthCheck.objects.filter(recipe=recipe, state="failing").exists(), processes)
    until(lambda: WebhookDelivery.objects.filter(status="delivered").exists(), processes)
    delivery = WebhookDelivery.objects.get()
    assert delivery.attempts == 2  # the first answer was 503, and it was tried again by itself
    assert [json.loads(body)["data"]["tool"] for _, body in receiver.got] == ["filter_tickets"] * 2
    assert {headers["webhook-id"] for headers, _ in receiver.got} == {delivery.public_id}
