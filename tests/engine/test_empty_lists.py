"""Lists without items: whether they are empty, still to come, or not there any more."""

import pytest

from tests.engine.conftest import Replay

HITS = {"op": "extract_list", "items": {"css": "ul.hits > li"}, "fields": {"x": {}}, "key": "hits", "timeout_ms": 1500}


@pytest.mark.parametrize(
    "page", ["<ul class=hits></ul>", "<p>No products match.</p>", "<p>Keine Treffer</p>", "<p>0 results for “x”</p>"]
)
def test_a_list_is_empty_where_its_box_is_there_or_the_page_says_so(replay: Replay, page: str) -> None:
    assert replay(page, HITS).outcome.data == {"hits": []}


def test_a_list_that_comes_while_the_page_is_asked_whether_there_is_none_is_read(replay: Replay) -> None:
    both = "<p>0 results for tables</p><ul class=hits><li>Chair</ul>"
    asked = f"get() {{ this.innerHTML = '{both}'; return this.textContent }}"
    script = f"Object.defineProperty(document.querySelector('main'), 'innerText', {{ {asked} }})"
    done = replay(f"<main></main><script>{script}</script>", HITS | {"timeout_ms": 5000})
    assert done.outcome.data == {"hits": [{"x": "Chair"}]}


def test_a_list_that_is_gone_is_not_an_empty_one(replay: Replay) -> None:
    page = "<ul class=found><li>Chair</ul><p>10 results, nobody knows</p>"
    assert replay(page, HITS).kind == "missing"
    promised = {"type": "object", "properties": {"hits": {"type": "array", "minItems": 0}}}
    assert replay(page, HITS, returns=promised).outcome.data == {"hits": []}


def test_a_list_that_is_shown_late_is_waited_for(replay: Replay) -> None:
    page = (
        "<main id=m style='visibility:hidden'><ul class=hits><li>Chair</ul></main>"
        "<script>setTimeout(() => { m.style.visibility = '' }, 900)</script>"
    )
    assert replay(page, HITS).outcome.data == {"hits": [{"x": "Chair"}]}


def test_items_that_lack_most_of_the_fields_are_not_those_recorded(replay: Replay) -> None:
    fields = {"name": {"css": "a"}, "price": {"css": ".price"}, "stock": {"css": ".stock"}}
    step = HITS | {"fields": fields}
    one = "<li><a href=#1>Chair</a> <i class=price>4</i> <i class=stock>1</i></li>"
    bare = "<li><a href=#2>Desk</a></li>"
    assert len(replay(f"<ul class=hits>{one}{bare}</ul>", step).outcome.data["hits"]) == 2
    assert replay(f"<ul class=hits>{bare}{bare}</ul>", step).kind == "drifted"


def test_one_thing_that_lacks_half_of_the_fields_is_not_what_was_recorded(replay: Replay) -> None:
    step = HITS | {"items": {"css": "main"}, "fields": {"name": {"css": "h1"}, "text": {"css": ".text"}}}
    page = "<main><h1>Chair</h1></main>"
    assert replay(page, step | {"limit": 1}).kind == "drifted"
    assert replay(page, step).outcome.data == {"hits": [{"name": "Chair", "text": None}]}


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<p class=errorlist>Search for three letters or more.</p>", "Search for three letters or more."),
        ("<div role=alert>The index is being built.</div>", "The index is being built."),
        ("<p class='feedback is-invalid' hidden>Never shown.</p><p class=terror>Horror films</p>", None),
    ],
)
def test_a_list_that_is_not_there_comes_with_what_the_page_says_is_wrong(
    replay: Replay, page: str, said: str | None
) -> None:
    done = replay(page, HITS)
    assert done.kind == "missing"
    assert ("; the page says" in done.error["error"]) == (said is not None)
    assert said is None or f"“{said}”" in done.error["error"]


def test_a_field_the_browser_refuses_is_said_too(replay: Replay) -> None:
    page = "<form><input name=q required minlength=3><button>Search</button></form>"
    done = replay(page, {"op": "click", "target": {"role": "button", "name": "Search"}}, HITS)
    assert "the page says “Please fill out this field.”" in done.error["error"]
