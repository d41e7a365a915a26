"""What is told of earlier turns stays within its bounds, and keeps what matters."""

from recipes_app.llm.base import ToolCall
from recipes_app.pilot.memory import History
from recipes_app.pilot.seams import Deed, Taken


def taken(turn: int, name: str, *, ok: bool = True, said: str = "") -> Taken:
    return Taken(turn, ToolCall("c", name, {"text": f"value {turn}"}), Deed(said, ok=ok), "u", "m")


def test_the_latest_are_told_whole_and_of_the_older_ones_the_important() -> None:
    history = History(items=8, characters=2000)
    for turn in range(1, 31):
        history.note(taken(turn, "extract" if turn in {3, 4} else "scroll" if turn % 2 else "click", said="s" * 100))
    told = history.told().splitlines()
    assert told[0] == "(22 earlier calls left out)"
    assert [int(line.split(".")[0]) for line in told[1:]] == [3, 4, 24, 26, 27, 28, 29, 30]
    assert len(told[1]) == 60
    assert len(told[-1]) > 100


def test_it_never_grows_over_its_characters() -> None:
    history = History(items=25, characters=500)
    for turn in range(1, 200):
        history.note(taken(turn, "click", said="x" * 500))
        assert len(history.told()) <= 500


def test_failures_are_marked() -> None:
    history = History()
    history.note(taken(1, "click", ok=False, said="it is covered"))
    assert history.told() == '1. click(text="value 1") -> FAILED: it is covered'
