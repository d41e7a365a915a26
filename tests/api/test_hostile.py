"""What a program may send to bring the web process down, and does not."""

import json
from threading import BoundedSemaphore
from typing import Any

import pytest

from recipes_app.api import calls
from recipes_app.models import Call, Job, Site, User
from tests.api.conftest import BASE, Program, program

pytestmark = pytest.mark.django_db
CALLS = "/sites/shop/tools/search/calls"
BODIES = [
    '{"arguments": {"q": NaN}}',
    '{"arguments": {"q": 1e999}}',
    '{"arguments": {"q": {"n": Infinity}}}',
    '{"arguments": {"q": "\\ud800"}}',
    '{"arguments": {"q": "a\\u0000"}}',
    '{"arguments": {"q": ' + "[" * 100_000 + "}}",
    '{"arguments": {"q": ' + "9" * 5000 + "}}",
]


def raw(editor: User, path: str, body: str) -> Any:
    script = program(editor, "call", "manage", "read")
    return script.client.post(f"{BASE}{path}", body, content_type="application/json", headers=script.headers)


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:40])
def test_a_body_that_could_not_be_kept_is_refused_in_words(shop: Site, editor: User, body: str) -> None:
    for path, sent in ((CALLS, body), ("/sites/shop/registry", body)):
        answer = raw(editor, path, sent)
        assert answer.status_code in (400, 422), answer.content
        assert answer.json()["error"]
    assert not Call.objects.exists()


def test_a_body_that_is_too_large_is_413(shop: Site, editor: User) -> None:
    answer = raw(editor, CALLS, json.dumps({"arguments": {"q": "a" * 3_000_000}}))
    assert (answer.status_code, answer.json()["kind"]) == (413, "too_large")


def test_beyond_so_many_waiters_the_answer_is_202_at_once(script: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "WAITERS", BoundedSemaphore(1))
    waited: list[int] = []

    def has_ended(_job: Job, seconds: int) -> bool:
        waited.append(seconds)
        return False

    monkeypatch.setattr(calls, "has_ended_within", has_ended)
    with calls.WAITERS:
        answer = script.post(CALLS, {"arguments": {"q": "a"}}, Prefer="wait=60")
    assert (answer.status_code, waited) == (202, [])
    assert "Preference-Applied" not in answer
    answer = script.post(CALLS, {"arguments": {"q": "a"}}, Prefer="wait=60")
    assert (waited[-1], answer["Preference-Applied"]) == (60, "wait=60")
    assert calls.WAITERS.acquire(blocking=False)


def test_a_method_that_is_not_taken_is_refused_in_json(script: Program) -> None:
    answer = script.client.delete(f"{BASE}/sites", headers=script.headers)
    assert (answer.status_code, answer.json()["kind"]) == (405, "wrong_method")
    assert "GET" in answer["Allow"]
