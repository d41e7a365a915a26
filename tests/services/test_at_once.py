"""Two people, or two workers, at the same moment: exactly one wins. On a database where both really run at once."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from recipes_app.models import Job, Membership, Recording, Role
from recipes_app.services import calls, people, proposals, runs, sites, tokens
from recipes_app.services.errors import ServiceError
from tests.people import make_published, make_site, make_team, make_user
from tests.services.documents import search
from tests.services.test_proposals import draft

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def at_once(*works: Callable[[], object]) -> list[object]:
    """What each brought, or the ServiceError it ended with; all start together."""
    barrier = threading.Barrier(len(works))
    results: list[object] = [None] * len(works)

    def run(index: int) -> None:
        try:
            barrier.wait(timeout=10)
            results[index] = works[index]()
        except ServiceError as refusal:
            results[index] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return results


def refusals(results: list[object]) -> int:
    return sum(isinstance(result, ServiceError) for result in results)


def test_two_editors_approve_the_same_proposal_and_it_is_recorded_once() -> None:
    team = make_team()
    first, second = make_user("first", team, Role.EDITOR), make_user("second", team, Role.EDITOR)
    mapping = sites.request_map(site=make_site(team, first), by=first)
    [proposal] = proposals.save_drafts(mapping=mapping, drafts=[draft()])
    results = at_once(
        lambda: proposals.approve(proposals=[proposal], by=first),
        lambda: proposals.approve(proposals=[type(proposal).objects.get(pk=proposal.pk)], by=second),
    )
    assert refusals(results) == 1
    assert Recording.objects.count() == 1


def test_two_workers_claim_the_same_job_and_one_gets_it() -> None:
    team = make_team()
    owner = make_user("owner", team, Role.OWNER)
    job = sites.request_map(site=make_site(team, owner), by=owner).job
    claims = at_once(*[lambda name=name: runs.claim(job.pk, worker=name) for name in ("one", "two", "three")])
    assert sum(claim is not None for claim in claims) == 1
    assert Job.objects.get(pk=job.pk).fence == 1


def test_two_owners_step_down_and_the_team_keeps_one() -> None:
    team = make_team()
    owners = [make_user(name, team, Role.OWNER) for name in ("first", "second")]
    results = at_once(
        *[
            lambda user=user: people.change_role(
                membership=Membership.objects.get(user=user, team=team), role=Role.VIEWER, by=user
            )
            for user in owners
        ]
    )
    assert refusals(results) == 1
    assert Membership.objects.filter(team=team, role=Role.OWNER).count() == 1


def test_the_same_request_sent_twice_with_one_key_is_one_call() -> None:
    team = make_team()
    owner = make_user("owner", team, Role.OWNER)
    recipe = make_published(make_site(team, owner), search(), owner)
    token, _ = tokens.make_token(team=team, owner=owner, name="script", scopes=tokens.SCOPES)

    def request() -> object:
        return calls.request_call(
            recipe=recipe, arguments={"q": "pens"}, by=owner, token=token, idempotency_key="k", via="api"
        )

    results = at_once(request, request)
    assert len({getattr(result, "pk", None) for result in results}) == 1, results
    assert Job.objects.filter(kind="call").count() == 1
