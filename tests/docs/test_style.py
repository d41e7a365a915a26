"""What no linter holds: how long functions and files are, and constructs this house does without."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FUNCTION, LONGEST_FILE = 59, 400
MEDIAN_FUNCTION, LONG_TAIL = 10, 30
NOT_OURS = (".venv", "var/", "tests/llm_desk/")
VAGUE_NAMES = {"utils.py", "util.py", "helpers.py", "helper.py", "manager.py", "managers.py", "common.py", "misc.py"}
# Spelt in parts, so that this file does not find itself.
FORBIDDEN = {
    "a promise instead of code": re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|NotImplemented" r"Error)\b"),
    "the ORM made unsafe": re.compile("DJANGO_ALLOW_ASYNC_UNSAFE"),
    "a silent catch of everything": re.compile(r"except Exception:\s*(pass|continue|\.\.\.)?\s*$", re.MULTILINE),
    "a clock without a zone": re.compile(r"\butc" r"now\("),
}


@cache
def sources() -> dict[str, str]:
    """Every Python file under version control, or about to be; apart from migrations and a tool brought along."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.split() if listed.returncode == 0 else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*.py")]
    wanted = [name for name in names if "migrations/" not in name and not name.startswith(NOT_OURS)]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in wanted if (ROOT / name).exists()}


@cache
def functions() -> dict[str, int]:
    """`file:function` to its number of lines, decorators apart."""
    return {
        f"{name}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for name, text in sources().items()
        for node in _functions(text)
    }


def _functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_function_is_long() -> None:
    assert {name: lines for name, lines in functions().items() if lines > LONGEST_FUNCTION} == {}


def test_most_functions_are_short() -> None:
    lengths = sorted(functions().values())
    assert statistics.median(lengths) <= MEDIAN_FUNCTION
    assert lengths[int(len(lengths) * 0.9)] <= LONG_TAIL


def test_no_file_is_long() -> None:
    lengths = {name: text.count("\n") for name, text in sources().items()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_every_file_is_named_after_what_it_holds() -> None:
    assert [name for name in sources() if Path(name).name in VAGUE_NAMES] == []


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nothing_forbidden_is_in_the_product(what: str) -> None:
    product = {name: text for name, text in sources().items() if not name.startswith("tests/")}
    assert [name for name, text in product.items() if FORBIDDEN[what].search(text)] == []
