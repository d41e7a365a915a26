import pytest
from pytest_django.fixtures import Settings

from recipes_app.models import AuditEntry, Job, Site
from recipes_app.services import sites
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.people import create_team
from tests.people import make_user
from tests.services.conftest import People


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("http://intranet/", "http://intranet/"),
        ("intranet:8080", "https://intranet:8080/"),
        ("localhost", "http://localhost/"),
        ("bücher.example", "https://bücher.example/"),
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
    "foo",
    "foo/path",
    "http://foo..org/",
    "https://sh,op.example.org/",
    f"https://example.org/{'x' * 500}",
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


def test_who_is_no_operator_adds_no_site(people: People) -> None:
    for person in (people.reviewer, people.viewer, people.stranger):
        with pytest.raises(NotAllowed):
            sites.create_site(team=people.team, by=person, base_url="https://example.org/")
    assert not Site.objects.exists()


def test_no_account_opens_a_private_address_but_a_superusers(people: People, site: Site) -> None:
    for person in (people.editor, people.owner):
        with pytest.raises(NotAllowed):
            sites.update_site(site=site, by=person, private_hosts=["10.0.0.5:80"])
        with pytest.raises(NotAllowed):
            sites.create_site(team=people.team, by=person, base_url="http://10.0.0.5/", private_hosts=["10.0.0.5:80"])
    sites.update_site(site=site, by=make_user("root", is_superuser=True), private_hosts=["10.0.0.5:80"])
    assert sites.policy_of(site)[1] == ["10.0.0.5:80"]


def test_owning_a_team_of_ones_own_opens_no_private_address(people: People) -> None:
    team = create_team(name="Mine", owner=people.viewer)
    site = sites.create_site(team=team, by=people.viewer, base_url="http://127.0.0.1:22/")
    with pytest.raises(NotAllowed, match="administrator"):
        sites.update_site(site=site, by=people.viewer, private_hosts=["127.0.0.1:22"])
    assert sites.policy_of(site)[1] == []


def test_an_owner_opens_one_where_the_installation_trusts_owners(
    people: People, site: Site, settings: Settings
) -> None:
    settings.OWNERS_MAY_OPEN_PRIVATE_HOSTS = True
    with pytest.raises(NotAllowed):
        sites.update_site(site=site, by=people.editor, private_hosts=["10.0.0.5:80"])
    sites.update_site(site=site, by=people.owner, private_hosts=["10.0.0.5:80"])
    assert sites.policy_of(site)[1] == ["10.0.0.5:80"]


def test_an_owner_closes_what_was_opened_and_may_list_what_is_open_for_all(
    people: People, site: Site, settings: Settings
) -> None:
    settings.ALLOWED_PRIVATE_HOSTS = ["intranet.test:80"]
    sites.update_site(site=site, by=people.owner, private_hosts=["Intranet.test:80"])
    with pytest.raises(NotAllowed):
        sites.update_site(site=site, by=people.editor, private_hosts=[])
    sites.update_site(site=site, by=people.owner, private_hosts=[])
    assert site.private_hosts == []


METADATA = ["169.254.169.254:80", "[fd00:ec2::254]:80", "metadata.google.internal:80", "0xa9fea9fe:80"]


@pytest.mark.parametrize("entry", METADATA)
def test_nobody_opens_a_clouds_metadata_service(people: People, site: Site, entry: str) -> None:
    root = make_user("root", is_superuser=True)
    with pytest.raises(BadInput, match="metadata"):
        sites.update_site(site=site, by=root, private_hosts=[entry])
    with pytest.raises(BadInput, match="metadata"):
        sites.open_at_terminal(site=site, by=root, entries=[entry])


def test_whoever_is_at_the_terminal_opens_a_private_address(people: People, site: Site) -> None:
    sites.open_at_terminal(site=site, by=people.owner, entries=["10.0.0.5:80"])
    assert "10.0.0.5:80" in sites.policy_of(site)[1]
    assert AuditEntry.objects.filter(action="site.private_opened").exists()


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


def test_a_mapping_starts_at_a_page_of_its_site(people: People, site: Site) -> None:
    site.allowed_hosts = ["*.example.net"]
    for elsewhere in ("https://other.example.org/", "//evil.test/", "https://example.net:8443/"):
        with pytest.raises(BadInput) as refused:
            sites.request_map(site=site, by=people.operator, start_url=elsewhere)
        assert list(refused.value.by_path) == ["start_url"]
    assert not Job.objects.exists()
    mapping = sites.request_map(site=site, by=people.operator, start_url="https://docs.example.net/a")
    assert mapping.start_url == "https://docs.example.net/a"


def test_the_practice_shop_is_one_site_by_button_and_by_address(people: People, settings: Settings) -> None:
    with pytest.raises(WrongState):
        sites.map_practice(team=people.team, by=people.operator)
    settings.PRACTICE_RUNS, settings.PRACTICE_PORT = True, 8765
    first = sites.map_practice(team=people.team, by=people.operator)
    assert (first.site.is_demo, first.site.base_url) == (True, "http://127.0.0.1:8765/")
    assert sites.map_practice(team=people.team, by=people.operator) == first
    with pytest.raises(NotAllowed):
        sites.map_practice(team=people.team, by=people.reviewer)
    assert sites.create_site(team=people.team, by=people.operator, base_url="localhost:8765").is_demo


def test_a_site_is_mapped_once_at_a_time(people: People, site: Site) -> None:
    sites.request_map(site=site, by=people.operator)
    with pytest.raises(WrongState):
        sites.request_map(site=site, by=people.owner)
    assert Job.objects.count() == 1


def test_a_viewer_maps_nothing(people: People, site: Site) -> None:
    with pytest.raises(NotAllowed):
        sites.request_map(site=site, by=people.viewer)


def test_a_mapping_has_limits(people: People, site: Site) -> None:
    for limits in ({"max_pages": 0}, {"max_pages": 1000}, {"max_depth": -1}, {"asking": sites.Asking("magic")}):
        with pytest.raises(BadInput):
            sites.request_map(site=site, by=people.operator, **limits)
    assert not Job.objects.exists()
