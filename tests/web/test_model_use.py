"""What a model cost stands on the page of the job and of the mapping."""

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import ModelUse
from tests.web.conftest import SignIn
from tests.web.scene import Scene

pytestmark = pytest.mark.django_db


def page(client: Client, name: str, pk: int) -> str:
    return " ".join(client.get(reverse(name, args=[pk])).content.decode().split())


def use(scene: Scene, *, recording: bool = False, cost: int | None = 12_300) -> None:
    job = scene.mapping.job
    if recording:
        found = scene.search.recordings.first()
        job = found.job if found else job
    ModelUse.objects.create(
        job=job, purpose="propose", provider="openai", model="gpt-5.4-mini", requests=3, input_tokens=8000,
        cached_tokens=2000, output_tokens=300, cost_micros=cost,
    )  # fmt: skip


def test_a_mapping_by_rules_says_nothing_of_models(scene: Scene, signed_in: SignIn) -> None:
    assert "Asked a model" not in page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)


def test_requests_tokens_and_cost_are_on_the_mappings_page(scene: Scene, signed_in: SignIn) -> None:
    use(scene)
    shown = page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)
    assert "Asked a model 3 times: 8300 tokens, $0.0123" in shown
    assert "gpt-5.4-mini" in shown


def test_a_cost_that_is_not_known_is_not_guessed(scene: Scene, signed_in: SignIn) -> None:
    use(scene, cost=None)
    shown = page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)
    assert "8300 tokens, no price known" in shown
