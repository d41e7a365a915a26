"""A recipe's own script in the page, with a time limit the page cannot escape.

Playwright's evaluate has none. Runtime.evaluate of the DevTools protocol ends a script that never yields; a promise
that never settles is waited for from here.
"""

from __future__ import annotations

import json
from time import monotonic
from typing import Any

from recipes_app.browser.answering import answer_within
from recipes_app.browser.api import Error
from recipes_app.engine.act import Act
from recipes_app.engine.errors import DocumentError, StepFailure
from recipes_app.engine.plain_json import check_plain, clean, refuse_constant, whole

POLL_MS = 10
LATE_MS = 2000
START = """
((given) => {
  const box = { done: false, text: "", error: "" };
  const MOST = 20000000;
  let size = 0;
  // Counted before it is written down: a text of hundreds of megabytes ends the browser rather than the script.
  const counted = (key, value) => {
    size += key.length + 4 + (typeof value === "string" ? value.length : 0);
    if (size > MOST) throw new RangeError("too large");
    return value;
  };
  const finish = (value) => {
    try { box.text = JSON.stringify(value === undefined ? null : value, counted) ?? "null"; }
    catch (error) {
      const large = `its result is too large: more than ${MOST} characters`;
      box.error = size > MOST ? large : `its result is no JSON: ${error.message}`;
    }
    box.done = true;
  };
  const fail = (error) => { box.error = String((error && error.message) || error); box.done = true; };
  try {
    const work = (%s
);
    Promise.resolve(typeof work === "function" ? work(given) : work).then(finish, fail);
  } catch (error) { fail(error); }
  return box;
})(%s)
"""
LOOK = """
function () {
  const size = String(this.text).length, large = size > 20000000;
  const error = large ? `its result is too large: ${size} characters` : this.error;
  return { done: this.done, text: large ? "" : this.text, error };
}
"""


def run_script(act: Act, expr: str, given: dict[str, Any]) -> Any:
    """What the function returns, as JSON. StepFailure: timeout, or bad_return when it raises."""
    until = monotonic() + act.left_ms / 1000
    page = act.session.page
    protocol = page.context.new_cdp_session(page)
    try:
        with answer_within(act.left_ms + LATE_MS):
            box = start(act, protocol, START % (expr.strip().rstrip(";"), json.dumps(given)), until)
        call = {"objectId": box, "functionDeclaration": LOOK, "returnByValue": True}
        while True:
            state = look(protocol.send("Runtime.callFunctionOn", call))
            if state["done"]:
                return result_of(state)
            if monotonic() >= until:
                raise StepFailure("timeout", f"the script did not finish within {act.timeout_ms / 1000:g} s")
            page.wait_for_timeout(POLL_MS)
    finally:
        detach(protocol)


def start(act: Act, protocol: Any, code: str, until: float) -> str:
    """The id of the box in which the script leaves its result."""
    try:
        answer = protocol.send("Runtime.evaluate", {"expression": code, "timeout": act.left_ms, "userGesture": True})
    except Error as error:
        act.session.raise_if_lost(error)
        if monotonic() < until:
            raise
        # A script that was terminated leaves no answer.
        raise StepFailure("timeout", f"the script was ended after {act.timeout_ms / 1000:g} s") from error
    raise_if_thrown(answer, act)
    return str(answer["result"]["objectId"])


def raise_if_thrown(answer: dict[str, Any], act: Act) -> None:
    thrown = answer.get("exceptionDetails")
    if thrown is None:
        return
    text = str(thrown.get("exception", {}).get("description") or thrown.get("text", "")).partition("\n")[0]
    if "terminated" in text or not text or "exception" not in thrown:
        raise StepFailure("timeout", f"the script was ended after {act.timeout_ms / 1000:g} s")
    raise StepFailure("bad_return", f"the script cannot run: {text[:300]}")


def look(answer: dict[str, Any]) -> dict[str, Any]:
    state = answer["result"].get("value")
    return state if isinstance(state, dict) and "done" in state else {"done": False}


def result_of(state: dict[str, Any]) -> Any:
    if state["error"]:
        raise StepFailure("bad_return", f"the script failed: {str(state['error'])[:300]}")
    try:
        value = clean(json.loads(state["text"], parse_constant=refuse_constant, parse_int=whole))
        check_plain(value)
    except (DocumentError, TypeError, ValueError, RecursionError) as error:
        raise StepFailure("bad_return", f"the script's result cannot be used: {str(error)[:200]}") from None
    return value


def detach(protocol: Any) -> None:
    try:
        protocol.detach()
    except Error:
        # The page went away with its protocol session.
        return
