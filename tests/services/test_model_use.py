"""What models cost is kept by job, purpose and model, by whoever holds the job, and summed honestly."""

from dataclasses import replace

import pytest

from recipes_app.llm.base import Usage, Used
from recipes_app.models import Job, Mapping, Membership, ModelUse, Role, User
from recipes_app.services import model_use, runs
from recipes_app.services.errors import LostLease
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.django_db

ONCE = Used("propose", "anthropic", "claude-haiku-4-5", Usage(1, 1000, 200, 50, 1250))


@pytest.fixture
def owner() -> User:
    return make_user("olga", make_team(), Role.OWNER)


@pytest.fixture
def job(owner: User) -> Job:
    team = Membership.objects.get(user=owner).team
    return Job.objects.create(team=team, requested_by=owner, kind="map", title="Map it", queue="agents")


def held(job: Job) -> runs.Claim:
    claim = runs.claim(job.pk, "here")
    assert claim is not None
    return claim


def test_requests_of_one_purpose_and_model_are_one_row(job: Job) -> None:
    tab = model_use.Tab(held(job))
    for used in (ONCE, ONCE, replace(ONCE, purpose="pilot"), replace(ONCE, model="other")):
        tab.put(used)
    tab.write()
    tab.write()
    rows = list(ModelUse.objects.values_list("purpose", "model", "requests", "input_tokens", "cost_micros"))
    assert rows == [
        ("propose", "claude-haiku-4-5", 2, 2000, 2500),
        ("pilot", "claude-haiku-4-5", 1, 1000, 1250),
        ("propose", "other", 1, 1000, 1250),
    ]
    total = model_use.of_job(job)
    assert (total.requests, total.tokens, total.cached_tokens, total.dollars) == (4, 4200, 800, 0.005)


def test_what_has_no_price_makes_the_sum_unknown(job: Job) -> None:
    claim = held(job)
    unpriced = replace(ONCE, usage=replace(ONCE.usage, cost_micros=None))
    for used in (ONCE, unpriced, ONCE):
        model_use.note_use(claim=claim, used=used)
    assert ModelUse.objects.get().cost_micros is None
    assert model_use.of_job(job).dollars is None
    assert model_use.of_job(job).requests == 3


def test_a_job_that_is_no_longer_held_is_not_written_to(job: Job) -> None:
    claim = held(job)
    Job.objects.filter(pk=job.pk).update(fence=claim.fence + 1)
    with pytest.raises(LostLease):
        model_use.note_use(claim=claim, used=ONCE)
    assert not ModelUse.objects.exists()


def test_a_mapping_is_summed_with_the_recordings_of_its_proposals(job: Job, owner: User) -> None:
    site = make_site(job.team, owner)
    mapping = Mapping.objects.create(job=job, site=site, start_url=site.base_url)
    proposal = mapping.proposals.create(site=site, name="search", description="Search.", kind="search")
    recording = Job.objects.create(team=job.team, requested_by=owner, kind="record", title="Record", queue="agents")
    proposal.recordings.create(job=recording)
    for each in (job, recording):
        model_use.note_use(claim=held(each), used=ONCE)
    assert model_use.of_job(job).requests == 1
    assert model_use.of_mapping(mapping).requests == 2
