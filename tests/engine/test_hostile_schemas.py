"""No schema, pattern or value of a stranger keeps a process busy: all of it is refused, or answered, at once."""

import json
import threading
from functools import partial
from time import thread_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from recipes_app.engine.arguments import problems_of
from recipes_app.engine.conditions import matches_glob
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.naming import name_pattern
from recipes_app.engine.patterns import BadPattern, read_pattern

LIMIT_S = 4.0  # of the processor's own time, so that a busy machine changes nothing; the attacks took minutes


def within_limit(work: Any) -> Any:
    """The result of work that must not hang; its thread is left behind if it does."""
    found: list[Any] = []
    took: list[float] = []

    def timed() -> None:
        begun = thread_time()
        try:
            found.append(work())
        except (DocumentError, BadPattern) as error:
            found.append(error)
        took.append(thread_time() - begun)

    thread = threading.Thread(target=timed, daemon=True)
    thread.start()
    thread.join(120)
    assert took, "it hangs"
    assert took[0] < LIMIT_S
    return found[0]


def parsed(parameters: dict[str, Any]) -> Any:
    return parse_recipe({"name": "x", "parameters": parameters, "steps": [{"op": "back"}]})


EVIL = ["^((a+))+$", "^(a|a)*$", r"^(\w+\s?)*$", "(x+x+)+y", "^(a|b|ab)*c$", ".*.*.*.*.*=$", "^((a|a)|(a|a))*$"]


@pytest.mark.parametrize("pattern", EVIL)
@pytest.mark.parametrize("text", ["a" * 50_000 + "!", "x" * 50_000, "ab" * 25_000])
def test_no_pattern_hangs_on_an_argument(pattern: str, text: str) -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string", "pattern": pattern}}}
    recipe = within_limit(lambda: parsed(schema))
    within_limit(lambda: problems_of(recipe.parameters, {"q": text}, "the arguments"))


@pytest.mark.parametrize("pattern", EVIL)
def test_no_pattern_hangs_on_the_name_of_an_argument(pattern: str) -> None:
    named: dict[str, Any] = {"patternProperties": {pattern: {}}}
    for schema in (named, {**named, "additionalProperties": False}):
        within_limit(partial(problems_of, schema, {"a" * 5000 + "!": 1}, "it"))


@pytest.mark.parametrize("pattern", ["(?:a?){1000}b", "(((a?){10}){10}){10}b", "(?:(?:(?:a|b)?(?:a|c)?){30}){30}z"])
def test_a_huge_pattern_on_a_huge_text_is_said_to_be_too_much(pattern: str) -> None:
    said = within_limit(lambda: problems_of({"pattern": pattern}, "a" * 2_000_000, "it"))
    assert "too long to be matched" in said[0]


@pytest.mark.parametrize(
    "pattern", ["(" * 240 + "a" + ")" * 240, "a{1000}{1000}", "(a{100}){100}", "x(?=a)", r"(.)\1", "a" * 501, "("]
)
def test_what_cannot_be_matched_in_linear_time_is_refused_on_import(pattern: str) -> None:
    found = within_limit(lambda: parsed({"properties": {"q": {"pattern": pattern}}}))
    assert isinstance(found, DocumentError) or pattern.startswith("((")


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        (r"^(?=.*\d)(?=.*[a-z])(?!.*\s).{8,}$", "abc12345", "abcd 12345"),
        (r"^(?:(?=.*\d)(?=.*[A-Z]).{4,})$", "aB12", "ab12"),
        (r"^(?:[A-Z]{2}\d{4}|none)$", "none", "nonesuch"),
        ("[(]\\u0041", "x(A)", "A"),
        (r"^\d{4}-\d{2}$", "2026-01", "2026-01\n"),
        ("^a|b$", "ab", "ba"),
        (r"^(?:a)|(?:b)$", "ax", "xa"),
        (r"^[\w\-.]+$", "a-b.c", "a b"),
    ],
)
def test_patterns_people_write_mean_what_they_say(pattern: str, fits: str, fails: str) -> None:
    assert read_pattern(pattern).found_in(fits)
    assert not read_pattern(pattern).found_in(fails)
    assert problems_of({"pattern": pattern}, fits, "it") == []
    assert problems_of({"pattern": pattern}, fails, "it") == [f"it must match the pattern {pattern}, not {fails!r}"]


def test_a_field_s_pattern_is_of_the_whole_text() -> None:
    assert read_pattern(r"(?=.*\d).{3}", whole=True).found_in("ab1")
    assert not read_pattern(r"(?=.*\d).{3}", whole=True).found_in("xab1")


def test_an_argument_that_is_half_a_letter_is_matched_and_not_raised_about() -> None:
    assert problems_of({"pattern": "^a$"}, "\ud800", "it")


def doubled(keyword: str, deep: int) -> dict[str, Any]:
    link = [{"$ref": f"#/$defs/d{n + 1}"} for n in range(deep)]
    defs: dict[str, Any] = {f"d{n}": {keyword: [link[n], link[n]]} for n in range(deep)}
    return {"$defs": {**defs, f"d{deep}": {"type": "string"}}, "properties": {"q": {"$ref": "#/$defs/d0"}}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "prefixItems"])
def test_references_that_double_are_refused_on_import_and_end_at_a_call(keyword: str) -> None:
    schema = doubled(keyword, 26)
    refused = within_limit(lambda: parsed(schema))
    assert isinstance(refused, DocumentError)
    assert "parts" in refused.message
    within_limit(lambda: problems_of(schema, {"q": 1}, "the arguments"))


def test_references_that_double_with_the_depth_of_the_value_end_at_a_call() -> None:
    node = {
        "anyOf": [{"properties": {"x": {"$ref": "#/$defs/n"}}}, {"properties": {"x": {"$ref": "#/$defs/n"}, "y": {}}}]
    }
    schema: dict[str, Any] = {"$defs": {"n": {**node, "required": ["z"]}}, "properties": {"q": {"$ref": "#/$defs/n"}}}
    value: dict[str, Any] = {}
    for _ in range(40):
        value = {"x": value}
    recipe = within_limit(lambda: parsed(schema))
    assert within_limit(lambda: problems_of(recipe.parameters, {"q": value}, "the arguments"))


def test_a_tree_that_refers_to_itself_stays_usable() -> None:
    tree = {"type": "object", "properties": {"l": {"$ref": "#/$defs/t"}, "r": {"$ref": "#/$defs/t"}}}
    recipe = parsed({"$defs": {"t": tree}, "properties": {"q": {"$ref": "#/$defs/t"}}})
    assert problems_of(recipe.parameters, {"q": {"l": {"r": {}}}}, "the arguments") == []
    assert problems_of(recipe.parameters, {"q": {"l": {"r": 1}}}, "the arguments") == [
        "q.l.r must be of type object, not 1"
    ]


def test_a_schema_of_countless_parts_is_refused() -> None:
    found = within_limit(lambda: parsed({"properties": {f"p{n}": {"enum": [1, 2, 3]} for n in range(40_000)}}))
    assert isinstance(found, DocumentError)


@pytest.mark.parametrize("required", [[{}], [[]], [1]])
def test_a_required_parameter_that_is_no_text_is_refused(required: list[Any]) -> None:
    with pytest.raises(DocumentError):
        parsed({"properties": {"q": {}}, "required": required})


def test_many_unequal_entries_are_told_apart_quickly() -> None:
    entries = [{"a": n} for n in range(30_000)]
    assert within_limit(lambda: problems_of({"uniqueItems": True}, entries, "it")) == []
    assert problems_of({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], "it") != []


def test_of_countless_problems_the_first_are_said() -> None:
    wrong = within_limit(lambda: problems_of({"items": {"type": "string"}}, [1] * 100_000, "it"))
    assert 0 < len(wrong) <= 50


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.text("ab1", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab1", max_size=2), inner, max_size=3),
    max_leaves=8,
)
own_keywords = st.fixed_dictionaries(
    {},
    optional={
        "pattern": st.sampled_from(["^a", "b$", "[0-9]"]),
        "patternProperties": st.sampled_from([{"^a": {"type": "string"}}, {"1": False}]),
        "additionalProperties": st.sampled_from([False, True, {"type": "integer"}]),
        "uniqueItems": st.booleans(),
        "properties": st.just({"b": {"type": "number"}}),
    },
)


@given(own_keywords, json_values)
def test_the_bounded_keywords_judge_as_jsonschema_does(schema: dict[str, Any], value: Any) -> None:
    assert (problems_of(schema, value, "it") == []) == Draft202012Validator(schema).is_valid(value), json.dumps(value)


@given(st.text("ab/", max_size=8), st.text("ab/*", max_size=6))
def test_a_glob_matches_as_a_pattern_would(text: str, glob: str) -> None:
    import re

    pattern = ".*".join(re.escape(part) for part in glob.split("*"))
    assert matches_glob(text, glob) == (re.fullmatch(pattern, text, re.DOTALL) is not None)


def test_a_glob_of_many_stars_ends() -> None:
    assert within_limit(lambda: matches_glob("a" * 20_000, "*a" * 200 + "b")) is False


def test_the_pattern_of_a_name_ends_on_a_text_of_spaces() -> None:
    assert within_limit(lambda: name_pattern("Save all changes").search("save" + " " * 2000 + "!")) is None
