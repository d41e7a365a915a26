"""Recordings of the Recorder panel of Chrome DevTools (JSON), which Puppeteer Replay runs too."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from recipes_app.engine.document import DocumentError, Locator
from recipes_app.engine.parsing.reader import as_choice, as_integer, as_list, as_number, as_object, as_text, join
from recipes_app.formats.imported import Draft, Imported, Json
from recipes_app.formats.recorded_scripts import as_condition
from recipes_app.formats.recorded_targets import Described, Place, role_locator

BUTTONS = {"primary": None, "secondary": "right", "auxiliary": "middle"}
MODIFIERS = {"Shift": "Shift", "Control": "Control", "Alt": "Alt", "Meta": "Meta"}
BRACKET = re.compile(r"\[\s*(name|role)\s*=\s*([\"'])(.*?)\2\s*\]", re.DOTALL)
OF_SURFACES = {"canvas", "svg", "img", "map", "video", "rect", "path", "g"}
LONG_PRESS_MS = 500


@dataclass(slots=True)
class Recording:
    """The draft, and what earlier steps leave behind: keys held down, how far the page is scrolled."""

    draft: Draft
    held: list[str] = field(default_factory=list)
    used_while_held: bool = False
    scrolled: float = 0.0
    acted: bool = False


def read(data: object, *, name: str = "", parametrize: bool = False) -> Imported:
    """DocumentError names the place of what is wrong in the recording."""
    recording = as_object(data, "")
    title = as_text(recording.get("title") or "Recording", "title")
    steps = as_list(recording.get("steps"), "steps")
    state = Recording(Draft(title, name, parametrize))
    for index, entry in enumerate(steps):
        path = f"steps[{index}]"
        read_step(state, as_object(entry, path), path)
    return state.draft.finish()


def read_step(state: Recording, step: Json, path: str) -> None:
    kind = as_text(step.get("type"), join(path, "type"))
    reader = STEPS.get(kind)
    if reader is None:
        state.draft.lost(path, f"{kind[:60]} has no counterpart among the steps of a recipe")
        return
    if kind in ACTING:
        follow_page(state, step, path)
    before = len(state.draft.steps)
    reader(state, step, path)
    if len(state.draft.steps) > before:
        after_step(state, step, path)


def follow_page(state: Recording, step: Json, path: str) -> None:
    """A target seen for the first time is a page that the step before has opened."""
    target = as_text(step.get("target", "main"), join(path, "target"))
    if target not in state.draft.pages and state.acted:
        state.draft.opened(target)
    state.draft.use(target, path)


def after_step(state: Recording, step: Json, path: str) -> None:
    state.acted = True
    if "timeout" in step:
        timeout = as_number(step["timeout"], join(path, "timeout"))
        if state.draft.last is not None and 0 < timeout <= 600_000:
            state.draft.last["timeout_ms"] = round(timeout)
    for index, event in enumerate(as_list(step.get("assertedEvents", []), join(path, "assertedEvents"))):
        asserted(state, as_object(event, f"{path}.assertedEvents[{index}]"), step, f"{path}.assertedEvents[{index}]")


def asserted(state: Recording, event: Json, step: Json, path: str) -> None:
    """Where the step led. Opening a page says so itself."""
    url = event.get("url")
    if event.get("type") != "navigation" or not isinstance(url, str) or not url:
        state.draft.remark(path, "is not checked by the recipe")
    elif step["type"] != "navigate" and state.draft.last is not None:
        state.draft.expect(url=loose_address(url))


def loose_address(url: str) -> str:
    """That there is a query, not which; parts that hold a number differ from one visit to the next."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "*"
    kept = ["*" if re.search(r"\d", part) or len(part) > 60 else part for part in parts.path.split("/")]
    return f"{parts.scheme}://{parts.netloc}{'/'.join(kept)}{'?' if parts.query else ''}*".replace("**", "*")


# --- one function for each type of step


def set_viewport(state: Recording, step: Json, path: str) -> None:
    state.draft.remark(path, f"{step['type']} is left out: every run has the same viewport and network")


def navigate(state: Recording, step: Json, path: str) -> None:
    url = as_text(step.get("url"), join(path, "url"))
    if not url.lower().startswith(("http:", "https:")):
        state.draft.remark(path, f"{url[:80]} is no page of a website and is left out")
        return
    state.draft.add(path, "goto", url=url.replace("{{", "%7B%7B"))


def click(state: Recording, step: Json, path: str) -> None:
    state.used_while_held = True
    button = as_text(step.get("button", "primary"), join(path, "button"))
    if button not in BUTTONS:
        state.draft.lost(path, f"the mouse button {button[:30]} cannot be said")
        return
    if as_number(step.get("duration", 0), join(path, "duration")) > LONG_PRESS_MS:
        state.draft.remark(path, "the long press becomes an ordinary click")
    found = described(step, path)
    act(
        state,
        path,
        "double_click" if step["type"] == "doubleClick" else "click",
        found,
        button=BUTTONS[button],
        modifiers=[MODIFIERS[key] for key in state.held] or None,
        offset=offset_of(state, step, found, path),
    )


def offset_of(state: Recording, step: Json, found: Described, path: str) -> Json | None:
    """The Recorder writes an offset for every click; it matters on what is drawn, elsewhere it only goes stale."""
    if "offsetX" not in step or "offsetY" not in step:
        return None
    x, y = as_number(step["offsetX"], join(path, "offsetX")), as_number(step["offsetY"], join(path, "offsetY"))
    if found.tag in OF_SURFACES:
        return {"x": x, "y": y}
    state.draft.remark("", "where inside an element was clicked is left out: the middle is clicked")
    return None


def hover(state: Recording, step: Json, path: str) -> None:
    act(state, path, "hover", described(step, path))


def change(state: Recording, step: Json, path: str) -> None:
    """The Recorder does not say whether a list or a field was changed; where a selector does not either, both are."""
    found = described(step, path)
    text = as_text(step.get("value"), join(path, "value"), empty=True)
    if "fakepath" in text[:20].lower():
        act(state, path, "upload", found, files=state.draft.file(found.label))
        return
    target = checked_target(state, found, path)
    if target is None:
        return
    value = state.draft.value(text, found.label, hidden=found.is_hidden_text)
    if found.tag == "select":
        state.draft.add(path, "select", target=target, value=value)
    elif found.tag or not (native := as_native_list(target)):
        state.draft.add(path, "type", target=target, text=value)
    else:
        either(state.draft, path, target, native, value)


def as_native_list(target: Json) -> Json | None:
    """The same element, if it is a `select`."""
    css = target.get("css") or next((entry["css"] for entry in target.get("locators", ()) if "css" in entry), None)
    if not css or not re.fullmatch(r"[#.\[]\S*", css):
        return None
    return {"css": f"select{css}"} | {key: target[key] for key in ("frames", "page") if key in target}


def either(draft: Draft, path: str, target: Json, native: Json, value: str) -> None:
    draft.add(path, "wait_for", target=target)
    draft.put(
        path,
        {
            "op": "if_verify",
            "check": {"kind": "element_exists", "target": native, "timeout_ms": 0},
            "then": [{"op": "select", "target": target, "value": value}],
            "else": [{"op": "type", "target": target, "text": value}],
        },
    )


def key_down(state: Recording, step: Json, path: str) -> None:
    key = as_text(step.get("key"), join(path, "key"))
    if key in MODIFIERS:
        if key not in state.held:
            state.held.append(key)
            state.used_while_held = False
        return
    state.used_while_held = True
    if key == "Enter" and not state.held:
        state.draft.add(path, "press_enter")
        return
    state.draft.add(path, "press", key="+".join([*state.held, "Space" if key == " " else key]))


def key_up(state: Recording, step: Json, path: str) -> None:
    """The key was pressed by its keyDown; a modifier held for nothing else is pressed now."""
    key = as_text(step.get("key"), join(path, "key"))
    if key not in state.held:
        return
    state.held.remove(key)
    if not state.used_while_held:
        state.draft.add(path, "press", key=MODIFIERS[key])


def scroll(state: Recording, step: Json, path: str) -> None:
    y = as_number(step.get("y", 0), join(path, "y"))
    direction = "top" if y <= 0 else "down" if y >= state.scrolled else "up"
    state.scrolled = y
    state.draft.remark("", "how far was scrolled is left out: a step scrolls by one screen")
    target = described(step, path).target() if step.get("selectors") else None
    state.draft.add(path, "scroll", direction=direction, target=target)


def close(state: Recording, _step: Json, path: str) -> None:
    if state.draft.page == "main":
        state.draft.remark(path, "closing the page is left out")
        return
    state.draft.remark(path, "the page is left, not closed")
    state.draft.use("main", path)


def wait_for_element(state: Recording, step: Json, path: str) -> None:
    for name in ("attributes", "properties"):
        if step.get(name):
            state.draft.remark(join(path, name), "is not waited for: only that the element is there")
    target = checked_target(state, described(step, path), path)
    count = as_integer(step.get("count", 1), join(path, "count"))
    operator = as_choice(step.get("operator", ">="), join(path, "operator"), (">=", "==", "<="))
    if target is None:
        return
    if step.get("visible") is False or (count == 0 and operator != ">="):
        state.draft.add(path, "wait_for", condition={"kind": "element_absent", "target": target})
        return
    if (count, operator) not in {(1, ">="), (1, "==")}:
        state.draft.remark(
            path, f"that there are {operator!s:.2} {count!s:.9} of them is not checked, only that one is"
        )
    exists = {"kind": "element_exists", "target": target}
    state.draft.add(path, "wait_for", condition=exists)


def wait_for_expression(state: Recording, step: Json, path: str) -> None:
    expression = as_text(step.get("expression"), join(path, "expression"))
    condition = as_condition(expression)
    if condition is None:
        state.draft.remark(path, f"a script cannot be waited for: {expression[:120]}")
        return
    state.draft.add(path, "wait_for", condition=condition)


STEPS: dict[str, Callable[[Recording, Json, str], None]] = {
    "setViewport": set_viewport,
    "emulateNetworkConditions": set_viewport,
    "navigate": navigate,
    "click": click,
    "doubleClick": click,
    "hover": hover,
    "change": change,
    "keyDown": key_down,
    "keyUp": key_up,
    "scroll": scroll,
    "close": close,
    "waitForElement": wait_for_element,
    "waitForExpression": wait_for_expression,
}
ACTING = set(STEPS) - {"setViewport", "emulateNetworkConditions"}


# --- elements


def act(state: Recording, path: str, op: str, found: Described, **fields: Any) -> None:
    target = checked_target(state, found, path)
    if target is not None:
        state.draft.add(path, op, target=target, **fields)


def checked_target(state: Recording, found: Described, path: str) -> Json | None:
    if found.place.any_frame:
        state.draft.remark(f"{path}.frame", "the frame is only numbered: the element is looked for in every frame")
    target = found.target()
    if target is None:
        state.draft.lost(path, "nothing lasting describes the element: only ids made up for one visit")
    elif found.is_place_only:
        state.draft.lost(path, "only a position describes the element; give it a role and a name before it can run")
    return target


def described(step: Json, path: str) -> Described:
    frames = as_list(step.get("frame") or [], join(path, "frame"))
    given = step.get("selectors") or []
    selectors = as_list([given] if isinstance(given, str) else given, join(path, "selectors"))
    found: list[Locator] = []
    for index, selector in enumerate(selectors):
        locator = read_selector(selector, f"{path}.selectors[{index}]")
        found += [locator] if locator else []
    return Described(tuple(found), Place(any_frame=bool(frames)))


def read_selector(selector: object, path: str) -> Locator | None:
    """A list is a way through shadow roots: css is joined, of others the last part counts."""
    parts = [as_text(part, path) for part in (selector if isinstance(selector, list) else [selector])]
    if not parts:
        raise DocumentError(path, "must not be empty")
    if all(is_css(part) for part in parts):
        return Locator("css", " ".join(part.removeprefix("pierce/").removeprefix("css/") for part in parts))
    return one_selector(parts[-1])


def is_css(part: str) -> bool:
    return not part.startswith(("aria/", "xpath/", "text/"))


def one_selector(part: str) -> Locator | None:
    kind, _, rest = part.partition("/")
    if kind == "aria":
        return aria_locator(rest)
    if kind == "xpath":
        return Locator("xpath", rest) if rest else None
    if kind == "text":
        words = " ".join(rest.split())
        return Locator("text", words) if words else None
    return Locator("css", part.removeprefix("pierce/").removeprefix("css/"))


def aria_locator(text: str) -> Locator | None:
    """`Name`, `Name[role="button"]`, `[role="textbox"]` or `[name="Name"]`."""
    found = {key: value for key, _, value in BRACKET.findall(text)}
    name = " ".join((found.get("name") or BRACKET.sub("", text)).split())
    return role_locator(found.get("role", ""), name or None)
