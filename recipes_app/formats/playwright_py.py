"""A recipe as a stand-alone Playwright script: Python and Playwright are all it needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from recipes_app.engine.document import Recipe, dump_recipe
from recipes_app.engine.vocabulary import VALUE_TYPES
from recipes_app.formats.playwright_steps import Script

FOLDER = Path(__file__).parent
ENGINE = FOLDER.parent / "engine"
READERS = ENGINE.parent / "browser" / "readers"
# A word that stands for the text of another script.
PART = re.compile(r"\b(?:READ|HELD|REACHES)\b")
IMPORTS = """from __future__ import annotations

import argparse
import base64
import hashlib
import json
import mimetypes
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote, unquote, unquote_to_bytes, urljoin, urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright
"""
READ_AS_TEXT = """
def as_type(found, kind, locale):
    return None if found["text"] is None else found["text"].strip()
"""
READ_AS_TYPE = """
def as_type(found, kind, locale):
    try:
        return typed(Read(**found), kind, locale)
    except (ValueError, ArithmeticError) as error:
        raise Problem(str(error)) from None
"""
FROM_NAMING = ("INVISIBLE", "INVISIBLE_RUN", "SPACES", "normalise")
COMMENT_WIDTH = 110
TYPED = tuple(f"'type': {kind!r}" for kind in VALUE_TYPES if kind != "string")


def write(recipe: Recipe, *, base_url: str = "") -> str:
    """`python script.py --name value …` prints the result as JSON; relative addresses are joined to `base_url`."""
    script = Script()
    script.steps(recipe.steps, "steps")
    parts = [
        "\n".join(head(recipe, script.not_said)),
        IMPORTS,
        "\n".join(constants(recipe, base_url, "\n".join(script.lines))),
        template("runtime.txt").rstrip(),
        types() if needs_types(recipe) else READ_AS_TEXT.strip("\n"),
        "def steps(run):\n" + "\n".join(script.lines),
        'if __name__ == "__main__":\n    sys.exit(main(steps))',
    ]
    return "\n\n".join(part.strip("\n") + "\n" for part in parts)


def template(name: str) -> str:
    return (FOLDER / "script" / name).read_text(encoding="utf-8")


def head(recipe: Recipe, not_said: list[tuple[str, str]]) -> Iterator[str]:
    yield from comment(f"{recipe.name}: {recipe.description}")
    yield "#"
    yield from comment("Written by Agentify. It needs Python 3.11 or newer and Playwright:")
    yield from comment("    pip install playwright && playwright install chromium")
    options = " ".join(f"--{name} VALUE" for name in recipe.parameters.get("properties") or {})
    yield from comment(f"    python {recipe.name}.py {options}".rstrip())
    yield from comment("CHROMIUM_PATH in the environment names another browser; --show-browser opens a window.")
    if not_said:
        yield "#"
        yield from comment("Steps that plain Playwright cannot do; the script stops at them:")
        for path, op in not_said:
            yield from comment(f"    {path}: {op}")


def comment(words: str) -> Iterator[str]:
    """One line, whatever the text holds: a line break in it would begin code."""
    kept = "".join(letter if letter.isprintable() else " " for letter in words)
    shortened = kept if len(kept) <= 10 * COMMENT_WIDTH else kept[: 10 * COMMENT_WIDTH] + " …"
    for start in range(0, max(1, len(shortened)), COMMENT_WIDTH):
        yield f"# {shortened[start : start + COMMENT_WIDTH]}".rstrip()


def constants(recipe: Recipe, base_url: str, steps: str) -> Iterator[str]:
    yield f"NAME = {recipe.name!r}"
    yield f"FORMAT = {recipe.format}"
    yield f"BASE_URL = os.environ.get('BASE_URL') or {base_url!r}"
    yield f"PARAMETERS = {dict(recipe.parameters)!r}"
    yield "# What is run in the page to read and to scroll."
    yield "JS = {"
    for name, code in scripts().items():
        if f"JS[{name!r}]" in steps or name in {"read", "table", "value"}:
            yield f"    {name!r}: {code!r},"
    yield "}"


def scripts() -> dict[str, str]:
    """As the engine runs them; read as text, so that nothing of a browser is loaded here."""
    return {name: whole_script(name) for name in ("read", "table", "value", "scroll")}


def whole_script(name: str) -> str:
    own = ENGINE / "js" / f"{name}.js"
    code = (own if own.exists() else READERS / f"{name}.js").read_text(encoding="utf-8")
    for word in sorted({*PART.findall(code)}):
        code = re.sub(rf"\b{word}\b", lambda _, word=word: f"({whole_script(word.lower())})", code)  # type: ignore[misc]
    return code


def needs_types(recipe: Recipe) -> bool:
    """Whether anything is read as more than text."""
    return any(word in repr(dump_recipe(recipe)["steps"]) for word in TYPED)


def types() -> str:
    """The engine's own reading of numbers, amounts and dates, so that a script reads what a replay reads."""
    naming = picked(ENGINE / "naming.py", FROM_NAMING)
    values = [without_imports(ENGINE / "values" / f"{name}.py") for name in ("states", "dates", "numbers", "typed")]
    return "\n\n".join([naming, *values, READ_AS_TYPE.strip("\n")])


def picked(path: Path, names: tuple[str, ...]) -> str:
    source = path.read_text(encoding="utf-8")
    found = [node for node in ast.parse(source).body if defined(node) in names]
    return "\n\n".join(ast.get_source_segment(source, node) or "" for node in found)


def defined(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def without_imports(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    for node in ast.parse("\n".join(lines)).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or is_docstring:
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[number - 1] = ""
    return "\n".join(lines).strip("\n")
