"""Files to a page and from it."""

import hashlib
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from recipes_app.browser.launch import LaunchOptions
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.events import Downloaded, Event
from recipes_app.engine.runner import Outcome, RunOptions, run
from tests.conftest import loopback_policy
from tests.engine.conftest import LocalSite, Replay, Replayed, Reply

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"
CSV = b"a,b\n1,2\n"
FILE = Reply(CSV, headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=r.csv"})
HELLO = "data:text/plain;name=n.txt;base64,aGVsbG8="


MADE_HERE = (
    "<a href=# onclick=\"const a = document.createElement('a'); a.download = 'r.csv'; event.preventDefault();"
    " a.href = window.URL.createObjectURL(new Blob(['a,b\\n1,2\\n'], {type: 'text/csv'})); a.click()\">Report</a>"
)


def download(name: str, **fields: Any) -> dict[str, Any]:
    return {"op": "download", "target": {"role": "link", "name": name}, "key": "file", **fields}


def handed_over(done: Replayed) -> list[Downloaded]:
    return [event for event in done.events if isinstance(event, Downloaded)]


# --- from the page


def test_a_file_is_handed_over_with_what_it_is(replay: Replay) -> None:
    done = replay({"/": "<a href=/r.csv>Report</a>", "/r.csv": FILE}, download("Report"))
    [event] = handed_over(done)
    digest = hashlib.sha256(CSV).hexdigest()
    assert (event.key, event.name, event.size, event.sha256, event.media_type) == (
        "file",
        "r.csv",
        8,
        digest,
        "text/csv",
    )
    assert event.needs_ack
    assert event.path not in json.dumps(event.as_dict())
    assert done.outcome.data["file"]["sha256"] == digest


def test_the_bytes_are_there_while_the_event_is_handled(replay: Replay) -> None:
    seen: list[bytes] = []

    def hear(event: Event) -> None:
        if isinstance(event, Downloaded):
            seen.append(Path(event.path).read_bytes())

    shown = Reply("plain words", headers={"Content-Type": "text/plain"})
    pages = {"/": "<a href=/r.csv>Report</a><a href=/shown.txt>Shown</a>", "/r.csv": FILE, "/shown.txt": shown}
    replay(pages, download("Report"), download("Shown"), on_event=hear)
    assert seen == [CSV, b"plain words"]


@pytest.mark.parametrize(
    "opener",
    [
        "<a href=/r.csv target=_blank>Report</a>",
        "<a href=# onclick=\"window.open('/closing')\">Report</a>",
        "<a href=# onclick=\"setTimeout(() => { location = '/r.csv' }, 300)\">Report</a>",
        MADE_HERE,
    ],
)
def test_a_file_from_a_tab_of_its_own_from_a_script_or_made_in_the_page(replay: Replay, opener: str) -> None:
    closing = "<script>location = '/r.csv'; setTimeout(close, 200)</script>"
    after = {"op": "js_extract", "expr": "() => document.title", "key": "title"}
    pages = {"/": "<title>Home</title>" + opener, "/r.csv": FILE, "/closing": closing}
    done = replay(pages, download("Report"), after)
    assert done.outcome.ok, done.outcome.error
    assert done.outcome.data["file"]["sha256"] == hashlib.sha256(CSV).hexdigest()
    assert done.outcome.data["title"] == "Home"
    assert done.outcome.warnings == []


@pytest.mark.parametrize("target", ["", "target=_blank"])
def test_a_file_that_the_browser_shows_is_fetched_and_left_again(replay: Replay, target: str) -> None:
    shown = Reply("plain words", headers={"Content-Type": "text/plain; charset=utf-8"})
    pages = {"/": f"<title>Home</title><a href=/notes.txt {target}>Notes</a>", "/notes.txt": shown}
    after = {"op": "js_extract", "expr": "() => document.title", "key": "title"}
    done = replay(pages, download("Notes"), after)
    assert done.outcome.data["file"] == {
        "name": "notes.txt",
        "size": 11,
        "sha256": hashlib.sha256(b"plain words").hexdigest(),
        "media_type": "text/plain",
        "url": done.outcome.data["file"]["url"],
    }
    assert done.outcome.data["title"] == "Home"


def test_a_pdf_is_a_file_by_click_and_by_address(replay: Replay) -> None:
    pdf = Reply(b"%PDF-1.4 tiny", headers={"Content-Type": "application/pdf"})
    pages = {"/": "<a href=/bill.pdf>Bill</a><a href=/bill.pdf target=_blank>Bill in a tab</a>", "/bill.pdf": pdf}
    by_address = {"op": "download", "url": "/bill.pdf", "key": "c"}
    done = replay(pages, download("Bill", key="a"), download("Bill in a tab", key="b"), by_address)
    sha256 = hashlib.sha256(b"%PDF-1.4 tiny").hexdigest()
    assert [done.outcome.data[key]["sha256"] for key in "abc"] == [sha256] * 3
    assert {done.outcome.data[key]["media_type"] for key in "abc"} == {"application/pdf"}


def test_a_file_that_is_too_large_is_refused(replay: Replay) -> None:
    small = RunOptions(picture_on_failure=False, max_download=5)
    pages = {"/": "<a href=/r.csv>Report</a><a href=/n.txt>Notes</a>", "/r.csv": FILE}
    pages["/n.txt"] = Reply("plain words", headers={"Content-Type": "text/plain"})
    for step in (download("Report"), download("Notes"), {"op": "download", "url": "/n.txt", "key": "k"}):
        done = replay(pages, step, options=small)
        assert (done.kind, handed_over(done)) == ("blocked_by_policy", [])
        assert "larger than the 5 bytes allowed" in done.error["error"]


def test_a_file_that_comes_too_slowly_is_given_up(replay: Replay) -> None:
    halting = Reply("x" * 100_000, headers=dict(FILE.headers), pause_after=50_000, wait_for=threading.Event())
    done = replay({"/": "<a href=/r.csv>Report</a>", "/r.csv": halting}, download("Report", timeout_ms=700))
    assert (done.kind, "did not arrive whole in time" in done.error["error"]) == ("timeout", True)


def test_a_click_that_brings_no_file(replay: Replay) -> None:
    done = replay("<a href=#>Report</a>", download("Report", timeout_ms=300))
    assert (done.kind, "no file arrived" in done.error["error"]) == ("timeout", True)


# --- to the page


def echo(form: str) -> str:
    """A page that posts what it was given, as the server sees it."""
    return (
        LOG
        + form
        + (
            "<script>const send = async (files) => { for (const f of files)"
            " await fetch('/echo?' + f.name + '|' + f.type, { method: 'POST', body: f });"
            " document.title = 'sent' };</script>"
        )
    )


WAIT = "async () => { while (document.title !== 'sent') await new Promise(requestAnimationFrame) }"
HAS_SENT = {"op": "js_extract", "expr": WAIT, "key": "x"}
FORMS = {
    "a hidden input inside a sibling": (
        "<div><button type=button>Add a file</button><div><span>"
        "<input type=file style='display:none' onchange='send(this.files)'></span></div></div>"
    ),
    "a label": "<label role=button tabindex=0>Add a file<input type=file hidden onchange='send(this.files)'></label>",
    "an input made when it is pressed": (
        "<button type=button onclick=\"const i = document.createElement('input'); i.type = 'file';"
        ' i.onchange = () => send(i.files); i.click()">Add a file</button>'
    ),
    "a drop zone": (
        "<div role=button aria-label='Add a file' style='height:60px' ondragover='event.preventDefault()'"
        " ondrop='event.preventDefault(); send(event.dataTransfer.files)'>Drop here</div>"
    ),
    "an input far away, in a page that keeps stray drops off": (
        "<body ondragover='event.preventDefault()' ondrop='event.preventDefault()'>"
        "<form><button type=button onclick='f.click()'>Add a file</button></form>"
        "<p><input id=f type=file hidden onchange='send(this.files)'></p>"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_t20_a_file_reaches_the_server_by(replay: Replay, site: LocalSite, form: str) -> None:
    step = {"op": "upload", "target": {"role": "button", "name": "Add a file"}, "files": "{{f}}"}
    done = replay({"/": echo(FORMS[form]), "/echo": "ok"}, step, HAS_SENT, args={"f": HELLO})
    assert done.outcome.ok, done.outcome.error
    assert [(r.path, r.body) for r in site.requests if r.method == "POST"] == [("/echo?n.txt|text/plain", b"hello")]


def test_what_takes_no_files_is_told(replay: Replay) -> None:
    step = {"op": "upload", "target": {"role": "button", "name": "Go"}, "files": HELLO}
    assert replay("<button>Go</button>", step).kind == "drifted"


def test_a_path_on_the_worker_is_no_file(replay: Replay) -> None:
    page = "<input type=file aria-label=CV>"
    done = replay(page, {"op": "upload", "target": {"css": "input[type=file]"}, "files": "/etc/passwd"})
    assert done.kind == "bad_arguments"


# --- shown instead of saved


ODD = bytes(range(256)) * 40 + "Ünïcode €".encode()


def test_a_file_that_is_shown_arrives_byte_for_byte(replay: Replay) -> None:
    kinds = {
        "/a.txt": "text/plain",
        "/b.txt": "text/plain; charset=utf-16",
        "/c.png": "image/png",
        "/d.json": "text/json",
    }
    pages: dict[str, Any] = {"/": "".join(f"<a href={path} target=_blank>Open {path}</a>" for path in kinds)}
    for path, kind in kinds.items():
        pages[path] = Reply(ODD, headers={"Content-Type": kind})
    steps = [download(f"Open {path}", key=path) for path in kinds]
    done = replay(pages, *steps, {"op": "download", "url": "/a.txt", "key": "by address"})
    assert done.outcome.ok, done.outcome.error
    assert {event.sha256 for event in handed_over(done)} == {hashlib.sha256(ODD).hexdigest()}
    assert [event.name for event in handed_over(done)] == ["a.txt", "b.txt", "c.png", "d.json", "a.txt"]


def test_of_a_file_that_is_shown_only_as_much_is_read_as_it_may_have(replay: Replay) -> None:
    pages = {"/": "<a href=/n.txt>Notes</a>", "/n.txt": Reply("x" * 8_000_000, headers={"Content-Type": "text/plain"})}
    options = RunOptions(picture_on_failure=False, max_download=3_000_000)
    done = replay(pages, {"op": "download", "url": "/n.txt", "key": "k"}, options=options)
    assert (done.kind, handed_over(done)) == ("blocked_by_policy", [])


def test_a_page_is_saved_as_it_came_and_asked_for_once(replay: Replay, site: LocalSite) -> None:
    source = "<title>Saved</title><script>document.title = 'Changed'</script>"
    done = replay({"/": "x", "/page": source}, {"op": "download", "url": "/page", "key": "page"})
    [event] = handed_over(done)
    assert (event.sha256, event.media_type) == (hashlib.sha256(source.encode()).hexdigest(), "text/html")
    assert site.paths().count("/page") == 1


@pytest.mark.skipif(
    not Path("/usr/bin/chromium").exists(), reason="needs Debian's full Chromium, which shows PDF itself"
)
def test_a_pdf_is_a_file_where_the_browser_has_a_reader_for_it(site: LocalSite) -> None:
    pdf = b"%PDF-1.4 " + ODD
    site.pages = {
        "/": Reply("<title>Home</title><a href=/bill.pdf>Bill</a><a href=/bill.pdf target=_blank>Bill in a tab</a>"),
        "/bill.pdf": Reply(pdf, headers={"Content-Type": "application/pdf"}),
    }
    steps = [{"op": "goto", "url": "/"}, download("Bill", key="a"), download("Bill in a tab", key="b")]
    steps += [{"op": "download", "url": "/bill.pdf", "key": "c"}]
    document = parse_recipe({"name": "t", "parameters": {}, "steps": steps})
    thread = BrowserThread(LaunchOptions(executable="/usr/bin/chromium"))
    events: list[Event] = []

    def work(desk: Desk) -> Outcome:
        with desk.session(ContextOptions(policy=loopback_policy(site.url))) as session:
            return run(document, {}, session, emit=events.append, options=RunOptions(base_url=site.url))

    try:
        outcome = thread.call(work, deadline_s=60)
    finally:
        thread.stop()
    assert outcome.ok, outcome.error
    digest = hashlib.sha256(pdf).hexdigest()
    assert [outcome.data[key]["sha256"] for key in "abc"] == [digest] * 3
