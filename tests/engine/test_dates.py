"""set_date on every kind of date control."""

from calendar import month_name
from typing import Any

import pytest

from tests.engine.conftest import Replay

LOG = "<script>window.log = []; const say = (x) => { log.push(x); }</script>"


def set_date(value: str, **target: str) -> dict[str, Any]:
    return {"op": "set_date", "target": target or {"css": "#d"}, "value": value}


# --- native


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("date", "2026-02-03", "2026-02-03"),
        ("date", "3 February 2026", "2026-02-03"),
        ("datetime-local", "2026-02-03 14:30", "2026-02-03T14:30"),
        ("month", "2026-02-03", "2026-02"),
        ("week", "2026-02-03", "2026-W06"),
        ("time", "14:30", "14:30"),
    ],
)
def test_native_date_controls(replay: Replay, kind: str, value: str, kept: str) -> None:
    page = f"<label>When <input id=d type={kind}></label>"
    assert replay(page, set_date("{{v}}"), args={"v": value}, look="d.value").seen == kept


@pytest.mark.parametrize("locale", ["de-DE", "en-US", "ja-JP"])
def test_t06_a_native_date_is_the_same_in_every_language_of_the_browser(replay: Replay, locale: str) -> None:
    page = LOG + "<input id=d type=date aria-label=Day oninput=\"say('input')\" onchange=\"say('change')\">"
    done = replay(page, set_date("{{v}}"), args={"v": "2026-02-03"}, look="[d.value, log]", locale=locale)
    assert done.seen == ["2026-02-03", ["input", "change"]]


@pytest.mark.parametrize("locale", ["de-DE", "en-GB", "en-US"])
def test_t06_a_native_date_that_only_believes_keys_gets_them_in_the_order_of_the_language(
    replay: Replay, locale: str
) -> None:
    page = (
        "<input id=d type=date aria-label=Day><script>let kept = '';"
        "d.addEventListener('keydown', () => { d.dataset.keys = 1 });"
        "d.addEventListener('input', () => { if (d.dataset.keys) kept = d.value; else d.value = kept; });</script>"
    )
    assert replay(page, set_date("2026-02-03"), look="d.value", locale=locale).seen == "2026-02-03"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("datetime-local", "2026-02-03T14:05"),
        ("datetime-local", "2026-02-03T00:05"),
        ("time", "14:05"),
        ("month", "2026-02"),
        ("week", "2026-W06"),
    ],
)
def test_other_native_controls_that_only_believe_keys(replay: Replay, kind: str, value: str) -> None:
    page = (
        f"<input id=d type={kind} aria-label=When><script>let kept = '';"
        "d.addEventListener('keydown', () => { d.dataset.keys = 1 });"
        "d.addEventListener('input', () => { if (d.dataset.keys) kept = d.value; else d.value = kept; });</script>"
    )
    assert replay(page, set_date(value), look="d.value").seen == value


def test_a_range_in_two_native_fields(replay: Replay) -> None:
    page = "<fieldset id=d><input id=a type=date aria-label=From><input id=b type=date aria-label=To></fieldset>"
    done = replay(
        page, set_date("{{from}}/{{to}}"), args={"from": "2026-02-03", "to": "2026-03-01"}, look="[a.value, b.value]"
    )
    assert done.seen == ["2026-02-03", "2026-03-01"]
    assert replay(page, set_date("2026-02-03")).kind == "ambiguous"


# --- text


def text_field(**attributes: str) -> str:
    rest = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f"<label>When <input id=d {rest}></label>"


@pytest.mark.parametrize(
    ("attributes", "lang", "kept"),
    [
        ({"placeholder": "TT.MM.JJJJ"}, "de", "03.02.2026"),
        ({"placeholder": "MM/DD/YYYY"}, "", "02/03/2026"),
        ({"placeholder": "jj/mm/aaaa"}, "fr", "03/02/2026"),
        ({"placeholder": "dd-mm-jjjj"}, "nl", "03-02-2026"),
        ({"placeholder": "gg/mm/aaaa"}, "it", "03/02/2026"),
        ({"placeholder": "d.m.yyyy"}, "", "3.2.2026"),
        ({"placeholder": "DD/MM/YY"}, "", "03/02/26"),
        ({"placeholder": "e.g. 31/12/2025"}, "", "03/02/2026"),
        ({"placeholder": "e.g. 12/31/2025"}, "", "02/03/2026"),
        ({"data_date_format": "yyyy.mm.dd"}, "", "2026.02.03"),
        ({"pattern": "\\d{2}\\.\\d{2}\\.\\d{4}"}, "", "03.02.2026"),
        ({"pattern": "[0-9]{4}/[0-9]{2}/[0-9]{2}"}, "", "2026/02/03"),
        ({}, "de", "03.02.2026"),
        ({}, "en-US", "02/03/2026"),
        ({}, "", "2026-02-03"),
    ],
)
def test_a_text_field_gets_the_date_in_the_form_it_shows(
    replay: Replay, attributes: dict[str, str], lang: str, kept: str
) -> None:
    page = f"<html lang='{lang}'>" + text_field(**attributes)
    assert replay(page, set_date("2026-02-03"), look="d.value").seen == kept


def test_the_form_may_stand_beside_the_field(replay: Replay) -> None:
    page = text_field(aria_describedby="h") + "<p id=h>Please as DD.MM.YYYY</p>"
    assert replay(page, set_date("2026-02-03"), look="d.value").seen == "03.02.2026"


def test_another_form_is_tried_where_the_first_is_refused(replay: Replay) -> None:
    page = text_field() + (
        "<script>d.onblur = () => { if (!/^\\d\\d\\.\\d\\d\\.\\d{4}$/.test(d.value)) d.value = '' }</script>"
    )
    assert replay(page, set_date("2026-02-03"), look="d.value").seen == "03.02.2026"


MASK = text_field(placeholder="DD/MM/YYYY") + (
    "<script>d.onkeydown = (ev) => { if (ev.key === 'Tab') return; ev.preventDefault();"
    " if (ev.key === 'Delete') d.value = ''; if (!/\\d/.test(ev.key)) return;"
    " const n = (d.value + ev.key).replace(/\\D/g, '').slice(0, 8);"
    " d.value = [n.slice(0, 2), n.slice(2, 4), n.slice(4)].filter(Boolean).join('/') };"
    "d.onbeforeinput = (ev) => ev.preventDefault(); d.oninput = () => { d.value = '' };</script>"
)


def test_a_masked_field_gets_real_keys(replay: Replay) -> None:
    assert replay(MASK, set_date("2026-02-03"), look="d.value").seen == "03/02/2026"


CONTROLLED = text_field(placeholder="YYYY-MM-DD") + (
    "<script>let state = '2020-01-01', typing = false; d.value = state;"
    "const render = () => { if (d.value !== state) d.value = state };"
    "d.onkeydown = () => { typing = true }; d.onkeyup = () => { typing = false };"
    "d.oninput = (ev) => { if (BELIEVES) state = d.value; requestAnimationFrame(render) }; render();</script>"
)


def test_t07_a_field_that_reverts_what_no_key_wrote_gets_keys(replay: Replay) -> None:
    page = CONTROLLED.replace("BELIEVES", "typing && ev.isTrusted")
    assert replay(page, set_date("2026-02-03"), look="d.value").seen == "2026-02-03"


def test_t07_a_field_that_reverts_in_any_case_is_a_failure(replay: Replay) -> None:
    done = replay(CONTROLLED.replace("BELIEVES", "false"), set_date("2026-02-03"), look="d.value")
    assert (done.kind, done.seen) == ("value_not_kept", "2020-01-01")
    assert "holds “2020-01-01” instead of “2026-02-03”" in done.error["error"]


def test_t07_a_native_field_that_reverts_in_any_case_is_a_failure(replay: Replay) -> None:
    page = "<input id=d type=date aria-label=Day value=2020-01-01 oninput=\"d.value = '2020-01-01'\">"
    done = replay(page, set_date("2026-02-03"), look="d.value")
    assert (done.kind, done.seen) == ("value_not_kept", "2020-01-01")


@pytest.mark.parametrize(("form", "kind"), [("<div>", None), ("<form>", "value_not_kept")])
def test_t07_a_field_that_takes_its_date_with_enter_only(replay: Replay, form: str, kind: str | None) -> None:
    """Outside a form Enter can send nothing off."""
    page = (
        form
        + text_field(placeholder="YYYY-MM-DD")
        + (
            "<script>let kept = ''; d.onblur = () => setTimeout(() => { d.value = kept }, 150);"
            "d.onkeydown = (ev) => { if (ev.key === 'Enter') kept = d.value }</script>"
        )
    )
    done = replay(page, set_date("2026-02-03"), look="kept")
    assert (done.outcome.error or {}).get("kind") == kind
    assert done.seen == ("" if kind else "2026-02-03")


def test_a_field_in_a_shadow_root_a_label_and_a_date_out_of_bounds(replay: Replay) -> None:
    page = (
        "<label for=b>Born on</label><input id=b type=date min=2020-01-01><x-date id=d></x-date><script>"
        "customElements.define('x-date', class extends HTMLElement { constructor() { super();"
        " this.attachShadow({mode: 'open'}).innerHTML = '<input type=date aria-label=When>' } })</script>"
    )
    look = "[b.value, d.shadowRoot.querySelector('input').value]"
    done = replay(page, set_date("2019-02-03", text="Born on"), set_date("2026-02-03"), look=look)
    assert done.seen == ["2019-02-03", "2026-02-03"]
    assert done.outcome.warnings == ["steps[1]: the text Born on marks 2019-02-03 as not valid"]


def test_a_range_in_one_text_field(replay: Replay) -> None:
    page = text_field(placeholder="DD.MM.YYYY - DD.MM.YYYY")
    assert replay(page, set_date("2026-02-03/2026-02-10"), look="d.value").seen == "03.02.2026 - 10.02.2026"


def test_what_is_no_date_and_what_could_be_two(replay: Replay) -> None:
    for value in ("soon", "2026-02-30", "02/03/2026"):
        assert replay(text_field(), set_date(value), look="d.value").kind == "value_not_kept"


def test_a_date_is_cleared_with_an_empty_text(replay: Replay) -> None:
    assert replay("<input id=d type=date value=2020-01-01>", set_date(""), look="d.value").seen == ""


# --- in parts


MONTHS = [month_name[number] for number in range(1, 13)]


def test_three_inputs(replay: Replay) -> None:
    page = (
        "<fieldset id=d><label>Day <input name=dd maxlength=2></label><label>Month <input name=mm maxlength=2></label>"
        "<label>Year <input name=yyyy maxlength=4></label></fieldset>"
    )
    look = "[...document.querySelectorAll('input')].map((i) => i.value)"
    assert replay(page, set_date("2026-02-03"), look=look).seen == ["03", "02", "2026"]


def test_three_inputs_that_move_on_by_themselves_and_are_known_by_their_length(replay: Replay) -> None:
    page = (
        "<div id=d><input placeholder=TT maxlength=2><input placeholder=MM maxlength=2>"
        "<input placeholder=JJJJ maxlength=4></div><script>for (const i of d.children) i.oninput = () => {"
        " if (i.value.length === i.maxLength) i.nextElementSibling?.focus() }</script>"
    )
    look = "[...document.querySelectorAll('input')].map((i) => i.value)"
    assert replay(page, set_date("2026-02-03"), look=look).seen == ["03", "02", "2026"]


def test_three_lists_where_months_are_counted_from_zero(replay: Replay) -> None:
    months = "".join(f"<option value={i}>{name}" for i, name in enumerate(MONTHS))
    days = "".join(f"<option>{n}" for n in range(1, 32))
    years = "".join(f"<option>{n}" for n in range(1990, 2030))
    page = f"<div id=d><select>{months}</select><select>{days}</select><select>{years}</select></div>"
    look = "[...document.querySelectorAll('select')].map((s) => s.selectedOptions[0].text)"
    assert replay(page, set_date("2026-02-03"), look=look).seen == ["February", "3", "2026"]
    beyond = replay(page, set_date("2040-02-03"))
    assert (beyond.kind, "the year 2040 is not offered" in beyond.error["error"]) == ("option_not_offered", True)


PART = "<span role=spinbutton contenteditable tabindex=0 aria-label='{0}, When' aria-valuemax={1}>{2}</span>."
SPIN = (
    "<div id=d role=group aria-label=When>"
    + PART.format("day", 31, "dd")
    + PART.format("month", 12, "mm")
    + PART.format("year", 9999, "yyyy")
    + "</div><script>for (const s of d.children) { let typed = '';"
    " const show = (n) => { s.setAttribute('aria-valuenow', n); s.textContent = n };"
    " s.onbeforeinput = (ev) => ev.preventDefault(); s.onfocus = () => { typed = '' };"
    " s.onkeydown = (ev) => { const max = Number(s.getAttribute('aria-valuemax'));"
    "  if (DIGITS && /^\\d$/.test(ev.key)) { typed += ev.key; show(Number(typed)) }"
    "  const d = {ArrowUp: 1, ArrowDown: -1}[ev.key];"
    "  if (d) show(Number(s.getAttribute('aria-valuenow') || (max > 1000 ? 2025 : 0)) + d) } }</script>"
)


@pytest.mark.parametrize("takes_digits", ["true", "false"])
def test_t06_spin_buttons_of_a_custom_field(replay: Replay, takes_digits: str) -> None:
    look = "[...d.children].map((s) => s.getAttribute('aria-valuenow'))"
    page = SPIN.replace("DIGITS", takes_digits)
    assert replay(page, set_date("2026-02-03", role="group", name="When"), look=look).seen == ["3", "2", "2026"]


def test_hours_with_halves_of_the_day(replay: Replay) -> None:
    hours = "".join(f"<option>{n}" for n in range(1, 13))
    page = (
        f"<div id=d><select aria-label=Hour>{hours}</select><input aria-label=Minute maxlength=2>"
        "<select aria-label='AM/PM'><option>AM<option>PM</select></div>"
    )
    look = "[...d.children].map((e) => e.value)"
    assert replay(page, set_date("14:05"), look=look).seen == ["2", "05", "PM"]
    assert replay(page, set_date("00:05"), look=look).seen == ["12", "05", "AM"]
    assert replay(page, set_date("2026-02-03"), look=look).kind == "drifted"
