"""The JavaScript that is run in pages; each file is one expression, read once."""

import re
from functools import cache
from pathlib import Path

# What stands for the text of another script.
PARTS = {"READ": "read.js", "HELD": "held.js", "REACHES": "reaches.js"}


def script(name: str) -> str:
    return Path(__file__).parent.joinpath(name).read_text(encoding="utf-8")


@cache
def reader(name: str) -> str:
    """A function `(element, given) => …` that reads one element and changes nothing but what is scrolled into view."""
    return with_parts(script(f"readers/{name}"))


def with_parts(code: str) -> str:
    for word, name in PARTS.items():
        code = re.sub(rf"\b{word}\b", lambda _, name=name: f"({script(f'readers/{name}')})", code)  # type: ignore[misc]
    return code


def with_aria(name: str) -> str:
    """A script that uses `aria`, the roles and names of aria.js."""
    return f"(given) => {{ {script('aria.js')}\nreturn ({script(name)})(given); }}"
