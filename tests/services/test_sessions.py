"""Saved logins: whose they are, which state of two stands, and one job at a time."""

import pytest
from django.db import connection

from recipes_app.models import Job, Role, Session, Site, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.services import dispatch, sessions
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.django_db
CANARY = "canary-cookie-5d1e"


def state(value: str = CANARY) -> dict[str, object]:
    return {"storage": {"cookies": [{"name": "sid", "value": value}], "origins": []}, "session_storage": {}}


@pytest.fixture
def olga() -> User:
    return make_user("olga", make_team(), Role.OPERATOR)


@pytest.fixture
def site(olga: User) -> Site:
    return make_site(olga.memberships.get().team, olga)


def keep(site: Site, by: User, name: str = "", **more: object) -> Session:
    return sessions.keep_login(site=site, by=by, name=name, kept=sessions.Kept(state(), {}, **more))  # type: ignore[arg-type]


def job_of(site: Site, by: User, chosen: str = "") -> Job:
    with dispatch.staying_here(), dispatch.signed_in_as(chosen):
        return dispatch.open_job(team=site.team, by=by, kind=JobKind.CALL, title="Call", deadline_s=30)


def test_a_state_lies_sealed_and_is_lent_to_the_sites_jobs(site: Site, olga: User) -> None:
    kept = keep(site, olga)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM recipes_app_session")
        assert CANARY not in str(cursor.fetchall())
    loan = sessions.lend(job=job_of(site, olga), site=site)
    assert loan is not None
    assert (loan.name, loan.version, loan.state) == ("default", 1, state())
    assert CANARY not in repr(loan)
    kept.refresh_from_db()
    assert kept.last_used_at is not None


def test_a_job_may_go_without_or_name_another(site: Site, olga: User) -> None:
    keep(site, olga)
    keep(site, olga, "second")
    without = sessions.choose(site, without=True)
    assert sessions.lend(job=job_of(site, olga, without), site=site) is None
    named = sessions.lend(job=job_of(site, olga, sessions.choose(site, name="second")), site=site)
    assert named is not None
    assert named.name == "second"
    with pytest.raises(BadInput, match="no session third; it has default, second"):
        sessions.choose(site, name="third")


def test_a_named_session_that_was_removed_is_no_reason_to_go_without(site: Site, olga: User) -> None:
    row, job = keep(site, olga, "second"), job_of(site, olga, "second")
    sessions.remove(session=row, by=olga)
    with pytest.raises(WrongState, match="has been removed"):
        sessions.lend(job=job, site=site)


def test_of_two_jobs_that_bring_a_state_back_the_later_one_of_an_old_version_is_not_kept(
    site: Site, olga: User
) -> None:
    row = keep(site, olga)
    one, two = (sessions.lend(job=job_of(site, olga), site=site) for _ in range(2))
    assert one is not None
    assert two is not None
    assert sessions.bring_back(loan=one, state=state("newer"))
    assert not sessions.bring_back(loan=two, state=state("of the old one"))
    sessions.note_expired(loan=two)
    row.refresh_from_db()
    assert (row.state, row.version, row.status) == (state("newer"), 2, "valid")
    fresh = sessions.lend(job=job_of(site, olga), site=site)
    assert fresh is not None
    sessions.note_expired(loan=fresh)
    row.refresh_from_db()
    assert (row.version, row.status) == (2, "expired")
    assert not sessions.bring_back(loan=fresh, state=state("newer"))
    row.refresh_from_db()
    assert (row.version, row.status) == (2, "valid")


def test_an_exclusive_session_serves_one_job_at_a_time(site: Site, olga: User) -> None:
    keep(site, olga, is_exclusive=True)
    first, second = job_of(site, olga), job_of(site, olga)
    assert sessions.lend(job=first, site=site) is not None
    assert sessions.lend(job=first, site=site) is not None
    with pytest.raises(WrongState, match="one job at a time"):
        sessions.lend(job=second, site=site)
    Job.objects.filter(pk=first.pk).update(status=JobStatus.DONE)
    assert sessions.lend(job=second, site=site) is not None


def test_who_runs_nothing_on_a_site_keeps_and_removes_no_session_of_it(site: Site, olga: User) -> None:
    row = keep(site, olga)
    stranger = make_user("sam", make_team("Red"), Role.OWNER)
    viewer = make_user("vera", site.team, Role.VIEWER)
    for other in (stranger, viewer):
        with pytest.raises(NotAllowed):
            keep(site, other)
        with pytest.raises(NotAllowed):
            sessions.remove(session=row, by=other)
    row.refresh_from_db()
    assert row.version == 1
    assert not Session.objects.visible_to(stranger).exists()


def test_a_state_that_is_too_large_is_refused(site: Site, olga: User) -> None:
    row = keep(site, olga)
    large = state("x" * sessions.MOST_BYTES)
    loan = sessions.lend(job=job_of(site, olga), site=site)
    assert loan is not None
    assert not sessions.bring_back(loan=loan, state=large)
    with pytest.raises(WrongState, match="too much"):
        sessions.keep_login(site=site, by=olga, name="", kept=sessions.Kept(large, {}))
    row.refresh_from_db()
    assert row.version == 1
