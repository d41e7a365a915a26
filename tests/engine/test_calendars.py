# ruff: noqa: E501 - pages are easier to read in long lines
"""set_date on calendars that take clicks only."""

from typing import Any

import pytest

from tests.engine.conftest import Replay

# A calendar drawn by `draw(box, year, month)`; CELL, HEAD and TURN say how, `chosen(date)` what a click does.
DRAW = """<script>
const two = (n) => String(n).padStart(2, '0');
const iso = (y, m, d) => `${y}-${two(m + 1)}-${two(d)}`;
let year = 2026, month = 0;
const draw = () => {
  const lead = new Date(year, month, 1).getDay(), count = new Date(year, month + 1, 0).getDate();
  const before = new Date(year, month, 0).getDate();
  const cells = [];
  for (let i = lead; i > 0; i -= 1) cells.push([before - i + 1, 'out']);
  for (let d = 1; d <= count; d += 1) cells.push([d, '']);
  for (let d = 1; cells.length % 7; d += 1) cells.push([d, 'out']);
  paint(cells);
};
const turn = (by) => { month += by; if (month < 0) { month = 11; year -= 1 } if (month > 11) { month = 0; year += 1 } draw() };
const named = (lang) => new Date(year, month, 1).toLocaleString(lang, { month: 'long', year: 'numeric' });
</script>"""

GRID = DRAW + (
    "<label>When <input id=d readonly></label><div id=box></div><script>"
    "const weeks = (cells, cell) => { let out = ''; for (let i = 0; i < cells.length; i += 7)"
    " out += `<tr role=row>${cells.slice(i, i + 7).map(cell).join('')}</tr>`; return out };"
    "const paint = (cells) => { box.innerHTML = `<div role=dialog aria-label=Calendar>"
    "<button aria-label='Previous month' onclick='turn(-1)'>‹</button><h2 id=h aria-live=polite>${named(LANG)}</h2>"
    "<button aria-label='Next month' onclick='turn(1)' ${year === 2027 ? 'disabled' : ''}>›</button>"
    "<table role=grid aria-labelledby=h>${weeks(cells, ([n, c]) => `<td role=gridcell class='${c}' aria-disabled=${n === 13}"
    " onclick=\"pick(${n}, '${c}')\">${n}</td>`)}</table></div>` };"
    "const pick = (n, c) => { if (c || n === 13) return; d.value = SHOW; box.innerHTML = '' };"
    "d.onclick = () => setTimeout(draw, 100);</script>"
)


def grid(lang: str = "'en'", show: str = "iso(year, month, n)") -> str:
    return GRID.replace("LANG", lang).replace("SHOW", show)


def set_date(value: str, **target: Any) -> dict[str, Any]:
    return {"op": "set_date", "target": target or {"css": "#d"}, "value": value}


@pytest.mark.parametrize("value", ["2026-01-31", "2026-02-03", "2026-05-01", "2025-11-30"])
def test_a_calendar_is_turned_to_the_month_and_the_day_clicked(replay: Replay, value: str) -> None:
    done = replay(grid(), set_date(value), look="[d.value, box.innerHTML]")
    assert done.seen == [value, ""]


@pytest.mark.parametrize(
    ("lang", "show"),
    [
        ("'de'", "`${n}.${month + 1}.${year}`"),
        ("'fr'", "`${two(n)}/${two(month + 1)}/${year}`"),
        ("'ja'", "`${year}年${month + 1}月${n}日`"),
        ("'en'", "new Date(year, month, n).toLocaleDateString('en-US', { dateStyle: 'long' })"),
    ],
)
def test_calendars_in_other_languages(replay: Replay, lang: str, show: str) -> None:
    page = f"<html lang={lang}>" + grid(lang, show)
    done = replay(page, set_date("2026-03-15"), look="d.value")
    assert done.outcome.ok, done.outcome.error
    assert "15" in done.seen


def test_a_day_that_cannot_be_chosen_and_a_month_out_of_reach(replay: Replay) -> None:
    off = replay(grid(), set_date("2026-02-13"), look="d.value")
    assert (off.kind, off.seen) == ("option_not_offered", "")
    assert "2026-02-13" in off.error["error"]
    far = replay(grid(), set_date("2027-06-01"), look="d.value")
    assert (far.kind, "does not go to 2027-06" in far.error["error"]) == ("option_not_offered", True)


def test_a_calendar_that_says_another_date_than_was_clicked_is_found_out(replay: Replay) -> None:
    done = replay(grid(show="iso(year, month, n + 1)"), set_date("2026-02-03"))
    assert done.kind == "value_not_kept"


JQUERY = DRAW + (
    "<label>When <input id=d readonly onfocus='draw()'></label><div id=box class='ui-datepicker'></div><script>"
    "const paint = (cells) => { let rows = ''; for (let i = 0; i < cells.length; i += 7) rows += '<tr>' + cells.slice(i, i + 7)"
    ".map(([n, c]) => c ? '<td class=ui-datepicker-other-month>&nbsp;</td>' : `<td data-handler=selectDay data-month=${month}"
    " data-year=${year} onclick='pick(${n})'><a class=ui-state-default href=#>${n}</a></td>`).join('') + '</tr>';"
    "box.innerHTML = `<div class=ui-datepicker-header><a class=ui-datepicker-prev data-handler=prev title=Prev"
    " onclick='turn(-1)'><span>Prev</span></a><a class=ui-datepicker-next data-handler=next title=Next onclick='turn(1)'>"
    "<span>Next</span></a><div class=ui-datepicker-title>HEAD</div></div><table class=ui-datepicker-calendar>"
    "<thead><tr><th>Su</th></tr></thead><tbody>${rows}</tbody></table>` };"
    "const pick = (n) => { d.value = `${two(month + 1)}/${two(n)}/${year}`; box.innerHTML = '' };</script>"
)
TITLE = (
    "<span class=ui-datepicker-month>${new Date(year, month, 1).toLocaleString('en', {month: 'long'})}</span>&nbsp;"
    "<span class=ui-datepicker-year>${year}</span>"
)
LISTS = (
    "<select class=ui-datepicker-month onchange='month = Number(this.value); draw()'>${[...Array(12).keys()].map((m) =>"
    " `<option value=${m} ${m === month ? 'selected' : ''}>${new Date(2000, m, 1).toLocaleString('en', {month: 'short'})}`)}"
    "</select><select onchange='year = Number(this.value); draw()'>${[2024, 2025, 2026, 2027].map((y) =>"
    " `<option ${y === year ? 'selected' : ''}>${y}`)}</select>"
)


@pytest.mark.parametrize("head", [TITLE, LISTS])
def test_a_calendar_without_roles(replay: Replay, head: str) -> None:
    done = replay(JQUERY.replace("HEAD", head), set_date("2027-04-09"), look="d.value")
    assert done.seen == "04/09/2027"


PLAIN = DRAW + (
    "<button id=d>Pick a day</button><div id=box hidden></div><script>"
    "const paint = (cells) => { box.innerHTML = `<div><span onclick='turn(-1)' class=a>◂</span><b>${named('en')}</b>"
    "<span onclick='turn(1)' class=b>▸</span></div><div>${cells.map(([n, c]) =>"
    " `<div class='${c}' style='display:inline-block;width:30px' onclick=\"pick(${n}, '${c}')\">${n}</div>`).join('')}</div>"
    "<button onclick='take()'>Apply</button>` }; let held = null;"
    "const pick = (n, c) => { if (!c) held = n }; const take = () => { if (held) d.textContent = iso(year, month, held);"
    " box.hidden = true }; d.onclick = () => { box.hidden = false; draw() };</script>"
)


def test_a_calendar_of_bare_boxes_with_nameless_arrows_and_a_button_to_apply(replay: Replay) -> None:
    done = replay(PLAIN, set_date("2026-03-28", role="button", name="Pick a day"), look="[d.textContent, box.hidden]")
    assert done.seen == ["2026-03-28", True]


RANGE = DRAW + (
    "<label>Stay <input id=d readonly></label><div id=box></div><script>let ends = [];"
    "const one = (y, m) => { const f = new Date(y, m, 1); const days = new Date(f.getFullYear(), f.getMonth() + 1, 0).getDate();"
    " return `<table role=grid aria-label='${f.toLocaleString('en', {month: 'long', year: 'numeric'})}'><tr>${[...Array(days)"
    ".keys()].map((i) => `<td><button aria-label='${new Date(f.getFullYear(), f.getMonth(), i + 1)"
    ".toLocaleDateString('en', {dateStyle: 'full'})}' onclick=\"pick('${iso(f.getFullYear(), f.getMonth(), i + 1)}')\">"
    "${i + 1}</button></td>`).join('')}</tr></table>` };"
    "const paint = () => { box.innerHTML = `<button title=Back onclick='turn(-1)'>‹</button>${one(year, month)}"
    "${one(year, month + 1)}<button title=Forward onclick='turn(1)'>›</button>` };"
    "const pick = (day) => { ends.push(day); if (ends.length === 2) { d.value = ends.join(' – '); box.innerHTML = '' } };"
    "d.onclick = draw;</script>"
)


def test_a_range_in_a_calendar_of_two_months(replay: Replay) -> None:
    done = replay(RANGE, set_date("2026-02-26/2026-04-02"), look="d.value")
    assert done.seen == "2026-02-26 – 2026-04-02"


INLINE = DRAW + (
    "<section id=d aria-label=Day role=region><div id=box></div></section><script>let on = '';"
    "const paint = (cells) => { box.innerHTML = `<button aria-label='Vorheriger Monat' onclick='turn(-1)'></button>"
    "<span>${named('de')}</span><button aria-label='Nächster Monat' onclick='turn(1)'>&gt;</button><div role=grid>"
    "${cells.map(([n, c]) => `<span role=gridcell aria-selected=${!c && on === iso(year, month, n)}"
    " onclick=\"if (!'${c}') { on = iso(year, month, ${n}); draw() }\">${n}</span>`).join(' ')}</div>` }; draw();</script>"
)


def test_a_calendar_that_is_always_there(replay: Replay) -> None:
    done = replay("<html lang=de>" + INLINE, set_date("2026-02-03", role="region", name="Day"), look="on")
    assert (done.seen, done.outcome.warnings) == ("2026-02-03", [])


def test_a_text_field_that_takes_clicks_only_is_set_by_its_calendar(replay: Replay) -> None:
    page = grid().replace("<input id=d readonly>", "<input id=d onkeydown='return false' onbeforeinput='return false'>")
    page += "<script>d.oninput = () => { d.value = '' }</script>"
    assert replay(page, set_date("2026-02-03"), look="d.value").seen == "2026-02-03"


def test_a_button_that_opens_no_calendar_is_told(replay: Replay) -> None:
    done = replay("<button id=d>Pick</button>", set_date("2026-02-03") | {"timeout_ms": 500})
    assert (done.kind, "opened no calendar" in done.error["error"]) == ("missing", True)


def test_a_group_of_a_field_and_the_button_that_opens_its_calendar(replay: Replay) -> None:
    group = "<div id=g role=group aria-label=When><input id=d readonly><button onclick='draw()'>📅</button></div>"
    page = grid().replace("<label>When <input id=d readonly></label>", group).replace("d.onclick =", "const unused =")
    assert replay(page, set_date("2026-02-03", role="group", name="When"), look="d.value").seen == "2026-02-03"


# Opens on twelve years, then shows the months of the one chosen, then its days. ABOVE stands over the months.
VIEWS = """<label>When <input id=d readonly></label><div id=box></div><script>
let from = 2016, year = 0, month = 0;
const two = (n) => String(n).padStart(2, '0');
const head = (text) => `<div class=head><button aria-label=Previous onclick='turn(-1)'>‹</button><b>${text}</b><button aria-label=Next onclick='turn(1)' ${from === 2028 ? 'disabled' : ''}>›</button></div>`;
const turn = (by) => { if (year) { year += by; months() } else { from += 12 * by; years() } };
const years = () => { box.innerHTML = `<div role=dialog>${head('')}<div class=list>${[...Array(12).keys()].map((i) =>
  `<button ${from + i === 2031 ? 'disabled' : ''} onclick='year = ${from + i}; months()'>${from + i}</button>`).join('')}</div></div>` };
const months = () => { box.innerHTML = `<div role=dialog>${head(ABOVE)}<ul>${[...Array(12).keys()].map((m) =>
  `<li><a onclick='month = ${m}; days()'>${new Date(2001, m, 1).toLocaleString('en', { month: STYLE })}</a></li>`).join('')}</ul></div>` };
const days = () => { const count = new Date(year, month + 1, 0).getDate(); box.innerHTML = `<div role=dialog><h2>${new Date(year, month, 1).toLocaleString('en', { month: 'long', year: 'numeric' })}</h2>
  <table role=grid><tr>${[...Array(count).keys()].map((d) => `<td role=gridcell onclick='take(${d + 1})'>${d + 1}</td>`).join('')}</tr></table></div>` };
const take = (n) => { d.value = `${year}-${two(month + 1)}-${two(n)}`; box.innerHTML = '' };
d.onclick = years;</script>"""


@pytest.mark.parametrize(("above", "style"), [("year", "'short'"), ("''", "'long'")])
@pytest.mark.parametrize("value", ["2019-03-04", "1988-12-31", "2028-02-29"])
def test_a_calendar_that_opens_on_years(replay: Replay, value: str, above: str, style: str) -> None:
    page = VIEWS.replace("ABOVE", above).replace("STYLE", style)
    assert replay(page, set_date(value), look="[d.value, box.innerHTML]").seen == [value, ""]


@pytest.mark.parametrize(
    ("value", "words"), [("2031-01-01", "does not let 2031-01-01 be chosen"), ("2045-01-01", "does not go to 2045-01")]
)
def test_a_year_that_cannot_be_chosen_and_one_out_of_reach(replay: Replay, value: str, words: str) -> None:
    page = VIEWS.replace("ABOVE", "year").replace("STYLE", "'short'")
    done = replay(page, set_date(value), look="d.value")
    assert done.error["kind"] == "option_not_offered"
    assert words in done.error["error"]
    assert done.seen == ""


def test_a_calendar_that_opens_on_the_months_of_another_year_is_turned_to_the_right_one(replay: Replay) -> None:
    page = (
        VIEWS.replace("ABOVE", "year")
        .replace("STYLE", "'long'")
        .replace("d.onclick = years", "year = 2024; d.onclick = months")
    )
    assert replay(page, set_date("2026-05-17"), look="d.value").seen == "2026-05-17"
