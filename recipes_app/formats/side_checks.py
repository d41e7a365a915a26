"""Selenium IDE's assertions, waits and stores."""

from __future__ import annotations

import json
from collections.abc import Callable

from recipes_app.formats.imported import Json
from recipes_app.formats.recorded_conditions import marked, says
from recipes_app.formats.recorded_targets import css_string
from recipes_app.formats.side_state import State, Unsaid

Handler = Callable[[State, Json, str], None]


def assertion(state: State, command: Json, path: str, condition: Json) -> None:
    """`verify…` reports and goes on; `assert…` stops the test."""
    soft = str(command["command"]).startswith("verify")
    state.draft.put(path, {"op": "verify", **condition} | ({"optional": True} if soft else {}))


def negated(condition: Json) -> Json:
    return {"not": condition}


def text_condition(state: State, command: Json, path: str) -> Json:
    value = state.text(command, "value", path)
    if not value.strip():
        raise Unsaid("that a text is empty cannot be checked")
    target = state.target(command, path)
    precise, condition = says(target, " ".join(value.split()), any_frame=state.place.any_frame)
    if not precise:
        state.draft.remark(path, "the text is looked for anywhere on the page")
    return condition


def check_text(state: State, command: Json, path: str) -> None:
    condition = text_condition(state, command, path)
    assertion(state, command, path, negated(condition) if "Not" in command["command"] else condition)


def check_value(state: State, command: Json, path: str) -> None:
    found = state.described(command, path)
    value = state.draft.value(state.text(command, "value", path), found.label, hidden=found.is_hidden_text)
    assertion(state, command, path, {"kind": "value_is", "target": state.target(command, path), "value": value})


def check_there(state: State, command: Json, path: str) -> None:
    kind = "element_absent" if "Not" in command["command"] else "element_exists"
    assertion(state, command, path, {"kind": kind, "target": state.target(command, path)})


def check_mark(css: str) -> Handler:
    def check(state: State, command: Json, path: str) -> None:
        target = marked(state.target(command, path), css)
        if target is None:
            raise Unsaid("cannot be checked of an element described in this way")
        assertion(state, command, path, {"kind": "element_exists", "target": target})

    return check


def check_chosen(state: State, command: Json, path: str) -> None:
    """What a list shows is its value for `value_is`; what it sends is only in its page."""
    target, wanted = state.target(command, path), state.text(command, "value", path)
    if "Label" in command["command"]:
        condition: Json = {"kind": "value_is", "target": target, "value": wanted.removeprefix("label=")}
    else:
        option = css_string(wanted.removeprefix("value="))
        chosen = marked(target, f":has(option[value={option}]:checked)")
        if chosen is None:
            raise Unsaid("cannot be checked of an element described in this way")
        condition = {"kind": "element_exists", "target": chosen}
    assertion(state, command, path, negated(condition) if "Not" in command["command"] else condition)


def check_title(state: State, command: Json, path: str) -> None:
    wanted = state.text(command, "target", path)
    state.draft.remark(path, f"the title “{wanted[:100]}” is not checked; the result holds it as page_title")
    state.draft.add(path, "js_extract", expr="() => document.title", key="page_title")


def check_variable(state: State, command: Json, path: str) -> None:
    name = state.text(command, "target", path)
    if state.literals.get(name) != state.text(command, "value", path):
        raise Unsaid(state.unknown(name))


# --- waits


def wait_there(state: State, command: Json, path: str) -> None:
    kind = "element_absent" if "Not" in command["command"] else "element_exists"
    condition = {"kind": kind, "target": state.target(command, path)}
    wait(state, command, path, condition, state.text(command, "value", path))


def wait_text(state: State, command: Json, path: str) -> None:
    wait(state, command, path, text_condition(state, command, path), "")


def wait(state: State, command: Json, path: str, condition: Json, limit: str) -> None:
    if "Editable" in command["command"]:
        state.draft.remark(path, "only that the element is there is waited for, not that it can be edited")
    timeout = int(limit) if limit.isascii() and limit.isdecimal() and len(limit) < 7 else None
    state.draft.add(path, "wait_for", condition=condition, timeout_ms=timeout)


def pause(state: State, command: Json, path: str) -> None:
    words = state.text(command, "target", path) or state.text(command, "value", path)
    if not (words.isascii() and words.isdecimal() and len(words) < 9):
        raise Unsaid(f"“{words[:40]}” is no number of milliseconds")
    state.draft.add(path, "wait", ms=min(int(words), 60_000))


# --- stores


def store(state: State, command: Json, path: str) -> None:
    name = state.text(command, "value", path)
    state.literals[name] = state.text(command, "target", path)
    state.extracted.discard(name)


def store_read(attr: str | None) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        key = state.key(state.text(command, "value", path))
        state.draft.add(path, "extract", target=state.target(command, path), attr=attr, key=key)

    return handler


def store_attribute(state: State, command: Json, path: str) -> None:
    locator, _, attribute = state.text(command, "target", path).rpartition("@")
    key = state.key(state.text(command, "value", path))
    target = state.target({**command, "target": locator, "targets": []}, path)
    state.draft.add(path, "extract", target=target, attr=attribute, key=key)


def store_script(expression: Callable[[str], str]) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        key = state.key(state.text(command, "value", path) or state.text(command, "target", path))
        state.draft.add(path, "js_extract", expr=expression(state.text(command, "target", path)), key=key)

    return handler


def title_script(_target: str) -> str:
    return "() => document.title"


def count_script(target: str) -> str:
    expression = json.dumps(f"count({target.removeprefix('xpath=')})")
    return f"() => document.evaluate({expression}, document, null, XPathResult.NUMBER_TYPE, null).numberValue"


def run_script(state: State, command: Json, path: str) -> None:
    """A script that only reads becomes part of the result; one that acts is for a person to say in steps."""
    code = state.text(command, "target", path)
    name = state.text(command, "value", path)
    if command["command"] != "executeScript" or not name or "return" not in code:
        raise Unsaid(f"runs a script of its own, which a recipe does not: {code[:120]}")
    state.draft.remark(path, f"a script of the recording runs in the page: read it before publishing: {code[:120]}")
    state.draft.add(path, "js_extract", expr=f"() => {{ {code} }}", key=state.key(name))


def both(handler: Handler, *names: str) -> dict[str, Handler]:
    return {f"{word}{name}": handler for name in names for word in ("verify", "assert")}


HANDLERS: dict[str, Handler] = {
    **both(check_text, "Text", "NotText"),
    **both(check_value, "Value"),
    **both(check_there, "ElementPresent", "ElementNotPresent"),
    **both(check_mark(":checked, [aria-checked=true]"), "Checked"),
    **both(check_mark(":not(:checked):not([aria-checked=true])"), "NotChecked"),
    **both(check_mark(":enabled:not([readonly])"), "Editable"),
    **both(check_mark(":disabled, [readonly]"), "NotEditable"),
    **both(check_chosen, "SelectedValue", "SelectedLabel", "NotSelectedValue", "NotSelectedLabel"),
    **both(check_title, "Title"),
    "verify": check_variable,
    "assert": check_variable,
    **{
        f"waitForElement{state}": wait_there
        for state in (
            "Present",
            "Visible",
            "Editable",
            "Clickable",
            "NotPresent",
            "NotVisible",
        )
    },
    "waitForText": wait_text,
    "pause": pause,
    "store": store,
    "storeText": store_read(None),
    "storeValue": store_read("value"),
    "storeAttribute": store_attribute,
    "storeTitle": store_script(title_script),
    "storeXpathCount": store_script(count_script),
    "executeScript": run_script,
    "executeAsyncScript": run_script,
    "runScript": run_script,
}
