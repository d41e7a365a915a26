"""repeat: pages, "load more", endless scrolling, rows that are recycled."""

import json
from typing import Any

import pytest

from recipes_app.browser.errors import Aborted
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import BrowserThread, Desk
from recipes_app.engine.document import DocumentError, parse_recipe, parse_step
from recipes_app.engine.runner import RunOptions, run
from tests.conftest import loopback_policy
from tests.engine.conftest import LocalSite, Replay, Reply

NEXT = {"role": "link", "name": "Next"}
HAS_NEXT = {"kind": "element_exists", "target": NEXT}
ROWS = {"op": "extract_list", "items": {"css": "li"}, "fields": {"id": {}}, "key": "rows"}
GO_ON = {"op": "click", "target": NEXT}


def ids(rows: list[dict[str, Any]]) -> list[int]:
    return [int(row["id"]) for row in rows]


def page(number: int, rows: list[int], *, last: bool) -> str:
    following = "" if last else f"<a href='/{number + 1}'>Next</a>"
    return "<ul>" + "".join(f"<li>{row}</li>" for row in rows) + "</ul>" + following


def paged(count: int, empty: tuple[int, ...] = ()) -> dict[str, Any]:
    pages = {f"/{n}": page(n, [] if n in empty else [n * 2, n * 2 + 1], last=n == count - 1) for n in range(count)}
    return {"/": pages["/0"], **pages}


def repeat(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"op": "repeat", "steps": list(steps), "into": "all", **fields}


def test_every_page_is_read_the_last_one_too(replay: Replay) -> None:
    done = replay(paged(3), repeat(ROWS, GO_ON, **{"while": HAS_NEXT}))
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == ([0, 1, 2, 3, 4, 5], True)
    assert "steps[1].rounds[2].steps[0]" in [row["path"] for row in done.outcome.steps]


def test_an_empty_page_in_between_is_not_the_end(replay: Replay) -> None:
    done = replay(paged(5, empty=(1, 2)), repeat(ROWS, GO_ON, **{"while": HAS_NEXT}))
    assert ids(done.outcome.data["all"]) == [0, 1, 6, 7, 8, 9]
    assert done.outcome.data["complete"] is True


def test_a_limit_is_not_the_end_and_what_was_read_is_kept(replay: Replay) -> None:
    done = replay(paged(5), repeat(ROWS, GO_ON, max_rounds=2, **{"while": HAS_NEXT}))
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == ([0, 1, 2, 3], False)
    assert "stopped before the end: 2 rounds were done" in done.outcome.warnings[0]
    none = replay(paged(5), repeat(ROWS, GO_ON, max_seconds="{{s}}", until=HAS_NEXT), args={"s": 1})
    assert none.outcome.data["complete"] is True


def test_exactly_as_many_rounds_as_allowed_is_complete(replay: Replay) -> None:
    done = replay(paged(3), repeat(ROWS, GO_ON, max_rounds=3, **{"while": HAS_NEXT}))
    assert (len(done.outcome.data["all"]), done.outcome.data["complete"]) == (6, True)


def test_a_failure_in_a_later_round_keeps_the_rows_before(replay: Replay) -> None:
    pages = {**paged(3), "/1": Reply("gone", 500)}
    check = {"op": "verify", "kind": "element_exists", "target": {"css": "ul"}, "timeout_ms": 300}
    done = replay(pages, repeat(check, ROWS, GO_ON, **{"while": HAS_NEXT}))
    assert (done.kind, done.error["failed_step"]) == ("verify_failed", "steps[1].rounds[1].steps[0]")
    assert ids(done.error["partial"]["all"]) == [0, 1]
    assert done.error["partial"]["complete"] is False


PAGER = (
    "<ul id=u></ul><button id=b>Next</button><script>let n = 0; const draw = () => {"
    " u.innerHTML = [0, 1].map((i) => `<li>${n * 2 + i}</li>`).join('');"
    " LAST };"
    "b.onclick = () => { n += 1; setTimeout(draw, 250) }; draw();</script>"
)
BUTTON = {"role": "button", "name": "Next"}
PRESS = {"op": "click", "target": BUTTON}


@pytest.mark.parametrize(
    "last",
    ["b.disabled = n === 3", "b.setAttribute('aria-disabled', n === 3)", "b.className = n === 3 ? 'disabled' : ''"],
)
def test_a_next_button_that_is_greyed_out_on_the_last_page(replay: Replay, last: str) -> None:
    while_there = {"kind": "element_exists", "target": BUTTON}
    done = replay(PAGER.replace("LAST", last), repeat(ROWS, PRESS, **{"while": while_there}))
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == (list(range(8)), True)


def test_a_page_that_answers_slowly_is_not_skipped(replay: Replay) -> None:
    """The old rows are still shown when we look again; pressing Next once more would lose a page."""
    slow = (
        "<ul id=u></ul><button id=b>Next</button><script>let n = 0; const draw = () => {"
        " u.innerHTML = [0, 1].map((i) => `<li>${n * 2 + i}</li>`).join(''); if (n === 3) b.remove() };"
        "const late = 'onmessage = () => setTimeout(() => postMessage(1), 350)';"
        "const tick = new Worker(URL.createObjectURL(new Blob([late])));"
        "tick.onmessage = draw; b.onclick = () => { n += 1; tick.postMessage(1) }; draw();</script>"
    )
    step = repeat(ROWS, PRESS, key="id", **{"while": {"kind": "element_exists", "target": BUTTON}})
    done = replay(slow, step)
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == (list(range(8)), True)


def test_a_next_button_that_comes_late_is_still_there(replay: Replay) -> None:
    late = PAGER.replace("LAST", "b.hidden = true; if (n < 3) setTimeout(() => { b.hidden = false }, 300)")
    done = replay(late, repeat(ROWS, PRESS, **{"while": {"kind": "element_exists", "target": BUTTON}}))
    assert (len(done.outcome.data["all"]), done.outcome.data["complete"]) == (8, True)


MORE = (
    "<ul id=u></ul><button id=b>Load more</button><script>let n = 0; const add = () => {"
    " for (let i = 0; i < 3 && n < 8; i += 1) u.insertAdjacentHTML('beforeend', `<li>${n++}</li>`);"
    " if (n >= 8) b.remove() }; b.onclick = () => setTimeout(add, 100); add();</script>"
)


@pytest.mark.parametrize("reads_first", [True, False])
def test_load_more_until_there_is_no_more(replay: Replay, reads_first: bool) -> None:
    more = {"role": "button", "name": "Load more"}
    steps = [ROWS, {"op": "click", "target": more}]
    step = repeat(*(steps if reads_first else steps[::-1]), key="id")
    done = replay(MORE, step | {"until": {"kind": "element_absent", "target": more}})
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == (list(range(8)), True)


ENDLESS = (
    "<ul id=u></ul><style>li{height:120px}</style><script>let n = 0, busy = false; const add = () => {"
    " for (let i = 0; i < 10 && n < 35; i += 1) u.insertAdjacentHTML('beforeend', `<li>${n++}</li>`); busy = false };"
    "onscroll = () => { if (!busy && scrollY + innerHeight > document.body.scrollHeight - 200)"
    " { busy = true; fetch('/wait').then(add) } }; add();</script>"
)


def test_endless_scrolling_ends_when_nothing_new_comes(replay: Replay) -> None:
    scroll = {"op": "scroll", "direction": "bottom"}
    done = replay({"/": ENDLESS, "/wait": "x"}, repeat(ROWS, scroll, key="id"))
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == (list(range(35)), True)


def virtual(total: int, shown: int, wait: str) -> str:
    """Rows are recycled nodes; those not loaded yet show dots. `wait` asks the server for a window of rows."""
    return (
        "<div id=box role=grid style='height:400px;overflow:auto;position:relative'><div id=tall></div></div><script>"
        f"const H = 20, N = {total}, nodes = []; tall.style.height = N * H + 'px'; const have = new Set();"
        f"for (let i = 0; i < {shown}; i += 1) {{ const e = document.createElement('div');"
        " box.append(e); nodes.push(e);"
        " e.setAttribute('role', 'row'); e.innerHTML = '<span></span><b></b>';"
        " e.style = 'position:absolute;height:20px;left:0'; }"
        "const draw = () => { const top = Math.floor(box.scrollTop / H); nodes.forEach((e, i) => { const n = top + i;"
        " e.hidden = n >= N; e.style.top = n * H + 'px'; const there = have.has(Math.floor(n / 50));"
        " e.children[0].textContent = there ? n : ''; e.children[1].textContent = there ? 'Row ' + n : '…';"
        f" if (!there && n < N) load(Math.floor(n / 50)); }}) }};"
        f"const asked = new Set(); const load = (w) => {{ if (asked.has(w)) return; asked.add(w); {wait} }};"
        "box.onscroll = draw; draw();</script>"
    )


def test_s13_a_virtualised_grid_gives_all_its_rows(replay: Replay, site: LocalSite) -> None:
    fields = {"id": {"css": "span", "type": "string"}, "text": {"css": "b"}}
    read = {"op": "extract_list", "items": {"role": "row"}, "fields": fields, "key": "rows"}
    scroll = {"op": "scroll", "target": {"role": "grid"}}
    by_server = "fetch('/window?' + w).then(() => { have.add(w); draw() })"
    done = replay({"/": virtual(500, 20, by_server), "/window": Reply(json.dumps([]))}, repeat(read, scroll, key="id"))
    rows = done.outcome.data["all"]
    assert sorted(ids(rows)) == list(range(500))
    assert all(row["text"] == f"Row {row['id']}" for row in rows)
    assert done.outcome.data["complete"] is True
    assert len([path for path in site.paths() if "window" in path]) == 10


def test_rows_that_never_load_are_told_as_incomplete(replay: Replay) -> None:
    fields = {"id": {"css": "span"}}
    read = {"op": "extract_list", "items": {"role": "row"}, "fields": fields, "key": "rows"}
    scroll = {"op": "scroll", "target": {"role": "grid"}}
    only_the_first = "if (w === 0) { have.add(w); queueMicrotask(draw) }"
    done = replay(virtual(80, 20, only_the_first), repeat(read, scroll, key="id"))
    assert sorted(ids(done.outcome.data["all"])) == list(range(50))
    assert done.outcome.data["complete"] is False


def test_a_next_control_that_leads_in_a_circle(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recipes_app.engine.ops.repeating.CIRCLE_ROUNDS", 3)
    pages = {"/": page(0, [1], last=False), "/1": "<ul><li>2</ul><a href=/>Next</a>"}
    done = replay(pages, repeat(ROWS, GO_ON, key="id", **{"while": HAS_NEXT}))
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == ([1, 2], False)
    assert "3 rounds brought nothing new" in done.outcome.warnings[0]


def test_a_page_that_scrolls_in_a_container_that_fills_it(replay: Replay) -> None:
    filled = (
        "<div style='height:100vh;overflow:hidden'><main style='height:400px;overflow-y:auto' id=m>"
        "<ul id=u></ul></main></div><script>let n = 0; const add = () => { for (let i = 0; i < 10 && n < 25; i += 1)"
        " u.insertAdjacentHTML('beforeend', `<li style='height:60px'>${n++}</li>`) };"
        "m.onscroll = () => { if (m.scrollTop + m.clientHeight > m.scrollHeight - 50) add() }; add();</script>"
    )
    done = replay(filled, repeat(ROWS, {"op": "scroll"}, key="id"))
    assert (ids(done.outcome.data["all"]), done.outcome.data["complete"]) == (list(range(25)), True)


def test_without_into_the_values_of_the_last_round_stand_beside_the_others(replay: Replay) -> None:
    page = "<p id=n>5</p><button onclick='n.textContent -= 1'>Less</button>"
    step = {
        "op": "repeat",
        "steps": [
            {"op": "click", "target": {"role": "button", "name": "Less"}},
            {"op": "extract", "target": {"css": "#n"}, "type": "integer", "key": "n"},
        ],
        "until": {"kind": "value_is", "target": {"css": "#n"}, "value": "1"},
    }
    assert replay(page, step).outcome.data == {"n": 1, "complete": True}


def test_a_loop_that_would_never_end_stops_at_its_limit(replay: Replay) -> None:
    page = "<p id=n>0</p><button onclick='n.textContent = Number(n.textContent) + 1'>More</button>"
    click = {"op": "click", "target": {"role": "button", "name": "More"}}
    value = {"op": "extract", "target": {"css": "#n"}, "type": "integer", "key": "n"}
    done = replay(page, repeat(click, value, max_rounds=4))
    assert done.outcome.data == {"all": [{"n": 1}, {"n": 2}, {"n": 3}, {"n": 4}], "complete": False}
    timed = replay(page, repeat(click, value, max_seconds=1))
    assert (timed.outcome.ok, timed.outcome.data["complete"]) == (True, False)
    assert timed.outcome.data["all"][0] == {"n": 1}


def test_a_repeat_takes_one_condition_and_sane_limits() -> None:
    faults: list[dict[str, Any]] = [
        {"while": HAS_NEXT, "until": HAS_NEXT},
        {"max_rounds": 0},
        {"max_seconds": 99999},
        {"steps": []},
    ]
    for wrong in faults:
        with pytest.raises(DocumentError):
            parse_step(repeat(ROWS) | wrong)


def test_a_loop_is_ended_by_a_deadline_and_by_cancelling(browser: BrowserThread, site: LocalSite) -> None:
    site.pages = {"/": Reply("<p id=n>0</p><button onclick='n.textContent = Number(n.textContent) + 1'>More</button>")}
    click = {"op": "click", "target": {"role": "button", "name": "More"}}
    recipe = parse_recipe({"name": "t", "steps": [{"op": "goto", "url": "/"}, repeat(click, ROWS | {"limit": 0})]})
    seen: list[object] = []

    def work(desk: Desk) -> None:
        with desk.session(ContextOptions(policy=loopback_policy(site.url))) as session:
            run(recipe, {}, session, emit=desk.emit, options=RunOptions(base_url=site.url))

    for limit, cancelled in ((1.5, lambda: False), (30, lambda: len(seen) > 8)):
        seen.clear()
        with pytest.raises(Aborted):
            seen.extend(browser.drive(work, deadline_s=limit, cancelled=cancelled, on_tick=lambda: None, tick_s=0.1))
