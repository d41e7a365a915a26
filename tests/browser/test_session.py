from collections.abc import Callable
from typing import Any

from recipes_app.browser.dialogs import AllowDialog
from recipes_app.browser.session import BrowserSession
from tests.browser.site import LittleSite

OnPage = Callable[..., Any]
ASK = "<button onclick=\"document.title = String(confirm('Delete  ticket 4?'))\">Delete</button>"


def press(session: BrowserSession) -> str:
    session.page.get_by_role("button").click()
    return session.page.title()


def test_a_dialog_nobody_allowed_is_dismissed_and_logged(on_page: OnPage) -> None:
    def work(session: BrowserSession) -> tuple[str, object]:
        return press(session), session.dialogs.log

    said, log = on_page(ASK, work)
    assert said == "false"
    assert [(seen.type, seen.message, seen.allowed) for seen in log] == [("confirm", "Delete  ticket 4?", False)]


def test_a_rule_accepts_the_dialog_it_speaks_of_and_no_other(on_page: OnPage) -> None:
    def work(session: BrowserSession) -> list[str]:
        said = []
        for rule in [
            AllowDialog("confirm", "Delete ticket 4?"),
            AllowDialog(message="Delete ticket *?"),
            AllowDialog("confirm"),
            AllowDialog("alert"),
            AllowDialog("confirm", "Delete"),
            AllowDialog("confirm", "Close ticket 4?"),
            AllowDialog("confirm", answer="dismiss"),
        ]:
            with session.dialogs.allowing(rule):
                said.append(press(session))
        return [*said, press(session)]

    assert on_page(ASK, work) == ["true"] * 3 + ["false"] * 5


def test_a_prompt_is_answered_with_the_rules_text_or_its_own(on_page: OnPage) -> None:
    html = "<button onclick=\"document.title = String(prompt('Name?', 'Ann'))\">Ask</button>"

    def work(session: BrowserSession) -> list[str]:
        said = [press(session)]
        session.allow_dialog(AllowDialog("prompt"))
        said.append(press(session))
        session.allow_dialog(AllowDialog("prompt", text="Bob"))
        return [*said, press(session)]

    assert on_page(html, work) == ["null", "Ann", "Bob"]


def test_popups_are_known_by_their_opener_and_their_dialogs_are_held_too(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/second"] = f'<title>Second</title><a target=_blank href="/third">On</a>{ASK}'
    site.pages["/third"] = "<title>Third</title>"

    def work(session: BrowserSession) -> list[object]:
        session.page.get_by_text("On").click()
        second = session.wait_for_page(1)
        assert second is not None
        second.get_by_text("On").click()
        third = session.wait_for_page(2)
        assert third is not None
        second.get_by_role("button").click()
        told: list[object] = [
            second.title(),
            session.opener_of(second) is session.main,
            session.opener_of(third) is second,
        ]
        session.switch_to(third)
        told.append(session.page is third)
        third.close()
        told.append(session.page is second)
        second.close()
        return [*told, session.page is session.main, len(session.pages), len(session.opened)]

    assert on_page('<a target=_blank href="/second">On</a>', work) == ["false", True, True, True, True, True, 1, 3]


def test_no_popup_is_no_page(on_page: OnPage) -> None:
    assert on_page("<p>Alone</p>", lambda session: session.wait_for_page(1, timeout_ms=60)) is None


def test_a_download_is_caught_from_a_link_and_from_an_address(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/report"] = (200, {"Content-Disposition": 'attachment; filename="report.csv"'}, b"a,b\n1,2\n")

    def work(session: BrowserSession) -> list[object]:
        session.page.get_by_text("Get").click()
        first = session.wait_for_download(0)
        arrival = session.goto(site.url + "/report")
        second = session.downloads[1]
        assert first is not None
        return [first.suggested_filename, first.path().read_bytes(), arrival.download, arrival.status, second.url]

    told = on_page('<a href="/report">Get</a>', work)
    assert told == ["report.csv", b"a,b\n1,2\n", True, None, site.url + "/report"]


def test_media_can_be_left_out(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/a.png"] = (200, {"Content-Type": "image/png"}, b"\x89PNG")

    def work(session: BrowserSession) -> None:
        session.page.wait_for_load_state("load")

    on_page('<img src="/a.png">', work, block_media=True)
    assert "/a.png" not in site.requests
    on_page('<img src="/a.png?1">', work)
    assert "/a.png" in site.requests


def test_the_browser_speaks_the_language_and_the_time_it_was_told(on_page: OnPage) -> None:
    look = "[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, navigator.userAgent]"
    told = on_page(
        "<p>Hi</p>",
        lambda session: session.page.evaluate(look),
        locale="de-DE",
        time_zone="Europe/Berlin",
        viewport=(800, 600),
        user_agent="Agentify",
    )
    assert told == ["de-DE", "Europe/Berlin", 800, "Agentify"]
