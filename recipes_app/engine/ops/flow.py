"""Ops that wait and decide: wait, wait_for, verify, if_verify."""

from __future__ import annotations

from functools import partial

from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true, holds, wait_until
from recipes_app.engine.shapes import Branch, Condition, Step, Target
from recipes_app.engine.substitution import as_words, substitute
from recipes_app.engine.target import exists


def wait(act: Act) -> None:
    """As long as written; Playwright's clock keeps serving the page meanwhile."""
    words = as_words(act.get("ms"))
    if not words.isdecimal():
        raise act.fail("bad_arguments", f"ms must be a whole number, not “{words[:40]}”")
    act.session.page.wait_for_timeout(min(int(words), 60_000))


def wait_for(act: Act) -> None:
    condition: Condition | None = act.get("condition")
    if condition is not None:
        wait_until(act.session, condition, act.timeout_ms, look=act.look())
        return
    target = act.target or Target(css=str(act.get("selector")))
    look = act.look()
    if not comes_true(act.session, lambda: exists(act.session, target, look), act.timeout_ms, look):
        raise act.fail("missing", f"{act.words if act.target else act.get('selector')} did not appear")


def verify(act: Act) -> None:
    condition: Condition = act.get("condition")
    wait_until(act.session, condition, act.timeout_ms, look=act.look())


def if_verify(act: Act) -> None:
    """`check` has the step's whole time to come true; the further branches are then looked at once each."""
    check: Condition = act.get("check")
    look = act.look()
    limit = act.timeout_ms if check.timeout_ms is None else check.timeout_ms
    if comes_true(act.session, lambda: holds(act.session, check, look), limit, look):
        follow(act, act.get("then", ()), "then")
        return
    branches: tuple[Branch, ...] = act.original.fields.get("elif", ())  # type: ignore[assignment]
    for index, branch in enumerate(branches):
        condition = substitute(branch.check, act.scene.arguments)
        if comes_true(act.session, partial(holds, act.session, condition, look), condition.timeout_ms or 0, look):
            follow(act, branch.then, f"elif[{index}].then")
            return
    follow(act, act.get("else", ()), "else")


def follow(act: Act, steps: tuple[Step, ...], name: str) -> None:
    act.matched = name.partition(".")[0]
    act.sent = True
    act.scene.run_steps(steps, f"{act.path}.{name}", act.scene)
