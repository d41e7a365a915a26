"""The recipes of the breadth bench: all of them are read, none runs a script, and none is missing without a reason."""

import json
from pathlib import Path

import pytest

from bench.frame import NotReady, Options
from bench.miniwob import episodes, measuring, pages
from bench.miniwob.goals import GOALS, Goal, Unclear, arguments_for
from bench.miniwob.knowledge import DIGITS, similar_words
from recipes_app.engine.document import Step
from recipes_app.engine.nesting import inner_steps
from recipes_app.engine.parameters import check_arguments

FOLDER = Path(episodes.__file__).parent
TASKS = episodes.task_names()
WRITTEN = [task for task in TASKS if episodes.recipe_of(task)]


def every_step(steps: tuple[Step, ...]) -> list[Step]:
    return [each for step in steps for each in (step, *every_step(tuple(inner_steps(step))))]


def test_there_are_eighty_tasks_and_no_recipe_for_another() -> None:
    assert len(set(TASKS)) == len(TASKS) == 80
    assert {path.stem for path in FOLDER.glob("*.json")} <= set(TASKS)
    assert set(GOALS) <= set(TASKS)


def test_a_task_without_a_recipe_is_explained() -> None:
    explained = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [task for task in TASKS if task not in WRITTEN and f"`{task}`" not in explained] == []


@pytest.mark.parametrize("task", WRITTEN)
def test_a_recipe_is_named_after_its_task_and_runs_no_script(task: str) -> None:
    recipe = episodes.recipe_of(task)
    assert recipe is not None
    assert recipe.name == task.replace("-", "_")
    assert "js_extract" not in {step.op for step in every_step(recipe.steps)}
    assert "expr" not in json.loads((FOLDER / f"{task}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("task", "goal", "arguments"),
    [
        ("click-menu", "Select Ada>Bea>Cleo", {"above": ["Ada", "Bea"], "entry": "Cleo"}),
        ("click-checkboxes", "Select aB, c and click Submit.", {"labels": ["aB", "c"]}),
        ("click-checkboxes", "Select nothing and click Submit.", {"labels": []}),
        ("enter-time", "Enter 12:05 AM as the time and press submit.", {"time": "00:05"}),
        ("choose-date", "Select 02/09/2016 as the date and hit submit.", {"date": "2016-02-09"}),
        ("count-shape", "How many small reds are there?", {"size": "small", "color": "", "kind": "red"}),
        ("click-shape", "Click on a large aqua item", {"size": "large", "color": "aqua", "kind": "item"}),
        ("drag-items", "Drag Ada down by one position.", {"entry": "Ada", "place": 99, "by": 1}),
        ("drag-items-grid", "Drag Ada to the center.", {"entry": "Ada", "place": 5, "by": 99}),
        ("generate-number", "Generate an odd number, then press submit.", {"below": 99, "above": -1, "remainder": "1"}),
        ("sign-agreement", "Click the cancel button.", {"button": "Cancel"}),
        ("order-food", "Order 2 items that are vegan", {"dishes": [], "kind": "vegan", "times": [0, 1]}),
    ],
)
def test_a_goal_becomes_arguments_that_the_recipe_takes(task: str, goal: str, arguments: dict[str, object]) -> None:
    assert arguments_for(task, Goal(goal)) == arguments
    recipe = episodes.recipe_of(task)
    assert recipe is not None
    assert check_arguments(recipe, arguments) == arguments


def test_a_goal_in_other_words_is_refused() -> None:
    with pytest.raises(Unclear, match="worded in another way"):
        arguments_for("click-menu", Goal("Do something else"))


def test_what_a_caller_knows_is_whole() -> None:
    assert [(len(digit), {len(row) for row in digit}) for digit in DIGITS] == [(7, {4})] * 10
    assert "large" in similar_words("big")
    assert similar_words("unheard-of") == ["unheard-of"]


def test_a_task_nobody_knows_is_one_line() -> None:
    with pytest.raises(NotReady, match="no task is named click-nothing"):
        measuring.run(Options(only=("click-nothing",)))


def test_without_the_pages_one_line_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "find_spec", lambda _name: None)
    with pytest.raises(NotReady, match="pip install --no-deps miniwob"):
        measuring.run(Options(only=("click-test-2",)))


def test_a_task_counts_only_where_every_seed_is_rewarded_in_full() -> None:
    def played(*rewards: float | None) -> measuring.Played:
        each = (episodes.Episode(str(n), reward, 0.1, "goal") for n, reward in enumerate(rewards))
        return measuring.Played("task", tuple(each))

    results = [played(1, 1.0), played(1, 0.99), played(1, None), played()]
    assert [result.is_right for result in results] == [True, False, False, False]
    whole = measuring.result_of(results, ["0", "1"], is_whole=True)
    assert (whole.value, whole.goal, whole.met) == (1, ">= 64", False)
    assert measuring.result_of(results, ["0", "1"], is_whole=False).met is None
