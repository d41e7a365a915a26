"""What `sendKeys` of Selenium IDE sends: pieces of text and `${KEY_…}` macros."""

from __future__ import annotations

import re
from collections.abc import Iterator

MACRO = re.compile(r"\$\{KEY_(\w+)\}")
MODIFIERS = {
    "CTRL": "Control",
    "CONTROL": "Control",
    "ALT": "Alt",
    "SHIFT": "Shift",
    "META": "Meta",
    "COMMAND": "Meta",
}
KEYS = {
    "ENTER": "Enter",
    "RETURN": "Enter",
    "TAB": "Tab",
    "ESC": "Escape",
    "ESCAPE": "Escape",
    "BACKSPACE": "Backspace",
    "BKSP": "Backspace",
    "DELETE": "Delete",
    "DEL": "Delete",
    "UP": "ArrowUp",
    "DOWN": "ArrowDown",
    "LEFT": "ArrowLeft",
    "RIGHT": "ArrowRight",
    "PAGE_UP": "PageUp",
    "PGUP": "PageUp",
    "PAGE_DOWN": "PageDown",
    "PGDN": "PageDown",
    "HOME": "Home",
    "END": "End",
    "INSERT": "Insert",
    "INS": "Insert",
    "SPACE": "Space",
    "PAUSE": "Pause",
    **{f"F{number}": f"F{number}" for number in range(1, 13)},
    **{f"N{number}": f"Numpad{number}" for number in range(10)},
    **{f"NUM{number}": f"Numpad{number}" for number in range(10)},
    "MUL": "NumpadMultiply",
    "MULTIPLY": "NumpadMultiply",
    "ADD": "NumpadAdd",
    "SUB": "NumpadSubtract",
    "SUBTRACT": "NumpadSubtract",
    "DIV": "NumpadDivide",
    "DIVISION": "NumpadDivide",
}


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """("text", …), ("key", name as a step `press` takes it) or ("unknown", macro), in their order."""
    held: list[str] = []
    position = 0
    for match in MACRO.finditer(text):
        yield from spoken(text[position : match.start()], held)
        position = match.end()
        word = match[1].upper()
        if word in MODIFIERS:
            held.append(MODIFIERS[word])
        elif word in KEYS:
            yield "key", "+".join([*held, KEYS[word]])
            held.clear()
        else:
            yield "unknown", match[0]
    yield from spoken(text[position:], held)
    if held:
        yield "key", held[0]


def spoken(text: str, held: list[str]) -> Iterator[tuple[str, str]]:
    """After a modifier the first letter is a shortcut."""
    if text and held:
        yield "key", "+".join([*held, text[0]])
        held.clear()
        text = text[1:]
    if text:
        yield "text", text
