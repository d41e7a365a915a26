"""A tool that promises several things returns the list or table that is meant, or is not recorded at all."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from recipes_app.mapping.errors import RecordingFailed
from tests.browser.site import LittleSite
from tests.mapping.flights import draft_of, recorded_by
from tests.pilot.flying import done, move

AtDesk = Callable[..., Any]
ABOUT = "<p>The history of this page, kept by its <b>editors</b> for <i>everybody</i> to <span class=x>read</span>.</p>"
ENTRY = """<li class="{state}"><div><input type=checkbox name=pick value={n}> <span class=date>2026/11/{n:02}</span>
<a href="/page?rev={n}">start</a> <span class=sum>edit number {n}</span></div></li>"""


def history(*states: str, heading: str = "Old revisions") -> str:
    rows = "".join(ENTRY.format(state=state, n=n) for n, state in enumerate(states, 1))
    return f"""<main><h1>{heading}</h1>{ABOUT}<form method=post action=/diff><ul>{rows}</ul><button>Compare</button>
    </form></main>"""


def list_of(little: LittleSite, page: str, at_desk: AtDesk, *moves: Any, name: str = "list_revisions") -> Any:
    little.pages["/"] = page
    made, _ = recorded_by(at_desk, draft_of(name, f"{little.url}/", kind="list"), *(moves or (done(),)))
    assert made.verdict.passed, made.verdict.checks
    return made


def test_a_list_that_holds_one_entry_today_is_returned_as_a_list(little: LittleSite, at_desk: AtDesk) -> None:
    made = list_of(little, history("minor"), at_desk)
    rows = made.recorded.result.data["revisions"]
    assert [row["name"] for row in rows] == ["start"]
    assert "2026/11/01" in rows[0].values()
    assert made.recorded.recipe.returns["properties"]["revisions"]["type"] == "array"


def test_the_list_of_one_entry_reads_all_of_them_when_there_are_more(little: LittleSite, at_desk: AtDesk) -> None:
    recipe = list_of(little, history("minor"), at_desk).recorded.recipe
    items = recipe.steps[-1].fields["items"]
    assert str(items.css).endswith("li")


def test_entries_in_another_state_are_entries_too(little: LittleSite, at_desk: AtDesk) -> None:
    made = list_of(little, history("minor", "minor", "minor", "", ""), at_desk)
    assert len(made.recorded.result.data["revisions"]) == 5


def test_a_page_without_any_list_fails_and_says_so_instead_of_returning_its_heading(
    little: LittleSite, at_desk: AtDesk
) -> None:
    little.pages["/"] = f"<main><h1>Old revisions</h1>{ABOUT}<p class=note>None of them is kept.</p></main>"
    draft = draft_of("list_revisions", f"{little.url}/", kind="list")
    with pytest.raises(RecordingFailed, match="no list and no table that could be the revisions"):
        recorded_by(at_desk, draft, move("extract", name="heading", element=1), done(), done(), done())


def test_of_two_lists_the_one_is_returned_that_the_tools_words_name(little: LittleSite, at_desk: AtDesk) -> None:
    def rows(what: str, count: int) -> str:
        entries = (
            f"<li><a href=/{what}/{n}>{what} {n}</a> <b>{n} EUR</b> <i>kept {n} days</i></li>" for n in range(count)
        )
        return f"<section><h2>{what.capitalize()}s</h2><ul>{''.join(entries)}</ul></section>"

    made = list_of(
        little, f"<main><h1>Depot</h1>{rows('crate', 12)}{rows('barrel', 3)}</main>", at_desk, name="list_barrels"
    )
    assert [row["name"] for row in made.recorded.result.data["barrels"]] == ["barrel 0", "barrel 1", "barrel 2"]


def test_of_two_lists_the_one_is_returned_that_the_model_points_at(little: LittleSite, at_desk: AtDesk) -> None:
    def rows(what: str, count: int) -> str:
        entries = (f"<li><a href=/{what}/{n}>{what} {n}</a> <b>{n} EUR</b></li>" for n in range(count))
        return f"<section><h2>Part {what[0]}</h2><ul>{''.join(entries)}</ul></section>"

    page = f"<main><h1>Depot</h1>{rows('crate', 12)}{rows('barrel', 3)}</main>"
    made = list_of(
        little, page, at_desk, move("extract", name="first", on="barrel 0"), done(), name="list_round_things"
    )
    assert [step.op for step in made.recorded.recipe.steps] == ["goto", "extract_list"]
    assert [row["name"] for row in made.recorded.result.data["round_things"]] == ["barrel 0", "barrel 1", "barrel 2"]


def test_a_search_of_a_model_whose_answer_is_a_page_about_itself_is_not_recorded(
    little: LittleSite, at_desk: AtDesk
) -> None:
    form = "<form action=/found><label>Words <input name=q></label><button>Go</button></form>"
    little.pages |= {"/": f"<main><h1>Wiki</h1>{form}</main>", "/found": f"<main><h1>Search</h1>{ABOUT}</main>"}
    draft = draft_of("search_pages", f"{little.url}/", examples={"words": "oak"}, others={"words": "elm"})
    moves = (move("type_text", on="Words", text="{{words}}"), move("click", on='"Go"'), done())
    with pytest.raises(RecordingFailed, match="no list and no table"):
        recorded_by(at_desk, replace(draft, kind="search"), *moves, *moves)
