"""`./agentify call --file` of a recipe of three steps, cold, against a cold hand-written Playwright script.

Both are processes of their own, started anew each time: shell, interpreter, imports, browser, three steps, end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from bench.frame import NotReady, Options, Result, alternate, median
from bench.serving import served
from recipes_app.browser.launch import find_browser, launch_flags

ROOT = Path(__file__).parents[1]
ROUNDS = 30
GOAL = 1.9
LIMIT_S = 120
TOOL = "greet"
NAME = "Ada"
GREETING = f"Hello {NAME}"
PAGE = """<!doctype html><html lang="en"><title>Greeting</title><main><h1>Greeting</h1>
<label for="name">Name</label> <input id="name"><p id="answer" role="status"></p></main><script>
document.getElementById("name").addEventListener("input", (event) => {
  document.getElementById("answer").textContent = `Hello ${event.target.value}`;
});
</script></html>"""
SCRIPT = """import json, sys
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[2], args=sys.argv[3:])
    page = browser.new_page()
    page.goto(sys.argv[1])
    page.get_by_label("Name").fill("Ada")
    print(json.dumps({"ok": True, "data": {"greeting": page.get_by_role("status").inner_text()}}))
    browser.close()
"""


def registry(address: str) -> dict[str, Any]:
    steps = [
        {"op": "goto", "url": f"{address}/"},
        {"op": "type", "target": {"role": "textbox", "name": "Name", "css": "#name"}, "text": "{{name}}"},
        {"op": "extract", "target": {"role": "status"}, "key": "greeting"},
    ]
    parameters = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    tool = {"name": TOOL, "description": "Greets.", "parameters": parameters, "side_effect": "read", "steps": steps}
    return {"format": 2, "site": "greeting", "base_url": address, "mapped_at": "2026-11-30T00:00:00Z", "tools": [tool]}


def run(options: Options) -> Result:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, served({"/": PAGE}) as address:
        arms = {name: partial(greeted, name, line, folder) for name, line in commands(address, Path(folder)).items()}
        # The first call may have to set up the packages; alternate() does not count it.
        taken = alternate(told(arms, options), options.rounds or ROUNDS)
    medians = {name: median(values) for name, values in taken.items()}
    ratio = medians["agentify"] / medians["by hand"]
    detail = {
        "rounds": len(taken["agentify"]),
        "median s": medians,
        "fastest s": {name: min(values) for name, values in taken.items()},
    }
    return Result("cold", ratio, "of by hand", f"<= {GOAL}", ratio <= GOAL, 1.0, detail)


def commands(address: str, folder: Path) -> dict[str, list[str]]:
    file, script = folder / "greeting.tools.json", folder / "greeting.py"
    file.write_text(json.dumps(registry(address)), encoding="utf-8")
    script.write_text(SCRIPT, encoding="utf-8")
    call = ["call", "--file", str(file), TOOL, "--args", json.dumps({"name": NAME}), "--allow-private", "--json"]
    return {
        "agentify": [str(ROOT / "agentify"), *call],
        "by hand": [python(), str(script), f"{address}/", find_browser(), *launch_flags()],
    }


def python() -> str:
    """The interpreter that ./agentify uses, so that both arms import the same Playwright."""
    own = ROOT / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def told(arms: Mapping[str, Callable[[], None]], options: Options) -> dict[str, Callable[[], None]]:
    def tell_and_run(name: str) -> None:
        options.tell(name)
        arms[name]()

    return {name: partial(tell_and_run, name) for name in arms}


def greeted(name: str, command: list[str], folder: str) -> None:
    # A folder of its own, so that nothing of this installation is used or changed.
    env = {**os.environ, "AGENTIFY_VAR": str(Path(folder) / "var")}
    ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    said = ended.stdout.strip().splitlines()
    greeting = json.loads(said[-1])["data"].get("greeting") if ended.returncode == 0 and said else None
    if greeting != GREETING:
        raise NotReady(f"{name} ended with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-300:]}")
