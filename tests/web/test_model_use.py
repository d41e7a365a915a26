"""What a model cost stands on the page of the job and of the mapping."""

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import Job, ModelUse
from recipes_app.models.job import JobKind
from tests.web.conftest import SignIn
from tests.web.scene import Scene

pytestmark = pytest.mark.django_db


def page(client: Client, name: str, pk: int) -> str:
    return " ".join(client.get(reverse(name, args=[pk])).content.decode().split())


def use(job: Job, cost: int | None = 12_300) -> None:
    counts = {"requests": 3, "input_tokens": 8000, "cached_tokens": 2000, "output_tokens": 300, "cost_micros": cost}
    ModelUse.objects.create(job=job, purpose="propose", provider="openai", model="gpt-5.4-mini", **counts)


def test_a_mapping_by_rules_says_nothing_of_models(scene: Scene, signed_in: SignIn) -> None:
    assert "Asked a model" not in page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)


def test_requests_tokens_and_cost_are_on_the_mappings_page(scene: Scene, signed_in: SignIn) -> None:
    use(scene.mapping.job)
    shown = page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)
    assert "Asked a model 3 times: 8,300 tokens, $0.0123" in shown
    assert "gpt-5.4-mini" in shown


def test_a_cost_that_is_not_known_is_not_guessed(scene: Scene, signed_in: SignIn) -> None:
    use(scene.mapping.job, None)
    shown = page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)
    assert "8,300 tokens, no price known" in shown


def test_a_row_of_the_jobs_says_it_in_short(scene: Scene, signed_in: SignIn) -> None:
    use(scene.mapping.job)
    shown = " ".join(signed_in(scene.owner).get(reverse("job_list")).content.decode().split())
    assert shown.count("8,300 tokens, $0.0123") == 1


def test_recordings_count_for_their_mapping(scene: Scene, signed_in: SignIn) -> None:
    job = Job.objects.create(
        team=scene.team, kind=JobKind.RECORD, title="Record it", queue="agents", requested_by=scene.owner
    )
    scene.search.recordings.create(job=job)
    use(scene.mapping.job)
    use(job)
    shown = page(signed_in(scene.owner), "mapping_detail", scene.mapping.pk)
    assert "With its recordings it asked a model 6 times: 16,600 tokens, $0.0246" in shown
