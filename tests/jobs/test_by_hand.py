"""A person opens a remote browser in the page, clicks and types in its picture, and gets a tool that works alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.test import Client

from agentify_site.runtime.ports import first_free
from examples.practice.server import PracticeSite
from recipes_app.browser.api import Error, Page
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.models import Job, Proposal, RemoteBrowser, Role, Session, Site, User
from recipes_app.models.job import JobStatus
from recipes_app.models.proposal import ProposalOrigin, ProposalStatus
from recipes_app.services import remotes
from tests.conftest import loopback_policy
from tests.jobs.processes import Processes, kill_hard, until
from tests.jobs.redis_server import RedisServer
from tests.people import make_site, make_team, make_user

pytestmark = pytest.mark.slow

Drive = Callable[[str, Callable[["Hand"], Any]], Any]


class Hand:
    """A person: one page of Agentify to look at, and the knowledge where things stand on the site's pages."""

    def __init__(self, page: Page, url: str, beside: Page, site_url: str) -> None:
        self.page, self.url, self.beside, self.site_url = page, url, beside, site_url

    def open(self, remote_pk: int) -> None:
        self.page.goto(f"{self.url}/remote/{remote_pk}/")
        self.page.locator("#picture:not([hidden])").wait_for(timeout=30_000)

    def begin(self, site_pk: int, path: str) -> None:
        self.page.goto(f"{self.url}/sites/{site_pk}/")
        self.page.get_by_role("link", name="Record by hand").click()
        self.page.get_by_label("Start at").fill(path)
        self.page.get_by_role("button", name="Open the browser").click()
        self.page.locator("#picture:not([hidden])").wait_for(timeout=30_000)
        self.beside.goto(self.site_url + path)

    def steps(self) -> list[str]:
        return self.page.locator(".taped .what > span:first-child").all_inner_texts()

    def wait_for_step(self, words: str) -> None:
        self.page.locator(".taped", has_text=words).wait_for(timeout=15_000)

    def click(self, role: str, name: str, within: str = "", frame: str = "") -> None:
        """In the picture, at the place where the site's own page has it."""
        scope: Any = self.beside.frame_locator(frame) if frame else self.beside
        if within:
            scope = scope.get_by_role("row").filter(has_text=within)
        box = scope.get_by_role(role, name=name, exact=True).first.bounding_box()
        assert box is not None
        self.press_at(box["x"] + min(box["width"] / 2, 30), box["y"] + box["height"] / 2)

    def press_at(self, x: float, y: float) -> None:
        self.page.locator("#picture").scroll_into_view_if_needed()
        shown = self.page.locator("#picture").bounding_box()
        size = self.page.locator("#picture").evaluate("(e) => [e.naturalWidth, e.naturalHeight]")
        assert shown is not None
        at_x = shown["x"] + x * shown["width"] / size[0]
        at_y = shown["y"] + y * shown["height"] / size[1]
        self.page.mouse.click(at_x, at_y, delay=40)

    def fill(self, role: str, name: str, text: str, frame: str = "") -> None:
        self.click(role, name, frame=frame)
        self.page.keyboard.type(text, delay=15)

    def take(self, label: str) -> None:
        """What is offered beside the picture instead of a list that Chromium draws itself."""
        self.page.locator("#offer-list").wait_for()
        self.page.locator("#offer-list").select_option(label=label)
        self.page.get_by_role("button", name="Take it").click()
        self.page.locator("#offer").wait_for(state="hidden")

    def finish(self, name: str) -> None:
        self.page.get_by_label("Name of the tool").fill(name)
        self.page.get_by_role("button", name="Finish").click()
        self.page.wait_for_url("**/board/**", timeout=30_000)

    def approve(self) -> None:
        self.page.get_by_role("button", name="Approve", exact=True).click()
        self.page.get_by_role("link", name="Look at the tool and publish it").wait_for(timeout=60_000)
        self.page.get_by_role("link", name="Look at the tool and publish it").click()
        self.page.get_by_role("button", name="Publish").first.click()


def answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=20) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture
def shop(processes: Processes, practice: PracticeSite) -> Site:
    team = make_team("Blue")
    olga = make_user("olga", team, Role.OWNER)
    make_user("otto", team, Role.OPERATOR)
    make_user("vic", team, Role.VIEWER)
    make_user("sam", make_team("Green"), Role.OWNER)
    return make_site(team, olga, base_url=f"{practice.url}/")


@pytest.fixture
def drive(processes: Processes, browser: BrowserThread, practice: PracticeSite, shop: Site) -> Drive:
    """`drive("olga", do)` runs `do(hand)` in Chromium, signed in, beside a web process and a worker."""
    port = first_free(8790)
    url = f"http://127.0.0.1:{port}"
    processes.start("runserver", "--noreload", f"127.0.0.1:{port}")
    processes.start("upkeep")
    until(lambda: answers(f"{url}/login/"), processes)

    def run(name: str, do: Callable[[Hand], Any]) -> Any:
        client = Client()
        client.force_login(User.objects.get(username=name))
        cookie: Any = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}

        def on_desk(desk: Desk) -> Any:
            ours, theirs = (ContextOptions(policy=loopback_policy(each)) for each in (url, practice.url))
            with desk.session(ours) as session, desk.session(theirs) as site:
                session.context.add_cookies([cookie])
                try:
                    return do(Hand(session.page, url, site.page, practice.url))
                except Error as error:
                    raise AssertionError(f"{error}\n{session.page.inner_text('body')}") from error

        try:
            return browser.call(on_desk, deadline_s=150)
        except Exception as error:
            raise AssertionError(f"{error}\n{processes.logs()}") from error

    return run


def test_a_search_with_a_filter_is_shown_once_and_called_with_other_words(
    processes: Processes, drive: Drive, shop: Site
) -> None:
    processes.start("worker", "agents")
    processes.start("worker", "calls")

    def show(hand: Hand) -> list[str]:
        hand.begin(shop.pk, "/products")
        hand.fill("searchbox", "Search products", "lamp")
        hand.wait_for_step("into the Search products")
        hand.click("combobox", "Category")
        hand.take("Lighting")
        hand.wait_for_step("in the Category list")
        hand.click("button", "Find")
        hand.wait_for_step("Click the Find button")
        hand.page.get_by_label("Name of the parameter of step 2").fill("words")
        hand.page.get_by_role("button", name="Rename").first.click()
        hand.wait_for_step("{{words}}")
        said = hand.steps()
        hand.finish("find_products")
        hand.approve()
        hand.page.get_by_label("words").fill("desk")
        hand.page.get_by_label("category").select_option("Desks")
        hand.page.get_by_role("button", name="Call", exact=True).click()
        hand.page.get_by_text("Oak Writing Desk").first.wait_for(timeout=30_000)
        return [*said, hand.page.locator("main").inner_text()]

    *said, result = drive("olga", show)
    assert said[1:4] == [
        "Type {{words}} into the Search products search field",
        "Select {{category}} in the Category list",
        "Click the Find button",
    ]
    assert "Oak Writing Desk" in result
    proposal = Proposal.objects.get(name="find_products")
    assert (proposal.origin, proposal.side_effect, proposal.status) == (
        ProposalOrigin.HAND, "read", ProposalStatus.RECORDED,
    )  # fmt: skip
    assert proposal.examples == {"words": "lamp", "category": "Lighting"}


def test_what_a_form_sends_is_a_tool_that_writes(
    processes: Processes, drive: Drive, shop: Site, practice: PracticeSite
) -> None:
    processes.start("worker", "agents")

    def show(hand: Hand) -> None:
        hand.begin(shop.pk, "/newsletter")
        hand.fill("textbox", "Email", "ada@example.org", frame="iframe")
        hand.wait_for_step("Type {{email}}")
        hand.click("combobox", "How often", frame="iframe")
        hand.take("Monthly")
        hand.wait_for_step("Select")
        hand.click("button", "Subscribe", frame="iframe")
        hand.wait_for_step("sent POST")
        hand.page.get_by_label("Name of the parameter of step 2").fill("reader")
        hand.page.keyboard.press("Tab")  # nobody presses Rename
        hand.wait_for_step("Type {{reader}}")
        hand.finish("subscribe")
        hand.approve()

    drive("olga", show)
    proposal = Proposal.objects.get(name="subscribe")
    assert proposal.side_effect == "write"
    assert proposal.steps[1]["target"]["frames"] == [{"title": "Newsletter subscription", "src": "/newsletter/frame"}]
    assert [each.email for each in practice.state.newsletter] == ["ada@example.org", "other.ada@example.org"]


def test_a_row_is_a_parameter_and_a_question_is_answered(
    processes: Processes, drive: Drive, shop: Site, practice: PracticeSite
) -> None:
    processes.start("worker", "agents")

    def show(hand: Hand) -> str:
        hand.begin(shop.pk, "/tickets")
        hand.click("button", "Delete", within="Wrong colour of notebook")
        hand.page.get_by_text("The page says: Delete ticket #4?").wait_for()
        hand.page.get_by_role("button", name="OK").click()
        hand.wait_for_step("sent POST")
        hand.finish("delete_ticket")
        return str(hand.page.locator("#proposal-name").inner_text())

    assert drive("olga", show) == "delete_ticket"
    proposal = Proposal.objects.get(name="delete_ticket")
    assert (proposal.side_effect, proposal.dry_run, proposal.examples) == (
        "destructive", True, {"subject": "Wrong colour of notebook"},
    )  # fmt: skip
    step = proposal.steps[1]
    assert step["target"]["within"] == {"role": "row", "text": "{{subject}}"}
    assert step["expect"]["dialog"] == {"type": "confirm", "message": "Delete ticket *", "answer": "accept"}
    assert 4 not in practice.state.tickets
    assert len(practice.state.tickets) > 1


def test_a_password_is_a_parameter_and_stands_nowhere_in_clear(
    processes: Processes, drive: Drive, shop: Site, migrated_file: Any
) -> None:
    processes.start("worker", "agents")
    canary = "Canary-7731-secret"

    def show(hand: Hand) -> list[str]:
        hand.begin(shop.pk, "/login")
        hand.fill("textbox", "Username", "demo")
        box = hand.beside.get_by_label("Password", exact=True).bounding_box()
        assert box is not None
        hand.press_at(box["x"] + 20, box["y"] + 10)
        hand.page.keyboard.type(canary, delay=10)
        hand.wait_for_step("{{password}}")
        return [*hand.steps(), hand.page.content()]

    *said, content = drive("olga", show)
    remote = RemoteBrowser.objects.get()
    assert remotes.taped(remote).parameters["properties"]["password"]["format"] == "password"
    assert canary not in content
    assert canary not in "".join(said)
    database = processes.env["DATABASE_URL"].removeprefix("sqlite:///")
    written = b"".join(path.read_bytes() for path in (Path(database), Path(f"{database}-wal")) if path.exists())
    assert canary.encode() not in written
    assert canary not in processes.logs()


def test_what_was_recorded_survives_its_worker_and_becomes_a_tool_without_it(
    processes: Processes, drive: Drive, shop: Site
) -> None:
    worker = processes.start("worker", "agents")

    def begin(hand: Hand) -> None:
        hand.begin(shop.pk, "/products")
        hand.fill("searchbox", "Search products", "lamp")
        hand.wait_for_step("into the Search products")
        kill_hard(worker)
        hand.page.get_by_text("The worker was lost").wait_for(timeout=30_000)
        assert len(hand.steps()) == 2
        hand.finish("typed_only")

    drive("olga", begin)
    assert Job.objects.get(kind="remote").status == JobStatus.INTERRUPTED
    proposal = Proposal.objects.get(name="typed_only")
    assert [step["op"] for step in proposal.steps] == ["goto", "type"]


def test_the_team_watches_and_only_one_drives(processes: Processes, drive: Drive, shop: Site) -> None:
    processes.start("worker", "agents")
    drive("olga", lambda hand: hand.begin(shop.pk, "/products"))
    remote = RemoteBrowser.objects.get()

    def watch(hand: Hand) -> tuple[str, int]:
        hand.open(remote.pk)
        answer = hand.page.request.post(f"{hand.url}/remote/{remote.pk}/input/", data={"events": [{"kind": "back"}]})
        return hand.page.locator("#stage").inner_text(), answer.status

    said, status = drive("vic", watch)
    assert "You may watch" in said
    assert status == 403

    def strange(hand: Hand) -> list[int]:
        paths = ("", "live/", "picture/")
        return [hand.page.request.get(f"{hand.url}/remote/{remote.pk}/{path}").status for path in paths]

    assert drive("sam", strange) == [404, 404, 404]

    def second(hand: Hand) -> str:
        hand.open(remote.pk)
        hand.page.get_by_text("olga drives it; you watch.").wait_for()
        hand.page.get_by_role("button", name="Drive it here").click()
        return str(hand.page.locator("#said", has_text="Somebody else drives").inner_text())

    def take(hand: Hand) -> None:
        hand.open(remote.pk)
        hand.page.get_by_role("button", name="Drive it here").click()
        hand.page.get_by_text("You drive it.").wait_for()

    drive("olga", take)
    assert "Somebody else" in drive("otto", second)


def test_somebody_signs_in_themselves_and_what_they_typed_is_nowhere(
    processes: Processes, drive: Drive, shop: Site, practice: PracticeSite, redis: RedisServer
) -> None:
    processes.start("worker", "agents")

    def do(hand: Hand) -> None:
        hand.page.goto(f"{hand.url}/sites/{shop.pk}/sign-in/")
        hand.page.get_by_role("button", name="Open the browser").click()
        hand.page.locator("#picture:not([hidden])").wait_for(timeout=30_000)
        address = f"{practice.url}/login"
        hand.page.get_by_label("Address in the remote browser").fill(address)
        hand.page.keyboard.press("Enter")
        hand.beside.goto(address)
        hand.page.wait_for_function("(url) => document.getElementById('url').value === url", arg=address)
        hand.click("textbox", "Username")
        hand.page.keyboard.type("anna", delay=15)
        hand.page.keyboard.press("Tab")
        hand.page.keyboard.type("secret-anna", delay=15)
        hand.page.keyboard.press("Enter")
        account = f"{practice.url}/account"
        hand.page.wait_for_function("(url) => document.getElementById('url').value === url", arg=account)
        hand.page.get_by_role("button", name="I am signed in").click()
        hand.page.get_by_text("Signed in. Tools and evidence").wait_for(timeout=30_000)

    drive("otto", do)
    session = Session.objects.get()
    assert (session.name, session.status, session.created_by.username) == ("default", "valid", "otto")
    assert session.probe["signs_out"] == "Log out"
    remote = RemoteBrowser.objects.get()
    assert (remote.sealed, remote.job.status) == ({}, "done")
    client = redis.client()
    lies = [repr(client.dump(key)) for key in client.keys("*")] + [processes.logs(), str(remote.job.__dict__)]
    assert not [each for each in lies if "secret-anna" in each]
