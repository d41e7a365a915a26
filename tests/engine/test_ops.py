"""The ops, each on the smallest page that could go wrong."""

from typing import Any

import pytest

from recipes_app.engine.ops import OPS, RUNS
from recipes_app.engine.vocabulary import VOCABULARY
from tests.engine.conftest import LocalSite, Replay, Reply

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"


def named(op: str, role: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"op": op, "target": {"role": role, "name": name}, **fields}


def test_every_op_of_the_vocabulary_has_a_function_and_the_other_way_round() -> None:
    assert set(RUNS) == set(VOCABULARY) == set(OPS)
    assert all(op.help.endswith(".") for op in OPS.values())


# --- type


def test_a_rich_text_editor_that_keeps_its_own_model_gets_every_paragraph(replay: Replay) -> None:
    page = (
        "<div id=e contenteditable role=textbox aria-label=Body></div><script>"
        "let model = []; e.addEventListener('beforeinput', (ev) => { model.push(ev.inputType); });"
        "const undo = new MutationObserver(() => { if (!model.length) e.textContent = ''; });"
        "undo.observe(e, {childList: true, subtree: true});"
        "</script>"
    )
    text = "First 🎉\nSecond"
    done = replay(page, named("type", "textbox", "Body", text="{{t}}"), args={"t": text}, look="e.innerText")
    assert done.outcome.ok
    assert [line for line in done.seen.split("\n") if line] == ["First 🎉", "Second"]


def test_a_field_that_only_believes_keys_gets_keys(replay: Replay) -> None:
    page = (
        "<input id=i aria-label=Code><script>let kept = '';"
        "i.addEventListener('keydown', (ev) => { if (ev.key.length === 1) kept += ev.key; });"
        "i.addEventListener('input', () => { i.value = kept; });</script>"
    )
    assert replay(page, named("type", "textbox", "Code", text="abc"), look="i.value").seen == "abc"


def test_a_value_the_page_takes_back_is_a_failure(replay: Replay) -> None:
    page = "<input id=i aria-label=Code maxlength=3 oninput=\"this.value = ''\">"
    done = replay(page, named("type", "textbox", "Code", text="abc"))
    assert done.kind == "value_not_kept"
    assert "holds nothing instead of “abc”" in done.error["error"]


def test_a_value_the_page_only_formats_is_kept(replay: Replay) -> None:
    page = "<input aria-label=Phone oninput=\"this.value = this.value.replace(/(\\d{3})(?=\\d)/g, '$1-')\">"
    done = replay(page, named("type", "textbox", "Phone", text="123456"))
    assert done.outcome.ok
    assert "form of its own" in done.outcome.warnings[0]


def test_letters_in_a_number_field_and_text_in_a_button_are_refused(replay: Replay) -> None:
    page = "<input type=number aria-label=Age><button>Go</button>"
    assert replay(page, named("type", "spinbutton", "Age", text="old")).kind == "value_not_kept"
    assert replay(page, named("type", "button", "Go", text="x")).kind == "drifted"


def test_sliders_and_spin_buttons_are_set(replay: Replay) -> None:
    page = (
        "<input id=r type=range min=0 max=10 aria-label=Volume>"
        "<div id=s role=slider tabindex=0 aria-label=Size aria-valuenow=3>==</div><script>"
        "s.onkeydown = (ev) => { const d = {ArrowUp: 1, ArrowDown: -1}[ev.key] || 0;"
        " s.setAttribute('aria-valuenow', Number(s.getAttribute('aria-valuenow')) + d); }</script>"
    )
    steps = [named("type", "slider", "Volume", text=7), named("type", "slider", "Size", text="{{n}}")]
    look = "[r.value, s.getAttribute('aria-valuenow')]"
    assert replay(page, *steps, args={"n": 8}, look=look).seen == ["7", "8"]


def test_enter_is_pressed_after_typing(replay: Replay, site: LocalSite) -> None:
    pages = {"/": "<form action=/s><input name=q aria-label=Search></form>", "/s": "found"}
    step = named("type", "textbox", "Search", text="a b", press_enter=True, expect={"url": "*/s?q=*"})
    assert replay(pages, step).outcome.ok
    assert site.paths()[-1] == "/s?q=a+b"


# --- choices


def test_a_radio_group_is_set_by_its_words(replay: Replay) -> None:
    page = (
        "<fieldset><legend>Size</legend><label><input type=radio name=s value=s>Small</label>"
        "<label><input type=radio name=s value=l>Large</label></fieldset>"
    )
    step = named("choose", "group", "Size", value="{{v}}")
    look = "document.querySelector(':checked')?.value"
    assert replay(page, step, args={"v": "Large"}, look=look).seen == "l"
    bad = replay(page, step, args={"v": "Medium"}, look=look)
    assert (bad.kind, bad.error["found"], bad.seen) == ("option_not_offered", ["Small", "Large"], None)


COMBO = (
    "<input id=c role=combobox aria-label=City aria-controls=list aria-expanded=false><script>"
    "c.onclick = () => setTimeout(() => { if (window.list) return;"
    " document.body.insertAdjacentHTML('beforeend',"
    "  '<ul id=list role=listbox><li role=option>Rome<li role=option>Riga</ul>');"
    " c.setAttribute('aria-expanded', 'true');"
    " for (const o of list.children) o.onclick = () => { c.value = o.innerText; list.remove();"
    "  c.setAttribute('aria-expanded', 'false'); }; }, 150)</script>"
)


@pytest.mark.parametrize("op", ["choose", "select"])
def test_a_combo_box_whose_choices_come_late_ends_closed_with_the_choice(replay: Replay, op: str) -> None:
    step = named(op, "combobox", "City", value="{{v}}")
    look = "[c.value, c.getAttribute('aria-expanded')]"
    assert replay(COMBO, step, args={"v": "Riga"}, look=look).seen == ["Riga", "false"]
    assert replay(COMBO, step, args={"v": "Oslo"}).error["found"] == ["Rome", "Riga"]


def test_a_menu_behind_a_button_that_pretends_is_found_out(replay: Replay) -> None:
    page = (
        "<button role=combobox aria-label=Plan id=b onclick='m.hidden = false'>Free</button>"
        "<div id=m hidden role=listbox><div role=option onclick='m.hidden = true'>Pro</div></div>"
    )
    done = replay(page, named("choose", "combobox", "Plan", value="Pro"))
    assert done.kind == "value_not_kept"


def test_several_values_of_a_native_list(replay: Replay) -> None:
    page = "<select id=s multiple aria-label=Tags><option>a<option>b<option>c</select>"
    step = named("select", "listbox", "Tags", value=["a", "c"])
    assert replay(page, step, look="[...s.selectedOptions].map((o) => o.value)").seen == ["a", "c"]


def test_options_that_depend_on_another_field_may_come_late(replay: Replay) -> None:
    late = "<script>setTimeout(() => s.add(new Option('Rome')), 300)</script>"
    page = f"<select id=s aria-label=Town><option>Choose</select>{late}"
    assert replay(page, named("select", "combobox", "Town", value="Rome"), look="s.value").seen == "Rome"


def test_a_styled_box_is_set_by_its_label(replay: Replay) -> None:
    page = (
        "<style>input{position:absolute;opacity:0;width:1px;height:1px}</style>"
        "<label><input id=c type=checkbox><span style='padding:9px'>I agree</span></label>"
    )
    step = named("check", "checkbox", "I agree", value=True)
    assert replay(page, step, step, look="c.checked").seen is True


def test_a_switch_that_does_not_move_is_a_failure(replay: Replay) -> None:
    page = "<button role=switch aria-checked=false aria-label=Wifi>off</button>"
    assert replay(page, named("check", "switch", "Wifi", timeout_ms=600)).kind == "value_not_kept"


# --- files


def test_files_reach_a_hidden_input_and_a_drop_zone(replay: Replay) -> None:
    page = LOG + (
        "<form><button type=button>Choose a file</button>"
        "<input type=file style='display:none'"
        " onchange='this.files[0].text().then((t) => say(this.files[0].name + t))'></form>"
        "<div id=z tabindex=0 aria-label=Drop role=region style='height:50px'>Drop here</div><script>"
        "z.ondragover = (ev) => ev.preventDefault();"
        "z.ondrop = (ev) => { ev.preventDefault();"
        " ev.dataTransfer.files[0].text().then((t) => say('dropped ' + t)); }</script>"
    )
    both = "async () => { while (log.length < 2) await new Promise(requestAnimationFrame); return log }"
    file = "data:text/plain;name=n.txt;base64,aGVsbG8="
    steps = [
        named("upload", "button", "Choose a file", files="{{f}}"),
        named("upload", "region", "Drop", files="{{f}}"),
        {"op": "js_extract", "expr": both, "key": "log"},
    ]
    done = replay(page, *steps, args={"f": file})
    assert sorted(done.outcome.data["log"]) == ["dropped hello", "n.txthello"]


# --- reading


LIST = (
    "<base href=https://shop.test/de/><ul lang=de>"
    "<li><a href=p/1>Stuhl</a> <b>1.234,50 €</b> <time datetime=2026-02-03>vorgestern</time></li>"
    "<li><a href=p/2>Tisch</a> <b>24,90 €</b></li></ul>"
)


def test_a_list_is_read_with_types_and_the_items_language(replay: Replay) -> None:
    fields = {
        "name": {"css": "a"},
        "url": {"css": "a", "type": "url"},
        "price": {"css": "b", "type": "money"},
        "day": {"css": "time", "type": "date"},
        "cell": {"css": "b", "fields": {"raw": {}}},
    }
    step = {"op": "extract_list", "items": {"role": "listitem"}, "fields": fields, "locale": "@lang", "key": "items"}
    done = replay(LIST, step)
    assert done.outcome.data["items"] == [
        {
            "name": "Stuhl",
            "url": "https://shop.test/de/p/1",
            "price": {"amount": "1234.50", "currency": "EUR"},
            "day": "2026-02-03",
            "cell": {"raw": "1.234,50 €"},
        },
        {
            "name": "Tisch",
            "url": "https://shop.test/de/p/2",
            "price": {"amount": "24.90", "currency": "EUR"},
            "day": None,
            "cell": {"raw": "24,90 €"},
        },
    ]


def test_a_list_may_be_read_by_roles_and_limited(replay: Replay) -> None:
    by_role = {"op": "extract_list", "items": {"css": "ul > li"}, "fields": {"link": {"role": "link"}}, "key": "a"}
    assert replay(LIST, by_role | {"limit": "{{n}}"}, args={"n": 1}).outcome.data == {"a": [{"link": "Stuhl"}]}


CSS = {"Content-Type": "text/css"}
HITS = {"op": "extract_list", "items": {"css": "ul.hits > li"}, "fields": {"x": {}}, "key": "hits", "timeout_ms": 1500}


def test_a_value_that_is_not_of_its_type_is_a_bad_return(replay: Replay) -> None:
    step = {"op": "extract_list", "items": {"css": "li"}, "fields": {"n": {"css": "a", "type": "number"}}, "key": "k"}
    done = replay(LIST, step)
    assert done.kind == "bad_return"
    assert "k[0].n: “Stuhl” holds no number" in done.error["error"]


TABLE = (
    "<table id=t><thead><tr><th rowspan=2>Name<th colspan=2>2026</tr><tr><th>Q1<th>Q2</tr></thead>"
    "<tr><td rowspan=2>Ann<td>1,5<td>2</tr><tr><td colspan=2>3</tr>"
    "<tfoot><tr><td>Total<td>9<td>9</tr></tfoot></table>"
)


def test_a_table_repeats_merged_cells_and_leaves_the_foot_out(replay: Replay) -> None:
    columns = {"who": {"header": "Name"}, "first": {"header": "2026 Q1", "type": "number"}}
    whole = {"op": "extract_table", "target": {"role": "table"}, "key": "a"}
    done = replay(TABLE, whole, whole | {"columns": columns, "locale": "de", "key": "b"})
    assert done.outcome.data == {
        "a": [{"Name": "Ann", "2026 Q1": "1,5", "2026 Q2": "2"}, {"Name": "Ann", "2026 Q1": "3", "2026 Q2": "3"}],
        "b": [{"who": "Ann", "first": 1.5}, {"who": "Ann", "first": 3}],
    }
    lost = replay(TABLE, whole | {"columns": {"x": {"header": "Q3"}}})
    assert (lost.kind, lost.error["found"]) == ("missing", ["Name", "2026 Q1", "2026 Q2"])


def test_attributes_values_and_scripts(replay: Replay) -> None:
    page = "<label>Mail <input value=a@b.c></label><a href=/x title=Tip>Link</a>"
    steps = [
        named("extract", "textbox", "Mail", attr="value", key="mail"),
        named("extract", "link", "Link", attr="title", key="tip"),
        named("extract", "link", "Link", attr="rel", key="rel"),
        {"op": "js_extract", "expr": "(args) => ({n: args.n, when: undefined}) // a comment", "key": "js"},
        {"op": "js_extract", "expr": "async () => { await null; return [1] };", "key": "late"},
    ]
    wanted = {"mail": "a@b.c", "tip": "Tip", "rel": None, "js": {"n": 3}, "late": [1]}
    assert replay(page, *steps, args={"n": 3}).outcome.data == wanted


@pytest.mark.parametrize("expr", ["() => { throw new Error('no rows') }", "() => nowhere.x", "() => (", "() => 1n"])
def test_a_script_that_fails_is_a_bad_return(replay: Replay, expr: str) -> None:
    assert replay("<p>", {"op": "js_extract", "expr": expr, "key": "x"}).kind == "bad_return"


# --- the rest


def test_pointer_ops(replay: Replay) -> None:
    page = LOG + (
        "<button ondblclick=\"say('double')\" onmouseover=\"say('over')\" onauxclick=\"say('aux ' + event.button)\""
        " onclick=\"say([event.shiftKey, event.offsetX])\" style='width:100px'>B</button>"
    )
    steps = [
        named("hover", "button", "B"),
        named("click", "button", "B", modifiers=["Shift"], offset={"x": 5, "y": 5}),
        named("click", "button", "B", button="middle"),
        named("double_click", "button", "B"),
    ]
    seen = replay(page, *steps, look="log").seen
    assert seen[0] == "over"
    assert seen[1][0] is True
    assert "aux 1" in seen
    assert seen[-1] == "double"


def test_going_back_pressing_keys_and_scrolling(replay: Replay) -> None:
    pages = {"/": "<p style='height:5000px'>Home", "/b": LOG + "<body onkeydown='say(event.key)'>B"}
    steps = [
        {"op": "scroll", "direction": "bottom"},
        {"op": "js_extract", "expr": "() => scrollY > 3000", "key": "down"},
        {"op": "goto", "url": "/b"},
        {"op": "press", "key": "Escape"},
        {"op": "js_extract", "expr": "() => log", "key": "keys"},
        {"op": "reload"},
        {"op": "back"},
        {"op": "verify", "kind": "page_text_contains", "value": "home", "case_insensitive": True},
    ]
    assert replay(pages, *steps).outcome.data == {"down": True, "keys": ["Escape"]}


def test_conditions_combine(replay: Replay) -> None:
    page = "<label>Name <input value=Ann></label><h1>Hello</h1>"
    name = {"role": "textbox", "name": "Name"}
    condition = {
        "all": [
            {"kind": "value_is", "target": name, "value": "ann", "case_insensitive": True},
            {"any": [{"kind": "url_contains", "value": "nowhere"}, {"kind": "url_matches", "value": "http://*:*/"}]},
            {"not": {"kind": "page_text_contains", "value": "hello"}},
            {"kind": "element_absent", "target": {"role": "button"}},
        ]
    }
    assert replay(page, {"op": "verify", **condition}).outcome.ok
    wrong = replay(page, {"op": "verify", "not": condition, "timeout_ms": 100})
    assert wrong.kind == "verify_failed"


def test_a_click_waits_for_what_it_must_bring(replay: Replay) -> None:
    page = LOG + (
        "<a href=#x id=go onclick='setTimeout(() => { document.body.innerHTML ="
        ' `<h1>New</h1><a href=#y onclick=say("new")>Next</a>`; location.hash = "new" }, 400)\'>Go</a>'
        "<a href=#z onclick=\"say('old')\">Next</a>"
    )
    steps = [
        named("click", "link", "Go", expect={"appears": {"role": "heading", "name": "New"}, "url": "*#new"}),
        named("click", "link", "Next"),
    ]
    assert replay(page, *steps, look="log").seen == ["new"]
    gone = named("click", "link", "Go", expect={"disappears": {"role": "link", "name": "Go"}})
    assert replay(page, gone).outcome.ok
    never = named("click", "link", "Next", expect={"appears": {"role": "heading"}}, timeout_ms=300)
    assert replay(page, never).kind == "verify_failed"


def test_what_is_read_is_what_the_styled_page_shows(replay: Replay) -> None:
    pages = {
        "/": "<link rel=stylesheet href=/late.css><ul class=hits><li>Chair <i class=gone>secret</i></ul><h1>Shop</h1>"
        "<table><tr><th>Name<tr><td>Chair</table>",
        "/late.css": Reply("li, h1, td { text-transform: uppercase } .gone { display: none }", 200, CSS, wait_ms=700),
    }
    heading = {"op": "extract", "target": {"role": "heading"}, "key": "title"}
    table = {"op": "extract_table", "target": {"role": "table"}, "key": "rows"}
    for step, expected in ((HITS, [{"x": "CHAIR"}]), (heading, "SHOP"), (table, [{"Name": "CHAIR"}])):
        assert replay(pages, step).outcome.data[str(step["key"])] == expected


def test_a_style_sheet_that_never_comes_holds_nothing_up(replay: Replay) -> None:
    pages = {"/": "<link rel=stylesheet href=/none.css><ul class=hits><li>Chair</ul>", "/none.css": Reply("", 404)}
    assert replay(pages, HITS).outcome.data == {"hits": [{"x": "Chair"}]}
