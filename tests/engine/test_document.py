"""The document: read strictly, written back the same."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from recipes_app.engine.document import (
    VOCABULARY,
    DocumentError,
    digest,
    dump_condition,
    dump_recipe,
    dump_registry,
    dump_step,
    dump_target,
    parse_condition,
    parse_recipe,
    parse_registry,
    parse_step,
    parse_target,
    step_sentence,
)
from tests.engine import documents

QUICK = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
CLICK: dict[str, Any] = {"op": "click", "target": {"role": "button", "name": "Save"}}


def registry(**changes: Any) -> dict[str, Any]:
    plain = {
        "format": 2,
        "site": "shop",
        "base_url": "https://shop.test",
        "tools": [{"name": "save", "steps": [CLICK]}],
    }
    return plain | changes


@QUICK
@given(documents.recipes)
def test_a_recipe_written_and_read_again_is_the_same(data: dict[str, Any]) -> None:
    recipe = parse_recipe(data)
    plain = json.loads(json.dumps(dump_recipe(recipe)))
    again = parse_recipe(plain)
    assert again == recipe
    assert dump_recipe(again) == plain
    assert digest(again) == digest(recipe)
    assert all(step_sentence(step) for step in recipe.steps)


@QUICK
@given(documents.targets)
def test_a_target_loses_nothing(data: dict[str, Any]) -> None:
    target = parse_target(data)
    assert dump_target(target) == parse_and_dump(data)
    assert parse_target(dump_target(target)) == target


def parse_and_dump(data: dict[str, Any]) -> dict[str, Any]:
    return dump_target(parse_target(json.loads(json.dumps(data))))


@QUICK
@given(documents.conditions)
def test_a_condition_keeps_every_field_of_the_file(data: dict[str, Any]) -> None:
    assert dump_condition(parse_condition(data)) == data


@QUICK
@given(documents.flat_steps)
def test_a_step_written_back_holds_nothing_new(data: dict[str, Any]) -> None:
    plain = dump_step(parse_step(data))
    assert plain.keys() <= data.keys()


def test_a_registry_file_keeps_its_login_and_format() -> None:
    auth = {"type": "form_login", "login_tool": "save", "check": {"kind": "url_contains", "value": "/home"}}
    data = registry(auth=auth, mapped_at="2026-02-03T10:00:00Z")
    assert dump_registry(parse_registry(data)) == registry(
        auth=auth,
        mapped_at="2026-02-03T10:00:00Z",
        tools=[{**data["tools"][0], "parameters": {"type": "object", "properties": {}}, "side_effect": "write"}],
    )


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (
            [CLICK, CLICK, CLICK, {"op": "click", "target": {"within": {"rol": "row"}, "name": "x"}}],
            "steps[3].target.within.rol: unknown field, did you mean role?",
        ),
        ([{"op": "clik"}], "steps[0].op: unknown op clik, did you mean click?"),
        ([{"op": "goto", "url": "file:///etc/passwd"}], "steps[0].url: only http and https are allowed, not file"),
        (
            [{"op": "goto", "url": "javascript:alert(1)"}],
            "steps[0].url: only http and https are allowed, not javascript",
        ),
        ([{"op": "wait", "ms": "soon"}], "steps[0].ms: must be a whole number, not a text"),
        ([{"op": "click", "target": {}}], "steps[0].target: names nothing: give role, name, css, text or locators"),
        ([{"op": "click"}], "steps[0].target: is missing"),
        (
            [{"op": "verify", "kind": "page_text_contain", "value": "x"}],
            "steps[0].kind: unknown value 'page_text_contain', did you mean page_text_contains?",
        ),
        (
            [{"op": "if_verify", "check": {"not": {"kind": "url_contains"}}, "then": []}],
            "steps[0].check.not.value: is missing",
        ),
        (
            [{"op": "if_verify", "check": {"kind": "url_contains", "value": "a"}, "then": [{"op": "goto"}]}],
            "steps[0].then[0].url: is missing",
        ),
        (
            [{**CLICK, "expect": {"apears": {"name": "x"}}}],
            "steps[0].expect.apears: unknown field, did you mean appears?",
        ),
        ([{**CLICK, "expect": {}}], "steps[0].expect: expects nothing: leave it out"),
        ([{**CLICK, "optional": "yes"}], "steps[0].optional: must be true or false, not a text"),
        ([{**CLICK, "note": None}], "steps[0].note: must not be null; leave the field out"),
        (
            [{"op": "click", "target": {"locators": [{"role": "a", "css": "b"}]}}],
            (
                "steps[0].target.locators[0]: must hold exactly one of "
                "test_id, role, label, placeholder, alt, title, text, css, xpath"
            ),
        ),
        ([{"op": "wait_for"}], "steps[0]: wait_for needs exactly one of selector, target, condition"),
        (
            [{"op": "extract_list", "items": {"css": "li"}, "fields": {"a": {"type": "euro"}}, "key": "k"}],
            (
                "steps[0].fields.a.type: unknown value 'euro'; one of "
                "string, integer, number, boolean, date, datetime, money, url"
            ),
        ),
    ],
)
def test_a_wrong_field_is_refused_with_its_path(steps: list[Any], message: str) -> None:
    with pytest.raises(DocumentError) as refused:
        parse_recipe({"name": "x", "steps": steps})
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("password", {"default": "hunter2"}),
        ("pin", {"type": "string", "const": "hunter2"}),
        ("key", {"type": "string", "format": "password", "examples": ["hunter2"]}),
    ],
)
def test_a_value_of_a_secret_in_a_registry_file_is_refused_and_not_repeated(name: str, said: dict[str, Any]) -> None:
    tool = {"name": "sign_in", "parameters": {"properties": {name: said}}, "steps": [CLICK]}
    with pytest.raises(DocumentError) as refused:
        parse_registry(registry(tools=[tool]))
    assert refused.value.path.startswith(f"tools[0].parameters.properties.{name}.")
    assert "hunter2" not in str(refused.value)


def test_the_path_of_a_registry_file_begins_at_the_tool() -> None:
    with pytest.raises(DocumentError) as refused:
        parse_registry(registry(tools=[{"name": "save", "steps": [{**CLICK, "wait": 3}]}]))
    assert refused.value.path == "tools[0].steps[0].wait"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"site": "../../evil"}, "site"),
        ({"base_url": "ftp://shop.test"}, "base_url"),
        ({"format": 3}, "format"),
        ({"tools": {}}, "tools"),
        ({"colour": "red"}, "colour"),
        ({"tools": [{"name": "a", "steps": [CLICK]}, {"name": "a", "steps": [CLICK]}]}, "tools[1].name"),
        ({"tools": [{"name": "Bad Name", "steps": [CLICK]}]}, "tools[0].name"),
        ({"tools": [{"name": "a", "steps": []}]}, "tools[0].steps"),
        ({"auth": {"type": "form_login", "login_tool": "nobody", "check": {}}}, "auth.login_tool"),
        ({"tools": [{"name": "a", "parameters": {"type": "array"}, "steps": [CLICK]}]}, "tools[0].parameters.type"),
        (
            {"tools": [{"name": "a", "parameters": {"properties": {"q": {"type": "txt"}}}, "steps": [CLICK]}]},
            "tools[0].parameters.properties.q.type",
        ),
        (
            {"tools": [{"name": "a", "parameters": {"$ref": "http://evil.test/schema"}, "steps": [CLICK]}]},
            "tools[0].parameters.$ref",
        ),
        (
            {"tools": [{"name": "a", "parameters": {"properties": {"q": {"pattern": "(a)\\1$"}}}, "steps": [CLICK]}]},
            "tools[0].parameters.properties.q.pattern",
        ),
    ],
)
def test_a_hostile_or_sloppy_registry_file_is_refused(change: dict[str, Any], path: str) -> None:
    with pytest.raises(DocumentError) as refused:
        parse_registry(registry(**change))
    assert refused.value.path == path


def nested(depth: int) -> dict[str, Any]:
    step: dict[str, Any] = dict(CLICK)
    for _ in range(depth):
        step = {"op": "if_verify", "check": {"kind": "url_contains", "value": "x"}, "then": [step]}
    return step


@pytest.mark.parametrize(
    "steps",
    [
        [dict(CLICK) for _ in range(10_000)],
        [CLICK] * 1001,
        [nested(60)],
        [nested(3000)],
        [{"op": "js_extract", "key": "x", "expr": "a" * 5_000_000}],
        [{"op": "type", "target": {"name": "q" * 1_000_000}, "text": ""}],
    ],
)
def test_a_file_beyond_the_limits_is_refused_with_a_path(steps: list[Any]) -> None:
    with pytest.raises(DocumentError) as refused:
        parse_recipe({"name": "x", "steps": steps})
    assert refused.value.path.startswith("steps")
    assert len(str(refused.value)) < 2000


@pytest.mark.parametrize("junk", [None, [], "text", 7, True, {"steps": None}, {1: 2}])
def test_what_is_no_recipe_at_all_is_refused(junk: object) -> None:
    with pytest.raises(DocumentError):
        parse_recipe(junk)


def test_a_file_of_the_first_agentify_reads_with_its_own_leniencies() -> None:
    data = {
        "site": "hackernews",
        "base_url": "https://news.ycombinator.com",
        "tools": [
            {
                "name": "searchStories",
                "description": "",
                "parameters": {"type": "object", "properties": {}},
                "returns": "stories",
                "steps": [
                    {"op": "wait_for", "selector": "tr.athing", "ms": 2000},
                    {"op": "click", "target": {"role": "button", "name": "", "css": "button#cart", "text": None}},
                    {"op": "scroll", "direction": "down"},
                    {"op": "press_enter", "target": {}},
                    {"op": "js_extract", "expr": "(args) => 1"},
                ],
            }
        ],
        "auth": {},
    }
    read = parse_registry(data)
    tool = read.tools[0]
    assert (read.format, tool.format, tool.returns, read.auth) == (1, 1, None, None)
    assert tool.steps[0].timeout_ms == 2000
    assert [step.optional for step in tool.steps] == [True, False, True, False, False]
    assert tool.steps[4].fields["key"] == "result"
    assert parse_registry(dump_registry(read)) == read
    with pytest.raises(DocumentError):
        parse_registry({**data, "format": 2})


def test_a_recipe_that_does_not_say_so_is_taken_to_write_as_soon_as_a_step_might() -> None:
    read = {"op": "extract", "target": {"role": "heading"}, "key": "title"}
    branch = {"op": "if_verify", "check": {"kind": "url_contains", "value": "x"}, "then": [CLICK]}
    assert parse_recipe({"name": "a", "steps": [read]}).side_effect == "read"
    assert parse_recipe({"name": "a", "steps": [read, branch]}).side_effect == "write"


def test_every_op_has_a_sentence_of_its_own() -> None:
    plain = parse_step({"op": "type", "target": {"role": "textbox", "name": "Search"}, "text": "{{q}}"})
    assert step_sentence(plain) == "Type {{q}} into the Search field"
    inside = parse_step(
        {"op": "click", "target": {"role": "button", "name": "Delete", "within": {"role": "row", "text": "Order: 7"}}}
    )
    assert step_sentence(inside) == "Click the Delete button in the row with “Order: 7”"
    long = {"locators": [{"css": "#q"}, {"role": "textbox", "name": "Search"}]}
    assert step_sentence(parse_step({"op": "type", "target": long, "text": "x"})) == "Type x into the Search field"
    assert len(VOCABULARY) >= 26


def test_the_digest_does_not_depend_on_the_layout_of_the_file() -> None:
    one = parse_recipe({"name": "a", "steps": [CLICK]})
    other = parse_recipe(dict(reversed(list({"name": "a", "steps": [dict(reversed(CLICK.items()))]}.items()))))
    changed = parse_recipe({"name": "a", "steps": [{**CLICK, "note": "n"}]})
    assert digest(one) == digest(other) != digest(changed)
