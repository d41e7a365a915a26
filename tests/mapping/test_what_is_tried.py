"""What a form is tried with, what is not worth a tool yet, and what things are called."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.engine.document import parse_target
from recipes_app.engine.runner import run
from recipes_app.engine.sentences import target_words
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.rules import propose
from recipes_app.mapping.propose.why import with_reasons
from tests.browser.site import LittleSite
from tests.mapping.conftest import OpenSession
from tests.mapping.test_markup_kinds import Proposals, Recording, columns_of, proposals, quiet, try_out

__all__ = ["proposals", "try_out"]

FILTER = """<form action="/"><label>State <select name="s"><option value="">Any</option><option>Archived</option>
    <option>Draft</option><option>Published</option></select></label><button>Filter</button></form>"""


def test_a_filter_is_tried_with_what_some_rows_have(proposals: Proposals) -> None:
    rows = "".join(f"<tr><td>Text {n}<td>{'Published' if n % 3 else 'Draft'}" for n in range(1, 7))
    found = proposals({"/": f"<main><h1>Texts</h1>{FILTER}<table><tr><th>Name<th>State</tr>{rows}</table></main>"})
    draft = found["filter_texts"]
    assert {draft.examples["state"], draft.others["state"]} == {"Draft", "Published"}


def test_a_text_is_filtered_by_what_stands_in_its_column(proposals: Proposals) -> None:
    form = """<form action="/"><label>Kind <select name="k"><option>Any<option>Rare<option>None</select></label>
        <label>Written by <input name="w"></label><button>Filter</button></form>"""
    rows = "".join(f"<tr><td>Text {n}<td>Author {n % 3}" for n in range(1, 7))
    found = proposals({"/": f"<main><h1>Texts</h1>{form}<table><tr><th>Name<th>Written by</tr>{rows}</table></main>"})
    draft = found["filter_texts"]
    assert (draft.examples, draft.others) == ({"written_by": "Author 1"}, {"written_by": "Author 2"})


@pytest.mark.parametrize(
    "said", ["There are no texts yet.", "No texts/notes have been handed in for review yet", "You haven't written any."]
)
def test_a_filter_of_an_empty_list_is_not_proposed_until_there_is_something(
    little: LittleSite, survey_of: Callable[..., Survey], said: str
) -> None:
    clear = '<form action="/" method="post"><button>Archive all</button></form>'
    little.pages["/"] = f"<main><h1>Texts</h1>{FILTER}<p>{said}</p>{clear}</main>"
    survey = survey_of(little.url + "/")
    assert propose(survey) == ()
    why = [reason["why"] for reason in with_reasons(survey, ()).pages[0].why_not]
    assert [each.partition(" yet")[0] for each in why] == [
        "there is nothing to find or filter",
        "there is nothing it could be done to",
    ]


def test_a_form_of_one_thing_is_not_tried_again_on_another_that_was_seen_without_it(
    proposals: Proposals, try_out: Recording, little: LittleSite
) -> None:
    """What only a button says afterwards is waited for as a button."""

    def topic(number: int, button: str = "") -> str:
        said = button or ("Subscribe" if number in {1, 3} else "Unsubscribe")
        return f"""<main><h1>Topic {number}</h1><p>All that was said about number {number} so far.</p>
            <form method="post" action="/topics/{number}/follow"><input type="submit" value="{said}"></form></main>"""

    links = "".join(
        f'<li><h3><a href="/topics/{n}">Topic {n}</a></h3><p>Asked on day {n}</p></li>' for n in range(1, 6)
    )
    pages = {f"/topics/{n}": topic(n) for n in range(1, 6)}
    little.posted |= {f"/topics/{n}/follow": topic(n, "Unsubscribe") for n in range(1, 6)}
    draft = proposals({"/": f"<main><h1>Topics</h1><ul>{links}</ul></main>", **pages})["subscribe_topic"]
    assert (draft.examples["topic"], draft.others["topic"]) == ("1", "3")
    made, verdict = try_out(draft)
    assert verdict.passed, verdict.checks
    assert made.submitted == 1


TASKS = [("Water plants", "Monday"), ("Water plants", "Friday"), ("Feed cat", "Monday"), ("Feed cat", "Friday")]


def test_two_columns_name_a_row_where_one_does_not(
    proposals: Proposals, try_out: Recording, little: LittleSite, at_desk: Callable[..., Any]
) -> None:
    rows = "".join(
        f"<tr><td>{what}<td>{day}<td><button onclick=\"said.innerText = 'Archived for good: {what} on {day}'\">Archive"
        "</button>"
        for what, day in TASKS
    )
    page = f"""<main><h1>Tasks</h1><table><thead><tr><th>Task<th>Day<th></thead><tbody>{rows}</tbody></table>
        <p id="said" role="status"></p></main>"""
    draft = proposals({"/": page})["archive_task"]
    assert draft.parameters["required"] == ["task", "day"]
    made, verdict = try_out(draft)
    assert verdict.passed, verdict.checks

    def call(open_session: OpenSession) -> dict[str, Any]:
        with open_session() as session:
            return run(made.recipe, {"task": "Feed cat", "day": "Monday"}, session, emit=quiet).data

    assert at_desk(call, url=little.url) == {"message": "Archived for good: Feed cat on Monday"}


def test_who_signs_in_is_asked_for_whatever_the_markup_says(proposals: Proposals) -> None:
    found = proposals({"/": """<main><h1>Sign in</h1><form method="post"><label>User name <input name="user"></label>
        <label>Password <input type="password" name="p"></label><label><input type="checkbox" name="keep"> Remember me
        </label><button>Sign in</button></form></main>"""})  # fmt: skip
    assert found["log_in"].parameters["required"] == ["user_name", "password"]


def test_an_access_key_is_no_part_of_a_name(proposals: Proposals) -> None:
    found = proposals({"/": """<main><h1>Notes</h1><form method="post"><label>Short summary [S]
        <input name="x1"></label>
        <button title="Keep [Alt+K]">Keep note [K]</button></form></main>"""})  # fmt: skip
    draft = found["keep_note"]
    assert draft.parameters["properties"]["short_summary"]["description"] == "Short summary"
    assert "“Keep note”" in draft.reason


@pytest.mark.parametrize(
    ("name", "words"), [("Find [F]", "the Find field"), ("[F]", "the field"), ("B [a]", "the B field")]
)
def test_nor_is_it_said_in_a_sentence(name: str, words: str) -> None:
    assert target_words(parse_target({"role": "textbox", "name": name})) == words


def test_nothing_is_called_by_the_person_who_wrote_about_it(proposals: Proposals) -> None:
    def book(name: str) -> str:
        return f"""<main><h1>{name}</h1><h2>Contents</h2><p class="blurb">The {name} tells of a long way home.</p>
            <div class="reviews"><h3>Anna Miller</h3><p>I have read {name} twice and liked it.</p></div>
            <article><h3>Ben Short</h3><p>The {name} was not for me.</p></article>
            <article><h3>Cara Long</h3><p>The {name} is what I had hoped for.</p></article></main>"""

    names = ("Atlas", "Bible", "Codex", "Diary")
    cards = "".join(f'<li><h3><a href="/b/{n}">{n}</a></h3><p>A book of {len(n)} parts</p></li>' for n in names)
    pages = {f"/b/{name}": book(name) for name in names}
    draft = proposals({"/": f"<main><h1>Books</h1><ul>{cards}</ul></main>", **pages})["show_book"]
    assert columns_of(draft, "book") == {"name", "contents"}
    assert not [key for key in draft.returns["properties"] if "anna" in key or "ben" in key or "cara" in key]  # type: ignore[index]


def test_a_page_that_sends_when_it_is_opened_is_proposed_as_one_that_writes(
    proposals: Proposals, try_out: Recording, little: LittleSite
) -> None:
    mark = "<script>fetch('/read-mark', {method: 'POST'})</script>"
    topic = "<main><h1>Topic {0}</h1><p>All that was said about number {0} so far.</p></main>"
    links = "".join(
        f'<li><h3><a href="/topics/{n}">Topic {n}</a></h3><p>Asked on day {n}</p></li>' for n in range(1, 6)
    )
    pages = {f"/topics/{n}": topic.format(n) + mark for n in range(1, 6)}
    found = proposals({"/": f"<main><h1>Topics</h1><ul>{links}</ul></main>", **pages})
    effects = {name: found[name].side_effect for name in ("list_topics", "show_topic", "list_topics_with_details")}
    assert effects == {"list_topics": "read", "show_topic": "write", "list_topics_with_details": "write"}
    assert "opening its page sends POST /read-mark" in found["show_topic"].reason
    made, verdict = try_out(found["show_topic"])
    assert verdict.passed, verdict.checks
    assert made.result.data["topic"][0]["name"] == "Topic 1"
