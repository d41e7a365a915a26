"""What every bench has in common: its options, its result, medians, and arms that take turns.

A bench is a module or package of this folder with a docstring and a function `run(options: Options) -> Result`; it
starts what it needs and ends it again. Where something is missing that it cannot start, it raises NotReady.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, cast

from recipes_app.browser.errors import BrowserMissing
from recipes_app.browser.launch import find_browser

FOLDER = Path(__file__).parent
FRAME = {"__init__", "frame", "serving"}
PACKAGES = ("playwright", "django")


class NotReady(Exception):
    """Something is missing that the bench cannot start by itself; one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Result:
    """`met` is None where there is no goal; `baseline` is what was measured beside it, in the same unit."""

    name: str
    value: float | None
    unit: str
    goal: str | None = None
    met: bool | None = None
    baseline: float | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Options:
    """`rounds`: how often, where not given the bench's own number; `only`: parts by name; `tell`: progress in words.

    `samples`: of what is done many times in one round; `sites`: addresses of applications beside the practice site.
    """

    rounds: int | None = None
    only: tuple[str, ...] = ()
    tell: Callable[[str], None] = lambda _line: None
    samples: int | None = None
    sites: tuple[str, ...] = ()


class Bench(Protocol):
    __doc__: str | None

    def run(self, options: Options) -> Result: ...


def benches() -> dict[str, str]:
    """Every bench with the first line of its docstring, without loading any."""
    files = {path.stem: path for path in FOLDER.glob("*.py") if path.stem not in FRAME}
    files |= {path.parent.name: path for path in FOLDER.glob("*/__init__.py")}
    return {name: first_line(files[name]) for name in sorted(files)}


def first_line(path: Path) -> str:
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return words.partition("\n")[0]


def load(name: str) -> Bench:
    return cast(Bench, importlib.import_module(f"bench.{name}"))


def median(values: Sequence[float]) -> float:
    return float(statistics.median(values))


def alternate(arms: Mapping[str, Callable[[], object]], rounds: int, *, warm_up: int = 1) -> dict[str, list[float]]:
    """Seconds of each arm by round. They take turns, each round beginning with another, so that load hits all alike."""
    names = list(arms)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(-warm_up, rounds):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            started = perf_counter()
            arms[name]()
            if number >= 0:
                taken[name].append(perf_counter() - started)
    return taken


def machine() -> dict[str, Any]:
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(terse=True),
    }


def cpu_model() -> str:
    """Linux says it in a file, others in words of their own or not at all."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def versions() -> dict[str, str | None]:
    return {
        "python": platform.python_version(),
        **{name: version_of(name) for name in PACKAGES},
        "chromium": chromium_version(),
    }


def version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def chromium_version() -> str | None:
    try:
        command = [find_browser(), "--version"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout
    except (BrowserMissing, OSError, subprocess.TimeoutExpired):
        return None
    return said.strip() or None


def measure(name: str, options: Options) -> dict[str, Any]:
    """The bench's result as plain JSON, with what it was measured on."""
    load_before = machine()
    result = load(name).run(options)
    return {**asdict(result), "machine": load_before, "versions": versions()}


def as_line(measured: Mapping[str, Any]) -> str:
    return json.dumps(measured, ensure_ascii=False, separators=(",", ":"))


def as_table(measured: Mapping[str, Any]) -> list[str]:
    """The same for people."""
    goal, met = measured["goal"], measured["met"]
    rows = [
        ("bench", measured["name"]),
        ("value", f"{number(measured['value'])} {measured['unit']}".strip()),
        ("goal", "none" if goal is None else f"{goal}: {'met' if met else 'not met'}"),
        ("baseline", number(measured["baseline"])),
        *detail_rows(measured["detail"]),
        *((key, number(value)) for key, value in {**measured["machine"], **measured["versions"]}.items()),
    ]
    width = max(len(key) for key, _ in rows)
    return [f"{key:<{width}}  {words}" for key, words in rows]


def detail_rows(detail: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in detail.items():
        if isinstance(value, Mapping):
            rows += detail_rows(value, f"{prefix}{key} ")
        else:
            rows.append((f"{prefix}{key}", number(value)))
    return rows


def number(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
    if isinstance(value, list | tuple):
        return ", ".join(number(entry) for entry in value)
    return str(value)
