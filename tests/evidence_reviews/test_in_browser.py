"""The review room in Chromium: samples are reviewed by keyboard, boxes lie on the picture, other bytes are noticed."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import monotonic
from typing import Any

import pytest
from django.urls import reverse

from evidence_app.models import Conclusion, Entry, Exhibit, Review, Shown
from recipes_app.browser.api import Page
from tests.evidence_reviews.conftest import BOX, Bench, bring, founded, picture
from tests.web.test_in_browser import looked_over

Visit = Callable[..., Any]


def test_samples_are_reviewed_by_keyboard(live_bench: Bench, visit: Visit) -> None:
    run = live_bench.run("ann", "bo", "cy")
    founded(*run.samples.all())
    last = reverse("review_exhibit", args=[run.samples.get(sample_id="cy").pk])

    def look(page: Page, url: str) -> list[Any]:
        page.goto(url + reverse("review_queue"))
        page.get_by_role("link", name="Begin").click()
        page.get_by_text("1 of 1 picture not seen at full size yet").wait_for()
        whole(page, "ann")
        page.keyboard.press("f")
        outline = page.locator("#viewer rect")
        box = [float(outline.get_attribute(name) or 0) for name in ("x", "y", "width", "height")]
        seen: list[Any] = [[box[0] + 3, box[1] + 3, box[2] - 6, box[3] - 6]]
        seen.append(page.locator("#hashed-here").inner_text())
        page.keyboard.press("1")
        page.keyboard.press("a")
        whole(page, "bo")
        page.keyboard.press("z")
        page.get_by_text("Taken back: ann waits again").wait_for()
        ready(page, "ann")
        page.keyboard.press("a")
        ready(page, "bo")
        page.keyboard.press("r")
        page.locator("#reject-dialog").get_by_label("Reason").select_option("wrong_page")
        page.locator("#reject-dialog").get_by_role("button", name="Reject").press("Enter")
        page.locator("h1", has_text="cy").wait_for()
        page.keyboard.press("k")
        seen.append(page.locator("h1").inner_text())
        page.goto(url + last)
        whole(page, "cy")
        page.keyboard.press("a")
        page.get_by_text("You have not said what it says about the control").wait_for()
        page.keyboard.press("Enter")
        page.get_by_text("That was the last here").wait_for()
        return seen

    assert visit("rita", look)[:2] == [BOX, "✓ 1 picture match"]
    states = dict(Exhibit.objects.values_list("sample__sample_id", "state"))
    assert states == {"ann": "approved", "bo": "recapture", "cy": "approved"}
    assert list(Review.objects.values_list("hashed_here", flat=True)) == [True] * 4
    assert Conclusion.objects.get().answer == "meets"
    assert Shown.objects.filter(user=live_bench.rita, how="seen").count() == 3


@pytest.mark.slow
def test_an_hour_of_a_reviewer_by_keyboard(live_bench: Bench, visit: Visit) -> None:
    """Thirty exhibits, each looked at whole, concluded on and approved; not one key of it is a pointer's."""
    names = [f"n{number:02}" for number in range(30)]
    run = live_bench.run(*names)
    founded(*run.samples.all())

    def look(page: Page, url: str) -> list[float]:
        page.goto(url + reverse("review_queue"))
        page.get_by_role("link", name="Begin").focus()
        page.keyboard.press("Enter")
        took = []
        for name in names:
            whole(page, name)
            page.keyboard.press("1")
            began = monotonic()
            page.keyboard.press("a")
            gone = page.locator("h1", has_text=name)
            gone.wait_for(state="detached")
            took.append(monotonic() - began)
        page.get_by_text("That was the last here").wait_for()
        return took

    took = visit("rita", look)
    print(f"from key to next: median {median(took):.2f} s, slowest {max(took):.2f} s")  # noqa: T201 - with pytest -s
    assert set(Exhibit.objects.values_list("state", flat=True)) == {"approved"}
    assert Conclusion.objects.filter(answer="meets").count() == Review.objects.filter(hashed_here=True).count() == 30


def whole(page: Page, name: str) -> None:
    """The first press of A shows the picture at its full size."""
    page.locator("h1", has_text=name).wait_for()
    page.keyboard.press("a")
    ready(page, name)


def ready(page: Page, name: str) -> None:
    page.locator("h1", has_text=name).wait_for()
    page.locator("#exhibit[data-ready=true]").wait_for()


def test_nothing_is_signed_while_words_are_missing(live_bench: Bench, visit: Visit) -> None:
    sample = live_bench.run().samples.get()

    def look(page: Page, url: str) -> list[Any]:
        page.goto(url + reverse("review_exhibit", args=[sample.pk]))
        whole(page, "ann")
        page.keyboard.press("2")
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        page.locator("#answer-problem").wait_for()
        page.keyboard.type("a zap")
        seen: list[Any] = [page.locator("#answer-words").input_value(), page.get_by_label("Exception").is_checked()]
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        page.get_by_text("1 value is not on the page").wait_for()
        page.locator("#approve-anyway").press("Enter")
        page.locator("#approve-problem").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        reason = page.locator("#reject-reason")
        reason.select_option("other")
        page.locator("#reject-dialog").get_by_role("button", name="Reject").press("Enter")
        seen.append(page.locator("#reject-words:invalid").count() and page.locator("#reject-dialog").is_visible())
        page.keyboard.type("No manager.")
        page.locator("#reject-dialog").get_by_role("button", name="Reject").press("Enter")
        page.get_by_text("That was the last here").wait_for()
        return seen

    assert visit("rita", look) == ["a zap", True, True]
    review = Review.objects.get()  # the only one
    assert (review.decision, review.reason_code, review.words) == ("reject", "other", "No manager.")


def test_a_browser_that_gets_other_bytes_blocks_and_tells(live_bench: Bench, visit: Visit) -> None:
    exhibit = reverse("review_exhibit", args=[live_bench.run().samples.get().pk])

    def look(page: Page, url: str) -> list[Any]:
        other = picture("somebody else")

        def between(route: Any) -> None:
            route.fetch()  # the server sends what is stored; something on the way puts other bytes in its place
            route.fulfill(body=other, content_type="image/png")

        page.route("**/evidence/files/*/", between)
        page.goto(url + exhibit)
        page.locator("#mismatch").wait_for()
        page.keyboard.press("a")
        return [page.locator("#approve").is_disabled(), page.locator("#mismatch-said").inner_text()]

    blocked, said = visit("rita", look)
    assert blocked
    assert "what came to your browser hashes to" in said
    assert Entry.objects.filter(kind="evidence.mismatch").count() == 1
    assert not Review.objects.exists()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (320, "light")])
def test_every_page_fits_and_every_control_has_a_name(live_bench: Bench, visit: Visit, width: int, scheme: Any) -> None:
    run = live_bench.run("ann", "x" * 120)
    last = live_bench.room.request("ann")
    bring(last.samples.get().attempts.get(), status="needs_review", reasons=[{"code": "x", "text": "y" * 200}])
    keys = [*run.samples.values_list("pk", flat=True), last.samples.get().pk]
    paths = [
        reverse("review_queue"), f"{reverse('review_queue')}?state=rejected", reverse("review_overview"),
        *(reverse("review_exhibit", args=[key]) for key in keys), reverse("run_detail", args=[run.public_id]),
    ]  # fmt: skip

    def look(page: Page, url: str) -> list[str]:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        return looked_over(page, url, paths)

    assert visit("rita", look) == []
