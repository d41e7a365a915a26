import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

from examples.practice import PracticeSite

CHROMIUM = os.environ.get("CHROMIUM_PATH") or shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine: set CHROMIUM_PATH")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Browser, shop: PracticeSite) -> Iterator[Page]:
    context = chromium.new_context(base_url=shop.url)
    page = context.new_page()
    page.set_default_timeout(5000)
    yield page
    context.close()


def test_cookie_banner_covers_the_page_until_a_choice_is_made(tab: Page) -> None:
    tab.goto("/")
    banner = tab.get_by_role("dialog", name="We use cookies")
    expect(banner).to_be_visible()
    covering = "document.elementFromPoint(100, 30).closest('[data-cookie-banner]') !== null"
    assert tab.evaluate(covering)
    banner.get_by_role("button", name="Reject all").click()
    expect(banner).to_have_count(0)
    tab.get_by_role("link", name="Products", exact=True).first.click()
    tab.goto("/")
    expect(tab.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("design", ["0", "1", "2"])
def test_a_suggested_city_fills_the_field(tab: Page, design: str) -> None:
    tab.goto(f"/stores?redesign={design}")
    tab.get_by_role("combobox", name="City").press_sequentially("ber")
    tab.get_by_role("option", name="Berlin").click()
    expect(tab.get_by_role("combobox")).to_have_value("Berlin")
    tab.get_by_role("button", name="Show stores").click()
    expect(tab.get_by_role("heading", name="Stores in Berlin")).to_be_visible()


def test_deleting_asks_first(tab: Page, shop: PracticeSite) -> None:
    questions: list[str] = []

    def refuse(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    tab.goto("/tickets")
    row = tab.get_by_role("row", name="#12")
    tab.once("dialog", refuse)
    row.get_by_role("button", name="Delete").click()
    assert questions == ["Delete ticket #12?"]
    assert 12 in shop.state.tickets
    tab.once("dialog", lambda dialog: dialog.accept())
    row.get_by_role("button", name="Delete").click()
    expect(tab.get_by_text("Ticket #12 deleted")).to_be_visible()
    assert 12 not in shop.state.tickets


def test_subscribing_inside_the_frame(tab: Page, shop: PracticeSite) -> None:
    tab.goto("/newsletter")
    frame = tab.frame_locator("iframe")
    frame.get_by_label("Email").fill("mia@example.com")
    frame.get_by_label("How often").select_option("monthly")
    frame.get_by_role("button", name="Subscribe").click()
    expect(frame.get_by_text("Subscribed mia@example.com")).to_be_visible()
    assert [(item.email, item.frequency) for item in shop.state.newsletter] == [("mia@example.com", "monthly")]


def test_offers_come_late(tab: Page) -> None:
    tab.goto("/late")
    expect(tab.get_by_text("Loading…")).to_be_visible()
    expect(tab.get_by_role("heading", name="Today's offers")).to_be_visible()
    expect(tab.get_by_text("Loading…")).to_have_count(0)
