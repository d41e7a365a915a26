"""A step in words for people: "Type {{q}} into the Search field"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recipes_app.engine.naming import WHOLE_PLACEHOLDER, without_access_key
from recipes_app.engine.shapes import Condition, DialogRule, Expect, Locator, Offset, Step, Target

ROLE_WORDS = {
    "textbox": "field",
    "searchbox": "search field",
    "combobox": "list",
    "listbox": "list",
    "checkbox": "check box",
    "radio": "choice",
    "spinbutton": "number field",
    "menuitem": "menu entry",
    "img": "image",
    "option": "choice",
    "gridcell": "cell",
    "columnheader": "column header",
}
LOCATOR_WORDS = {
    "label": "the field labelled {}",
    "placeholder": "the field that suggests {}",
    "alt": "the image {}",
    "title": "the element titled {}",
    "text": "the text {}",
    "test_id": "the element marked {}",
    "css": "the element {}",
    "xpath": "the element {}",
}
# What a person sees comes before what only the page's source says.
WORDED = ("role", "label", "placeholder", "alt", "title", "text", "test_id", "css", "xpath")
ARTICLES = ("the ", "a ", "an ")


def step_sentence(step: Step) -> str:
    write = SENTENCES.get(step.op)
    sentence = write(step.fields) if write else step.op.replace("_", " ").capitalize()
    return f"{sentence}, if possible" if step.optional else sentence


def target_words(target: object) -> str:
    if not isinstance(target, Target):
        return "the focused element"
    words = own_words(target)
    if target.nth_argument:
        words = f"number {target.nth_argument} of {words}"
    if target.nth is not None:
        words = f"number {target.nth + 1} of {words}"
    if target.within is not None:
        words += f" in {container_words(target.within)}"
    if target.frames:
        words += " of the frame " + " > ".join(f.title or f.name or f.src or "" for f in target.frames)
    return words


def container_words(container: Target) -> str:
    """A row, item or group: what it is and the text that tells it from its peers."""
    said = container.text if container.role or container.locators else None
    return target_words(container) + (f" with {quoted(said)}" if said else "")


def own_words(target: Target) -> str:
    if target.name or target.role:
        return named(target.role, target.name)
    if target.text:
        return f"the text {quoted(target.text)}"
    if target.locators:
        return locator_words(min(target.locators, key=lambda locator: WORDED.index(locator.kind)))
    return f"the element {target.css}"


def locator_words(locator: Locator) -> str:
    if locator.kind == "role":
        return named(locator.value, locator.name)
    return LOCATOR_WORDS[locator.kind].format(quoted(locator.value))


def named(role: str | None, name: str | None) -> str:
    word, name = ROLE_WORDS.get(role or "", role or "element"), without_access_key(name or "")
    return f"the {quoted(name)} {word}" if name else f"the {word}"


def quoted(text: str) -> str:
    """Short plain names stand as they are, others in quotation marks."""
    short = text if len(text) <= 60 else text[:57] + "…"
    return (
        short if short.replace(" ", "").replace("{{", "").replace("}}", "").replace("_", "").isalnum() else f"“{short}”"
    )


def condition_words(condition: Condition) -> str:
    if condition.kind == "not":
        return f"not: {condition_words(condition.parts[0])}"
    if condition.kind in {"all", "any"}:
        joint = " and " if condition.kind == "all" else " or "
        return joint.join(condition_words(part) for part in condition.parts)
    return CONDITION_WORDS[condition.kind](condition)


CONDITION_WORDS: dict[str, Callable[[Condition], str]] = {
    "page_text_contains": lambda c: f"the page says “{c.value}”",
    "url_contains": lambda c: f"the address contains {c.value}",
    "url_matches": lambda c: f"the address is like {c.value}",
    "element_exists": lambda c: f"{target_words(c.target)} is there",
    "element_absent": lambda c: f"{target_words(c.target)} is gone",
    "value_is": lambda c: f"{target_words(c.target)} holds “{c.value}”",
}


def expect_words(expect: Expect) -> str:
    parts = [condition_words(expect.condition)] if expect.condition else []
    if expect.appears:
        parts.append(f"{target_words(expect.appears)} appears")
    if expect.disappears:
        parts.append(f"{target_words(expect.disappears)} goes away")
    if expect.url:
        parts.append(f"the address is like {expect.url}")
    parts += [
        words
        for asked, words in ((expect.page_opened, "a new page opens"), (expect.download, "a file arrives"))
        if asked
    ]
    if expect.dialog:
        parts.append(dialog_words(expect.dialog))
    return " and ".join(parts)


def dialog_words(rule: DialogRule) -> str:
    words = f"a {rule.type or 'dialog'}" + (f" “{rule.message}”" if rule.message else "")
    return f"{words} is answered with {rule.answer}"


def value_words(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return str(value)


def type_words(fields: Mapping[str, Any]) -> str:
    text = fields.get("text")
    sentence = (
        f"Clear {target_words(fields.get('target'))}"
        if text == ""
        else f"Type {value_words(text)} into {target_words(fields.get('target'))}"
    )
    return f"{sentence} and press Enter" if fields.get("press_enter") else sentence


def check_words(fields: Mapping[str, Any]) -> str:
    value = fields.get("value", True)
    if isinstance(value, str):
        return f"Set {target_words(fields.get('target'))} to {value}"
    return f"{'Tick' if value else 'Untick'} {target_words(fields.get('target'))}"


def wait_for_words(fields: Mapping[str, Any]) -> str:
    if "condition" in fields:
        return f"Wait until {condition_words(fields['condition'])}"
    return f"Wait for {target_words(fields['target']) if 'target' in fields else fields.get('selector')}"


def dialog_step_words(fields: Mapping[str, Any]) -> str:
    message = f" “{fields['message']}”" if fields.get("message") else ""
    return f"From now on answer {fields.get('type') or 'dialog'}s{message} with {fields.get('answer')}"


def place_words(to: object) -> str:
    if isinstance(to, Offset):
        return f"by {to.x_argument or f'{to.x:g}'} px across and {to.y_argument or f'{to.y:g}'} px down"
    return f"to {target_words(to)}"


def items_words(items: object) -> str:
    return target_words(items) if isinstance(items, Target) else value_words(items)


def count_words(steps: object) -> str:
    count = len(steps) if isinstance(steps, tuple | list) else 0
    return "1 step" if count == 1 else f"{count} steps"


def until_words(fields: Mapping[str, Any]) -> str:
    if "while" in fields:
        return f"while {condition_words(fields['while'])}"
    return f"until {condition_words(fields['until'])}" if "until" in fields else "until nothing new comes"


def args_words(args: object) -> str:
    """Values written in the file may be secrets, so only places for arguments are shown."""
    pairs = args.items() if isinstance(args, Mapping) else ()
    given = [f"{name} {value}" if WHOLE_PLACEHOLDER.fullmatch(str(value)) else name for name, value in pairs]
    return f" with {', '.join(given)}" if given else ""


def on_target(verb: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda fields: f"{verb} {target_words(fields.get('target'))}"


SENTENCES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "goto": lambda f: f"Open {f.get('url')}",
    "back": lambda _: "Go back one page",
    "reload": lambda _: "Load the page again",
    "click": on_target("Click"),
    "double_click": on_target("Double-click"),
    "hover": on_target("Point at"),
    "type": type_words,
    "press": lambda f: f"Press {f.get('key')}" + (f" in {target_words(f['target'])}" if f.get("target") else ""),
    "press_enter": lambda f: "Press Enter" + (f" in {target_words(f['target'])}" if f.get("target") else ""),
    "select": lambda f: f"Select {value_words(f.get('value'))} in {target_words(f.get('target'))}",
    "choose": lambda f: f"Choose {value_words(f.get('value'))} in {target_words(f.get('target'))}",
    "check": check_words,
    "set_date": lambda f: f"Set {target_words(f.get('target'))} to {value_words(f.get('value'))}",
    "upload": lambda f: f"Give {value_words(f.get('files'))} to {target_words(f.get('target'))}",
    "scroll": lambda f: (
        f"Scroll {f.get('direction', 'down')}" + (f" in {target_words(f['target'])}" if f.get("target") else "")
    ),
    "wait": lambda f: f"Wait {f.get('ms')} ms",
    "wait_for": wait_for_words,
    "dialog": dialog_step_words,
    "switch_page": lambda f: f"Continue in the page {f.get('to')}",
    "download": lambda f: f"Download {f['url'] if 'url' in f else 'by clicking ' + target_words(f.get('target'))}",
    "extract": lambda f: f"Read {f.get('key')} from {target_words(f.get('target'))}",
    "extract_list": lambda f: f"Read {f.get('key')}: a list with {', '.join(f.get('fields') or {})}",
    "extract_table": lambda f: f"Read {f.get('key')} from {target_words(f.get('target'))}",
    "js_extract": lambda f: f"Read {f.get('key')} with a script",
    "screenshot": lambda f: f"Take the picture {f.get('label')}",
    "verify": lambda f: f"Check that {condition_words(f['condition'])}",
    "drag": lambda f: f"Drag {target_words(f.get('target'))} {place_words(f.get('to'))}",
    "for_each": lambda f: f"For each of {items_words(f.get('items'))}, do {count_words(f.get('steps'))}",
    "repeat": lambda f: f"Repeat {count_words(f.get('steps'))} {until_words(f)}",
    "call": lambda f: f"Use the tool {f.get('tool')}{args_words(f.get('args'))}",
    "if_verify": lambda f: f"If {condition_words(f['check'])}, do {len(f.get('then') or ())} more steps",
}
