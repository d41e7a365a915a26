"""`./agentify check`: everything that can be said of the code without running the product; one line for each tool."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from agentify_site.runtime.terminal import show

ROOT = Path(__file__).resolve().parents[2]
CODE = ("agentify_site", "recipes_app", "evidence_app", "examples", "bench", "tests", "manage.py")


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    command: tuple[str, ...]


def checks() -> list[Check]:
    python = sys.executable
    manage = (python, "manage.py")
    templates = tuple(str(path) for folder in ("templates", "recipes_app", "evidence_app") for path in pages(folder))
    return [
        Check("format", (python, "-m", "ruff", "format", "--check", ".")),
        Check("lint", (python, "-m", "ruff", "check", ".")),
        Check("types", (python, "-m", "mypy", *CODE)),
        Check("imports", (python, str(Path(python).parent / "lint-imports"))),
        Check("django", (*manage, "check")),
        Check("migrations", (*manage, "makemigrations", "--check", "--dry-run")),
        Check("templates", (str(Path(python).parent / "djade"), "--check", "--target-version", "5.2", *templates)),
        Check("recipe reference", (*manage, "recipe_docs", "--check")),
        Check("docs and style", (python, "-m", "pytest", "-q", "tests/docs")),
    ]


def pages(folder: str) -> list[Path]:
    return sorted(path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.html"))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="agentify-check-") as folder:
        env = {**os.environ, "AGENTIFY_VAR": folder}
        results = [run(check, env) for check in checks()]
    failed = [name for name, good in results if not good]
    show(f"\n{len(results) - len(failed)} of {len(results)} checks passed.")
    if failed:
        show(f"Failed: {', '.join(failed)}")
    return 1 if failed else 0


def run(check: Check, env: dict[str, str]) -> tuple[str, bool]:
    """Say at once how it went; the tool's own words only where it found something."""
    started = time.monotonic()
    done = subprocess.run(check.command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    good = done.returncode == 0
    show(f"{'ok    ' if good else 'FAILED'} {check.name:<17} {time.monotonic() - started:5.1f} s")
    if not good:
        show((done.stdout + done.stderr).rstrip())
    return check.name, good


if __name__ == "__main__":
    sys.exit(main())
