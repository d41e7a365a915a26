import pytest
from pytest_django.fixtures import Settings

from recipes_app.models import AuditEntry, Job, Site
from recipes_app.services import sites
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from tests.services.conftest import People


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("shop.example.org", "https://shop.example.org/"),
        ("HTTP://Shop.Example.org:80/a?b=1#c", "http://shop.example.org/a?b=1"),
        ("localhost:8700", "http://localhost:8700/"),
        ("10.0.0.5:8080/app", "http://10.0.0.5:8080/app"),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443/"),
    ],
)
def test_an_address_is_brought_into_one_form(given: str, kept: str) -> None:
    assert sites.normal_url(given) == kept


NO_ADDRESSES = [
    "",
    "ftp://example.org/",
    "https://",
    "/etc/passwd",
    "javascript:alert(1)",
    "http://a b.org/",
    "http://u:p@x.org/",
    "http://x.org:99999/",
]


@pytest.mark.parametrize("wrong", NO_ADDRESSES)
def test_what_is_no_address_of_a_website_is_refused(wrong: str) -> None:
    with pytest.raises(BadInput):
        sites.normal_url(wrong)


def test_a_site_gets_name_and_slug_from_its_host_and_the_second_one_another_slug(people: People) -> None:
    first = sites.create_site(team=people.team, by=people.editor, base_url="https://www.example.org/shop")
    second = sites.create_site(team=people.team, by=people.editor, base_url="https://example.org/")
    assert (first.slug, first.name) == ("example-org", "www.example.org")
    assert second.slug == "example-org-2"
    assert AuditEntry.objects.filter(action="site.created").count() == 2


def test_an_operator_and_a_stranger_add_no_site(people: People) -> None:
    for person in (people.operator, people.viewer, people.stranger):
        with pytest.raises(NotAllowed):
            sites.create_site(team=people.team, by=person, base_url="https://example.org/")
    assert not Site.objects.exists()


def test_only_an_owner_opens_a_private_address(people: People, site: Site) -> None:
    with pytest.raises(NotAllowed):
        sites.update_site(site=site, by=people.editor, private_hosts=["10.0.0.5:80"])
    sites.update_site(site=site, by=people.owner, private_hosts=["10.0.0.5:80"])
    assert sites.policy_of(site)[1] == ["10.0.0.5:80"]


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ("time_zone", "Mars/Olympus"),
        ("viewport_width", 10),
        ("allowed_hosts", ["https://x.org/"]),
        ("private_hosts", ["10.0.0.5"]),
        ("nonsense", 1),
    ],
)
def test_settings_that_make_no_sense_are_refused(people: People, site: Site, setting: str, wrong: object) -> None:
    with pytest.raises(BadInput):
        sites.update_site(site=site, by=people.owner, **{setting: wrong})


def test_a_demo_site_may_reach_the_practice_site(site: Site, settings: Settings) -> None:
    settings.PRACTICE_PORT = 8765
    assert "127.0.0.1:8765" not in sites.policy_of(site)[1]
    site.is_demo = True
    assert "127.0.0.1:8765" in sites.policy_of(site)[1]


def test_a_mapping_is_a_row_and_a_waiting_job(people: People, site: Site) -> None:
    mapping = sites.request_map(site=site, by=people.operator, max_pages=3, start_url="/products")
    assert mapping.start_url == "https://shop.example.test/products"
    assert (mapping.job.status, mapping.job.queue, mapping.job.team) == ("queued", "agents", people.team)


def test_a_site_is_mapped_once_at_a_time(people: People, site: Site) -> None:
    sites.request_map(site=site, by=people.operator)
    with pytest.raises(WrongState):
        sites.request_map(site=site, by=people.owner)
    assert Job.objects.count() == 1


def test_a_viewer_maps_nothing(people: People, site: Site) -> None:
    with pytest.raises(NotAllowed):
        sites.request_map(site=site, by=people.viewer)


def test_a_mapping_has_limits(people: People, site: Site) -> None:
    for limits in ({"max_pages": 0}, {"max_pages": 1000}, {"max_depth": -1}, {"method": "magic"}):
        with pytest.raises(BadInput):
            sites.request_map(site=site, by=people.operator, **limits)
    assert not Job.objects.exists()
