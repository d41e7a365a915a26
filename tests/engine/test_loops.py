"""for_each, call and drag: steps inside steps."""

from typing import Any

import pytest

from recipes_app.engine.document import DocumentError, Recipe, parse_recipe, parse_registry
from recipes_app.engine.events import About, StepFailed
from recipes_app.engine.runner import RunOptions
from tests.engine.conftest import LocalSite, Replay

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"
QUICK = {"timeout_ms": 300}


def row(name: str) -> str:
    delete = f"<button onclick=\"say('{name}'); this.parentNode.remove()\">Delete</button>"
    return f"<li>{name} <a href='/p/{name}'>open</a>{delete}</li>"


ROWS = LOG + f"<ul>{row('Ann')}{row('Bob')}{row('Cid')}</ul>"


def delete(**within: Any) -> dict[str, Any]:
    return {"op": "click", "target": {"role": "button", "name": "Delete", "within": {"role": "listitem", **within}}}


def read(expr: str, key: str) -> dict[str, Any]:
    return {"op": "js_extract", "expr": expr, "key": key}


# --- for_each


def test_steps_run_once_for_each_entry_of_an_argument(replay: Replay) -> None:
    step = {"op": "for_each", "items": "{{names}}", "steps": [delete(text="{{_item}}")]}
    done = replay(ROWS, step, args={"names": ["Cid", "Ann"]}, look="log")
    assert (done.outcome.ok, done.seen) == (True, ["Cid", "Ann"])
    assert [row["path"] for row in done.outcome.steps[1:]] == [
        "steps[1].items[0].steps[0]",
        "steps[1].items[1].steps[0]",
        "steps[1]",
    ]
    paths = [event.path for event in done.events if isinstance(event, About) and event.needs_ack]
    assert paths == ["steps[1].items[0].steps[0]", "steps[1].items[1].steps[0]"]


def test_fields_of_an_entry_and_its_place_keep_their_types(replay: Replay) -> None:
    page = "<input id=q aria-label=Q><input id=n type=number aria-label=N>"
    steps = [
        {"op": "type", "target": {"role": "textbox", "name": "Q"}, "text": "{{_index}}: {{_item.name}}"},
        {"op": "type", "target": {"role": "spinbutton", "name": "N"}, "text": "{{_item.count}}"},
        read("(args) => [q.value, n.value, args._item.count]", "got"),
    ]
    people = [{"name": "Ann", "count": 2}, {"name": "Bob"}]
    done = replay(page, {"op": "for_each", "items": "{{p}}", "steps": steps, "into": "all"}, args={"p": people})
    assert done.outcome.data == {"all": [{"got": ["0: Ann", "2", 2]}, {"got": ["1: Bob", "2", None]}]}


def test_items_of_the_page_are_read_before_anything_is_done_to_them(replay: Replay) -> None:
    step = {"op": "for_each", "items": {"css": "li"}, "steps": [delete(text="{{_item}}")], "limit": 2}
    assert replay(ROWS, step, look="log").seen == ["Ann", "Bob"]


def test_items_of_the_page_by_their_place_and_their_links(replay: Replay) -> None:
    pages = {"/": ROWS, "/p/Ann": "<h1>Ann Page</h1>", "/p/Bob": "<h1>Bob Page</h1>", "/p/Cid": "<h1>Cid Page</h1>"}
    name = {"op": "extract", "target": {"role": "listitem", "nth": "{{_index}}"}, "key": "row"}
    visit = [
        {"op": "goto", "url": "{{_item.href}}"},
        {"op": "extract", "target": {"role": "heading"}, "key": "title"},
    ]
    by_place = {"op": "for_each", "items": {"role": "listitem"}, "steps": [name], "into": "rows"}
    by_link = {"op": "for_each", "items": {"role": "listitem"}, "steps": visit, "into": "pages"}
    data = replay(pages, by_place, by_link).outcome.data
    assert [entry["row"].split()[0] for entry in data["rows"]] == ["Ann", "Bob", "Cid"]
    assert [entry["title"] for entry in data["pages"]] == ["Ann Page", "Bob Page", "Cid Page"]


def test_loops_nest_and_the_inner_item_hides_the_outer(replay: Replay) -> None:
    inner = {"op": "for_each", "items": ["x", "y"], "steps": [read("(a) => a._item + a._index", "i")], "into": "in"}
    steps = [inner, read("(a) => a._item + a._index", "o")]
    outer = {"op": "for_each", "items": ["a", "b"], "into": "out", "steps": steps}
    done = replay("<p>", outer)
    assert done.outcome.data["out"] == [
        {"in": [{"i": "x0"}, {"i": "y1"}], "o": "a0"},
        {"in": [{"i": "x0"}, {"i": "y1"}], "o": "b1"},
    ]
    assert "steps[1].items[1].steps[0].items[0].steps[0]" in [row["path"] for row in done.outcome.steps]


def test_a_failing_item_stops_the_loop_and_what_was_done_is_kept(replay: Replay) -> None:
    steps = [delete(text="{{_item}}") | QUICK, read("(a) => a._item", "gone")]
    step = {"op": "for_each", "items": ["Ann", "Zoe", "Bob"], "steps": steps, "into": "all"}
    done = replay(ROWS, step, look="log")
    assert (done.kind, done.seen) == ("missing", ["Ann"])
    assert done.error["failed_step"] == "steps[1].items[1].steps[0]"
    assert done.error["partial"] == {"all": [{"gone": "Ann"}, {}]}


def test_with_keep_a_failing_item_has_its_error_and_the_others_go_on(replay: Replay) -> None:
    steps = [delete(text="{{_item}}") | QUICK, read("(a) => a._item", "gone")]
    step = {"op": "for_each", "items": ["Ann", "Zoe", "Bob"], "steps": steps, "into": "all", "on_error": "keep"}
    done = replay(ROWS, step, look="log")
    assert (done.outcome.ok, done.seen) == (True, ["Ann", "Bob"])
    first, second, third = done.outcome.data["all"]
    assert (first, third) == ({"gone": "Ann"}, {"gone": "Bob"})
    assert second["_error"]["kind"] == "missing"
    assert second["_error"]["failed_step"] == "steps[1].items[1].steps[0]"
    assert [event.path for event in done.events if isinstance(event, StepFailed)] == ["steps[1].items[1].steps[0]"]
    assert done.outcome.warnings[0].startswith("steps[1].items[1].steps[0]: the Delete button")


def test_an_omitted_list_is_no_work_and_a_text_is_no_list(replay: Replay) -> None:
    step = {"op": "for_each", "items": "{{names}}", "steps": [delete(text="{{_item}}")]}
    schema: dict[str, Any] = {"properties": {"names": {}}}
    assert replay(ROWS, step, parameters=schema, look="log").outcome.steps[-1]["status"] == "skipped"
    assert replay(ROWS, step, args={"names": "Ann"}, look="log").kind == "bad_arguments"
    assert replay(ROWS, step, args={"names": []}, look="log").seen == []


def test_a_dry_run_stops_inside_a_loop_too(replay: Replay) -> None:
    step = {"op": "for_each", "items": ["Ann"], "steps": [read("() => 1", "x"), delete(text="{{_item}}")]}
    careful = RunOptions(stop_before_submit=True)
    done = replay(ROWS, step, look="log", options=careful)
    assert (done.outcome.stopped_before, done.seen) == ("steps[1].items[0].steps[1]", [])
    told = RunOptions(stop_before_submit=True, submit_path="steps[1].steps[1]")
    assert replay(ROWS, step, look="log", options=told).outcome.stopped_before == "steps[1].items[0].steps[1]"


def test_a_long_run_lists_only_so_many_steps_and_warnings(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recipes_app.engine.act.MAX_ROWS", 6)
    monkeypatch.setattr("recipes_app.engine.act.MAX_WARNINGS", 3)
    gone = {"op": "verify", "kind": "page_text_contains", "value": "no", "optional": True, "timeout_ms": 0}
    done = replay("<p>", {"op": "for_each", "items": list(range(9)), "steps": [gone]})
    assert [row["status"] for row in done.outcome.steps] == ["done", *["warned"] * 5, "more"]
    assert len(done.outcome.warnings) == 4
    assert done.outcome.warnings[-1] == "there were more warnings"


# --- call


def tools(*plain: dict[str, Any]) -> dict[str, Recipe]:
    return {tool["name"]: parse_recipe(tool) for tool in plain}


FIND = {
    "name": "find",
    "side_effect": "read",
    "parameters": {"properties": {"q": {"type": "string"}, "n": {"type": "integer", "default": 3}}, "required": ["q"]},
    "returns": {"type": "object", "required": ["hit"]},
    "steps": [read("(args) => `${args.q}/${args.n}`", "hit")],
}
WIPE = {"name": "wipe", "steps": [{"op": "click", "target": {"role": "button", "name": "Delete", "nth": 0}}]}


def test_another_tool_is_used_with_its_own_arguments_and_result(replay: Replay) -> None:
    options = RunOptions(tools=tools(FIND))
    steps = [
        {"op": "call", "tool": "find", "args": {"q": "{{word}}"}, "into": "a"},
        {"op": "call", "tool": "find", "args": {"q": "x", "n": "{{many}}"}},
    ]
    done = replay("<p>", *steps, args={"word": "tea", "many": 7}, options=options)
    assert done.outcome.data == {"a": {"hit": "tea/3"}, "hit": "x/7"}
    assert "steps[1].call.steps[0]" in [row["path"] for row in done.outcome.steps]


def test_an_argument_not_given_is_not_given_to_the_other_tool_either(replay: Replay) -> None:
    options = RunOptions(tools=tools(FIND))
    step = {"op": "call", "tool": "find", "args": {"q": "x", "n": "{{many}}"}}
    done = replay("<p>", step, parameters={"properties": {"many": {}}}, options=options)
    assert done.outcome.data == {"hit": "x/3"}


def test_a_tool_that_is_not_there_and_arguments_it_does_not_take(replay: Replay) -> None:
    options = RunOptions(tools=tools(FIND))
    lost = replay("<p>", {"op": "call", "tool": "fnd"}, options=options)
    assert (lost.kind, "did you mean find?" in lost.error["error"]) == ("bad_arguments", True)
    wrong = replay("<p>", {"op": "call", "tool": "find", "args": {"w": 1}}, options=options)
    assert (wrong.kind, "q is required" in wrong.error["error"]) == ("bad_arguments", True)


def test_a_reading_tool_may_not_use_one_that_writes(replay: Replay) -> None:
    options = RunOptions(tools=tools(WIPE))
    step = {"op": "call", "tool": "wipe"}
    refused = replay(ROWS, step, options=options, look="log", side_effect="read")
    assert (refused.kind, refused.seen) == ("blocked_by_policy", [])
    allowed = replay(ROWS, step, options=options, look="log")
    assert allowed.seen == ["Ann"]
    assert any(event.needs_ack for event in allowed.events)


def test_tools_that_call_each_other_in_a_circle_are_stopped(replay: Replay) -> None:
    there = parse_recipe({"name": "there", "steps": [{"op": "call", "tool": "back_again"}]})
    back = parse_recipe({"name": "back_again", "steps": [{"op": "call", "tool": "there"}]})
    options = RunOptions(tools={"there": there, "back_again": back})
    done = replay("<p>", {"op": "call", "tool": "there"}, options=options)
    assert (done.kind, "there > back_again > there" in done.error["error"]) == ("bad_arguments", True)


def chain(length: int) -> list[dict[str, Any]]:
    """t0 calls t1 … up to the last, which only reads."""
    steps = [[{"op": "call", "tool": f"t{n + 1}"}] for n in range(length)] + [[read("() => 1", "x")]]
    return [{"name": f"t{n}", "steps": each, "side_effect": "read"} for n, each in enumerate(steps)]


def test_calls_go_five_deep_and_no_deeper(replay: Replay) -> None:
    options = RunOptions(tools=tools(*chain(5)))
    assert replay("<p>", {"op": "call", "tool": "t1"}, options=options).outcome.data == {"x": 1}
    too_deep = replay("<p>", {"op": "call", "tool": "t0"}, options=options)
    assert (too_deep.kind, "more than 5 calls deep" in too_deep.error["error"]) == ("bad_arguments", True)


def registry(*plain: dict[str, Any]) -> dict[str, Any]:
    return {"format": 2, "site": "s", "base_url": "https://s.test", "tools": list(plain)}


def test_circles_long_chains_and_hidden_writes_are_refused_in_the_file() -> None:
    assert parse_registry(registry(*chain(5))).tool("t5") is not None
    wrong = {
        "calls itself: a > b > a": [
            {"name": "a", "steps": [{"op": "call", "tool": "b"}]},
            {"name": "b", "steps": [{"op": "repeat", "steps": [{"op": "call", "tool": "a"}]}]},
        ],
        "more than 5 calls deep": chain(6),
        "is read, but it calls wipe, which is write": [
            WIPE,
            {"name": "look", "side_effect": "read", "steps": [{"op": "call", "tool": "wipe"}]},
        ],
    }
    for message, plain in wrong.items():
        with pytest.raises(DocumentError, match=message):
            parse_registry(registry(*plain))
    with pytest.raises(DocumentError, match="calls itself: me > me"):
        parse_recipe({"name": "me", "steps": [{"op": "call", "tool": "me"}]})


def test_a_secret_given_to_another_tool_stays_one(replay: Replay) -> None:
    login = {
        "name": "login",
        "parameters": {"properties": {"pw": {"type": "string", "format": "password"}}},
        "steps": [{"op": "verify", "kind": "page_text_contains", "value": "{{pw}}", "timeout_ms": 0}],
    }
    step = {"op": "call", "tool": "login", "args": {"pw": "canary-7"}}
    done = replay("<p>", step, options=RunOptions(tools=tools(login)))
    assert "canary-7" not in repr(done.outcome.as_result()) + repr([event.as_dict() for event in done.events])


def test_a_dry_run_stops_inside_another_tool(replay: Replay, site: LocalSite) -> None:
    options = RunOptions(tools=tools(WIPE), stop_before_submit=True)
    done = replay(ROWS, {"op": "call", "tool": "wipe"}, options=options, look="log")
    assert (done.outcome.stopped_before, done.seen) == ("steps[1].call.steps[0]", [])


# --- drag


HTML5 = LOG + (
    "<div id=a draggable=true ondragstart=\"event.dataTransfer.setData('text', 'card')\">Card</div>"
    "<div style='height:300px'></div><div role=region aria-label=Done ondragover='event.preventDefault()'"
    " ondrop=\"event.preventDefault(); say(event.dataTransfer.getData('text'))\" style='height:80px'>Done</div>"
)
POINTER = LOG + (
    "<div id=a style='position:absolute;width:40px;height:40px;left:20px;top:20px;touch-action:none'>Card</div>"
    "<div id=z role=region aria-label=Done style='position:absolute;left:300px;top:200px;width:90px;height:90px'></div>"
    "<script>let held = null; a.onpointerdown = (ev) => { held = [ev.clientX, ev.clientY];"
    " a.setPointerCapture(ev.pointerId) }; a.onpointermove = (ev) => { if (held)"
    " a.style.transform = `translate(${ev.clientX - held[0]}px, ${ev.clientY - held[1]}px)` };"
    "a.onpointerup = (ev) => { say([ev.clientX - held[0], ev.clientY - held[1]]); held = null;"
    " a.hidden = true; say(document.elementFromPoint(ev.clientX, ev.clientY).id); }</script>"
)


def test_drag_and_drop_of_html5_and_by_pointer(replay: Replay) -> None:
    step = {"op": "drag", "target": {"css": "#a"}, "to": {"role": "region", "name": "Done"}}
    assert replay(HTML5, step, look="log").seen == ["card"]
    assert replay(POINTER, step, look="log").seen[1] == "z"


def test_a_drag_by_a_distance(replay: Replay) -> None:
    step = {"op": "drag", "target": {"css": "#a"}, "to": {"x": 50, "y": -10}}
    assert replay(POINTER, step, look="log").seen[0] == [50, -10]


BOARD = LOG + (
    "<svg width=300 height=200 style='touch-action:none'><rect id=box x=150 y=50 width=100 height=100 fill=none"
    " stroke=black></rect><circle class=dot cx=30 cy=40 r=15 /><circle class=dot cx=30 cy=120 r=15 /></svg>"
    "<script>let held = null; document.querySelectorAll('.dot').forEach((dot) => { dot.onpointerdown = (ev) => {"
    " held = dot; const late = document.createElementNS(dot.namespaceURI, 'rect'); dot.parentNode.prepend(late) } });"
    "document.onpointermove = (ev) => { if (held) { held.setAttribute('cx', ev.pageX - 8);"
    " held.setAttribute('cy', ev.pageY - 8) } };"
    "document.onpointerup = () => { if (held) say([Math.round(held.cx.baseVal.value / 10)]); held = null }</script>"
)


def test_an_outline_takes_what_is_dropped_on_it_also_when_something_lies_there_already(replay: Replay) -> None:
    steps = [
        {"op": "drag", "target": {"css": "svg .dot", "nth": nth}, "to": {"css": "svg > rect", "nth": 0}}
        for nth in (0, 1)
    ]
    steps[1]["to"] = {"css": "#box"}
    assert replay(BOARD, *steps, look="log").seen == [[20], [20]]


def test_a_drop_behind_what_covers_the_page_is_refused(replay: Replay) -> None:
    cover = "<div id=cover style='position:fixed;left:100px;top:0;width:200px;height:300px;background:#ccc'></div>"
    step = {"op": "drag", "target": {"css": "svg .dot", "nth": 0}, "to": {"css": "#box"}}
    failed = replay(BOARD + cover, step, look="log")
    assert (failed.kind, failed.seen) == ("covered", [])
    assert "#box is covered by div#cover" in failed.error["error"]


SORTED = LOG + (
    "<ul style='list-style:none;margin:0;padding:0;width:100px'>"
    "<li style='height:40px'>One</li><li style='height:40px'>Two</li><li style='height:40px'>Three</li></ul>"
    "<script>const list = document.querySelector('ul'); let held = null;"
    "list.onmousedown = (ev) => { held = ev.target };"
    "document.onmousemove = (ev) => { const over = document.elementFromPoint(ev.clientX, ev.clientY);"
    " if (!held || over === held || over.parentNode !== list) return; const box = over.getBoundingClientRect();"
    " if (ev.clientY > box.top + box.height / 2) over.after(held) };"
    "document.onmouseup = () => { held = null; say([...list.children].map((e) => e.textContent).join(' ')) }</script>"
)


def test_a_list_sorted_by_dragging_puts_the_entry_where_the_other_one_stood(replay: Replay) -> None:
    step = {"op": "drag", "target": {"css": "ul > li:not(.x)", "nth": 0}, "to": {"css": "ul > li:not(.x)", "nth": 2}}
    assert replay(SORTED, step, look="log").seen == ["Two Three One"]


def test_the_distance_of_a_drag_may_be_arguments(replay: Replay) -> None:
    step = {"op": "drag", "target": {"css": "#a"}, "to": {"x": "{{right}}", "y": "{{down}}"}}
    assert replay(POINTER, step, args={"right": 50, "down": -10}, look="log").seen[0] == [50, -10]
    wrong = replay(POINTER, step, args={"right": "far", "down": 0}, look="log")
    assert (wrong.kind, wrong.seen) == ("bad_arguments", [])


def test_a_condition_counts_where_its_target_says_which_one(replay: Replay) -> None:
    third = {"op": "verify", "kind": "element_exists", "target": {"css": ".row", "nth": 2}, "timeout_ms": 100}
    assert not replay("<p class=row>1</p><p class=row>2</p>", third).outcome.ok
    assert replay("<p class=row>1</p><p class=row>2</p><p class=row>3</p>", third).outcome.ok
