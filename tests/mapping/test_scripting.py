"""JavaScript is the last resort: only where the rules read nothing, and only a script that does nothing but read."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from recipes_app.engine.document import Recipe
from recipes_app.llm.base import Request
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.scripting import problem_of, schema_of
from tests.browser.site import LittleSite
from tests.mapping.flights import draft_of, recorded_by
from tests.pilot.flying import Script, done, move

RATE = "<main><b id=rate>%s</b></main>"
FORM = "<form action=/rate><label>Currency <input name=to></label><button>Show</button></form>"
READS = "(args) => ({rate: document.querySelector('#rate').textContent})"


def ops(recipe: Recipe) -> list[str]:
    return [step.op for step in recipe.steps]


def flown(little: LittleSite, at_desk: Callable[..., Any], *scripts: str) -> tuple[Any, list[Request]]:
    little.pages |= {"/": f"<main>{FORM}</main>", "/rate": RATE % "1.08 USD"}
    left = list(scripts)

    def data(request: Request) -> Mapping[str, Any]:
        return {"expr": left.pop(0)} if request.purpose == "script" else {"fields": []}

    moves = [move("type_text", on="Currency", text="{{to}}"), move("click", on="Show"), done()]
    draft = draft_of("show_rate", f"{little.url}/", examples={"to": "USD"}, others={"to": "CHF"})
    made, provider = recorded_by(at_desk, draft, script=Script([*moves, *moves], data=data))
    return made, provider.requests


def test_a_script_reads_what_the_rules_cannot(little: LittleSite, at_desk: Callable[..., Any]) -> None:
    made, requests = flown(little, at_desk, "(args) => fetch('/x')", READS, READS, READS)
    assert ops(made.recorded.recipe)[-1] == "js_extract"
    assert made.recorded.result.data == {"rate": {"rate": "1.08 USD"}}
    asked = [request for request in requests if request.purpose == "script"]
    assert "id=" in asked[0].messages[0].text
    assert "fetch" in asked[1].messages[-1].text
    assert made.verdict.passed, made.verdict.checks


def test_a_script_that_will_not_do_leaves_the_rules_word(little: LittleSite, at_desk: Callable[..., Any]) -> None:
    with pytest.raises(RecordingFailed, match="nothing came back"):
        flown(little, at_desk, *["(args) => fetch('/x')"] * 4)


@pytest.mark.parametrize(
    ("expr", "says"),
    [
        (READS, None),
        ("args => [...document.querySelectorAll('li')].map(e => ({name: e.textContent}))", None),
        ("function (args) { return 1 }", "arrow function"),
        ("(args) => document.cookie", "cookie"),
        ("(args) => { location = 'http://evil.test' }", "location"),
        ("(args) => document.forms[0].submit()", "submit"),
        ("(args) => ({name: 'oak desk'})", "this one call"),
        ("(args) => " + "1" * 3000, "at most"),
    ],
)
def test_what_a_script_may_say(expr: str, says: str | None) -> None:
    problem = problem_of(expr, {"q": "oak desk"})
    assert (problem is None) if says is None else (says in (problem or ""))


def test_only_flat_objects_are_results() -> None:
    assert schema_of([{"a": 1}]) == {"type": "array", "items": {"type": "object"}}
    assert schema_of({"a": "x", "b": None}) == {"type": "object"}
    others: list[Any] = [[], {}, None, "x", [1], [{"a": {}}], {"a": ""}]
    assert [schema_of(other) for other in others] == [None] * len(others)
