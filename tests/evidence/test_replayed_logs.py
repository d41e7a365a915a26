"""A log that blotted out a secret is not replayed: dots are nothing to type."""

import json
from typing import Any

import pytest

from evidence_app.spec.replaying import from_log
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parameters import MASK

TARGET = {"role": "textbox", "name": "Password"}


def entry(number: int, action: str, step: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"step": number, "action": action, "url": "http://x.example/", "ok": True, "recipe_step": step, **more}


@pytest.mark.parametrize("dots", [MASK, "•••", "token •••"])
def test_a_masked_value_is_refused_by_its_step_and_nothing_is_done(dots: str) -> None:
    opened = entry(1, "goto", {"op": "goto", "url": "http://x.example/"})
    typed = entry(2, "type", {"op": "type", "target": TARGET, "text": dots})
    with pytest.raises(DocumentError, match=r"step 2 \(type\) used a secret.*Nothing was done") as refused:
        from_log(json.dumps([opened, typed]).encode())
    assert refused.value.path == "[1].recipe_step"


def test_a_masked_step_that_did_not_work_is_left_out_as_any_other() -> None:
    opened = entry(1, "goto", {"op": "goto", "url": "http://x.example/"})
    typed = entry(2, "type", {"op": "type", "target": TARGET, "text": MASK}, ok=False)
    assert [step.op for step in from_log(json.dumps([opened, typed]).encode()).recipe.steps] == ["goto", "goto"]


def test_a_button_that_is_called_three_dots_is_pressed_as_any_other() -> None:
    opened = entry(1, "goto", {"op": "goto", "url": "http://x.example/"})
    pressed = entry(2, "click", {"op": "click", "target": {"role": "button", "name": "•••"}})
    assert [step.op for step in from_log(json.dumps([opened, pressed]).encode()).recipe.steps][-1] == "click"
