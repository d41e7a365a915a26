# ruff: noqa: E501 - pages are easier to read in long lines
"""Pages on which tools of this kind are publicly known to have gone wrong; dates, files and lists are beside."""

from typing import Any

import pytest

from recipes_app.engine.runner import RunOptions
from tests.engine.conftest import LocalSite, Replay, Reply

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"


def named(op: str, role: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"op": op, "target": {"role": role, "name": name}, **fields}


# --- T01, T03, T04: choices


def test_t01_a_list_that_is_chosen_from_twice_ends_on_the_second_choice(replay: Replay) -> None:
    page = LOG + "<select id=s aria-label=Size onchange='say(this.value)'><option>S<option>A<option>B</select>"
    steps = [named("select", "combobox", "Size", value=value) for value in "AB"]
    assert replay(page, *steps, look="[s.value, log]").seen == ["B", ["A", "B"]]


LATE = (
    "<input id=c role=combobox aria-label=City aria-controls=list aria-expanded=false autocomplete=off><script>"
    "const open = () => setTimeout(() => { if (window.list) return; const l = document.createElement('ul');"
    " l.id = 'list'; l.setAttribute('role', 'listbox'); document.body.append(l); draw(''); c.ariaExpanded = 'true' }, 150);"
    "const draw = (t) => { list.innerHTML = ['Rome', 'Riga', 'Oslo'].filter((n) => n.toLowerCase().includes(t))"
    ".map((n) => `<li role=option>${n}</li>`).join(''); for (const o of list.children) o.onclick = () =>"
    " { c.value = o.innerText; shut() } };"
    "const shut = () => { if (window.list) list.remove(); c.ariaExpanded = 'false' };"
    "c.addEventListener('keydown', (ev) => { if (ev.key === 'Escape') { c.value = ''; shut() } });"
    "c.addEventListener(OPENS, (ev) => { if (OPENS !== 'keydown' || ev.key === 'ArrowDown') open() });</script>"
)


@pytest.mark.parametrize("opens", ["'click'", "'focus'", "'keydown'"])
def test_t03_a_combo_box_whose_choices_come_late(replay: Replay, opens: str) -> None:
    step = named("choose", "combobox", "City", value="{{v}}")
    look = "[c.value, c.ariaExpanded, Boolean(window.list)]"
    page = LATE.replace("OPENS", opens)
    assert replay(page, step, args={"v": "Riga"}, look=look).seen == ["Riga", "false", False]


def test_t03_a_choice_that_is_not_there_is_told_and_the_list_closed(replay: Replay) -> None:
    step = named("choose", "combobox", "City", value="Bonn")
    done = replay(LATE.replace("OPENS", "'click'"), step, look="Boolean(window.list)")
    assert (done.kind, done.seen) == ("option_not_offered", False)


def test_t03_a_long_list_shows_only_what_is_typed(replay: Replay) -> None:
    page = LATE.replace("OPENS", "'click'").replace(
        "draw('');", "c.onkeyup = () => { if (window.list) draw(c.value.toLowerCase() || '-') }; draw('-');"
    )
    step = named("choose", "combobox", "City", value="Oslo")
    assert replay(page, step, look="[c.value, c.ariaExpanded]").seen == ["Oslo", "false"]


RADIX = (
    "<span id=l>Plan</span><button id=b role=combobox aria-labelledby=l aria-expanded=false data-state=closed>Free</button>"
    "<div hidden><div role=option>Stale</div></div><script>"
    "b.onpointerdown = () => { if (window.pop) return; const d = document.createElement('div'); d.id = 'pop';"
    " d.setAttribute('role', 'listbox'); d.innerHTML = ['Free', 'Pro', 'Team'].map((n) => `<div role=option>${n}</div>`).join('');"
    " document.body.append(d); b.setAttribute('aria-controls', 'pop'); b.ariaExpanded = 'true';"
    " for (const o of d.children) o.onpointerup = () => { b.textContent = o.innerText; shut() } };"
    "const shut = () => { pop.remove(); b.ariaExpanded = 'false' };"
    "onkeydown = (ev) => { if (ev.key === 'Escape' && window.pop) shut() };</script>"
)


def test_t04_a_list_of_a_div_widget(replay: Replay) -> None:
    look = "[b.textContent, b.ariaExpanded, Boolean(window.pop)]"
    step = named("select", "combobox", "Plan", value="{{v}}")
    assert replay(RADIX, step, args={"v": "Pro"}, look=look).seen == ["Pro", "false", False]
    bad = replay(RADIX, step, args={"v": "Gold"}, look=look)
    assert (bad.kind, bad.error["found"], bad.seen) == (
        "option_not_offered",
        ["Free", "Pro", "Team"],
        ["Free", "false", False],
    )


def test_t04_a_menu_of_actions(replay: Replay) -> None:
    page = LOG + (
        "<button aria-haspopup=menu aria-expanded=false id=b onclick='m.hidden = !m.hidden'>Actions</button>"
        "<div id=m role=menu hidden><div role=menuitem onclick=\"say('dup'); m.hidden = true\">Duplicate</div>"
        "<div role=menuitem onclick=\"say('del'); m.hidden = true\">Delete</div></div>"
    )
    done = replay(page, named("choose", "button", "Actions", value="Delete"), look="[log, m.hidden]")
    assert (done.outcome.ok, done.seen) == (True, [["del"], True])


def test_t04_a_list_that_says_of_nothing_what_it_is(replay: Replay) -> None:
    page = (
        "<div id=d tabindex=0>Choose size</div><div id=m hidden><div onclick=\"d.textContent = 'Small'; m.hidden = true\">"
        "Small</div><div>Large</div></div><script>d.onclick = () => { m.hidden = false }</script>"
    )
    step = {"op": "choose", "target": {"css": "#d"}, "value": "{{v}}"}
    assert replay(page, step, args={"v": "Small"}, look="d.textContent").seen == "Small"
    assert replay(page, step, args={"v": "Huge"}).kind == "option_not_offered"


def test_t04_a_field_with_a_list_of_its_own(replay: Replay) -> None:
    page = "<input list=x aria-label=City id=c><datalist id=x><option value=FCO>Rome<option>Riga</datalist>"
    step = named("choose", "combobox", "City", value="{{v}}")
    assert [replay(page, step, args={"v": v}, look="c.value").seen for v in ("Riga", "Rome")] == ["Riga", "FCO"]
    bad = replay(page, step, args={"v": "Bonn"}, look="c.value")
    assert (bad.kind, bad.error["found"], bad.seen) == ("option_not_offered", ["Rome", "Riga"], "")


@pytest.mark.parametrize(("does", "kind"), [("this.ariaSelected = true", None), ("", "value_not_kept")])
def test_t04_an_open_list_must_say_that_it_took_the_choice(replay: Replay, does: str, kind: str | None) -> None:
    page = f"<ul role=listbox aria-label=Colour><li role=option aria-selected=false onclick='{does}'>Blue</li></ul>"
    done = replay(page, named("choose", "listbox", "Colour", value="Blue"))
    assert (done.outcome.error or {}).get("kind") == kind


# --- T09: rich text


EDITOR = LOG + (
    "<div id=e contenteditable role=textbox aria-multiline=true aria-label=Body><p><br></p></div><script>"
    "let model = ['']; let all = false; const draw = () => { busy = true;"
    " e.innerHTML = model.map((t) => `<p>${t.replace(/</g, '&lt;') || '<br>'}</p>`).join('');"
    " const r = document.createRange(); r.selectNodeContents(e.lastChild); r.collapse(false);"
    " getSelection().removeAllRanges(); getSelection().addRange(r); busy = false }; let busy = false;"
    "document.onselectionchange = () => { const s = getSelection(); all = !s.isCollapsed };"
    "e.addEventListener('beforeinput', (ev) => { ev.preventDefault(); if (all) { model = ['']; all = false }"
    " if (ev.inputType === 'insertText') model[model.length - 1] += ev.data;"
    " else if (/Paragraph|LineBreak/.test(ev.inputType)) model.push(''); draw() });"
    "new MutationObserver(() => { const now = [...e.children].map((p) => p.innerText.replace(/\\n/g, ''));"
    " if (!busy && JSON.stringify(now) !== JSON.stringify(model)) draw() })"
    ".observe(e, {childList: true, subtree: true, characterData: true});</script>"
)
TEXT = "Dear all 👋🏽,\n\nsecond < third\nLast — “quoted”"


def test_t09_an_editor_that_keeps_its_own_model(replay: Replay) -> None:
    done = replay(EDITOR, named("type", "textbox", "Body", text="{{t}}"), args={"t": TEXT}, look="model")
    assert done.outcome.ok, done.outcome.error
    assert done.seen == TEXT.split("\n")


def test_t09_what_the_editor_held_before_is_replaced(replay: Replay) -> None:
    step = named("type", "textbox", "Body", text="{{t}}")
    one, two = step | {"text": "One\nTwo"}, step | {"text": "Three"}
    assert replay(EDITOR, one, two, look="model").seen == ["Three"]


def test_t09_an_editor_in_a_frame(replay: Replay) -> None:
    pages = {"/": "<iframe title=Editor src=/editor></iframe>", "/editor": EDITOR}
    done = replay(pages, named("type", "textbox", "Body", text=TEXT), look="frames[0].eval('model')")
    assert done.seen == TEXT.split("\n")


def test_t09_an_editor_that_takes_nothing_is_a_failure(replay: Replay) -> None:
    page = "<div id=e contenteditable role=textbox aria-label=Body onbeforeinput='return false'></div>"
    assert replay(page, named("type", "textbox", "Body", text="x")).kind == "value_not_kept"


# --- T11, T13, T14: the right element at the right time


def test_t11_a_decoy_before_the_button_stops_the_replay(replay: Replay) -> None:
    page = (
        LOG
        + "<button onclick=\"say('decoy')\">Submit order</button><button onclick=\"say('real')\">Submit order</button>"
    )
    target = {"role": "button", "name": "Submit order", "fingerprint": {"role": "button", "peers": 1}}
    for given in (
        target,
        {"locators": [{"role": "button", "name": "Submit order"}], "fingerprint": target["fingerprint"]},
    ):
        done = replay(page, {"op": "click", "target": given}, look="log")
        assert (done.kind, done.seen) == ("ambiguous", [])
        assert "any of 2 elements, 1 when it was recorded" in done.error["error"]


def test_t13_a_node_that_became_another_button_is_not_clicked(replay: Replay) -> None:
    page = LOG + (
        "<div role=toolbar><button id=b1 onclick='say(this.textContent)'>Edit</button>"
        "<button id=b2 onclick='say(this.textContent)'>Share</button></div>"
        "<script>setTimeout(() => { b1.textContent = 'Delete'; b2.textContent = 'Edit' }, 300)</script>"
    )
    moved = {"op": "wait_for", "target": {"role": "button", "name": "Delete"}}
    assert replay(page, moved, named("click", "button", "Edit"), look="log").seen == ["Edit"]
    recorded = {"locators": [{"role": "button", "name": "Edit"}, {"css": "#b1"}]}
    refused = replay(page, moved, {"op": "click", "target": recorded, "timeout_ms": 700}, look="log")
    assert (refused.kind, refused.seen) == ("drifted", [])


def test_t14_the_next_step_waits_for_the_new_view(replay: Replay) -> None:
    pages = {
        "/": LOG
        + "<main id=m><a href=/list id=go>Open list</a><a href=# onclick=\"say('old')\">First</a></main><script>"
        "go.onclick = async (ev) => { ev.preventDefault(); await fetch('/data'); history.pushState({}, '', '/list');"
        " m.innerHTML = `<h1>List</h1><a href=# onclick=\"say('new')\">First</a>` };</script>",
        "/data": Reply("x", wait_ms=800),
    }
    go = named("click", "link", "Open list", expect={"url": "*/list", "appears": {"role": "heading", "name": "List"}})
    assert replay(pages, go, named("click", "link", "First"), look="log").seen == ["new"]


# --- T16: native dialogs


ASK = LOG + (
    "<button onclick=\"if (confirm('Delete 3 items?')) fetch('/gone', {method: 'POST'}).then(() => say('gone'))\">"
    "Delete</button>"
)


def test_t16_a_confirmed_deletion_reaches_the_server(replay: Replay, site: LocalSite) -> None:
    step = named("click", "button", "Delete", expect={"dialog": {"type": "confirm", "answer": "accept"}})
    done_when = {
        "op": "js_extract",
        "expr": "async () => { while (!log.length) await new Promise(requestAnimationFrame); return log }",
        "key": "log",
    }
    done = replay({"/": ASK, "/gone": "ok"}, step, done_when)
    assert (done.outcome.data["log"], site.paths("POST")) == (["gone"], ["/gone"])


def test_t16_one_that_nobody_expected_is_dismissed_and_told(replay: Replay, site: LocalSite) -> None:
    done = replay({"/": ASK, "/gone": "ok"}, named("click", "button", "Delete"))
    assert (done.kind, site.paths("POST")) == ("dialog", [])
    assert "“Delete 3 items?” (confirm) and no step answers it, so it was dismissed" in done.error["error"]
    note = LOG + "<button onclick=\"alert('Saved'); say('on')\">Save</button>"
    done = replay(note, named("click", "button", "Save"), look="log")
    assert (done.outcome.ok, done.seen) == (True, ["on"])
    assert "“Saved” was dismissed" in done.outcome.warnings[0]


def test_t16_an_alert_while_the_page_is_read(replay: Replay) -> None:
    page = "<h1>Hello</h1><script>setInterval(() => alert('again'), 50)</script>"
    done = replay(page, {"op": "wait", "ms": 300}, named("extract", "heading", "Hello", key="h"))
    assert done.outcome.data == {"h": "Hello"}
    assert any("“again” was dismissed" in warning for warning in done.outcome.warnings)


def test_t16_a_page_that_asks_before_it_is_left(replay: Replay) -> None:
    pages = {"/": "<input aria-label=Name><script>onbeforeunload = (ev) => ev.preventDefault()</script>", "/b": "<h1>B"}
    leave = {"op": "goto", "url": "/b"}
    typed = named("type", "textbox", "Name", text="x")
    allowed = {"op": "dialog", "type": "beforeunload", "answer": "accept"}
    read = {"op": "extract", "target": {"role": "heading"}, "key": "h"}
    assert replay(pages, typed, allowed, leave, read).outcome.data == {"h": "B"}


def test_t16_a_thousand_dialogs_are_told_in_a_few_lines(replay: Replay) -> None:
    page = LOG + "<button onclick='for (let i = 0; i < 1000; i += 1) alert(i); say(1)'>Go</button>"
    done = replay(page, named("click", "button", "Go", timeout_ms=60_000), look="log")
    assert (done.outcome.ok, done.seen) == (True, [1])
    assert len(done.outcome.warnings) == 6
    assert done.outcome.warnings[-1] == "steps[1]: 995 more dialogs were dismissed"


# --- T18: popups


def test_t18_work_goes_on_in_the_last_window_of_a_chain(replay: Replay) -> None:
    pages = {
        "/": "<a href=/first target=_blank>Open</a>",
        "/first": "<script>window.open('/second', 'w', 'width=300'); setTimeout(() => window.close(), 100)</script>",
        "/second": LOG + "<h1>Small</h1><button onclick=\"say('paid')\">Pay</button>",
    }
    steps = [
        named("click", "link", "Open", expect={"page_opened": True}),
        {"op": "switch_page", "to": "opened_by:1"},
        {"op": "wait_for", "target": {"role": "heading", "name": "Small", "page": "opened_by:1"}},
        {"op": "click", "target": {"role": "button", "name": "Pay", "page": "opened_by:1"}},
        {"op": "js_extract", "expr": "() => log", "key": "log"},
        {"op": "switch_page", "to": "main"},
        named("extract", "link", "Open", key="back"),
    ]
    done = replay(pages, *steps)
    assert done.outcome.ok, done.outcome.error
    assert done.outcome.data == {"log": ["paid"], "back": "Open"}


# --- T22: what lies over the button


def test_t22_a_sticky_header_and_a_late_banner(replay: Replay) -> None:
    page = LOG + (
        "<header style='position:sticky;top:0;height:80px;background:#eee'>Shop</header><p style='height:1500px'></p>"
        "<button onclick=\"say('bought')\">Buy</button><p style='height:1500px'></p><script>setTimeout(() =>"
        " document.body.insertAdjacentHTML('beforeend', `<div role=dialog aria-label='Cookie consent' id=c style='position:fixed;"
        "inset:0;background:#fff'>We use cookies <button onclick=\"c.remove(); say('refused')\">Reject all</button></div>`), 100)"
        "</script>"
    )
    step = {"op": "wait_for", "target": {"role": "dialog", "name": "Cookie consent"}}
    assert replay(page, step, named("click", "button", "Buy"), look="log").seen == ["refused", "bought"]


def test_t22_an_open_list_over_the_button_is_named(replay: Replay) -> None:
    page = LOG + (
        "<div style='position:relative'><ul id=open style='position:absolute;top:0;left:0;margin:0;width:300px;height:200px;"
        "background:#fff'><li onclick=\"say('list')\">Suggestion</li></ul><button onclick=\"say('go')\">Go</button></div>"
    )
    done = replay(page, named("click", "button", "Go"), look="log")
    assert (done.kind, done.seen) == ("covered", [])
    assert "ul#open" in done.error["error"]


# --- T24: a session that ends on the way


def test_t24_a_login_page_on_the_way_is_a_session_that_has_ended(replay: Replay) -> None:
    login = Reply("", 302, {"Location": "/login?next=/orders"})
    pages = {"/": "<h1>Home</h1><a href=/orders>Orders</a>", "/orders": login, "/login": "<input type=password>"}
    steps = [named("extract", "heading", "Home", key="h"), named("click", "link", "Orders")]
    export = named("click", "button", "Export", timeout_ms=300)
    done = replay(pages, *steps, export)
    assert (done.kind, "asks to log in again" in done.error["error"]) == ("auth_expired", True)
    assert replay({"/": login, "/login": "<input type=password>"}, export).kind == "auth_required"


# --- S04, S06, S11, A26


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [("Rechts&shy;schutz", "Rechtsschutz"), ("foo&nbsp;bar", "foo bar"), ("&#x200F;שלום&#x200E;", "שלום")],
)
def test_s04_marks_nobody_sees_do_not_count(replay: Replay, shown: str, wanted: str) -> None:
    page = LOG + f"<label>{shown} <input id=i></label><button onclick='say(i.value)'>{shown}</button>"
    steps = [named("type", "textbox", wanted, text="x"), named("click", "button", wanted)]
    assert replay(page, *steps, look="log").seen == ["x"]
    said = {"op": "verify", "kind": "page_text_contains", "value": wanted}
    assert replay(page, said).outcome.ok


STYLED = (
    "<style>input{position:absolute;opacity:0;pointer-events:none}label{padding:8px;border:1px solid}</style>"
    "<fieldset><legend>Plan</legend><input type=radio name=p id=p1 value=a checked><label for=p1>Basic</label>"
    "<input type=radio name=p id=p2 value=b><label for=p2>Gold</label></fieldset>"
    "<input type=checkbox id=c><label for=c>I agree</label>"
)


def test_s06_styled_boxes_are_set_once_and_for_all(replay: Replay) -> None:
    agree, plan = named("check", "checkbox", "I agree"), named("choose", "group", "Plan", value="Gold")
    gold = named("check", "radio", "Gold")
    for steps in ([agree, agree, plan], [agree, gold, gold], [plan, plan, agree]):
        assert replay(STYLED, *steps, look="[c.checked, p2.checked]").seen == [True, True]


def test_s11_a_menu_that_opens_while_pointed_at_and_closes_soon(replay: Replay) -> None:
    page = LOG + (
        "<div id=m style='width:100px'><a href=#>Products</a><ul id=s hidden style='margin:0'>"
        "<li><a href=# onclick=\"say('lamps')\">Lamps</a></li></ul></div><script>let t = 0;"
        "m.onmouseenter = () => { clearTimeout(t); s.hidden = false };"
        "m.onmouseleave = () => { t = setTimeout(() => { s.hidden = true }, 200) };</script>"
    )
    done = replay(page, named("hover", "link", "Products"), named("click", "link", "Lamps"), look="log")
    assert done.seen == ["lamps"]


SUGGEST = LOG + (
    "<input id=q aria-label=City ATTRS><ul id=u></ul><script>"
    "q.addEventListener('keyup', () => { u.innerHTML = q.value.length > 2 ? `<li>${q.value}…</li>` : '' });</script>"
)


@pytest.mark.parametrize("attributes", ["", "role=combobox aria-expanded=false", "aria-autocomplete=list"])
def test_a26_suggestions_come_for_fields_that_listen_to_released_keys(replay: Replay, attributes: str) -> None:
    role = "combobox" if "combobox" in attributes else "textbox"
    step = named("type", role, "City", text="Rom", expect={"appears": {"css": "li", "text": "Rom…"}})
    assert replay(SUGGEST.replace("ATTRS", attributes), step).outcome.ok


def test_what_is_inside_a_scrolling_box_is_scrolled_to(replay: Replay) -> None:
    rows = "".join(f"<p style='height:50px'><button onclick='say({n})'>Row {n}</button></p>" for n in range(60))
    page = LOG + f"<div style='height:200px;overflow:auto'><div style='height:150px;overflow:auto'>{rows}</div></div>"
    done = replay(page, named("click", "button", "Row 50"), named("click", "button", "Row 2"), look="log")
    assert done.seen == [50, 2]


def test_a_dry_run_does_not_choose_from_a_menu_of_actions(replay: Replay) -> None:
    page = LOG + "<button onclick='say(1)'>Actions</button>"
    step = named("choose", "button", "Actions", value="Delete")
    done = replay(page, step, look="log", options=RunOptions(stop_before_submit=True))
    assert (done.outcome.stopped_before, done.seen) == ("steps[1]", [])


def test_s06_a_choice_is_found_whatever_its_case(replay: Replay) -> None:
    page = STYLED.replace("Gold", "GOLD").replace("Basic", "BASIC")
    step = {"op": "choose", "target": {"css": "#p1"}, "value": "Gold"}
    assert replay(page, step, look="p2.checked").seen is True
