"""Pages on which an earlier tool did the wrong thing and mostly called it a success."""

import hashlib
from typing import Any

import pytest

from recipes_app.engine.vocabulary import default_timeout_ms
from tests.engine.conftest import LocalSite, Replay, Reply

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"
ROWS = LOG + (
    "<ul><li>A <button onclick=\"say('A deleted')\">Delete</button></li>"
    "<li>B <button onclick=\"say('B deleted')\">Delete</button></li></ul>"
)


def click(**target: Any) -> dict[str, Any]:
    return {"op": "click", "target": target}


def test_a1_of_two_equal_buttons_none_is_clicked_unless_its_row_is_named(replay: Replay) -> None:
    old = replay(ROWS, click(role="button", name="Delete", css="button:nth-of-type(1)"), look="log", format=1)
    assert (old.kind, old.seen) == ("ambiguous", [])
    assert "2" in old.error["error"]
    new = replay(ROWS, click(role="button", name="Delete", within={"role": "listitem", "text": "B"}), look="log")
    assert (new.outcome.ok, new.seen) == (True, ["B deleted"])


def test_a2_a_name_is_matched_whole(replay: Replay) -> None:
    page = LOG + "<button onclick=\"say('draft')\">Save as draft</button><button onclick=\"say('save')\">Save</button>"
    assert replay(page, click(role="button", name="Save"), look="log", format=1).seen == ["save"]


def test_a3_an_element_without_a_name_is_found_by_its_id(replay: Replay) -> None:
    page = LOG + (
        "<button onclick=\"say('menu')\">Menu</button>"
        "<button id=cart onclick=\"say('cart')\"><svg width=9 height=9></svg></button>"
        "<a href=#1>Home</a><a id=logo href=#2 onclick=\"say('logo')\"><img src='' width=9 height=9></a>"
    )
    steps = [click(role="button", name="", css="button#cart"), click(role="link", name="", css="a#logo")]
    assert replay(page, *steps, look="log", format=1).seen == ["cart", "logo"]


def test_a4_a_field_of_a_frame_is_not_replaced_by_one_of_the_page(replay: Replay) -> None:
    pages = {
        "/": "<label>Coupon <input name=coupon></label><iframe src=/pay></iframe>",
        "/pay": "<label>Card <input name=card></label>",
    }
    target = {"role": "textbox", "name": "Card", "css": "input[name=coupon]"}
    done = replay(
        pages,
        {"op": "type", "target": target, "text": "4242"},
        look="[document.querySelector('input').value, frames[0].document.querySelector('input').value]",
        format=1,
    )
    assert done.seen == ["", "4242"]


def test_a5_a_password_goes_into_the_password_field(replay: Replay) -> None:
    page = "<label>Password hint <input id=hint></label><label>Password <input id=pw type=password></label>"
    step = {"op": "type", "target": {"role": "textbox", "name": "Password", "css": "input#pw"}, "text": "canary"}
    done = replay(page, step, look="[hint.value, pw.value]", format=1)
    assert done.seen == ["", "canary"]


def test_a6_a_position_alone_is_not_believed(replay: Replay) -> None:
    page = LOG + (
        "<nav><a href=#1 onclick=\"say('1st')\">1st</a><a href=#2 onclick=\"say('2nd')\">2nd</a></nav>"
        "<main><a href=#3 onclick=\"say('3')\">Three</a><a href=#4 onclick=\"say('4')\">Vier</a></main>"
    )
    done = replay(
        page, click(role="link", name="Four", css="a:nth-of-type(2)") | {"timeout_ms": 600}, look="log", format=1
    )
    assert (done.kind, done.seen) == ("missing", [])
    assert "link “Vier”" in done.error["found"]


CONFIRM = LOG + "<button onclick=\"say(confirm('Delete 3 items?') ? 'deleted' : 'kept')\">Delete</button>"


def test_a7_a_dialog_is_answered_as_the_step_says(replay: Replay) -> None:
    step = click(role="button", name="Delete")
    rule = {"dialog": {"type": "confirm", "message": "Delete * items?", "answer": "accept"}}
    assert replay(CONFIRM, step | {"expect": rule}, look="log").seen == ["deleted"]
    before = {"op": "dialog", "answer": "accept"}
    assert replay(CONFIRM, before, step, look="log").seen == ["deleted"]


def test_a7_a_question_nobody_allowed_is_dismissed_and_the_call_fails(replay: Replay) -> None:
    done = replay(CONFIRM, click(role="button", name="Delete"), look="log")
    assert (done.seen, done.kind) == (["kept"], "dialog")
    assert "Delete 3 items?" in done.error["error"]


def test_a7_a_notice_nobody_allowed_is_dismissed_and_reported(replay: Replay) -> None:
    page = LOG + "<button onclick=\"alert('Out of paper'); say('printed')\">Print</button>"
    done = replay(page, click(role="button", name="Print"), look="log")
    assert done.seen == ["printed"]
    assert done.outcome.warnings == ["steps[1]: a alert “Out of paper” was dismissed: no step allows it"]


def test_a7_a_prompt_gets_its_text_and_an_expected_dialog_that_stays_away_is_a_failure(replay: Replay) -> None:
    page = LOG + "<button onclick=\"say(prompt('Name?', 'x'))\">Ask</button><button>Quiet</button>"
    rule = {"expect": {"dialog": {"type": "prompt", "answer": "accept", "text": "{{who}}"}}, "timeout_ms": 1500}
    assert replay(page, click(role="button", name="Ask") | rule, args={"who": "Ann"}, look="log").seen == ["Ann"]
    assert replay(page, click(role="button", name="Quiet") | rule, args={"who": "Ann"}).kind == "dialog"


NEW_TAB = {"/": "<a href=/order target=_blank>Order</a>", "/order": "<h1>Order 17</h1>"}
READ = {"op": "js_extract", "expr": "() => document.querySelector('h1')?.innerText", "key": "title"}


def test_a8_a_recording_of_the_first_agentify_goes_on_in_the_new_tab(replay: Replay) -> None:
    verify = {"op": "verify", "kind": "page_text_contains", "value": "Order 17"}
    done = replay(NEW_TAB, click(role="link", name="Order"), verify, READ, format=1)
    assert done.outcome.data == {"title": "Order 17"}


def test_a8_an_expected_page_is_the_page_in_use_and_main_stays_reachable(replay: Replay) -> None:
    steps = [
        click(role="link", name="Order") | {"expect": {"page_opened": True}},
        READ,
        {"op": "extract", "target": {"role": "link", "name": "Order", "page": "main"}, "key": "link"},
        {"op": "switch_page", "to": "main"},
        {"op": "extract", "target": {"role": "heading", "page": "opened_by:1"}, "key": "again"},
        {"op": "verify", "kind": "url_matches", "value": "*/"},
    ]
    assert replay(NEW_TAB, *steps).outcome.data == {"title": "Order 17", "link": "Order", "again": "Order 17"}


def test_a9_missing_arguments_are_refused_before_anything_is_opened(replay: Replay, site: LocalSite) -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    done = replay("<p>page", parameters=schema)
    assert (done.kind, done.error["error"], site.requests) == ("bad_arguments", "q is required", [])


def test_a10_an_argument_in_an_address_arrives_whole(replay: Replay, site: LocalSite) -> None:
    goto = {"op": "goto", "url": "/s?q={{q}}&page=1"}
    assert replay({"/": "", "/s": "found"}, goto, args={"q": "R&D #1 50%"}).outcome.ok
    assert site.paths()[-1] == "/s?q=R%26D%20%231%2050%25&page=1"


def test_a11_an_empty_text_clears_a_field_and_an_omitted_one_leaves_it(replay: Replay) -> None:
    page = "<label>Note <input id=note value=old></label>"
    step = {"op": "type", "target": {"role": "textbox", "name": "Note"}, "text": "{{note}}"}
    schema = {"type": "object", "properties": {"note": {"type": "string"}}}
    assert replay(page, step, args={"note": ""}, look="note.value", parameters=schema).seen == ""
    left = replay(page, step, look="note.value", parameters=schema)
    assert (left.seen, left.outcome.steps[-1]["status"]) == ("old", "skipped")


@pytest.mark.parametrize("status", [404, 500])
def test_a12_an_error_page_is_no_result(replay: Replay, status: int) -> None:
    pages = {"/": "home", "/x": Reply("<h1>Sorry</h1>", status)}
    read = {"op": "extract", "target": {"role": "heading"}, "key": "h"}
    failed = replay(pages, {"op": "goto", "url": "/x"}, read)
    assert failed.kind == "navigation"
    assert str(status) in failed.error["error"]
    wanted = replay(pages, {"op": "goto", "url": "/x", "status": "any"}, read)
    assert wanted.outcome.data == {"h": "Sorry"}


def test_a13_a_state_is_set_and_not_toggled(replay: Replay) -> None:
    page = "<label><input id=news type=checkbox checked> News</label><label><input id=ads type=checkbox> Ads</label>"
    steps = [
        {"op": "check", "target": {"role": "checkbox", "name": "News"}},
        {"op": "check", "target": {"role": "checkbox", "name": "Ads"}, "value": "{{ads}}"},
    ]
    assert replay(page, *steps, args={"ads": True}, look="[news.checked, ads.checked]").seen == [True, True]
    assert replay(page, *steps, args={"ads": False}, look="[news.checked, ads.checked]").seen == [True, False]


def test_a14_a_file_is_kept_and_described(replay: Replay) -> None:
    csv = Reply("a,b\n1,2\n", headers={"Content-Type": "text/csv", "Content-Disposition": "attachment; filename=r.csv"})
    pages = {"/": "<a href=/r.csv>Report</a>", "/r.csv": csv}
    by_click = {"op": "download", "target": {"role": "link", "name": "Report"}, "key": "a"}
    by_address = {"op": "download", "url": "/r.csv", "key": "b"}
    done = replay(pages, by_click, by_address)
    for key in ("a", "b"):
        found = dict(done.outcome.data[key])
        assert found.pop("url").endswith("/r.csv")
        digest = hashlib.sha256(b"a,b\n1,2\n").hexdigest()
        assert found == {"name": "r.csv", "size": 8, "sha256": digest, "media_type": "text/csv"}
    assert replay(pages, {"op": "goto", "url": "/r.csv"}).error["error"].endswith("is a file: use the op download")


def test_a15_a_branch_waits_for_its_condition(replay: Replay) -> None:
    page = LOG + (
        "<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend',"
        " `<div role=dialog aria-label=Offer><button onclick=\"say('closed')\">Close</button></div>`), 600)</script>"
    )
    step = {
        "op": "if_verify",
        "check": {"kind": "element_exists", "target": {"role": "dialog", "name": "Offer"}},
        "then": [click(role="button", name="Close")],
        "else": [{"op": "js_extract", "expr": "() => say('else')", "key": "x"}],
    }
    for version in (1, 2):
        assert replay(page, step, look="log", format=version).seen == ["closed"]


def test_a16_values_that_hold_one_another_stay_apart(replay: Replay) -> None:
    page = "<input id=a aria-label=N><input id=b aria-label=Zip><input id=c aria-label=Q>"
    steps = [
        {"op": "type", "target": {"role": "textbox", "name": name}, "text": text}
        for name, text in [("N", "{{n}}"), ("Zip", "{{zip}}"), ("Q", "{{q}}")]
    ]
    done = replay(page, *steps, args={"n": "5", "zip": "15213", "q": "{{n}}"}, look="[a.value, b.value, c.value]")
    assert done.seen == ["5", "15213", "{{n}}"]


def test_a18_a_date_is_turned_into_iso_or_refused(replay: Replay) -> None:
    page = "<input id=d type=date aria-label=Day>"
    step = {"op": "type", "target": {"role": "textbox", "name": "Day"}, "text": "{{d}}"}
    assert replay(page, step, args={"d": "2026-02-03"}, look="d.value").seen == "2026-02-03"
    assert replay(page, step, args={"d": "02/17/2026"}, look="d.value").seen == "2026-02-17"
    unsure = replay(page, step, args={"d": "02/03/2026"}, look="d.value")
    assert (unsure.kind, unsure.seen) == ("value_not_kept", "")


def test_a19_a_covered_button_is_not_clicked_and_the_cover_is_named_quickly(replay: Replay) -> None:
    page = LOG + (
        "<button onclick=\"say('clicked')\">Buy</button>"
        "<div id=veil style='position:fixed;inset:0;background:#fff8'>Please wait</div>"
    )
    # With a minute's time the test itself would run out of its own, were the cover only told of at the end.
    done = replay(page, click(role="button", name="Buy") | {"timeout_ms": 600_000}, look="log")
    assert (done.kind, done.seen) == ("covered", [])
    assert "div#veil “Please wait”" in done.error["error"]


def test_a20_an_absent_element_is_told_with_what_is_there_and_an_optional_step_only_warns(replay: Replay) -> None:
    gone = click(role="button", name="Gone")
    done = replay("<button>Other</button>", gone | {"optional": True})
    assert done.outcome.ok
    assert done.outcome.steps[-1]["status"] == "warned"
    assert done.outcome.warnings == ["steps[1]: the Gone button is not there"]
    failed = replay("<button>Other</button>", gone | {"timeout_ms": 300})
    assert (failed.kind, failed.error["found"]) == ("missing", ["button “Other”"])


def test_a20_a_step_has_four_seconds_and_an_optional_one_has_one() -> None:
    assert default_timeout_ms("click", optional=False) == 4000
    assert default_timeout_ms("click", optional=True) == 1000
    assert default_timeout_ms("goto", optional=True) == 30_000


def test_a21_a22_the_time_for_a_step_is_in_the_recipe(replay: Replay) -> None:
    page = "<script>setTimeout(() => document.body.innerHTML = '<button>Late</button>', 1200)</script><p>…"
    wait = {"op": "verify", "kind": "page_text_contains", "value": "Late"}
    assert replay(page, wait | {"timeout_ms": 500}).kind == "verify_failed"
    assert replay(page, wait | {"timeout_ms": 5000}, click(role="button", name="Late")).outcome.ok


def test_a23_a_wait_is_as_long_as_written(replay: Replay) -> None:
    done = replay("<p>", {"op": "wait", "ms": 700}, format=1)
    assert done.outcome.steps[-1]["ms"] >= 690


def test_a24_a_choice_not_offered_is_said_at_once_with_what_is(replay: Replay) -> None:
    page = "<label>Size <select id=s><option value=s>Small<option value=l>Large<option disabled>Huge</select></label>"
    step = {"op": "select", "target": {"role": "combobox", "name": "Size"}, "value": "{{v}}"}
    bad = replay(page, step | {"timeout_ms": 600_000}, args={"v": "Medium"})
    assert (bad.kind, bad.error["found"]) == ("option_not_offered", ["Small", "Large", "Huge"])
    assert replay(page, step, args={"v": "Huge"}).kind == "option_not_offered"
    for value in ("l", "Large", "large"):
        assert replay(page, step, args={"v": value}, look="s.value").seen == "l"


@pytest.mark.parametrize("expr", ["() => new Promise(() => {})", "() => { while (true) {} }"])
def test_a25_a_script_that_never_ends_is_ended(replay: Replay, expr: str) -> None:
    done = replay("<p>", {"op": "js_extract", "expr": expr, "key": "x", "timeout_ms": 500}, look="1 + 1")
    assert (done.kind, done.seen) == ("timeout", 2)


def test_a26_keys_are_pressed_one_by_one_where_the_page_listens_to_them(replay: Replay) -> None:
    page = LOG + "<input aria-label=City onkeyup='say(this.value)'>"
    step = {"op": "type", "target": {"role": "textbox", "name": "City"}, "text": "Rom", "keys": True}
    assert replay(page, step, look="log").seen[-3:] == ["R", "Ro", "Rom"]
