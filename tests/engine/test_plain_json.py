"""What people and programs send is refused where it could not be kept; what pages say is made fit to be kept."""

import json
from typing import Any

import pytest

from recipes_app.engine.document import DocumentError, parse_recipe, parse_registry
from recipes_app.engine.plain_json import clean, load_json

UNREADABLE = [
    "NaN",
    "[-Infinity]",
    '{"a": 1e999}',
    '{"a": 1, "a": 2}',
    '["\\ud800"]',
    '{"\\udfff": 1}',
    '"\\u0000"',
    "[" * 100_000,
    "[" * 400 + "]" * 400,
    "9" * 5000,
    "9" * 301,
    b"\xff\xfe",
    "{",
]


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: repr(text[:20]))
def test_json_that_could_not_be_kept_is_refused_in_words(text: str | bytes) -> None:
    with pytest.raises(DocumentError):
        load_json(text)


def test_ordinary_json_is_read_as_it_is() -> None:
    value = {"a": [1, -2.5, True, None, "ü😀", {"b": {}}], "n": 10**200}
    assert load_json(json.dumps(value)) == load_json(json.dumps(value, ensure_ascii=False).encode()) == value


def test_texts_of_pages_are_made_fit_to_be_kept() -> None:
    cleaned = clean({"a\ud800": ["\x00b", {"c": ("😀", 1, None)}]})
    assert cleaned == {"a�": ["�b", {"c": ["😀", 1, None]}]}
    json.dumps(cleaned, ensure_ascii=False).encode()


def registry(**change: Any) -> dict[str, Any]:
    tool = {"name": "t", "steps": [{"op": "goto", "url": "/"}], **change.pop("tool", {})}
    return {"format": 2, "site": "shop", "base_url": "https://shop.test/", "tools": [tool], **change}


UNFIT: list[dict[str, Any]] = [
    {"tool": {"description": "\ud800"}},
    {"tool": {"parameters": {"type": "object", "properties": {"a": {"default": float("inf")}}}}},
    {"tool": {"parameters": {"type": "object", "properties": {"a": {}}, "required": [{}]}}},
    {"tool": {"parameters": {"type": "object", "properties": {"a": {}}, "required": 5}}},
    {"tool": {"steps": [{"op": "wait", "ms": 10**400}]}},
    {"base_url": "https://shop.test/\ud800"},
    {"base_url": "https://shop.test/\n"},
    {"base_url": "https://shop.test/\x00"},
    {"base_url": "https://shop.test/" + "a" * 15_000},
]


@pytest.mark.parametrize("change", UNFIT, ids=lambda change: str(change)[:50].encode("ascii", "replace").decode())
def test_a_registry_as_plain_data_is_refused_for_the_same(change: dict[str, Any]) -> None:
    with pytest.raises(DocumentError):
        parse_registry(registry(**change))


def test_a_hundred_thousand_unknown_fields_are_refused_without_comparing_each() -> None:
    """A missing field is looked for among the first few of the unknown ones."""
    document = {f"x{number}": 1 for number in range(100_000)}
    with pytest.raises(DocumentError, match="is missing"):
        parse_recipe(document)
