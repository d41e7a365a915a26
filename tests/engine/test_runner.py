"""The runner: what it says, when it acts, what it gives back."""

from typing import Any

import pytest

from recipes_app.engine.events import About, Did, Event, Picture, StepFailed, Warned
from recipes_app.engine.runner import RunOptions
from tests.engine.conftest import LocalSite, Replay, Reply

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"
FORM = LOG + (
    "<form method=post action=/sent><label>Name <input name=n></label>"
    "<button type=button onclick=\"say('check')\">Check</button><button>Send</button></form>"
)
TYPE = {"op": "type", "target": {"role": "textbox", "name": "Name"}, "text": "{{n}}"}
SEND = {"op": "click", "target": {"role": "button", "name": "Send"}, "expect": {"url": "*/sent"}}
PAGES: dict[str, Any] = {"/": FORM, "/sent": "<h1>Thanks</h1>"}


def kinds(events: list[Event], path: str) -> list[str]:
    return [type(event).__name__ for event in events if getattr(event, "path", None) == path]


def test_a_step_that_may_write_is_announced_before_it_acts_and_waits_to_be_written_down(replay: Replay) -> None:
    done = replay(PAGES, TYPE, SEND, args={"n": "Ann"})
    abouts = [event for event in done.events if isinstance(event, About)]
    assert [(about.path, about.needs_ack) for about in abouts] == [
        ("steps[0]", False),
        ("steps[1]", True),
        ("steps[2]", True),
    ]
    assert abouts[1].sentence == "Type {{n}} into the Name field"
    assert kinds(done.events, "steps[2]") == ["About", "Did"]


def test_a_write_that_could_not_begin_is_not_announced(replay: Replay) -> None:
    gone = {"op": "click", "target": {"role": "button", "name": "Gone"}, "timeout_ms": 200}
    done = replay(PAGES, gone)
    assert kinds(done.events, "steps[1]") == ["StepFailed"]


def test_a_tool_that_only_reads_never_asks_to_be_written_down(replay: Replay) -> None:
    done = replay(PAGES, TYPE, args={"n": "Ann"}, side_effect="read")
    assert not any(event.needs_ack for event in done.events)


def test_an_action_is_sent_once_even_when_what_it_must_bring_stays_away(replay: Replay, site: LocalSite) -> None:
    done = replay(PAGES, SEND | {"expect": {"url": "*/elsewhere"}, "timeout_ms": 600})
    assert done.kind == "verify_failed"
    assert site.paths("POST") == ["/sent"]


def test_a_dry_run_stops_before_the_first_step_that_may_send(replay: Replay, site: LocalSite) -> None:
    check = {"op": "click", "target": {"role": "button", "name": "Check"}}
    careful = RunOptions(stop_before_submit=True)
    done = replay(PAGES, TYPE, check, SEND, args={"n": "x"}, options=careful, look="log")
    assert (done.outcome.ok, done.outcome.stopped_before, done.seen) == (True, "steps[2]", [])
    told = RunOptions(stop_before_submit=True, submit_path="steps[3]")
    done = replay(PAGES, TYPE, check, SEND, args={"n": "x"}, options=told, look="log")
    assert (done.outcome.stopped_before, done.seen, site.paths("POST")) == ("steps[3]", ["check"], [])


def test_a_failure_gives_what_was_read_before_and_where_it_ended(replay: Replay, site: LocalSite) -> None:
    read = {"op": "extract", "target": {"role": "button", "name": "Send"}, "key": "label"}
    gone = {"op": "extract", "target": {"role": "heading"}, "key": "h", "timeout_ms": 200}
    done = replay(PAGES, read, gone, options=RunOptions())
    assert done.outcome.as_result()["error"] == {
        "error": "Read h from the heading: the heading is not there",
        "kind": "missing",
        "failed_step": "steps[2]",
        "op": "extract",
        "url": site.url + "/",
        "partial": {"label": "Send"},
        "looked_for": "the heading",
        "found": [],
    }
    assert (done.outcome.picture or b"").startswith(b"\x89PNG")
    assert done.outcome.as_result()["llm_calls"] == 0
    assert isinstance(done.events[-1], StepFailed)


def test_an_optional_step_only_warns_and_so_does_all_inside_it(replay: Replay) -> None:
    gone = {"op": "click", "target": {"role": "button", "name": "Gone"}, "timeout_ms": 200}
    always = {"kind": "page_text_contains", "value": "Send"}
    branch = {"op": "if_verify", "check": always, "then": [gone], "optional": True}
    done = replay(PAGES, branch, TYPE, args={"n": "x"})
    assert done.outcome.ok
    assert done.outcome.warnings == ["steps[1]: the Gone button is not there"]
    assert [event.path for event in done.events if isinstance(event, Warned)] == ["steps[1]"]


def test_branches_are_looked_at_in_turn_and_their_steps_have_paths(replay: Replay) -> None:
    def note(word: str) -> dict[str, Any]:
        return {"op": "js_extract", "expr": f"() => '{word}'", "key": "went"}

    def says(word: str) -> dict[str, Any]:
        return {"kind": "page_text_contains", "value": word}

    step = {
        "op": "if_verify",
        "timeout_ms": 100,
        "check": says("nothing"),
        "then": [note("then")],
        "elif": [{"check": says("no"), "then": [note("first")]}, {"check": says("{{w}}"), "then": [note("second")]}],
        "else": [note("else")],
    }
    done = replay(PAGES, step, args={"w": "Send"})
    assert done.outcome.data == {"went": "second"}
    assert "steps[1].elif[1].then[0]" in [row["path"] for row in done.outcome.steps]
    assert replay(PAGES, step, args={"w": "never"}).outcome.data == {"went": "else"}


def test_a_secret_is_in_no_event_no_warning_and_no_error(replay: Replay) -> None:
    schema = {"type": "object", "properties": {"pw": {"type": "string", "format": "password"}}}
    page = "<label>Password <input type=password maxlength=3></label><p>"
    step = {"op": "type", "target": {"role": "textbox", "name": "Password"}, "text": "{{pw}}"}
    leak = {"op": "verify", "kind": "page_text_contains", "value": "{{pw}}", "timeout_ms": 100}
    for steps in ([step], [leak], [{"op": "goto", "url": "/?token={{pw}}"}, leak]):
        done = replay(page, *steps, args={"pw": "canary-7"}, parameters=schema)
        assert not done.outcome.ok
        told = repr(done.outcome.as_result()) + repr([event.as_dict() for event in done.events])
        assert "canary-7" not in told


def test_pictures_cover_the_fields_that_hold_a_secret(replay: Replay) -> None:
    schema = {"type": "object", "properties": {"pin": {"type": "string", "format": "password"}}}
    page = "<label>Code <input style='font-size:40px'></label>"
    step = {"op": "type", "target": {"role": "textbox", "name": "Code"}, "text": "{{pin}}"}
    shot = {"op": "screenshot", "label": "after", "target": {"role": "textbox", "name": "Code"}}
    pictures = [
        event.data
        for pin in ("1111", "8888")
        for event in replay(page, step, shot, args={"pin": pin}, parameters=schema).events
        if isinstance(event, Picture)
    ]
    assert len(pictures) == 2
    assert pictures[0] == pictures[1]


def test_a_result_that_is_not_what_was_promised_fails_and_in_old_files_warns(replay: Replay) -> None:
    read = {"op": "js_extract", "expr": "() => 'many'", "key": "n"}
    returns = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    done = replay(PAGES, read, returns=returns)
    assert (done.kind, done.error["partial"]) == ("bad_return", {"n": "many"})
    old = replay(PAGES, read, returns=returns, format=1)
    assert old.outcome.ok
    assert old.outcome.warnings == ["n must be of type integer, not 'many'"]


def test_a_login_page_instead_of_the_page_is_said_to_be_one(replay: Replay) -> None:
    page = "<h1>Log in</h1><input type=password>"
    gone = {"op": "click", "target": {"role": "button", "name": "Export"}, "timeout_ms": 200}
    assert replay(page, gone).kind == "auth_required"
    assert replay({"/": Reply("", 401)}).kind == "auth_required"


def test_a_run_may_begin_at_a_later_step(replay: Replay) -> None:
    read = {"op": "js_extract", "expr": "() => location.href", "key": "at"}
    done = replay(PAGES, read, options=RunOptions(start_at=1))
    assert done.outcome.data == {"at": "about:blank"}


@pytest.mark.parametrize("status", ["done", "skipped"])
def test_every_step_is_reported_with_what_found_it(replay: Replay, status: str) -> None:
    done = replay(PAGES, TYPE, args={"n": "x"} if status == "done" else {}, parameters={"properties": {"n": {}}})
    row = done.outcome.steps[1]
    assert (row["path"], row["op"], row["status"]) == ("steps[1]", "type", status)
    assert row["matched"] == ("role+name" if status == "done" else "")
    assert isinstance(done.events[-1], Did)
    assert all(event.as_dict()["kind"] == type(event).__name__ for event in done.events)


def test_a_target_without_its_argument_is_not_guessed(replay: Replay) -> None:
    step = {"op": "click", "target": {"role": "button", "name": "{{which}}"}}
    done = replay(PAGES, step, parameters={"properties": {"which": {}}}, look="log")
    assert (done.kind, done.seen) == ("bad_arguments", [])
