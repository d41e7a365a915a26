"""Arguments: checked in plain words, substituted once, masked, varied."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recipes_app.engine.document import parse_recipe, parse_step
from recipes_app.engine.errors import ArgumentsError
from recipes_app.engine.parameters import (
    MASK,
    check_arguments,
    mask,
    omitted,
    other_arguments,
    placeholders,
    secret_names,
    substitute,
    substitute_step,
)

names = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "q": {"type": "string", "minLength": 1},
        "n": {"type": "integer", "minimum": 1, "default": 5},
        "day": {"type": "string", "format": "date"},
        "mail": {"type": "string", "format": "email"},
        "size": {"enum": ["small", "large"]},
        "password": {"type": "string", "format": "password"},
    },
    "required": ["q"],
}


def recipe(schema: dict[str, Any] = SCHEMA) -> Any:
    return parse_recipe({"name": "x", "parameters": schema, "steps": [{"op": "back"}]})


@given(names, st.one_of(st.integers(), st.booleans(), texts, st.lists(st.integers(), max_size=3)))
def test_a_text_that_is_one_placeholder_keeps_the_type(name: str, value: Any) -> None:
    assert substitute(f"{{{{{name}}}}}", {name: value}) == value
    assert type(substitute(f"{{{{ {name} }}}}", {name: value})) is type(value)


@given(st.dictionaries(names, texts, min_size=1, max_size=4), st.data())
def test_an_argument_is_put_in_as_it_is_even_when_it_looks_like_a_placeholder(args: dict[str, str], data: Any) -> None:
    name = data.draw(st.sampled_from(sorted(args)))
    assert substitute(f"a {{{{{name}}}}} b", args) == f"a {args[name]} b"


@given(texts.filter(lambda text: "{{" not in text), st.dictionaries(names, texts))
def test_a_text_without_placeholders_stays(text: str, args: dict[str, str]) -> None:
    assert substitute(text, args) == text
    assert placeholders(text) == set()


@given(texts)
def test_a_value_in_an_address_arrives_whole(value: str) -> None:
    step = substitute_step(parse_step({"op": "goto", "url": "https://x.test/?q={{q}}&page=1"}), {"q": value})
    query = parse_qs(urlsplit(str(step.fields["url"])).query, keep_blank_values=True)
    assert query == {"q": [value], "page": ["1"]}


def test_an_address_that_is_one_placeholder_is_taken_as_it_is() -> None:
    step = substitute_step(parse_step({"op": "goto", "url": "{{url}}"}), {"url": "https://x.test/a b?c#d"})
    assert step.fields["url"] == "https://x.test/a b?c#d"


def test_targets_and_conditions_are_filled_and_scripts_are_not() -> None:
    click = parse_step({"op": "click", "target": {"role": "link", "name": "{{n}}", "within": {"text": "Row {{q}}"}}})
    filled: Any = substitute_step(click, {"n": 7, "q": "b"})
    assert filled.fields["target"].name == "7"
    assert filled.fields["target"].within.text == "Row b"
    script = parse_step({"op": "js_extract", "expr": "(a) => '{{q}}'", "key": "k"})
    assert substitute_step(script, {"q": "b"}).fields["expr"] == "(a) => '{{q}}'"
    assert placeholders(script) == set()


def test_fields_of_an_argument_can_be_named() -> None:
    assert substitute("{{_item.title}} {{_index}}", {"_item": {"title": "A"}, "_index": 2}) == "A 2"
    assert omitted("{{_item.url}}", {"_item": {"title": "A"}}) == ["_item.url"]


def test_an_omitted_argument_is_not_an_empty_one() -> None:
    assert omitted("{{q}} {{n}}", {"q": ""}) == ["n"]
    assert substitute("{{q}}", {}) == ""


def test_defaults_are_filled_and_every_problem_is_listed() -> None:
    assert check_arguments(recipe(), {"q": "shoes"}) == {"q": "shoes", "n": 5}
    with pytest.raises(ArgumentsError) as refused:
        check_arguments(recipe(), {"n": 0, "day": "3.2.2026", "mail": "nobody", "size": "medium", "Q": "x"})
    assert set(refused.value.problems) == {
        "Q is no parameter, did you mean q?",
        "q is required",
        "n must be at least 1, not 0",
        "day must be a date such as 2026-02-03, not '3.2.2026'",
        "mail must be an e-mail address, not 'nobody'",
        "size must be one of 'small', 'large', not 'medium'",
    }


def test_a_null_counts_as_not_given_unless_the_parameter_is_required() -> None:
    assert check_arguments(recipe(), {"q": "a", "day": None}) == {"q": "a", "n": 5}
    with pytest.raises(ArgumentsError, match="q must be of type string, not null"):
        check_arguments(recipe(), {"q": None})


def test_a_refused_secret_is_not_repeated_in_the_message() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string", "format": "password", "maxLength": 3}}}
    with pytest.raises(ArgumentsError) as refused:
        check_arguments(recipe(schema), {"password": "canary-7"})
    assert "canary-7" not in str(refused.value)


def test_a_file_is_never_a_path_on_the_worker() -> None:
    schema = {"type": "object", "properties": {"cv": {"type": "string", "format": "x-file"}}}
    with pytest.raises(ArgumentsError):
        check_arguments(recipe(schema), {"cv": "/etc/passwd"})
    assert check_arguments(recipe(schema), {"cv": "data:text/plain;base64,aGk="})


def test_a_schema_that_refers_to_itself_without_end_is_an_answer_not_a_crash() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"$ref": "#/$defs/b"}}}
    with pytest.raises(ArgumentsError, match="without end"):
        check_arguments(recipe(schema), {"a": 1})


def test_secrets_are_found_by_format_and_by_whole_words_of_their_name() -> None:
    schema = {
        "properties": {
            "pass": {"type": "string", "format": "password"},
            "user_password": {"type": "string"},
            "otpCode": {"type": "string"},
            "zip_code": {"type": "string"},
            "shipping": {"type": "string"},
            "keyword": {"type": "string"},
        }
    }
    assert secret_names(schema) == {"pass", "user_password", "otpCode"}
    assert mask(schema, {"user_password": "x", "keyword": "y"}) == {"user_password": MASK, "keyword": "y"}


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "q": st.text(min_size=1, max_size=8),
            "n": st.integers(1, 9),
            "day": st.dates().map(str),
            "size": st.sampled_from(["small", "large"]),
        }
    )
)
def test_other_arguments_are_valid_and_different(args: dict[str, Any]) -> None:
    others = other_arguments(SCHEMA, args)
    assert check_arguments(recipe(), others) == others
    assert all(others[name] != args[name] for name in ("q", "n", "size"))


def test_other_arguments_leave_secrets_and_single_values_alone() -> None:
    schema = {"properties": {"password": {"type": "string"}, "kind": {"const": "a"}, "code": {"pattern": "^A7$"}}}
    args = {"password": "p", "kind": "a", "code": "A7"}
    assert other_arguments(schema, args) == args
