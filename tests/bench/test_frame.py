"""The frame of the measurements: what a bench prints, and that each name leads to one."""

import json
import sys
import types
from pathlib import Path

import pytest
from django.core.management import call_command

from bench import frame

BENCH = '''"""Counts to three.

In more words.
"""

from bench.frame import NotReady, Options, Result


def run(options: Options) -> Result:
    if options.only == ("nothing",):
        raise NotReady("pip install something, then again.")
    options.tell("counting")
    return Result("count", 3.0, "numbers", detail={"by": {"round": [1.5, 2]}, "rounds": options.rounds})
'''


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> str:
    """A bench of the name `counting`."""
    module = types.ModuleType("bench.counting", "Counts to three.")
    exec(compile(BENCH, "counting.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, "bench.counting", module)
    monkeypatch.setattr(frame, "benches", lambda: {"counting": "Counts to three."})
    return "counting"


def test_the_last_line_is_one_json_object_with_machine_and_versions(
    counting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("bench", counting, "--json", "--rounds", "2")
    said = capsys.readouterr()
    measured = json.loads(said.out.splitlines()[-1])
    assert list(measured) == ["name", "value", "unit", "goal", "met", "baseline", "detail", "machine", "versions"]
    assert (measured["name"], measured["value"], measured["goal"], measured["met"]) == ("count", 3.0, None, None)
    assert measured["detail"]["rounds"] == 2
    assert {"cpu", "cores", "load"} <= set(measured["machine"])
    assert {"python", "playwright", "django", "chromium"} <= set(measured["versions"])
    assert measured["versions"]["django"]
    assert "counting" in said.err


def test_without_json_it_is_a_table_for_people(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("bench", counting)
    lines = capsys.readouterr().out.splitlines()
    cells = dict(line.split("  ", 1) for line in lines)
    assert cells["value"].strip() == "3 numbers"
    assert cells["goal"].strip() == "none"
    assert cells["by round"].strip() == "1.5, 2"


def test_an_unknown_name_is_one_line_that_names_the_known_ones(
    counting: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("bench", "conting")
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"agentify: no bench is named conting; there are {counting}.\n"


def test_what_is_missing_is_one_line(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("bench", counting, "--only", "nothing")
    assert ended.value.code == 2
    assert capsys.readouterr().err == "agentify: pip install something, then again.\n"


def test_without_a_name_all_benches_are_listed(counting: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("bench")
    assert capsys.readouterr().out.split() == [counting, "Counts", "to", "three."]


def test_every_bench_says_what_it_measures_and_can_be_run() -> None:
    found = frame.benches()
    assert [name for name, words in found.items() if not words.endswith(".")] == []
    assert [name for name in found if not callable(getattr(frame.load(name), "run", None))] == []


def test_benches_are_files_and_folders_but_not_the_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "frame.py").write_text("")
    (tmp_path / "replay.py").write_text('"""Replay, timed."""\n')
    (tmp_path / "breadth").mkdir()
    (tmp_path / "breadth" / "__init__.py").write_text('"""Many tasks.\n\nMore."""\n')
    monkeypatch.setattr(frame, "FOLDER", tmp_path)
    assert frame.benches() == {"breadth": "Many tasks.", "replay": "Replay, timed."}


def test_arms_take_turns_and_the_warm_up_is_not_counted() -> None:
    order: list[str] = []
    taken = frame.alternate({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert {name: len(seconds) for name, seconds in taken.items()} == {"a": 3, "b": 3}
    assert "".join(order) == "ba" + "ab" + "ba" + "ab"


def test_a_missed_goal_is_said() -> None:
    measured = {
        "name": "x",
        "value": 2.0,
        "unit": "ms",
        "goal": "<= 1 ms",
        "met": False,
        "baseline": 1.25,
        "detail": {},
    }
    lines = frame.as_table({**measured, "machine": {}, "versions": {"chromium": None}})
    assert "goal      <= 1 ms: not met" in lines
    assert "chromium  none" in lines
