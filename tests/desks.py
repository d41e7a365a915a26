"""Models for tests: the services' real clients, talking to a server on this machine whose answers are written here.

    def test_something(desk_script: DeskScript) -> None:
        desk = desk_script([{"tool": "click", "arguments": {"element": 7}}, {"json": {"tools": []}}])
        model = desk.model("anthropic")          # or "openai"; an `Asks` with its retries and its repair round
        ...
        assert desk.report()["answered"] == 2

`desk_script(answers)` takes a list of answers, or a function of the request (a plain dict, described at the head of
tests/llm_desk/reading.py). The shapes of an answer: {"text": …}, {"json": {…}} for an `answer_schema`,
{"tool": name, "arguments": {…}}, {"tools": […]}, {"refusal": …}, {"error": {"status": 429}}; more in
tests/llm_desk/README.md. `desk_faults(schedule, answers)` is the same with faults on a schedule such as
"1:429=0.1,2:reset,*3:wrong_type". `desk_replay(cassette)` answers from tests/cassettes/<cassette>.jsonl; `masks` are
patterns whose matches count as equal.

While a desk is open, the Django settings name it for both services, so `model_wiring.model_for` reaches it as well.
At the end of a test a desk that met a request it had no answer for makes the test fail.
A cassette is recorded by hand: `python -m tests.llm_desk record DIR`, see the same README.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest
from pytest_django import Settings

from recipes_app.llm.base import Asks, OnUse, Provider
from recipes_app.llm.budget import Budget
from recipes_app.llm.connecting import Access, connect, disconnect
from recipes_app.llm.model import Manners, Model
from recipes_app.llm.retry import Retries
from tests.llm_desk import DeskServer, ReplaySource, ScriptSource

Json = dict[str, Any]
Answers = Iterable[Json] | Callable[[Json], Json]

CASSETTES = Path(__file__).parent / "cassettes"
QUICK = Retries(tries=4, first_s=0.01, longest_s=2, total_s=5)


class DeskScript(Protocol):
    def __call__(self, answers: Answers) -> Desk: ...


class DeskFaults(Protocol):
    def __call__(self, schedule: str, answers: Answers) -> Desk: ...


class DeskReplay(Protocol):
    def __call__(self, cassette: str, *, masks: Iterable[str] = (), loose: bool = False) -> Desk: ...


class Desk:
    """One server. `requests` are those that were answered by the script, in order."""

    def __init__(self, server: DeskServer, requests: list[Json]) -> None:
        self.server = server
        self.requests = requests

    def access(self, service: str, *, timeout_s: float = 10) -> Access:
        urls = {"openai": self.server.openai_base_url, "anthropic": self.server.anthropic_base_url}
        model = f"{service}-model"
        return Access(service, "key-of-tests", model, f"{model}-fast", urls[service], timeout_s)

    def provider(self, service: str, *, timeout_s: float = 10) -> Provider:
        return connect(self.access(service, timeout_s=timeout_s))

    def model(self, service: str, *, budget_tokens: int = 100_000, on_use: OnUse | None = None) -> Asks:
        return Model(
            self.provider(service),
            budget=Budget(tokens=budget_tokens),
            on_use=on_use,
            manners=Manners(retries=QUICK),
        )

    def report(self) -> Json:
        return self.server.report()


@pytest.fixture
def desk_script(settings: Settings) -> Iterator[DeskScript]:
    with _Desks(settings) as desks:
        yield desks.script


@pytest.fixture
def desk_faults(settings: Settings) -> Iterator[DeskFaults]:
    with _Desks(settings) as desks:
        yield lambda schedule, answers: desks.script(answers, faults=schedule)


@pytest.fixture
def desk_replay(settings: Settings) -> Iterator[DeskReplay]:
    with _Desks(settings) as desks:
        yield desks.replay


class _Desks(ExitStack):
    """Every desk of one test."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    def script(self, answers: Answers, *, faults: str = "") -> Desk:
        requests: list[Json] = []
        answer = answers if callable(answers) else _one_by_one(list(answers))

        def heard(request: Json) -> Json:
            requests.append(request)
            return _as_asked(request, answer(request))

        return self._open(DeskServer(ScriptSource(heard), faults=faults), requests)

    def replay(self, cassette: str, *, masks: Iterable[str] = (), loose: bool = False) -> Desk:
        source = ReplaySource(CASSETTES / f"{cassette}.jsonl", loose=loose, masks=masks)
        return self._open(DeskServer(source), [])

    def _open(self, server: DeskServer, requests: list[Json]) -> Desk:
        self.enter_context(server)
        self.callback(_complain, server)
        self.callback(disconnect)
        for name, value in server.environment().items():
            setattr(self._settings, name, value)
        return Desk(server, requests)


def _one_by_one(answers: list[Json]) -> Callable[[Json], Json]:
    def next_of(request: Json) -> Json:
        assert answers, f"no answer is left for {request['messages'][-1:]}"
        return answers.pop(0)

    return next_of


def _as_asked(request: Json, answer: Json) -> Json:
    """An object may be asked for as the arguments of a forced tool: Anthropic's way here."""
    if "json" in answer and request["tool_choice"]["name"] == "answer":
        rest = {name: value for name, value in answer.items() if name != "json"}
        return {**rest, "tool": "answer", "arguments": answer["json"]}
    return answer


def _complain(server: DeskServer) -> None:
    report = server.report()
    assert not report.get("unmatched"), report["unmatched"]
    assert not report.get("script_failures"), "\n".join(report["script_failures"])
    assert not report["refused"], report["refused"]
