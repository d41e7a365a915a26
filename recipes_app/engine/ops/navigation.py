"""Ops that go somewhere: goto, back, reload, switch_page, dialog."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true
from recipes_app.engine.finding.places import page_of
from recipes_app.engine.shapes import DialogRule


def goto(act: Act) -> None:
    act.send()
    arrival = act.session.goto(address(act), act.left_ms, status_any=act.get("status") == "any")
    if arrival.download:
        raise act.fail("navigation", f"{arrival.url} is a file: use the op download")


def address(act: Act) -> str:
    """Absolute; a relative one is joined to the site's base, or to the page in use."""
    url = str(act.get("url")).strip()
    here = act.session.page.url
    base = act.scene.base_url or (here if here.startswith("http") else "")
    absolute = urljoin(base, url)
    if urlsplit(absolute).scheme not in {"http", "https"}:
        raise act.fail("navigation", f"{absolute or 'an empty address'} is no http or https address")
    return absolute


def back(act: Act) -> None:
    act.send()
    if act.session.page.go_back(timeout=act.left_ms, wait_until="domcontentloaded") is None:
        act.note("there may have been no page to go back to")


def reload(act: Act) -> None:
    act.send()
    act.session.page.reload(timeout=act.left_ms, wait_until="domcontentloaded")


def switch_page(act: Act) -> None:
    wanted = str(act.get("to"))
    opened = act.scene.opened
    if not comes_true(act.session, lambda: page_of(act.session, wanted, opened) is not None, act.left_ms):
        raise act.fail("missing", f"no page {wanted.replace('opened_by:', 'opened by step ')} is open")
    page = page_of(act.session, wanted, opened)
    if page is not None:
        act.session.switch_to(page)
        page.wait_for_load_state("domcontentloaded", timeout=act.left_ms)


def dialog(act: Act) -> None:
    act.session.allow_dialog(
        DialogRule(
            type=act.get("type"),
            message=act.get("message"),
            answer=str(act.get("answer")),
            text=act.get("text"),
        )
    )
