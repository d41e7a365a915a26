"""The JavaScript that is run in pages; each file is one expression, read once."""

from pathlib import Path


def script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def with_aria(name: str) -> str:
    """A script that uses `aria`, the roles and names of aria.js."""
    return f"(given) => {{ {script('aria.js')}\nreturn ({script(name)})(given); }}"
