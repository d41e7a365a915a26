"""Pages that are left: for one that is not there, for a slow one, for a file, for nothing at all."""

import threading

from tests.engine.conftest import LocalSite, Replay, Reply
from tests.engine.test_ops import LOG, named


def test_a_page_that_is_not_there_and_a_host_that_is_not_allowed(replay: Replay) -> None:
    assert replay("<p>", {"op": "goto", "url": "https://elsewhere.test/"}).kind == "blocked_by_policy"
    assert replay("<p>", {"op": "goto", "url": "{{u}}"}, args={"u": "file:///etc/passwd"}).kind == "navigation"
    busy = {"/": "", "/x": Reply("slow down", 429)}
    assert replay(busy, {"op": "goto", "url": "/x"}).kind == "challenged"


def test_a_slow_page_gets_the_time_of_a_page_not_of_a_click(replay: Replay, site: LocalSite) -> None:
    slow = Reply("<h1>At last</h1>", wait_for=threading.Event())
    pages = {"/": "<form action=/slow method=post><button>Go</button></form>", "/slow": slow}
    done = replay(
        pages,
        named("click", "button", "Go", timeout_ms=1000),
        {"op": "extract", "target": {"role": "heading"}, "key": "h"},
    )
    assert done.outcome.data == {"h": "At last"}
    assert site.paths("POST") == ["/slow"]


def test_a_link_to_nothing_and_a_link_to_a_file_leave_the_page_in_use(replay: Replay) -> None:
    file = Reply("x", headers={"Content-Disposition": "attachment; filename=x.txt", "Content-Type": "text/plain"})
    pages = {"/": LOG + "<a href=/nothing>Ping</a><a href=/file>File</a><a href=#1 onclick='say(1)'>On</a>"}
    links = [named("click", "link", name) for name in ("Ping", "File", "On")]
    assert replay({**pages, "/nothing": Reply("", 204), "/file": file}, *links, look="log").seen == [1]
