"""The benches of speed: that what they compare is the same, and that a wrong answer is no measurement."""

import json

import pytest

from bench import call, cold, replay, snapshot
from bench.frame import NotReady, Options
from recipes_app.engine.document import parse_registry


@pytest.mark.slow
def test_the_recipe_and_the_flow_by_hand_read_the_same_in_21_steps() -> None:
    result = replay.run(Options(rounds=1))
    assert result.detail["steps"] == len(result.detail["step ms"]) == 21
    assert result.met == (result.value is not None and result.value <= 1)
    assert set(result.detail["median s"]) == {"recipe", "by hand", "by hand, row by row"}


def test_arms_that_read_something_else_are_not_compared() -> None:
    with pytest.raises(NotReady, match="did not read the same"):
        replay.rounds_of({"a": lambda: {"rows": 1}, "b": lambda: {"rows": 2}}, Options(rounds=1), lambda: None)


@pytest.mark.slow
def test_the_snapshot_is_taken_of_as_many_controls_as_said() -> None:
    result = snapshot.run(Options(rounds=1, only=("300",)))
    figures = result.detail["300 controls"]
    assert set(figures["ms"]) == {"ours", "all in detail", "prompt", "playwright"}
    assert figures["characters"]["prompt"] <= 4000 < figures["characters"]["playwright"]
    assert figures["goal met"] == result.met


def test_an_unknown_part_of_the_snapshot_bench_is_refused() -> None:
    with pytest.raises(NotReady, match="300, 3000, 20000"):
        snapshot.run(Options(only=("7",)))


def test_the_registry_of_the_cold_call_is_a_tool_of_three_steps() -> None:
    (tool,) = parse_registry(cold.registry("http://127.0.0.1:1")).tools
    assert [step.op for step in tool.steps] == ["goto", "type", "extract"]


def test_the_steps_of_a_call_are_added_up_and_a_wrong_answer_is_no_measurement() -> None:
    result = {"data": {"greeting": cold.GREETING}, "steps": [{"ms": 3}, {"ms": 4}]}
    assert call.steps_ms(200, json.dumps({"result": result}).encode()) == 7
    for status, said in ((202, {"result": result}), (200, {"result": None}), (200, {"result": {"data": {}}})):
        with pytest.raises(NotReady, match="answered with"):
            call.steps_ms(status, json.dumps(said).encode())
