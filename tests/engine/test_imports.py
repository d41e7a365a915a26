"""Replay never asks a model: what replays loads no model's client, and what reads recipes loads no browser."""

import subprocess
import sys
from pathlib import Path

import pytest

from recipes_app.formats.recipe_docs import op_reference, with_op_reference

ROOT = Path(__file__).parents[2]
CLIENTS = (
    "openai",
    "anthropic",
    "django",
    "rq",
    "redis",
    "recipes_app.llm",
    "recipes_app.pilot",
    "recipes_app.mapping",
)


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("recipes_app.engine.runner", CLIENTS),
        ("recipes_app.engine.document", (*CLIENTS, "playwright", "recipes_app.browser")),
        ("recipes_app.engine.parameters", (*CLIENTS, "playwright", "recipes_app.browser")),
        ("recipes_app.formats.tools_json", (*CLIENTS, "playwright", "recipes_app.browser")),
        ("recipes_app.formats.recipe_docs", (*CLIENTS, "playwright", "recipes_app.browser")),
        ("recipes_app.formats.recordings", (*CLIENTS, "playwright", "recipes_app.browser")),
        ("recipes_app.formats.playwright_py", (*CLIENTS, "playwright", "recipes_app.browser")),
    ],
)
def test_what_a_module_must_not_load(module: str, forbidden: tuple[str, ...]) -> None:
    code = (
        f"import sys, {module}\n"
        f"print([name for name in sys.modules if any(name == f or name.startswith(f + '.') for f in {forbidden!r})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_the_op_reference_in_the_documents_is_the_op_table() -> None:
    document = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    assert op_reference() in document
    assert with_op_reference(document) == document
