"""Whatever is sent, nothing is a 500, and nothing a database could not keep gets in."""

import json
from typing import Any

import pytest
from pytest_django import Settings

from recipes_app.models import Job, Site
from recipes_app.services import sites
from tests.api.conftest import BASE, Program

pytestmark = pytest.mark.django_db
CALLS = "/sites/shop/tools/search/calls"
VALUES: list[Any] = [
    None, True, 0, -1, 10**30, 1.5, "", "x", "é" * 300, [], [[]], [None], {}, {"a": {"b": []}},
    {"arguments": None}, {"arguments": "x"}, {"arguments": {"q": None}}, {"arguments": {"q": []}},
    {"arguments": {"q": {"a": 1}}}, {"arguments": {"": ""}}, {"max_pages": "x"}, {"max_pages": True},
    {"max_pages": 10**30}, {"max_depth": -1}, {"method": 3}, {"method": "magic"}, {"start_url": 7},
    {"start_url": "javascript:1"}, {"start_url": "http://[::1"}, {"start_url": "x" * 501}, {"approve": "x"},
    {"approve": [1]}, {"approve": ["nope"]}, {"reject": [None]}, {"really": ["nope"]}, {"format": []},
    {"format": 2, "tools": 3}, {"format": 2, "tools": [3], "site": [], "base_url": {}},
]  # fmt: skip


@pytest.fixture
def mapping(shop: Site) -> str:
    return sites.request_map(site=shop, by=shop.created_by).job.public_id


@pytest.mark.parametrize("value", VALUES, ids=lambda value: json.dumps(value)[:30])
def test_wrong_types_are_refused_in_words(script: Program, mapping: str, value: Any) -> None:
    for path in (CALLS, "/sites/shop/registry", "/sites/shop/mappings", f"/mappings/{mapping}/decisions"):
        answer = script.post(path, json.dumps(value))
        assert answer.status_code in (200, 202, 409, 422), path
        if answer.status_code == 422:
            assert "Input should" not in answer.json()["error"]
            assert "given" not in answer.json()["error"]
    for path in (f"/calls/{mapping}/cancel", f"/mappings/{mapping}/cancel"):
        assert script.post(path, json.dumps(value)).status_code in (200, 404, 409)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"arguments": {"q": NaN}}', "NaN is no JSON number"),
        ('{"arguments": {"q": -Infinity}}', "-Infinity is no JSON number"),
        ('{"arguments": {"q": 1e999}}', "too large"),
        ('{"arguments": {"q": "a\\u0000b"}}', "U+0000"),
        ('{"arguments": {"\\ud800": "a"}}', "surrogate"),
        ('{"arguments": {"q": ' + "[" * 500 + "]" * 500 + "}}", "nested"),
        ("[" * 100_000, "nested"),
        ('{"arguments": ' + "9" * 5000 + "}", "no JSON"),
        ("{", "The body is no JSON"),
    ],
)
def test_what_no_database_keeps_is_400_and_says_why(script: Program, body: str, said: str) -> None:
    answer = script.post(CALLS, body)
    assert (answer.status_code, answer.json()["kind"]) == (400, "bad_request")
    assert said in answer.json()["error"]
    assert not Job.objects.exists()


def test_a_body_in_no_known_encoding_is_400(script: Program) -> None:
    answer = script.client.post(
        BASE + CALLS, b'{"arguments": "\xff\xfe"}', content_type="application/json", headers=script.headers
    )
    assert answer.status_code == 400


def test_a_body_that_is_too_large_is_413(script: Program, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = script.post(CALLS, {"arguments": {"q": "x" * 200}})
    assert (answer.status_code, answer.json()["kind"]) == (413, "too_large")


@pytest.mark.parametrize(
    "path", ["/sites/%00", "/sites/shop/tools/%00", "/calls/%00", "/mappings/a%00", "/sites/sh%00p/tools/search/calls"]
)
def test_a_name_that_no_database_can_be_asked_for_is_404(script: Program, path: str) -> None:
    assert script.get(path).status_code == 404
