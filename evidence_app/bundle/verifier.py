"""verify.py, the one file that checks a pack anywhere: joined from the parts in `offline/`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from recipes_app.version import VERSION

PARTS = (
    "findings", "archive", "ed25519", "tree", "heads", "reading", "checks", "contents", "policy", "der", "publickeys",
    "stamps", "program",
)  # fmt: skip
OWN = "evidence_app."
HEAD = '''#!/usr/bin/env python3
"""Checks a pack of evidence of Agentify {version}: python3 verify.py PACK.zip --key FINGERPRINT

One file, Python 3.9 or later, nothing to install. It reads the pack where it lies, unpacks nothing, changes nothing
and asks no network. Take it from where you trust it; a copy that came in the pack may have been changed with the pack.

Copyright the Agentify authors. Licensed under the Apache License, Version 2.0.
"""

from __future__ import annotations

{imports}
'''
FOOT = """

if __name__ == "__main__":
    sys.exit(main())
"""


@cache
def text() -> str:
    """The whole program."""
    bodies, imports = [], {"import sys"}
    for part in PARTS:
        source = (Path(__file__).parent / "offline" / f"{part}.py").read_text(encoding="utf-8")
        imports |= set(_imports(source))
        bodies.append(_body(source))
    head = HEAD.format(version=VERSION, imports="\n".join(_sorted(imports)))
    return head + "".join(bodies).rstrip("\n") + "\n" + FOOT


def _imports(source: str) -> Iterator[str]:
    """One line for each name that a part takes from the standard library."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            yield from (f"import {each.name}" for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not _is_inside(node):
            yield from (f"from {node.module} import {each.name}" for each in node.names)


def _sorted(lines: set[str]) -> list[str]:
    """Whole modules first, then names."""
    return sorted(lines, key=lambda line: (line.startswith("from"), line))


def _body(source: str) -> str:
    """What stands behind the imports, under the part's own words."""
    module = ast.parse(source)
    last = max(node.end_lineno or 0 for node in module.body if isinstance(node, ast.Import | ast.ImportFrom))
    words = "".join(f"# {line}".rstrip() + "\n" for line in (ast.get_docstring(module) or "").splitlines())
    rest = "\n".join(source.splitlines()[last:]).strip("\n")
    return f"\n\n# {'=' * 100}\n{words}\n\n{rest}\n"


def _is_inside(node: ast.ImportFrom) -> bool:
    return node.module == "__future__" or (node.module or "").startswith(OWN)
