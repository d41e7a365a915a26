"""What a verification checks, one by one, on pages that are wrong in one way each."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.engine.document import parse_recipe
from recipes_app.mapping.verify import Verdict, verify
from tests.browser.site import LittleSite
from tests.mapping.conftest import OpenSession
from tests.mapping.flights import quiet

Judge = Callable[..., Verdict]
ROWS = "<ul id=found>%s</ul>"
LIST = {"op": "extract_list", "items": {"css": "#found li"}, "fields": {"name": {"css": "a"}}, "key": "found"}


def rows(*names: str) -> str:
    return ROWS % "".join(f"<li><a href=/i/{name}>{name}</a></li>" for name in names)


def tool(*steps: dict[str, Any], parameters: tuple[str, ...] = ("q",), **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in parameters}}
    return {"name": "find", "parameters": schema, "side_effect": "read", "steps": list(steps), **more}


@pytest.fixture
def judge(little: LittleSite, at_desk: Callable[..., Any]) -> Judge:
    """`judge(document, q=("first", "second"))` verifies it with these values."""

    def run(document: dict[str, Any], *, mode: str = "full", **values: tuple[str, str]) -> Verdict:
        def work(open_session: OpenSession) -> Verdict:
            return verify(
                parse_recipe(document),
                arguments={name: pair[0] for name, pair in values.items()},
                others={name: pair[1] for name, pair in values.items()},
                open_session=open_session,
                emit=quiet,
                mode=mode,  # type: ignore[arg-type]
            )

        verdict: Verdict = at_desk(work, url=little.url)
        return verdict

    return run


def failed(verdict: Verdict) -> dict[str, str]:
    return {check.name: check.detail for check in verdict.checks if not check.ok}


def test_the_verdict_lists_all_that_was_checked(little: LittleSite, judge: Judge) -> None:
    little.pages |= {"/a": rows("x"), "/b": rows("y")}
    verdict = judge(tool({"op": "goto", "url": f"{little.url}/{{{{q}}}}"}, LIST), q=("a", "b"))
    assert verdict.passed
    assert [check.name for check in verdict.checks] == [
        "every parameter is used",
        "replays with the recorded values",
        "no page answers with an error",
        "the page shows no error",
        "something comes back",
        "replays with other values",
        "no page answers with an error",
        "Sends nothing that could change the site",
        "the page shows no error",
        "something comes back",
        "it follows its parameters",
    ]


def test_a_recipe_without_a_place_for_a_parameter_fails_even_if_it_follows_another(
    little: LittleSite, judge: Judge
) -> None:
    little.pages |= {"/a": rows("x"), "/b": rows("y")}
    document = tool({"op": "goto", "url": f"{little.url}/{{{{q}}}}"}, LIST, parameters=("q", "sort"))
    assert failed(judge(document, q=("a", "b"), sort=("up", "down"))) == {
        "every parameter is used": "no step uses sort"
    }


def test_a_recipe_that_brings_back_the_same_whatever_is_asked_fails(little: LittleSite, judge: Judge) -> None:
    little.pages["/"] = f"<label>Find <input></label>{rows('x')}"
    typing = {"op": "type", "target": {"role": "textbox", "name": "Find"}, "text": "{{q}}"}
    assert set(failed(judge(tool({"op": "goto", "url": f"{little.url}/"}, typing, LIST), q=("red", "blue")))) == {
        "it follows its parameters"
    }


def test_nothing_found_fails_unless_that_is_declared_possible(little: LittleSite, judge: Judge) -> None:
    little.pages |= {"/a": "<ul id=found></ul>", "/b": "<ul id=found></ul><p>x</p>"}
    document = tool({"op": "goto", "url": f"{little.url}/{{{{q}}}}"}, LIST)
    assert failed(judge(document, q=("a", "b")))
    may_be_empty = {"type": "object", "properties": {"found": {"type": "array", "minItems": 0}}}
    verdict = judge({**document, "returns": may_be_empty}, q=("a", "b"))
    assert "something comes back" not in failed(verdict)


def test_a_page_with_an_error_status_fails_however_one_came_to_it(little: LittleSite, judge: Judge) -> None:
    little.pages |= {
        "/a": "<a href=/broken>Go</a>",
        "/b": "<a href=/broken>Go</a>",
        "/broken": (500, {"Content-Type": "text/html"}, rows("x").encode()),
    }
    document = tool(
        {"op": "goto", "url": f"{little.url}/{{{{q}}}}"},
        {"op": "click", "target": {"role": "link", "name": "Go"}},
        LIST,
    )
    assert failed(judge(document, q=("a", "b")))["no page answers with an error"] == "/broken answered HTTP 500"


def test_a_complaint_beside_a_field_or_in_a_notice_fails(little: LittleSite, judge: Judge) -> None:
    page = """<label>Mail <input id=m aria-describedby=e></label><p id=e></p><div id=box></div>
    <button onclick="%s">Join</button>"""
    beside = "m.setAttribute('aria-invalid', 'true'); e.innerText = 'No address'"
    notice = "box.innerHTML = '<div role=alert class=error>It is full</div>'"
    for script, words in ((beside, "No address"), (notice, "It is full")):
        little.pages["/"] = page % script
        document = tool(
            {"op": "goto", "url": f"{little.url}/"},
            {"op": "type", "target": {"role": "textbox", "name": "Mail"}, "text": "{{q}}"},
            {"op": "click", "target": {"role": "button", "name": "Join"}},
            side_effect="write",
        )
        verdict = judge(document, q=("a", "b"))
        assert words in failed(verdict)["the page shows no error"], verdict.checks


def test_an_error_notice_that_was_there_from_the_start_is_none_of_the_tool(little: LittleSite, judge: Judge) -> None:
    little.pages["/"] = "<div role=alert class=error>Closed on Monday</div><input aria-label=Mail><button>Join</button>"
    document = tool(
        {"op": "goto", "url": f"{little.url}/"},
        {"op": "type", "target": {"role": "textbox", "name": "Mail"}, "text": "{{q}}"},
        {"op": "click", "target": {"role": "button", "name": "Join"}},
        side_effect="write",
    )
    assert judge(document, q=("a", "b")).passed
