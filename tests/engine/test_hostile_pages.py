"""Long texts, slow fields, spoilt results and pages that stop answering end a step with one plain reason."""

from collections.abc import Callable
from typing import Any

import pytest

Replay = Callable[..., Any]
FORGETS = "<input id=q aria-label=Query oninput='if (this.value.length > 9) this.value = this.value.slice(0, 9)'>"
SLOW = """<input aria-label=Query><script>document.querySelector('input').addEventListener('keydown', () => {
    const until = Date.now() + 80; while (Date.now() < until); });
    document.querySelector('input').addEventListener('input', (e) => {
        if (e.inputType !== 'insertText') e.target.value = '' })
    </script>"""
SPINS = "<h1>Top</h1><input aria-label=Query><script>setTimeout(() => { for (;;); }, 300)</script>"


def typing(text: str, **more: Any) -> dict[str, Any]:
    return {"op": "type", "target": {"role": "textbox", "name": "Query"}, "text": text, **more}


def script(expr: str, **more: Any) -> dict[str, Any]:
    return {"op": "js_extract", "expr": expr, "key": "x", **more}


def test_a_long_text_that_does_not_stay_is_said_so_and_not_typed_for_ever(replay: Replay) -> None:
    done = replay(FORGETS, typing("{{q}}", timeout_ms=8000), args={"q": "long " * 400_000})
    assert done.kind == "value_not_kept"


def test_a_long_text_for_a_field_that_wants_keys_arrives_whole(replay: Replay) -> None:
    text = "word " * 2000
    done = replay("<textarea aria-label=Query>old</textarea>", typing("{{q}}", keys=True), args={"q": text})
    assert done.outcome.ok, done.outcome.error


def test_a_field_is_found_among_thousands_of_buttons(replay: Replay) -> None:
    """With one label in the page, asking every button for its labels would take half a minute."""
    rows = "".join(f"<tr><td>Order {number}<td><button>Edit</button></tr>" for number in range(8000))
    done = replay(f"<label>Query <input></label><table>{rows}</table>", typing("lamp"))
    assert done.outcome.ok, done.outcome.error


MANY = "".join(f"<tr><td>Order {number}<td><button>Edit</button></tr>" for number in range(8000))


@pytest.mark.parametrize(
    "target",
    [
        {"role": "button", "name": "Save all"},
        {"locators": [{"role": "button", "name": "Save all"}, {"css": "#s"}]},
    ],
)
def test_a_button_is_found_among_thousands_on_a_page_with_a_label(replay: Replay, target: dict[str, Any]) -> None:
    page = f"<label>Query <input></label><label for=s>Save all</label><button id=s>x</button><table>{MANY}</table>"
    done = replay(
        f"{page}<script>s.onclick = () => {{ s.textContent = 'pressed' }}</script>",
        {"op": "click", "target": target, "timeout_ms": 20_000},
        look="s.textContent",
    )
    assert done.outcome.ok, done.outcome.error
    assert done.seen == "pressed"


def test_a_field_of_a_page_of_twenty_thousand_rows_is_typed_into_in_time(replay: Replay) -> None:
    rows = "".join(f"<tr><td>{n}<td><a href=/o/{n}>Order {n}</a><td><button>Edit</button></tr>" for n in range(20_000))
    done = replay(
        f"<label>Query <input id=q></label><table>{rows}</table>", typing("lamp", timeout_ms=20_000), look="q.value"
    )
    assert done.outcome.ok, done.outcome.error
    assert done.seen == "lamp"


def test_typing_ends_with_the_time_of_its_step(replay: Replay) -> None:
    done = replay(SLOW, typing("{{q}}", keys=True, timeout_ms=1500), args={"q": "k" * 900})
    assert done.kind == "timeout"
    assert "typed" in done.outcome.error["error"]


@pytest.mark.parametrize(
    "expr",
    [
        "() => JSON.rawJSON('1e999')",
        "() => { let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a }",
        "() => { let a = []; for (let i = 0; i < 300; i++) a = {a}; return a }",
        "() => { JSON.stringify = () => '{bad'; return 1 }",
        "() => { JSON.stringify = () => 'NaN'; return 1 }",
        "() => { JSON.stringify = () => '[-Infinity]'; return 1 }",
        "() => { JSON.stringify = () => ({}); return 1 }",
        "() => { JSON.stringify = () => 5; return {a: 1} }",
        "() => 10n",
        "() => { const a = {}; a.a = a; return a }",
        "() => ({ toJSON() { throw new Error('no') } })",
    ],
)
def test_a_result_that_is_no_json_is_a_bad_return(expr: str, replay: Replay) -> None:
    done = replay("<h1>x</h1>", script(expr))
    assert done.kind == "bad_return" or (expr.endswith("{a: 1} }") and done.outcome.data == {"x": 5})


@pytest.mark.parametrize(
    "expr",
    [
        "() => 'x'.repeat(500_000_000)",
        "() => ({ rows: Array.from({ length: 500 }, () => 'row '.repeat(250_000)) })",
        "() => Array.from({ length: 6_000_000 }, (_, i) => i)",
        "() => { const line = 'x'.repeat(1000), part = Array(1000).fill(line); return Array(500).fill(part) }",
    ],
)
def test_a_result_of_hundreds_of_megabytes_is_refused_in_the_page_and_the_page_lives_on(
    expr: str, replay: Replay
) -> None:
    done = replay("<h1>x</h1>", script(expr), look="document.title = 'alive'")
    assert (done.kind, done.seen) == ("bad_return", "alive")
    assert "too large: more than 20000000 characters" in done.error["error"]


@pytest.mark.parametrize(
    "step",
    [
        script("() => 1", timeout_ms=2000),
        typing("abc", timeout_ms=2000),
        {"op": "extract", "target": {"role": "heading", "name": "Top"}, "key": "h", "timeout_ms": 2000},
        {"op": "wait_for", "condition": {"kind": "page_text_contains", "value": "never"}, "timeout_ms": 2000},
        {"op": "scroll", "timeout_ms": 2000},
        {"op": "screenshot", "label": "x", "timeout_ms": 2000},
    ],
)
def test_a_step_on_a_page_that_stopped_answering_ends(step: dict[str, Any], replay: Replay) -> None:
    spun = {"op": "wait", "ms": 600}
    done = replay(SPINS, spun, step)
    assert done.kind in {"timeout", "missing", "verify_failed"}


def test_frames_that_never_answer_do_not_hide_what_the_page_says(replay: Replay) -> None:
    page = "<h1>Top</h1><iframe src='file:///etc/passwd'></iframe>"
    page += "<iframe loading=lazy style='margin-top: 9000px' src=/></iframe>"
    steps = [
        {"op": "wait_for", "condition": {"kind": "page_text_contains", "value": "Top"}},
        {"op": "extract", "target": {"role": "heading", "name": "Top"}, "key": "h"},
    ]
    assert replay(page, *steps).outcome.data == {"h": "Top"}
