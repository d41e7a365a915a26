"""Mapping the practice site as a job: pages appear while it runs, proposals at its end."""

from pathlib import Path

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.events import Event, Picture
from recipes_app.jobs import agents, inline, running
from recipes_app.mapping.crawl import PageSeen
from recipes_app.models import Call, Job, JobPicture, Mapping, Proposal, Site, SurveyPage, User
from recipes_app.models.job import JobStatus
from recipes_app.services import dispatch, runs, sites


def test_mapping_shows_pages_as_they_are_seen_and_proposes_tools(
    place: running.Place, site: Site, owner: User, media: Path
) -> None:
    mapping = sites.request_map(site=site, by=owner, max_pages=4)
    seen: list[int] = []
    place.said = lambda event: seen.append(SurveyPage.objects.count()) if isinstance(event, PageSeen) else None
    agents.map_site(mapping.job.pk)
    mapping.job.refresh_from_db()
    assert (mapping.job.status, mapping.job.error) == ("done", None)
    assert seen == [1, 2, 3, 4]
    assert all(page.picture and page.counts["elements"] for page in mapping.pages.all())
    names = set(Proposal.objects.values_list("name", flat=True))
    assert {"add_to_cart", "list_featured_products"} <= names
    proposal = Proposal.objects.get(name="add_to_cart")
    assert proposal.page is not None
    assert proposal.picture == proposal.page.picture
    assert proposal.box is None or len(proposal.box) == 4


def test_every_picture_is_a_file_with_the_hash_in_its_row(
    place: running.Place, site: Site, owner: User, media: Path
) -> None:
    agents.map_site(sites.request_map(site=site, by=owner, max_pages=2).job.pk)
    files = {path.stem for path in media.rglob("*.png")}
    assert files == set(JobPicture.objects.values_list("sha256", flat=True))
    assert len(files) == 2


def test_a_site_that_is_not_there_fails_with_the_reason(
    place: running.Place, site: Site, owner: User, practice: PracticeSite
) -> None:
    Site.objects.update(base_url="http://127.0.0.1:9/", private_hosts=["127.0.0.1:9"])
    site.refresh_from_db()
    mapping = sites.request_map(site=site, by=owner)
    agents.map_site(mapping.job.pk)
    mapping.job.refresh_from_db()
    assert (mapping.job.status, (mapping.job.error or {})["kind"]) == ("failed", "navigation")
    assert "127.0.0.1:9" in mapping.job.error_text
    mapping.refresh_from_db()
    assert mapping.skipped


def test_a_site_on_a_private_address_names_the_policy(place: running.Place, site: Site, owner: User) -> None:
    Site.objects.update(private_hosts=[])
    site.refresh_from_db()
    mapping = sites.request_map(site=site, by=owner)
    agents.map_site(mapping.job.pk)
    mapping.job.refresh_from_db()
    assert (mapping.job.error or {})["kind"] == "blocked_by_policy"


def test_a_mapping_that_is_run_again_starts_over(place: running.Place, site: Site, owner: User) -> None:
    mapping = sites.request_map(site=site, by=owner, max_pages=2)
    claim = runs.claim(mapping.job.pk, "lost")
    assert claim is not None
    SurveyPage.objects.create(mapping=mapping, url="http://old.example.test/")
    assert claim.give_back("The worker was lost") == JobStatus.QUEUED
    agents.map_site(mapping.job.pk)
    assert not mapping.pages.filter(url__startswith="http://old.").exists()
    assert mapping.pages.count() == 2


def test_the_command_line_runs_a_job_in_its_own_process(site: Site, owner: User, place: running.Place) -> None:
    events: list[Event] = []
    with dispatch.staying_here():
        mapping = sites.request_map(site=site, by=owner, max_pages=1)
    here = running.Place("terminal", place.browser, said=events.append)
    job = inline.run_with(here, mapping.job)
    assert (job.status, job.worker) == ("done", "terminal")
    assert any(isinstance(event, PageSeen) for event in events)
    assert Mapping.objects.get().pages.count() == 1
    assert not Call.objects.exists()
    assert Job.objects.count() == 1


@pytest.mark.slow
def test_the_command_line_starts_and_ends_a_browser_of_its_own(site: Site, owner: User) -> None:
    with dispatch.staying_here():
        mapping = sites.request_map(site=site, by=owner, max_pages=1)
    assert inline.run_inline(mapping.job).status == "done"


def test_pictures_of_a_try_that_was_lost_leave_no_files(
    place: running.Place, site: Site, owner: User, media: Path
) -> None:
    mapping = sites.request_map(site=site, by=owner, max_pages=1)
    claim = runs.claim(mapping.job.pk, "lost")
    assert claim is not None
    claim.picture(Picture("page", b"of the first try"))
    claim.give_back("The worker was lost")
    agents.map_site(mapping.job.pk)
    assert len([path for path in media.rglob("*") if path.is_file()]) == JobPicture.objects.count() == 1
