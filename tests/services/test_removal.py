"""Taking data out again: all of what was asked for, and nothing else."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from pytest_django import DjangoCaptureOnCommitCallbacks

from recipes_app.models import AuditEntry, Call, Job, JobPicture, Proposal, Recipe, Role, Site, Team, User
from recipes_app.services import calls, proposals, removal, runs, sites
from recipes_app.services.errors import LostLease, NotAllowed, WrongState
from tests.people import make_published, make_site, make_team, make_user
from tests.services.conftest import People
from tests.services.documents import search
from tests.services.test_proposals import draft


def fill(site: Site, by: User) -> JobPicture:
    """One of everything a site can have; returns its picture."""
    mapping = sites.request_map(site=site, by=by)
    proposals.approve(proposals=proposals.save_drafts(mapping=mapping, drafts=[draft()]), by=by)
    calls.request_call(recipe=make_published(site, search(), by), arguments={"q": "pens"}, by=by)
    Job.objects.update(status="done")
    stored = default_storage.save("pictures/one.png", ContentFile(b"a picture"))
    return JobPicture.objects.create(job=mapping.job, label="a page", file=stored, sha256="0" * 64)


@pytest.fixture
def demo(db: None) -> Site:
    team = make_team("Demo")
    admin = make_user("admin", team, Role.OWNER)
    User.objects.filter(pk=admin.pk).update(email=f"admin@{removal.DEMO_DOMAIN}")
    site = make_site(team, admin, slug="practice")
    site.is_demo = True
    site.save()
    return site


def test_a_removed_site_takes_its_tools_calls_jobs_and_pictures_along_and_leaves_the_others(
    people: People, site: Site, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    other = make_site(people.team, people.owner, slug="other")
    sites.request_map(site=other, by=people.owner)
    picture = fill(site, people.owner)
    with django_capture_on_commit_callbacks(execute=True):
        removal.remove_site(site=site)
    assert (Site.objects.get(), Job.objects.count()) == (other, 1)
    assert not Recipe.objects.exists()
    assert not Call.objects.exists()
    assert not Proposal.objects.exists()
    assert not default_storage.exists(str(picture.file.name))
    assert AuditEntry.objects.filter(action="site.removed", subject="site shop").exists()


def test_a_picture_that_another_site_shows_too_is_kept(
    people: People, site: Site, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    picture = fill(site, people.owner)
    elsewhere = sites.request_map(site=make_site(people.team, people.owner, slug="other"), by=people.owner)
    JobPicture.objects.create(job=elsewhere.job, label="the same", file=picture.file.name, sha256="0" * 64)
    with django_capture_on_commit_callbacks(execute=True):
        removal.remove_site(site=site)
    assert default_storage.exists(str(picture.file.name))


def test_a_site_with_a_running_job_is_not_removed(people: People, site: Site) -> None:
    job = sites.request_map(site=site, by=people.owner).job
    assert runs.claim(job.pk, worker="w")
    with pytest.raises(WrongState, match="has jobs that run or wait"):
        removal.remove_site(site=site)
    assert Site.objects.filter(pk=site.pk).exists()


def test_removing_the_demo_takes_its_team_and_people_and_leaves_other_teams(people: People, demo: Site) -> None:
    fill(demo, demo.created_by)
    before = Team.objects.count()
    assert removal.remove_demo() == 1
    assert Team.objects.count() == before - 1
    assert not User.objects.filter(username="admin").exists()
    assert not Job.objects.exists()
    assert User.objects.filter(username="owner").exists()


def test_a_demo_account_that_was_used_elsewhere_is_kept_but_switched_off(people: People, demo: Site) -> None:
    admin = demo.created_by
    make_site(people.team, admin, slug="made-by-admin")
    removal.remove_demo()
    admin.refresh_from_db()
    assert not admin.is_active
    assert Site.objects.get(slug="made-by-admin").created_by == admin


def test_a_demo_site_among_real_ones_goes_alone(people: People, site: Site, demo: Site) -> None:
    Site.objects.filter(pk=demo.pk).update(team=people.team)
    removal.remove_demo()
    assert list(Site.objects.values_list("slug", flat=True)) == ["shop"]
    assert Team.objects.filter(pk=people.team.pk).exists()


def test_the_practice_shop_of_a_team_of_people_is_theirs(people: People) -> None:
    mine = make_site(people.team, people.owner, slug="practice")
    Site.objects.filter(pk=mine.pk).update(is_demo=True)
    assert removal.remove_demo() == 0
    assert list(people.team.sites.all()) == [mine]


def test_an_owner_removes_a_site_with_its_running_job_which_its_worker_finds_out(people: People, site: Site) -> None:
    job = sites.request_map(site=site, by=people.owner).job
    claim = runs.claim(job.pk, worker="w")
    assert claim
    for person in (people.editor, people.stranger):
        with pytest.raises(NotAllowed):
            removal.remove_site(site=site, by=person, stop=True)
    assert removal.what_goes(site)["running"] == 1
    removal.remove_site(site=site, by=people.owner, stop=True)
    with pytest.raises(LostLease):
        claim.progress("crawl", 1)
    entry = AuditEntry.objects.get(action="site.removed")
    assert (entry.actor, entry.detail["cancelled"]) == (people.owner, 1)


def test_reset_removes_nothing_without_a_yes(people: People, demo: Site, site: Site) -> None:
    for arguments in ([], ["--site", "shop"]):
        with pytest.raises(CommandError, match="Nothing was removed"):
            call_command("reset", *arguments)
    assert Site.objects.count() == 2


def test_reset_of_a_site_needs_its_name_and_its_team_where_two_have_it(people: People, site: Site) -> None:
    with pytest.raises(CommandError, match=r"There is no site shoop; known: shop\."):
        call_command("reset", "--site", "shoop", "--yes")
    red = make_team("Crimson")
    make_site(red, people.owner, slug="shop")
    with pytest.raises(CommandError, match=r"--team; known: blue, crimson\."):
        call_command("reset", "--site", "shop", "--yes")
    call_command("reset", "--site", "shop", "--team", "crimson", "--yes")
    assert Site.objects.get().team == people.team
