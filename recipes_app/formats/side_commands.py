"""Selenium IDE's commands that act: pointer, keyboard, lists, dialogs, windows and frames."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from recipes_app.formats.imported import Json
from recipes_app.formats.side_checks import HANDLERS as CHECKS
from recipes_app.formats.side_checks import Handler
from recipes_app.formats.side_keys import pieces
from recipes_app.formats.side_state import State, Unsaid

OFFSET = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*")
TAGS = re.compile(r"<[^>]*>")


def open_page(state: State, command: Json, path: str) -> None:
    url = urljoin(state.base_url, state.text(command, "target", path) or "/")
    state.draft.add(path, "goto", url=url.replace("{{", "%7B%7B"))


def pointer(op: str) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        state.draft.add(path, op, target=state.target(command, path))

    return handler


def pointer_at(op: str) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        match = OFFSET.fullmatch(state.text(command, "value", path))
        offset = {"x": float(match[1]), "y": float(match[2])} if match else None
        state.draft.add(path, op, target=state.target(command, path), offset=offset)

    return handler


def left_out(message: str) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        state.draft.remark(path, f"{command['command']}: {message}")

    return handler


# --- the keyboard


def type_text(state: State, command: Json, path: str) -> None:
    found = state.described(command, path)
    text = state.text(command, "value", path)
    target = state.target(command, path)
    if found.tag == "input" and any("file" in entry.value for entry in found.locators):
        state.draft.remark(path, "the file is not part of the recording: it is a parameter")
        state.draft.add(path, "upload", target=target, files=state.draft.file(found.label))
        return
    value = state.draft.value(text, found.label, hidden=found.is_hidden_text)
    if state.draft.add(path, "type", target=target, text=value):
        state.typed = (str(command.get("target")), text)


def send_keys(state: State, command: Json, path: str) -> None:
    """Text is added to what the field holds; a recipe sets it, so what was typed before is said again."""
    target = state.target(command, path)
    for kind, piece in pieces(state.text(command, "value", path)):
        if kind == "unknown":
            state.draft.lost(path, f"the key {piece} has no counterpart")
        elif kind == "key":
            fields = {} if piece == "Enter" else {"key": piece}
            state.draft.add(path, "press" if fields else "press_enter", target=target, **fields)
        else:
            add_text(state, command, path, target, piece)


def add_text(state: State, command: Json, path: str, target: Json, piece: str) -> None:
    field = str(command.get("target"))
    found = state.described(command, path)
    before = state.typed[1] if state.typed[0] == field else ""
    if not before:
        state.draft.remark(path, "adds to what the field holds; the recipe sets its whole text")
    last = state.draft.last
    if before and last and last["op"] == "type" and last["target"] == target:
        state.draft.into.pop()
    value = state.draft.value(before + piece, found.label, hidden=found.is_hidden_text)
    state.draft.add(path, "type", target=target, text=value)
    state.typed = (field, before + piece)


def edit_content(state: State, command: Json, path: str) -> None:
    state.draft.remark(path, "the text is typed without its formatting")
    text = TAGS.sub("", state.text(command, "value", path))
    found = state.described(command, path)
    value = state.draft.value(text, found.label)
    state.draft.add(path, "type", target=state.target(command, path), text=value)


# --- lists and boxes


def wanted_option(state: State, command: Json, path: str) -> str:
    text = state.text(command, "value", path)
    kind, has_kind, rest = text.partition("=")
    if not has_kind:
        return text
    if kind not in {"label", "value"}:
        raise Unsaid(f"an option by {kind[:20]} cannot be said: name its label or value")
    if rest.startswith(("regexp:", "glob:")):
        raise Unsaid("an option by a pattern cannot be said: name its label or value")
    return rest.removeprefix("exact:")


def select(state: State, command: Json, path: str) -> None:
    option = wanted_option(state, command, path)
    value = state.draft.value(option, state.described(command, path).label)
    state.draft.add(path, "select", target=state.target(command, path), value=value)


def add_selection(state: State, command: Json, path: str) -> None:
    """One after the other into the same list: one step with all of them."""
    option, target = wanted_option(state, command, path), state.target(command, path)
    last = state.draft.last
    if last and last["op"] == "select" and last["target"] == target and isinstance(last["value"], list):
        last["value"].append(option)
        return
    state.draft.remark(path, "the options chosen before are not kept")
    state.draft.add(path, "select", target=target, value=[option])


def check(wanted: bool) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        state.draft.add(path, "check", target=state.target(command, path), value=wanted)

    return handler


def drag(state: State, command: Json, path: str) -> None:
    state.draft.add(path, "drag", target=state.target(command, path), to=state.target(command, path, "value"))


# --- dialogs


def next_dialog(kind: str, answer: str) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        text = state.text(command, "target", path) if kind == "prompt" and answer == "accept" else None
        state.draft.add(path, "dialog", type=kind, answer=answer, text=text)

    return handler


def shown_dialog(kind: str, answer: str) -> Handler:
    """Comes after the step that opened the dialog: there it is expected."""

    def handler(state: State, command: Json, path: str) -> None:
        last = state.draft.last
        if last is None:
            raise Unsaid("no step before it could have opened a dialog")
        rule = {**last.get("expect", {}).get("dialog", {}), "type": kind, "answer": answer}
        if kind == "prompt" and answer == "accept":
            rule["text"] = state.text(command, "value", path) or state.text(command, "target", path)
        state.draft.expect(dialog=rule)

    return handler


def dialog_message(kind: str) -> Handler:
    def handler(state: State, command: Json, path: str) -> None:
        last = state.draft.last
        if last is None:
            raise Unsaid("no step before it could have opened a dialog")
        if last["op"] == "dialog":
            last["message"] = state.text(command, "target", path)
            return
        known = last.get("expect", {}).get("dialog", {"answer": "accept"})
        state.draft.expect(dialog={**known, "type": kind, "message": state.text(command, "target", path)})

    return handler


# --- windows and frames


def select_window(state: State, command: Json, path: str) -> None:
    handle = state.text({**command, "target": str(command.get("target", "")).replace("${", "<")}, "target", path)
    name = handle.removeprefix("handle=").strip("<}")
    page = state.windows.get(name)
    if page is None:
        raise Unsaid(f"the window {name[:60]} was not opened by a command of this test")
    state.window = page


def store_window(state: State, command: Json, path: str) -> None:
    state.windows[state.text(command, "target", path)] = state.window


def select_frame(state: State, command: Json, path: str) -> None:
    state.enter_frame(state.text(command, "target", path), path)


def close_window(state: State, command: Json, path: str) -> None:
    state.draft.remark(path, f"{command['command']}: the window is left, not closed")


OF_WINDOWS = {"selectWindow", "storeWindowHandle", "echo", "store"}

HANDLERS: dict[str, Handler] = CHECKS | {
    "open": open_page,
    "click": pointer("click"),
    "doubleClick": pointer("double_click"),
    "mouseOver": pointer("hover"),
    "clickAt": pointer_at("click"),
    "doubleClickAt": pointer_at("double_click"),
    "type": type_text,
    "sendKeys": send_keys,
    "editContent": edit_content,
    "select": select,
    "addSelection": add_selection,
    "check": check(True),
    "uncheck": check(False),
    "dragAndDropToObject": drag,
    "chooseOkOnNextConfirmation": next_dialog("confirm", "accept"),
    "chooseCancelOnNextConfirmation": next_dialog("confirm", "dismiss"),
    "answerOnNextPrompt": next_dialog("prompt", "accept"),
    "chooseCancelOnNextPrompt": next_dialog("prompt", "dismiss"),
    "webdriverChooseOkOnVisibleConfirmation": shown_dialog("confirm", "accept"),
    "webdriverChooseCancelOnVisibleConfirmation": shown_dialog("confirm", "dismiss"),
    "webdriverAnswerOnVisiblePrompt": shown_dialog("prompt", "accept"),
    "webdriverChooseCancelOnVisiblePrompt": shown_dialog("prompt", "dismiss"),
    "assertAlert": dialog_message("alert"),
    "assertConfirmation": dialog_message("confirm"),
    "assertPrompt": dialog_message("prompt"),
    "selectWindow": select_window,
    "storeWindowHandle": store_window,
    "selectFrame": select_frame,
    "close": close_window,
    "echo": left_out("only speaks to the log"),
    "setWindowSize": left_out("every run has the same viewport"),
    "setSpeed": left_out("a run waits for the page, not for the clock"),
    "debugger": left_out("is for the recorder's own use"),
    "mouseOut": left_out("the pointer leaves with the next step"),
    "mouseUp": left_out("is part of a click"),
    "mouseDown": left_out("is part of a click"),
}
