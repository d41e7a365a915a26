import socket
import subprocess
import sys
import threading

import pytest

from examples.practice import PracticeSite, start
from tests.practice.client import Visitor

PAGES = [
    "/",
    "/products",
    "/products?page=4",
    "/products/oak-writing-desk",
    "/cart",
    "/contact",
    "/login",
    "/register",
    "/faq",
    "/tickets",
    "/tickets/new",
    "/tickets/3",
    "/stores",
    "/stores?city=Berlin",
    "/newsletter",
    "/late",
    "/downloads",
    "/upload",
    "/popup",
    "/dialogs",
    "/lab",
    "/office",
    "/office/people?page=2",
    "/office/people/e1003",
    "/office/code",
    "/office/issues?status=done",
    "/office/issues/INK-201",
    "/office/access/new",
    "/office/access",
    "/slow?ms=10",
    "/admin-only",
]


@pytest.mark.parametrize("design", ["", "1", "2", "3", "4"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_in_every_design_is_well_formed_and_has_its_landmarks(
    visitor: Visitor, path: str, design: str
) -> None:
    visitor.cookies = {"redesign": design, "consent": "rejected"}
    seen = visitor.get(path)
    page = seen.page
    assert seen.status == 200
    assert page.mistakes == []
    assert page.open == []
    tags = [tag for tag, _, _ in page.elements]
    assert {"header", "nav", "main", "footer", "h1"} <= set(tags)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert set(page.values("for", "label")) <= set(ids)


def test_every_link_of_the_menu_and_the_footer_leads_somewhere(visitor: Visitor) -> None:
    for href in visitor.get("/").page.values("href", "a"):
        if href.startswith("/"):
            assert visitor.get(href).status == 200, href


def test_what_people_write_is_shown_and_never_run(visitor: Visitor) -> None:
    evil = '<script>alert("1")</script>'
    seen = visitor.post("/tickets/new", subject=evil, customer="a@example.com", description=evil)
    thanks = visitor.follow(seen)
    assert thanks.status == 200
    assert evil not in visitor.get("/tickets").text
    assert "&lt;script&gt;" in visitor.get("/tickets/16").text


def test_odd_corners(visitor: Visitor) -> None:
    assert visitor.get("/nowhere").status == 404
    assert visitor.get("/error").status == 500
    assert visitor.post("/faq").status == 405
    assert visitor.get("/private").location == "http://169.254.169.254/"
    assert "Disallow: /admin-only" in visitor.get("/robots.txt").text
    assert "Disallow: /__" in visitor.get("/robots.txt").text
    assert visitor.get("/huge?n=700").text.count("<li>") == 700


def test_a_slow_page_does_not_hold_up_the_others(shop: PracticeSite) -> None:
    with Visitor(shop.url) as patient, Visitor(shop.url) as quick:
        waiting = threading.Thread(target=patient.get, args=("/slow?ms=400",))
        waiting.start()
        assert quick.get("/faq").status == 200
        assert waiting.is_alive()
        waiting.join()


def test_never_answers_until_the_site_stops() -> None:
    site = start()
    with socket.create_connection(site.url.removeprefix("http://").split(":"), timeout=5) as connection:  # type: ignore[arg-type]
        connection.sendall(b"GET /never HTTP/1.1\r\nHost: shop\r\n\r\n")
        connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        site.stop()
        connection.settimeout(5)
        assert connection.recv(1) == b""


def test_state_counts_submissions_and_requests_and_reset_forgets_them(shop: PracticeSite, visitor: Visitor) -> None:
    visitor.get("/faq?a=1")
    visitor.post("/newsletter/frame", email="mia@example.com", frequency="weekly")
    state = shop.state
    assert state.submissions == {"POST /newsletter/frame": 1}
    assert shop.requests == ["GET /faq?a=1", "POST /newsletter/frame"]
    assert '"mia@example.com"' in visitor.get("/__state").text
    assert "secret-anna" not in visitor.get("/__state").text
    assert visitor.post("/__reset").status == 200
    assert state.newsletter == []
    assert shop.requests == []


def test_the_command_prints_its_address_and_ends_cleanly() -> None:
    command = [sys.executable, "-m", "examples.practice", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.terminate()
        assert process.wait(5) == 0
    assert line.startswith("practice site on http://127.0.0.1:")


def test_a_busy_port_is_one_clear_line(shop: PracticeSite) -> None:
    port = shop.url.rsplit(":", 1)[1]
    command = [sys.executable, "-m", "examples.practice", "--port", port]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert port in result.stderr
