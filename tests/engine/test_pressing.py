"""Pressing and typing at once: what was seen in one look must still hold when the page feels it."""

from typing import Any

import pytest

from tests.engine.conftest import LocalSite, Replay

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"
SWAP = """<style>#row > * { width: 200px; height: 60px; margin: 0 }</style><script>
  // Chromium itself moves the pointer to the corner of a new page.
  const swap = (event) => {
    if (event.clientX < 50) return;
    row.append(row.firstElementChild);
    removeEventListener("mousemove", swap);
  };
  addEventListener("mousemove", swap);
</script>"""


def named(op: str, role: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"op": op, "target": {"role": role, "name": name}, **fields}


def test_what_takes_the_place_of_a_button_on_the_way_is_not_pressed(replay: Replay) -> None:
    buttons = """<button onclick="say('kept')">Keep</button><button onclick="say('burnt')">Burn</button>"""
    done = replay(f"{LOG}<div id=row>{buttons}</div>{SWAP}", named("click", "button", "Keep"), look="log")
    assert (done.outcome.ok, done.seen) == (True, ["kept"])


def test_what_takes_the_place_of_a_box_on_the_way_is_not_ticked(replay: Replay) -> None:
    page = f"<div id=row><input type=checkbox id=a><input type=checkbox id=b></div>{SWAP}"
    done = replay(page, {"op": "check", "target": {"css": "#a"}}, look="[a.checked, b.checked]")
    assert (done.outcome.ok, done.seen) == (True, [True, False])


def test_a_box_that_shows_its_state_late_is_pressed_once(replay: Replay) -> None:
    page = f"""{LOG}<div id=box role=switch aria-checked=false aria-label=Dark
      onclick="say('press'); setTimeout(() => box.setAttribute('aria-checked', 'true'), 300)">x</div>"""
    done = replay(page, named("check", "switch", "Dark"), look="log")
    assert (done.outcome.ok, done.seen) == (True, ["press"])


def test_a_press_after_a_box_that_was_set_already_arrives(replay: Replay) -> None:
    """The look at the box expected a press, which then was not made."""
    page = f"""{LOG}<form onsubmit="say('sent'); return false"><input id=a type=checkbox checked aria-label=A>
      <input aria-label=Name><button onclick="say('pressed')">Go</button></form>"""
    steps = [
        named("check", "checkbox", "A"),
        {"op": "press", "key": "Enter", "target": {"role": "textbox", "name": "Name"}},
    ]
    assert replay(page, *steps, look="log").seen == ["pressed", "sent"]
    keys = [named("check", "checkbox", "A"), {"op": "press", "key": "Tab"}, {"op": "press", "key": "Tab"}]
    focused = "<script>document.querySelector('[type=checkbox]').focus()</script>"
    assert replay(page + focused, *keys, {"op": "press", "key": "Enter"}, look="log").seen == ["pressed", "sent"]


@pytest.mark.parametrize(
    "later",
    [
        "setTimeout(clear, 120)",
        "requestAnimationFrame(clear)",
        "requestAnimationFrame(() => requestAnimationFrame(clear))",
        "Promise.resolve().then(clear)",
        "requestIdleCallback(clear)",
    ],
)
def test_a_text_that_the_page_takes_back_is_not_kept(later: str, replay: Replay) -> None:
    script = f"const clear = () => {{ f.value = ''; }}; f.oninput = () => {later};"
    page = f"<input id=f aria-label=Name><script>{script}</script>"
    done = replay(page, named("type", "textbox", "Name", text="Ada"))
    assert done.kind == "value_not_kept"


def test_a_click_is_followed_by_a_wait_that_held_before_only_once_it_has_done_its_work(
    replay: Replay, site: LocalSite
) -> None:
    """The wait cannot tell whether it did, so what it set going must not be cut short."""
    page = """<p>Ready</p><button onclick="setTimeout(() => fetch('/saved', {method: 'POST'}), 200)">Save</button>"""
    wait = {"op": "wait_for", "condition": {"kind": "page_text_contains", "value": "Ready"}}
    assert replay(
        {"/": page, "/next": "on"}, named("click", "button", "Save"), wait, {"op": "goto", "url": "/next"}
    ).outcome.ok
    assert site.paths("POST") == ["/saved"]


def test_a_value_that_only_the_pages_own_script_knows_is_read_from_it(replay: Replay) -> None:
    page = """<x-field id=f role=textbox aria-label=Code>shown</x-field><script>
      customElements.define("x-field", class extends HTMLElement { get value() { return "real"; } });</script>"""
    done = replay(page, {"op": "extract", "target": {"css": "#f"}, "attr": "value", "key": "code"})
    assert done.outcome.data == {"code": "real"}
