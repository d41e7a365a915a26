"""What a run is asked for with at the command line: a task and its samples, or a sentence, or a run to go on with."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evidence_app.models import Run
from evidence_app.services import specs
from evidence_app.spec import selection
from evidence_app.spec.samples import SampleInput, SamplesRefused, one_sample, read_csv, read_json
from evidence_app.spec.shapes import TaskSpec
from recipes_app.management.plain import Refused
from recipes_app.models import User
from recipes_app.services import access
from recipes_app.services.errors import BadInput

MAX_FILE = 50_000_000
WAYS = ("prompt", "task", "resume")


@dataclass(frozen=True, slots=True)
class Asked:
    """`samples` None where they are to be found first, at `discover`."""

    spec: TaskSpec
    document: dict[str, Any]
    samples: tuple[SampleInput, ...] | None
    discover: str = ""
    source: str = ""
    selection: dict[str, Any] | None = None  # how some of the rows were chosen
    rows: int = 0  # of the population
    sha256: str = ""  # of the population's file

    @property
    def population(self) -> dict[str, Any]:
        found = {"source": self.source, "rows": self.rows, "sha256": self.sha256, "selection": self.selection}
        return {name: value for name, value in found.items() if value}


def check_ways(options: dict[str, Any]) -> str:
    """Which of the ways was asked for; Refused where that is none, or more than one."""
    given = [name for name in WAYS if options[name]]
    if len(given) != 1:
        raise Refused("say what to run: --prompt WORDS, or --task FILE with its samples, or --resume RUN.")
    samples = [name for name in ("input", "url", "discover") if options[name]]
    if given[0] == "task" and len(samples) != 1:
        raise Refused("the task needs its samples: --input FILE, or --url URL (with --id), or --discover.")
    if given[0] != "task" and samples:
        raise Refused(f"--{samples[0]} goes with --task, not with --{given[0]}.")
    return given[0]


def read_task(options: dict[str, Any]) -> Asked:
    """The task and its samples, all read and checked before anything is written down."""
    document = read_document(options["task"])
    try:
        spec = specs.read(document)
        if options["discover"]:
            start = options["start_url"] or spec.start_url
            if not start:
                raise Refused("--discover needs --start-url, or a start_url in the task.")
            return Asked(spec, document, None, discover=start, source=start)
        samples = read_samples(options, spec)
    except BadInput as error:
        raise Refused(f"{options['task']}: {'; '.join(error.problems)}") from error
    except SamplesRefused as error:
        raise Refused(f"{options['input'] or options['url']}: {error}") from error
    return _some(Asked(spec, document, samples, source=options["input"] or options["url"], rows=len(samples)), options)


def _some(asked: Asked, options: dict[str, Any]) -> Asked:
    """Those that --choose and --seed say; all of them without."""
    data = read_bytes(options["input"]) if options["input"] else b""
    asked = replace(asked, sha256=hashlib.sha256(data).hexdigest() if data else "")
    count, seed = options["choose"], options["seed"] or selection.new_seed()
    if count is None:
        return asked
    try:
        samples = selection.selected(asked.samples or (), count, seed)
    except ValueError as error:
        raise Refused(f"--choose {count}: {error}.") from error
    return replace(asked, samples=samples, selection=selection.said(count, asked.rows, seed))


def read_samples(options: dict[str, Any], spec: TaskSpec) -> tuple[SampleInput, ...]:
    if options["url"]:
        return one_sample(options["url"], options["id"])
    data = read_bytes(options["input"])
    reader = read_json if options["input"].lower().endswith(".json") else read_csv
    return reader(data, input_schema=spec.input_schema)


def read_document(path: str) -> dict[str, Any]:
    try:
        data = json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path} is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise Refused(f"{path} holds no task: it has to be one JSON object.")
    return data


def read_bytes(path: str) -> bytes:
    try:
        file = Path(path)
        if file.stat().st_size > MAX_FILE:
            raise Refused(f"{path} is larger than {MAX_FILE // 1_000_000} MB.")
        return file.read_bytes()
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from error


def find_run(user: User, named: str) -> Run:
    """By its id, its folder's name, or the folder itself."""
    name = Path(named.rstrip("/")).name
    mine = Run.objects.filter(team__in=access.teams_of(user)).select_related("team", "version__spec")
    run = mine.filter(folder=name).first() or mine.filter(public_id=name).first()
    if run is None:
        recent = ", ".join(mine.order_by("-pk").values_list("folder", flat=True)[:5])
        raise Refused(f"there is no run {named}" + (f"; the last ones: {recent}." if recent else "."))
    return run
