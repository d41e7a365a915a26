"""Putting a text into a field, whatever kind of field it is, and seeing that it stays there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.api import TimeoutError as TooSlow
from recipes_app.engine.act import Act
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.isodates import as_iso, key_sequences
from recipes_app.engine.naming import name_pattern
from recipes_app.engine.pressing import what_became
from recipes_app.engine.scripts import script

EDITABLE = "css=input:not([type=hidden]):not([type=checkbox]):not([type=radio]), textarea, [contenteditable]"
MAX_KEYS = 2000
MAX_TYPED = 1000
TYPED_AT_ONCE = 10
MAX_SUGGESTED = 200


@dataclass(frozen=True, slots=True)
class Field:
    """`kind`: text, date, set (range, colour), editor, steps (an ARIA slider or spin button); others take no text.

    `suggests`: it offers completions while one types. `found`: where the look that found it can be asked again.
    """

    node: Nodes
    kind: str
    type: str
    readonly: bool
    suggests: bool = False
    found: Found | None = None


def field_of(act: Act, found: Found) -> Field:
    """The field itself, or the only one inside what was found (a wrapper, a label)."""
    seen = found.facts.get("field")
    if seen and seen["kind"] != "none" and not seen["label"]:
        return field_from(seen, found.locator, found)
    found = labelled(act, found)
    field = read_field(found.locator, act)
    if field.kind != "none":
        return field
    inner = found.locator.locator(EDITABLE)
    if inner.count() == 1:
        return read_field(inner, act)
    raise act.fail("drifted", f"{act.words} is nothing one can type into")


def labelled(act: Act, found: Found) -> Found:
    """Of a label the field that it is for."""
    name = found.locator.evaluate(
        "(e) => (e.tagName === 'LABEL' && e.control && e.innerText) || ''", timeout=act.left_ms
    )
    if not name:
        return found
    field = found.frame.get_by_label(name_pattern(str(name))).and_(found.frame.locator(EDITABLE))
    return Found(field, found.matched, found.frame) if field.count() == 1 else found


def read_field(node: Nodes, act: Act) -> Field:
    return field_from(node.evaluate(script("field.js"), timeout=act.left_ms), node)


def field_from(facts: Mapping[str, Any], node: Nodes, found: Found | None = None) -> Field:
    return Field(node, facts["kind"], facts["type"], bool(facts["readonly"]), bool(facts["suggests"]), found)


def put(act: Act, field: Field, text: str, *, keys: bool = False) -> None:
    """Fills, reads back, types key by key if it did not stay, and says so if it still did not."""
    if field.readonly:
        raise act.fail("value_not_kept", f"{act.words} is read-only")
    writer = WRITERS.get(field.kind)
    if writer is None:
        raise act.fail("drifted", f"{act.words} is a {field.kind} field and cannot be typed into")
    wanted = as_iso(text, field.type) if field.kind == "date" and text else text
    act.send()
    if field.kind in {"text", "editor"} and (keys or (field.suggests and len(wanted) <= MAX_SUGGESTED)):
        type_keys(act, field, wanted)
    else:
        write_safely(act, field, wanted)
    if keeps(act, field, wanted):
        return
    if field.kind == "date":
        type_date_keys(act, field, wanted)
    elif field.kind in {"text", "editor"}:
        type_keys(act, field, wanted)
    if not keeps(act, field, wanted):
        held = read_value(field.node)
        raise act.fail("value_not_kept", f"{act.words} holds {shown(act, held)} instead of {shown(act, wanted)}")


def write_safely(act: Act, field: Field, text: str) -> None:
    """A browser that refuses the text (letters in a number field) is the field not keeping it."""
    try:
        WRITERS[field.kind](act, field, text)
    except TooSlow:
        raise
    except Error as error:
        act.session.raise_if_lost(error)
        if "Cannot type text" not in error.message and "Malformed value" not in error.message:
            raise
        raise act.fail("value_not_kept", f"{act.words} does not take {shown(act, text)}") from error


def fill(act: Act, field: Field, text: str) -> None:
    field.node.fill(text, timeout=act.left_ms)
    if field.kind == "text":
        # Pages that look at a field when a key is released get one, which types nothing.
        act.page.keyboard.press("Shift")


def write_editor(act: Act, field: Field, text: str) -> None:
    """Real input events, paragraph by paragraph: editors keep a model of their own and undo foreign changes."""
    keyboard = act.page.keyboard
    clear(act, field)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n")):
        if number:
            keyboard.press("Enter")
        raise_if_late(act)
        if line:
            keyboard.insert_text(line)


def clear(act: Act, field: Field) -> None:
    """By selecting, not by a shortcut the page might take for text."""
    field.node.focus(timeout=act.left_ms)
    field.node.select_text(timeout=act.left_ms)
    if read_value(field.node):
        act.page.keyboard.press("Delete")


def write_steps(act: Act, field: Field, text: str) -> None:
    """An ARIA slider or spin button is moved by its arrow keys until it says the number."""
    wanted = number_of(text)
    if wanted is None:
        raise act.fail("value_not_kept", f"{act.words} takes a number, not {shown(act, text)}")
    field.node.focus(timeout=act.left_ms)
    last: float | None = None
    for _ in range(MAX_KEYS):
        raise_if_late(act)
        now = number_of(read_value(field.node))
        if now is None or now in (wanted, last):
            return
        last = now
        field.node.press("ArrowUp" if now < wanted else "ArrowDown", timeout=act.left_ms)


WRITERS = {"text": fill, "date": fill, "set": fill, "editor": write_editor, "steps": write_steps}


def type_keys(act: Act, field: Field, text: str) -> None:
    """One trusted key press after the other, over what was there; a long text comes in one piece, as if pasted."""
    keyboard = act.page.keyboard
    clear(act, field)
    if len(text) > MAX_TYPED:
        keyboard.insert_text(text)
        return
    for number, line in enumerate(text.split("\n")):
        if number:
            keyboard.press("Enter")
        for start in range(0, len(line), TYPED_AT_ONCE):
            raise_if_late(act)
            keyboard.type(line[start : start + TYPED_AT_ONCE])


def raise_if_late(act: Act) -> None:
    """Between the presses of many keys, which have no time limit together."""
    if monotonic() - act.started > act.timeout_ms / 1000:
        raise act.fail("timeout", f"{act.words} took longer than {act.timeout_ms / 1000:g} s to be typed into")


def type_date_keys(act: Act, field: Field, iso: str) -> None:
    """Until the control holds the value: the order of its parts cannot be seen."""
    order = tuple(field.node.evaluate(script("order.js"), timeout=act.left_ms))
    for keys in key_sequences(iso, field.type, order):
        field.node.blur(timeout=act.left_ms)
        field.node.focus(timeout=act.left_ms)
        for key in keys:
            raise_if_late(act)
            if key == ">":
                act.page.keyboard.press("ArrowRight")
            else:
                act.page.keyboard.type(key)
        if same_value(field, read_value(field.node, settle=True), iso):
            return


def read_value(node: Nodes, *, settle: bool = False) -> str:
    return str(node.evaluate(script("value.js"), {"settle": settle}, timeout=3000))


def same_value(field: Field, held: str, wanted: str) -> bool:
    if held == wanted:
        return True
    if field.kind == "editor":
        return re.sub(r"\n+", "\n", held).strip() == re.sub(r"\n+", "\n", wanted.replace("\r\n", "\n")).strip()
    if field.kind == "set":
        return held.lower() == wanted.lower() or same_number(held, wanted)
    if field.type == "number" or field.kind == "steps":
        return same_number(held, wanted)
    return held == wanted.replace("\r\n", "\n")


def same_number(held: str, wanted: str) -> bool:
    number = number_of(wanted)
    return number is not None and number_of(held) == number


def number_of(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def keeps(act: Act, field: Field, wanted: str) -> bool:
    """Read back once the page had time to change its mind. What the page only formats counts as kept."""
    if holds_already(act, field, wanted):
        return True
    act.left = None
    try:
        held = read_value(field.node, settle=True)
    except Error as error:
        act.session.raise_if_lost(error)
        # The page left or redrew the form as soon as the text was complete, as live searches do.
        act.note(f"{act.words} was redrawn after typing, so its text could not be read back")
        return True
    if not same_value(field, held, wanted) and only_formatted(held, wanted):
        act.note(f"{act.words} shows the text in a form of its own: {held}")
        return True
    return same_value(field, held, wanted)


def holds_already(act: Act, field: Field, wanted: str) -> bool:
    """Whether it holds the text, and the page has set itself nothing that could still change that."""
    if field.found is None:
        return False
    after = what_became(act, field.found, ("held",))
    return (
        after.there and not after.pending and "held" in after.facts and same_value(field, after.facts["held"], wanted)
    )


def only_formatted(held: str, wanted: str) -> bool:
    """The page set separators of its own, as for telephone and card numbers."""
    plain_held, plain_wanted = re.sub(r"\W", "", held), re.sub(r"\W", "", wanted)
    return bool(plain_wanted) and plain_held.casefold() == plain_wanted.casefold()


def shown(act: Act, text: str) -> str:
    short = text if len(text) <= 80 else text[:77] + "…"
    return f"“{act.scene.clean(short)}”" if text else "nothing"
