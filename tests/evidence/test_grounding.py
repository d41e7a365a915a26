"""Values are looked for where they were seen: whole words, in the forms pages write them, nearest to their row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.agent.grounding import Pages
from evidence_app.agent.layout import Layout, Piece, layout_from


def page(*texts: str, kind: str = "text") -> Pages:
    pieces = tuple(Piece(text, (10, 20.0 * at, 100, 18), kind) for at, text in enumerate(texts))
    return Pages([Layout("https://a.example/", pieces, "c1")])


FOUND: list[tuple[object, str]] = [
    ("Ann Lee", "Name: Ann Lee, owner"),
    ("ann lee", "Name: Ann\u00a0Lee"),
    (1204, "Total 1,204 items"),
    (1204, "Total 1 204 items"),
    (1234.5, "EUR 1.234,5"),
    (99.5, "$99.50"),
    ("2026-11-30", "Closed on 30 Nov 2026"),
    ("2026-11-30", "Closed on November 30, 2026"),
    ("2026-11-30T16:20:00", "on 11/30/2026 at 16:20"),
    ("Order #10000", "Order #10000: paid"),
    ("C++", "Languages: C++, Go"),
    (0, "0 open"),
]


@pytest.mark.parametrize(("value", "text"), FOUND)
def test_a_value_is_found_in_the_forms_pages_use(value: object, text: str) -> None:
    assert page("Heading", text).ground(value).how == "text"


@pytest.mark.parametrize(
    ("value", "text"),
    [(7, "17 items"), (12, "12.50"), (204, "1,204"), ("Ann", "Annual"), ("open", "Reopened"), (5, "5,000"), ("x", "")],
)
def test_a_part_of_another_word_or_number_is_no_find(value: object, text: str) -> None:
    assert page(text).ground(value).how == "not_found"


@pytest.mark.parametrize("value", [None, True, False, "", "  "])
def test_what_cannot_stand_on_a_page_is_not_looked_for(value: object) -> None:
    assert page("true false").ground(value).how == "unchecked"


def test_a_value_across_lines_has_the_box_around_them() -> None:
    found = page("Senior", "Engineer", "other").ground("senior engineer")
    assert found.box == (10.0, 0.0, 100.0, 38.0)
    assert found.words == "Senior Engineer"


def test_values_of_controls_and_addresses_of_links_are_told_apart() -> None:
    assert page("a@b.example", kind="control").ground("a@b.example").how == "control"
    assert page("https://a.example/p/7", kind="link").ground("https://a.example/p/7").how == "control"


def test_of_two_places_the_one_in_the_row_is_taken() -> None:
    pages = page("open", "x", "x", "x", "open")
    near = pages.ground("open", near=[(10, 82, 10, 10)])
    assert near.box
    assert near.box[1] == 80


def test_the_newest_page_comes_first() -> None:
    old, new = Layout("u1", (Piece("Ann", (0, 0, 1, 1)),), "c1"), Layout("u2", (Piece("Ann", (5, 5, 1, 1)),), "c2")
    found = Pages([old, new]).ground("Ann")
    assert found.layout is new


def test_a_layout_reads_back_as_written() -> None:
    layout = Layout("u", (Piece("a", (1, 2, 3, 4), "control"),), "c", 2.0, 7)
    assert layout_from(layout.as_dict()) == layout


@given(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1, max_size=8), st.data())
def test_every_word_of_a_page_is_found_in_its_own_piece(words: list[str], data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(words))
    found = page(*words).ground(word)
    assert found.box
    assert words[int(found.box[1] // 20)] == word
