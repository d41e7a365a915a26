"""Fields that only a menu shows: a button opens the menu, an entry of it a panel, and nothing sends the form."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.engine.runner import run
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.rules import propose
from tests.browser.site import LittleSite
from tests.mapping.conftest import OpenSession
from tests.mapping.test_markup_kinds import Proposals, Recording, proposals, quiet, try_out

__all__ = ["proposals", "try_out"]

GOODS = [("Oak table", "oak", "red"), ("Oak bench", "oak", "blue"), ("Pine table", "pine", "red"),
         ("Pine shelf", "pine", "blue"), ("Pine stool", "pine", "blue")]  # fmt: skip
ROWS = "".join(f"<tr data-w={w} data-c={c}><td>{name}</td><td>{w}</td><td>{c}</td></tr>" for name, w, c in GOODS)
SCRIPT = """
const shown = (id, on) => document.getElementById(id).hidden = !on;
const filter = () => setTimeout(() => {
  const asked = new URLSearchParams(new FormData(document.forms[0]));
  for (const row of document.querySelectorAll('tbody tr'))
    row.hidden = ['w', 'c'].some(key => asked.get(key) && asked.get(key) !== row.dataset[key]);
  history.replaceState(null, '', '?' + asked);
}, 150);
"""
PANEL = """<div id="{0}" hidden>
    <button type="button" aria-label="Back" onclick="shown('{0}',0);shown('menu',1)">←</button>
    <label><input type="radio" name="{0}" value="" checked> All</label>{1}</div>"""
CHOICE = '<label><input type="radio" name="{}" value="{}"> {}</label>'
ENTRY = """<button type="button" aria-expanded="false" aria-controls="{0}"
    onclick="shown('menu',0);shown('{0}',1)">{1}</button>"""
MENU = f"""<title>Store</title><header><form action="/results" role="search" onchange="filter()">
    <button type="button" aria-label="Show filters" aria-expanded="false" onclick="shown('drop',1)">=</button>
    <div id="drop" hidden><div id="menu"><h2>Filter by</h2>{ENTRY.format("w", "Wood")}{ENTRY.format("c", "Paint")}
    <button type="button" aria-expanded="false" onclick="fetch('/gone', {{method: 'POST'}})">Delete all</button></div>
    {PANEL.format("w", CHOICE.format("w", "oak", "Oak") + CHOICE.format("w", "pine", "Pine"))}
    {PANEL.format("c", CHOICE.format("c", "red", "Red") + CHOICE.format("c", "blue", "Blue"))}</div></form></header>
    <main><h1>Goods</h1>
    <table class=goods><thead><tr><th>Name<th>Wood<th>Paint</thead><tbody>{ROWS}</tbody></table></main>
    <script>{SCRIPT}</script>"""


@pytest.fixture
def filtering(proposals: Proposals) -> Draft:
    return proposals({"/": MENU})["filter_goods"]


def test_a_filter_behind_a_menu_of_menus_is_one_tool(filtering: Draft, little: LittleSite) -> None:
    properties = filtering.parameters["properties"]
    assert {name: schema["enum"] for name, schema in properties.items()} == {
        "wood": ["All", "Oak", "Pine"],
        "paint": ["All", "Red", "Blue"],
    }
    assert (filtering.side_effect, "required" in filtering.parameters) == ("read", False)
    assert "/gone" not in little.requests


def test_it_is_recorded_verified_and_called_with_other_values(
    filtering: Draft, little: LittleSite, try_out: Recording, at_desk: Callable[..., Any]
) -> None:
    made, verdict = try_out(filtering)
    assert verdict.passed, verdict.checks

    def call(open_session: OpenSession) -> list[str]:
        with open_session() as session:
            done = run(made.recipe, {"wood": "Pine", "paint": "Blue"}, session, emit=quiet)
            assert done.ok, done.error
            return [row["name"] for row in done.data["goods"]]

    assert at_desk(call, url=little.url) == ["Pine shelf", "Pine stool"]


def test_what_is_behind_a_menu_is_looked_at_once(little: LittleSite, survey_of: Callable[..., Survey]) -> None:
    little.pages |= {"/": MENU.replace("<main>", "<main><a href='/more'>More goods</a>"), "/more": MENU}
    survey = survey_of(little.url + "/")
    assert [sum(bool(form.panels) for form in page.forms) for page in survey.pages] == [1, 0]
    assert [draft.name for draft in propose(survey) if draft.kind == "search"] == ["filter_goods"]


def test_a_password_and_a_language_that_may_stay_are_not_tried(proposals: Proposals) -> None:
    secret = '<label>{0} <input type="password" name="{0}"></label>'
    page = f"""<title>Account</title><main><h1>Account</h1><form method="post"><label>Name <input name="name"></label>
        {secret.format("Old password")}{secret.format("New password")}<label>Language <select name="preferred_language">
        <option value="">Default</option><option value="de">Deutsch</option><option value="en">English</option></select>
        </label><button>Save</button></form></main>"""
    draft = next(iter(proposals({"/": page}).values()))
    assert set(draft.parameters["properties"]) == {"name", "old_password", "new_password", "language"}
    assert set(draft.examples) == {"name"}
