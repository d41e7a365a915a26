"""What `playwright codegen --target jsonl` writes: one JSON object a line, the browser's options in the first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.document import DocumentError
from recipes_app.engine.parsing.reader import as_integer, as_list, as_object, as_text, join
from recipes_app.engine.plain_json import load_json
from recipes_app.formats.codegen_locators import Unsayable, read_locator
from recipes_app.formats.imported import Draft, Imported, Json
from recipes_app.formats.recorded_conditions import marked, says
from recipes_app.formats.recorded_targets import Described

MAX_LINES = 5000
MODIFIER_BITS = ((1, "Alt"), (2, "ControlOrMeta"), (4, "ControlOrMeta"), (8, "Shift"))
HEADER_KEYS = {"browserName", "launchOptions", "contextOptions", "generateAutoExpect"}


@dataclass(slots=True)
class Recording:
    """`first_page` is what the recording calls the page it began in: an alias, or in newer versions an id."""

    draft: Draft
    first_page: str = ""
    downloads: set[str] = field(default_factory=set)


def lines_of(text: str) -> list[Any]:
    """DocumentError names the line that is no JSON."""
    lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
    if len(lines) > MAX_LINES:
        raise DocumentError("", f"more than {MAX_LINES} lines")
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(load_json(line))
        except DocumentError as error:
            raise DocumentError(f"line {number}", str(error)) from None
    return found


def read(data: object, *, name: str = "", parametrize: bool = False) -> Imported:
    """`data` is the text of the file, or the list of its lines, read."""
    entries = lines_of(data) if isinstance(data, str) else as_list(data, "")
    actions = [(as_object(entry, f"line {number}"), f"line {number}") for number, entry in enumerate(entries, start=1)]
    state = Recording(Draft("", name, parametrize))
    for action, path in actions:
        if "name" in action or not HEADER_KEYS.intersection(action):
            read_action(state, action, path)
    state.draft.title = state.draft.title or "Recorded flow"
    return state.draft.finish()


def read_action(state: Recording, action: Json, path: str) -> None:
    kind = as_text(action.get("name"), join(path, "name"))
    reader = ACTIONS.get(kind)
    if reader is None:
        state.draft.lost(path, f"{kind[:60]} has no counterpart among the steps of a recipe")
        return
    if kind not in {"openPage", "closePage"}:
        state.draft.use(page_name(state, action, path), path)
    before = len(state.draft.steps)
    try:
        reader(state, action, path)
    except Unsayable as reason:
        told = state.draft.remark if kind.startswith("assert") else state.draft.lost
        told(path, f"{kind}: {reason}")
    if len(state.draft.steps) > before:
        signals(state, action, path)


def page_name(state: Recording, action: Json, path: str) -> str:
    """The page of an action: by alias, or by the id newer versions write; the first one seen is `main`."""
    given = action.get("pageAlias") or action.get("pageGuid") or "page"
    alias = as_text(given, join(path, "pageAlias"))
    state.first_page = state.first_page or alias
    return "main" if alias == state.first_page else alias


def signals(state: Recording, action: Json, path: str) -> None:
    """What the action set off. Navigations need no word: every step waits for its own element."""
    for index, entry in enumerate(as_list(action.get("signals") or [], join(path, "signals"))):
        at = f"{path}.signals[{index}]"
        signal = as_object(entry, at)
        kind = signal.get("name")
        if kind == "popup":
            state.draft.opened(as_text(signal.get("popupAlias") or signal.get("popupPageGuid"), at))
        elif kind == "dialog":
            state.draft.remark(at, "a dialog came up; the recording does not say its answer, so it is dismissed")
            state.draft.expect(dialog={"answer": "dismiss"})
        elif kind not in {"navigation", "download", "expect"}:
            state.draft.remark(at, "is not carried over")


# --- one function for each action


def open_page(state: Recording, action: Json, path: str) -> None:
    page = page_name(state, action, path)
    url = as_text(action.get("url") or "about:blank", join(path, "url"))
    if page != "main" and page not in state.draft.pages:
        state.draft.lost(path, "a second page opened by hand cannot be said; only one that a step opens")
    elif url.startswith(("http:", "https:")):
        state.draft.add(path, "goto", url=url.replace("{{", "%7B%7B"))


def navigate(state: Recording, action: Json, path: str) -> None:
    url = as_text(action.get("url"), join(path, "url"))
    if not url.startswith(("http:", "https:")):
        state.draft.remark(path, f"{url[:80]} is no page of a website and is left out")
        return
    state.draft.add(path, "goto", url=url.replace("{{", "%7B%7B"))


def close_page(state: Recording, action: Json, path: str) -> None:
    """At the end of every recording, and where a window was closed by hand."""
    if page_name(state, action, path) == state.draft.page != "main":
        state.draft.use("main", path)


def click(state: Recording, action: Json, path: str) -> None:
    target = target_of(state, read_locator(action, path), path)
    if target is None:
        return
    if has_signal(action, "download"):
        state.draft.add(path, "download", target=target, key=download_key(state))
        return
    count = as_integer(action.get("clickCount", 1), join(path, "clickCount"))
    if count == 0 and state.draft.last is not None and state.draft.last["op"] in {"press", "press_enter"}:
        # The browser's own click on a form's button when Enter is pressed: the key does it again.
        state.draft.remark(path, "the click that the key before it set off is part of that step")
        return
    button = as_text(action.get("button", "left"), join(path, "button"))
    state.draft.add(
        path,
        "double_click" if count == 2 or action["name"] == "dblclick" else "click",
        target=target,
        button=None if button == "left" else button,
        modifiers=modifiers_of(action, path) or None,
        offset=offset_of(action, path),
    )


def has_signal(action: Json, name: str) -> bool:
    entries = action.get("signals")
    return isinstance(entries, list) and any(isinstance(entry, dict) and entry.get("name") == name for entry in entries)


def download_key(state: Recording) -> str:
    key = f"download_{len(state.downloads) + 1}" if state.downloads else "download"
    state.downloads.add(key)
    return key


def offset_of(action: Json, path: str) -> Json | None:
    """The recorder writes a position only where it matters: on canvas and the like."""
    if action.get("position") is None:
        return None
    position = as_object(action["position"], join(path, "position"))
    return {"x": position.get("x"), "y": position.get("y")}


def modifiers_of(action: Json, path: str) -> list[str]:
    bits = as_integer(action.get("modifiers", 0), join(path, "modifiers"))
    return list(dict.fromkeys(name for bit, name in MODIFIER_BITS if bits & bit))


def hover(state: Recording, action: Json, path: str) -> None:
    target = target_of(state, read_locator(action, path), path)
    if target is not None:
        state.draft.add(path, "hover", target=target, offset=offset_of(action, path))


def fill(state: Recording, action: Json, path: str) -> None:
    found = read_locator(action, path)
    text = as_text(action.get("text"), join(path, "text"), empty=True)
    target = target_of(state, found, path)
    if target is not None:
        value = state.draft.value(text, found.label, hidden=found.is_hidden_text)
        state.draft.add(path, "type", target=target, text=value)


def press(state: Recording, action: Json, path: str) -> None:
    key = "+".join([*modifiers_of(action, path), as_text(action.get("key"), join(path, "key"))])
    target = target_of(state, read_locator(action, path), path)
    if target is None:
        return
    if key == "Enter":
        state.draft.add(path, "press_enter", target=target)
    else:
        state.draft.add(path, "press", target=target, key="Space" if key == " " else key)


def check(state: Recording, action: Json, path: str) -> None:
    target = target_of(state, read_locator(action, path), path)
    if target is not None:
        state.draft.add(path, "check", target=target, value=action["name"] == "check")


def select(state: Recording, action: Json, path: str) -> None:
    found = read_locator(action, path)
    given = as_list(action.get("options"), join(path, "options"))
    options = [as_text(option, f"{path}.options", empty=True) for option in given]
    target = target_of(state, found, path)
    if target is not None:
        value: Any = state.draft.value(options[0], found.label) if len(options) == 1 else options
        state.draft.add(path, "select", target=target, value=value)


def set_files(state: Recording, action: Json, path: str) -> None:
    found = read_locator(action, path)
    files = as_list(action.get("files"), join(path, "files"))
    target = target_of(state, found, path)
    if target is not None:
        state.draft.remark(path, "the files are not part of the recording: they are a parameter")
        several = len(files) > 1
        state.draft.add(path, "upload", target=target, files=state.draft.file(found.label, several=several))


# --- assertions


def assert_visible(state: Recording, action: Json, path: str) -> None:
    verify(state, path, {"kind": "element_exists", "target": asked(state, action, path)})


def assert_text(state: Recording, action: Json, path: str) -> None:
    text = as_text(action.get("text") or "", join(path, "text"), empty=True)
    if not text.strip():
        raise Unsayable("that an element says nothing cannot be checked")
    found = read_locator(action, path)
    target = asked(state, action, path)
    words = " ".join(text.split())
    precise, condition = says(target, words, part=action.get("substring") is True, any_frame=found.place.any_frame)
    if not precise:
        state.draft.remark(path, "the text is looked for anywhere on the page")
    verify(state, path, condition)


def assert_value(state: Recording, action: Json, path: str) -> None:
    found = read_locator(action, path)
    text = as_text(action.get("value") or "", join(path, "value"), empty=True)
    value = state.draft.value(text, found.label, hidden=found.is_hidden_text)
    verify(state, path, {"kind": "value_is", "target": asked(state, action, path), "value": value})


def assert_checked(state: Recording, action: Json, path: str) -> None:
    is_set = action.get("checked") is not False
    css = ":checked, [aria-checked=true]" if is_set else ":not(:checked):not([aria-checked=true])"
    target = marked(asked(state, action, path), css)
    if target is None:
        raise Unsayable("cannot be checked of an element described in this way")
    verify(state, path, {"kind": "element_exists", "target": target})


def assert_snapshot(state: Recording, _action: Json, path: str) -> None:
    state.draft.remark(path, "the picture of the page's structure is not checked")


def asked(state: Recording, action: Json, path: str) -> Json:
    target = target_of(state, read_locator(action, path), path)
    if target is None:
        raise Unsayable("nothing lasting describes the element")
    return target


def verify(state: Recording, path: str, condition: Json) -> None:
    state.draft.put(path, {"op": "verify", **condition})


def target_of(state: Recording, found: Described, path: str) -> Json | None:
    if found.place.any_frame:
        state.draft.remark(path, "its frame has no name: the element is looked for in every frame")
    target = found.target()
    if target is None:
        state.draft.lost(path, "nothing lasting describes the element: only ids made up for one visit")
    elif found.is_place_only:
        state.draft.lost(path, "only a position describes the element; give it a role and a name before it can run")
    return target


ACTIONS: dict[str, Callable[[Recording, Json, str], None]] = {
    "openPage": open_page,
    "navigate": navigate,
    "closePage": close_page,
    "click": click,
    "dblclick": click,
    "hover": hover,
    "fill": fill,
    "press": press,
    "check": check,
    "uncheck": check,
    "select": select,
    "setInputFiles": set_files,
    "assertVisible": assert_visible,
    "assertText": assert_text,
    "assertValue": assert_value,
    "assertChecked": assert_checked,
    "assertSnapshot": assert_snapshot,
}
