"""The op call: another tool of the same site, inside this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recipes_app.engine.act import Act
from recipes_app.engine.errors import ArgumentsError, StepFailure
from recipes_app.engine.nesting import MAX_CALLS
from recipes_app.engine.parameters import check_arguments, omitted, secret_values
from recipes_app.engine.parsing.calls import exceeds
from recipes_app.engine.parsing.reader import did_you_mean
from recipes_app.engine.returns import check_returns
from recipes_app.engine.shapes import Recipe


def call(act: Act) -> None:
    """The called tool keeps its own arguments, result and page numbers; the page in use stays where it leaves it."""
    tool = called(act)
    arguments = arguments_for(act, tool)
    scene, prefix = act.scene, f"{act.path}.call."
    # Kept for the rest of the run: its secrets may still be on the page.
    scene.secrets = (*scene.secrets, *secret_values(tool.parameters, arguments))
    data: dict[str, Any] = {}
    callers = (*scene.callers, tool.name)
    act.matched, act.sent = tool.name, True
    try:
        with scene.changed(recipe=tool, arguments=arguments, data=data, callers=callers, prefix=prefix, opened={}):
            scene.run_steps(tool.steps, f"{prefix}steps", scene)
        for warning in check_returns(tool, data):
            act.note(warning)
    finally:
        keep(act, data)


def called(act: Act) -> Recipe:
    name, scene = str(act.get("tool")), act.scene
    tool = scene.tools.get(name)
    if tool is None:
        raise StepFailure("bad_arguments", f"there is no tool {name} to call{did_you_mean(name, scene.tools)}")
    if name in scene.callers:
        raise StepFailure("bad_arguments", f"a tool that calls itself: {' > '.join((*scene.callers, name))}")
    if len(scene.callers) > MAX_CALLS:
        raise StepFailure("bad_arguments", f"more than {MAX_CALLS} calls deep: {' > '.join((*scene.callers, name))}")
    if exceeds(tool, scene.recipe):
        raise StepFailure(
            "blocked_by_policy",
            f"{scene.recipe.name} is a {scene.recipe.side_effect} tool and may not call {name}, "
            f"which is {tool.side_effect}",
        )
    return tool


def arguments_for(act: Act, tool: Recipe) -> dict[str, Any]:
    """An argument that stands for one not given is not given either."""
    written: Mapping[str, Any] = act.original.fields.get("args") or {}  # type: ignore[assignment]
    filled: Mapping[str, Any] = act.get("args") or {}
    given = {name: filled[name] for name, value in written.items() if not omitted(value, act.scene.arguments)}
    try:
        return check_arguments(tool, given)
    except ArgumentsError as error:
        raise StepFailure("bad_arguments", f"{tool.name}: {error}") from None


def keep(act: Act, data: dict[str, Any]) -> None:
    if act.get("into"):
        act.scene.data[str(act.get("into"))] = data
    else:
        act.scene.data.update(data)
