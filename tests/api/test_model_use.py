"""What models cost, as programs see it."""

import pytest

from recipes_app.models import Job, Mapping, ModelUse, Site, User
from recipes_app.models.job import JobKind
from recipes_app.services import proposals, sites
from tests.api.conftest import Program
from tests.services.test_proposals import draft

pytestmark = pytest.mark.django_db

COUNTS = {"requests": 2, "input_tokens": 3000, "cached_tokens": 1000, "output_tokens": 150}
NOTHING = {"requests": 0, "input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "cost_usd": 0.0, "by_purpose": []}


@pytest.fixture
def mapping(shop: Site, editor: User) -> Mapping:
    mapping = sites.request_map(site=shop, by=editor)
    proposals.save_drafts(mapping=mapping, drafts=[draft(name="find")])
    return mapping


def use(job: Job, purpose: str, cost: int | None) -> None:
    ModelUse.objects.create(job=job, purpose=purpose, provider="openai", model="m", cost_micros=cost, **COUNTS)


def test_a_mapping_by_rules_used_nothing(script: Program, mapping: Mapping) -> None:
    assert script.get(f"/mappings/{mapping.job.public_id}").json()["model_use"] == NOTHING


def test_a_mapping_says_what_it_used_for_what(script: Program, mapping: Mapping) -> None:
    use(mapping.job, "propose", 5000)
    use(mapping.job, "describe", 2500)
    used = script.get(f"/mappings/{mapping.job.public_id}").json()["model_use"]
    assert (used["requests"], used["input_tokens"], used["cached_tokens"], used["output_tokens"]) == (
        4,
        6000,
        2000,
        300,
    )
    assert used["cost_usd"] == 0.0075
    assert [(each["purpose"], each["model"], each["cost_usd"]) for each in used["by_purpose"]] == [
        ("propose", "m", 0.005),
        ("describe", "m", 0.0025),
    ]


def test_a_price_that_is_not_known_is_null(script: Program, mapping: Mapping) -> None:
    use(mapping.job, "propose", 5000)
    use(mapping.job, "describe", None)
    used = script.get(f"/mappings/{mapping.job.public_id}").json()["model_use"]
    assert used["cost_usd"] is None
    assert [each["cost_usd"] for each in used["by_purpose"]] == [0.005, None]


def test_a_proposal_says_what_its_last_recording_used(script: Program, mapping: Mapping, editor: User) -> None:
    path = f"/mappings/{mapping.job.public_id}/proposals"
    assert script.get(path).json()[0]["model_use"] is None
    job = Job.objects.create(
        team=mapping.job.team, kind=JobKind.RECORD, title="Record it", queue="agents", requested_by=editor
    )
    mapping.proposals.get().recordings.create(job=job)
    use(job, "record", 1000)
    assert script.get(path).json()[0]["model_use"]["cost_usd"] == 0.001
