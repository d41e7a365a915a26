"""The pages of evidence in Chromium: they fit, follow what runs, show boxes, and are checked while one types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse

from evidence_app.jobs import agents
from evidence_app.models import Run
from evidence_app.services import plans, runs, schedules
from evidence_app.spec.samples import from_items
from recipes_app.browser.api import Page
from recipes_app.browser.launch import LaunchOptions, find_browser
from recipes_app.browser.thread import BrowserThread
from recipes_app.jobs import running
from tests.browser.site import LittleSite
from tests.evidence_web.conftest import Room, Scripts, ask
from tests.pilot.flying import move
from tests.web.test_in_browser import looked_over

Visit = Callable[..., Any]
LONG = "x" * 120


@pytest.fixture
def worker_browser() -> Iterator[BrowserThread]:
    """A second one, for what a worker does while the first looks at the page."""
    thread = BrowserThread(LaunchOptions(executable=find_browser()))
    thread.start()
    yield thread
    thread.stop()


def pages(room: Room, collected: Run) -> list[str]:
    draft = room.request("ann", LONG, draft=True, title=f"Draft {LONG}")
    waiting = room.request("ann", "bo", title="Waiting run")
    planned = plans.request_plan(team=room.team, by=room.operator, sentence=f"Names of everybody, {LONG}")
    failed = plans.request_plan(team=room.team, by=room.operator, sentence="Titles")
    Run.objects.filter(pk=failed.pk).update(status="failed", error={"error": "The service is away.", "kind": "x"})
    found = plans.request_discovery(version=room.version, start_url="http://127.0.0.1:1/people", by=room.operator)
    samples = from_items([{"sample_id": "ann"}])
    schedules.schedule(spec=room.task, by=room.operator, samples=samples, cron="0 6 1 * *")
    of_run = [
        reverse("run_detail", args=[run.public_id]) for run in (collected, draft, waiting, planned, failed, found)
    ]
    edit = reverse("spec_edit", args=[room.task.pk])
    names = (
        "evidence_home",
        "plan_start",
        "spec_list",
        "spec_new",
        "spec_import",
        "schedule_list",
        "schedule_new",
        "integrity",
    )
    return [
        *(reverse(name) for name in names), *of_run, edit, f"{edit}?as=json",
        reverse("spec_detail", args=[room.task.pk]), reverse("run_start", args=[room.task.pk]),
        reverse("draft_samples", args=[draft.public_id]), reverse("sample_detail", args=[collected.samples.get().pk]),
        reverse("sample_detail", args=[waiting.samples.all()[0].pk]), "/jobs/",
    ]  # fmt: skip


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (320, "light")])
def test_every_page_fits_and_every_control_has_a_name(
    live_room: Room, collected: Run, visit: Visit, width: int, scheme: Any
) -> None:
    paths = pages(live_room, collected)

    def look(page: Page, url: str) -> list[str]:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        return looked_over(page, url, paths)

    assert visit("olga", look) == []


def test_a_run_is_followed_while_its_samples_are_collected(
    live_room: Room, worker_browser: BrowserThread, people_site: LittleSite, scripted: Scripts, visit: Visit
) -> None:
    """The page that was opened before anything ran shows each end by itself, and then asks no more."""
    run = ask(live_room, people_site, "ann", "bo")
    jobs = list(runs.jobs_of(run).order_by("pk"))
    steps = {"first": ("Ann", "Engineer", jobs[0].pk), "second": ("Bo", "Director", jobs[1].pk)}

    def meanwhile(word: str) -> None:
        name, title, job = steps[word]
        scripted(move("screenshot", label="person page"), move("done", extracted={"name": name, "title": title}))
        with running.at(running.Place(running.new_name(), worker_browser)):
            agents.collect_sample(job)

    def look(page: Page, url: str, tell: Callable[[str], None]) -> list[str]:
        page.goto(url + reverse("run_detail", args=[run.public_id]))
        said = [page.locator("#live [role=status] strong").inner_text()]
        for word, sentence in (("first", "1 of 2 samples"), ("second", "2 of 2 samples ended")):
            tell(word)
            page.locator("#live [role=status] strong", has_text=sentence).wait_for()
            said.append(", ".join(page.locator("#live .samples .pill").all_inner_texts()))
        said.append(str(page.locator("#live").get_attribute("hx-get")))
        return said

    assert visit("olga", look, meanwhile) == ["0 of 2 samples", "Done, Waiting", "Done, Done", "None"]


def test_a_field_shows_its_box_on_the_picture_by_mouse_and_by_keyboard(
    live_room: Room, collected: Run, visit: Visit
) -> None:
    sample = collected.samples.get()
    box = sample.attempts.get().fields.get(path="title").box

    def look(page: Page, url: str) -> list[Any]:
        page.goto(url + reverse("sample_detail", args=[sample.pk]))
        page.locator("button.show", has_text="title").hover()
        outline = page.locator("#viewer rect")
        seen: list[Any] = [[float(outline.get_attribute(name) or 0) for name in ("x", "y", "width", "height")]]
        page.locator("button.show", has_text="name").focus()
        seen.append(page.locator("#picture-said").inner_text())
        page.get_by_role("button", name="Full size").click()
        seen.append(page.locator("#viewer svg").get_attribute("width"))
        return seen

    assert box is not None
    (x, y, width, height), *rest = visit("vic", look)
    assert rest == ["name stands in the box", "1280"]
    # The line runs around the words, not through them.
    assert x < box[0]
    assert y < box[1]
    assert x + width > box[0] + box[2]
    assert y + height > box[1] + box[3]
    assert max(width - box[2], height - box[3]) < 20


def test_a_task_is_checked_while_it_is_typed(live_room: Room, visit: Visit) -> None:
    def look(page: Page, url: str) -> list[str]:
        page.goto(url + reverse("spec_edit", args=[live_room.task.pk]))
        page.get_by_label("Fields that must be there").fill("nam")
        problem = page.locator("#problem-required_fields .errorlist")
        problem.wait_for()
        said = [problem.inner_text()]
        page.get_by_label("Fields that must be there").fill("name")
        page.get_by_text("This is a task that can be run.").wait_for()
        page.get_by_label("Goal").fill("Another goal.")
        page.get_by_role("button", name="Save as a new version").click()
        page.get_by_text("stands as version 2").wait_for()
        return said

    assert "required_fields[0]" in visit("ed", look)[0]


def test_a_run_says_its_samples_and_cost_before_it_is_started(live_room: Room, visit: Visit) -> None:
    def look(page: Page, url: str) -> str:
        page.goto(url + reverse("run_start", args=[live_room.task.pk]))
        page.get_by_label("Or paste the rows").fill(
            "sample_id,url\nann,http://127.0.0.1:1/a\nbo,http://127.0.0.1:1/b\n"
        )
        page.locator("#preview strong", has_text="2 samples").wait_for()
        said = page.locator("#preview [data-cost]").inner_text()
        page.get_by_role("button", name="Start the run").click()
        page.locator("#live [role=status] strong", has_text="0 of 2 samples").wait_for()
        return said

    assert "tokens" in visit("otto", look)
    assert Run.objects.get().samples.count() == 2


def test_rows_of_a_draft_are_taken_out_and_added(live_room: Room, visit: Visit) -> None:
    run = live_room.request("ann", "bo", draft=True)

    def look(page: Page, url: str) -> None:
        page.goto(url + reverse("draft_samples", args=[run.public_id]))
        page.get_by_role("button", name="Take out row 2").click()
        page.get_by_role("button", name="Add a row").click()
        page.keyboard.type("cy")
        page.get_by_role("button", name="Save the samples").click()
        page.get_by_text("2 samples now").wait_for()

    visit("otto", look)
    assert list(run.samples.values_list("sample_id", flat=True)) == ["ann", "cy"]
