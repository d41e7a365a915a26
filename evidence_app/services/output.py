"""A run as a folder of files, for people and programs that read files: written from the rows, and again if it is lost.

<run>/generated_task_spec.json, run_summary.json, combined.csv, memory/{patterns,failures}.json, logs/<run>.{log,jsonl}
<run>/<sample>/NN_label.png …, result.json, action_log.json, checkpoint.json
<run>/<sample>/attempt_2/ …: what later attempts captured; the three JSON files beside them are the newest attempt's
"""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from evidence_app.models import ActionEntry, Artifact, Attempt, Run, RunMemory, Sample
from evidence_app.models.run import SAMPLE_ENDED, RunStatus
from evidence_app.services import runs
from evidence_app.services.artifacts import blobs
from evidence_app.services.specs import spec_of
from evidence_app.services.tables import combined_csv
from evidence_app.store.blobs import FileBlobs, Missing
from recipes_app.llm import prices
from recipes_app.llm.base import Usage
from recipes_app.services import model_settings, model_use

PER_TICK = 10


def folder_of(run: Run) -> Path:
    root: Path = settings.EVIDENCE_ROOT
    return root / "runs" / run.folder


def sample_folder(sample: Sample) -> Path:
    return folder_of(sample.run) / sample.folder


def attempt_folder(attempt: Attempt) -> Path:
    own = sample_folder(attempt.sample)
    return own if attempt.number == 1 else own / f"attempt_{attempt.number}"


def write_waiting() -> int:
    """What was not written because its worker was lost; a few at a time."""
    rows = Attempt.objects.filter(status__in=SAMPLE_ENDED, written_at=None).select_related("sample__run__version")
    attempts = list(rows.order_by("pk")[:PER_TICK])
    for attempt in attempts:
        write_attempt(attempt)
    ended = (RunStatus.DONE, RunStatus.CANCELLED, RunStatus.FAILED)
    finished = Run.objects.filter(status__in=ended, written_at=None, version__isnull=False)
    waiting = finished.exclude(samples__attempts__written_at=None).distinct()[:1]
    for run in waiting:
        write_run(run)
    return len(attempts)


def write_attempt(attempt: Attempt) -> None:
    """Every file of an attempt that has ended. Written twice it is the same."""
    folder = attempt_folder(attempt)
    folder.mkdir(parents=True, exist_ok=True)
    files = [row for row in attempt.artifacts.order_by("seq", "pk") if row.removed_at is None]
    for row in files:
        _place(row, folder / row.name)
    newest = not attempt.sample.attempts.filter(number__gt=attempt.number).exists()
    for name, data in _documents(attempt, files).items():
        if newest:
            write_json(sample_folder(attempt.sample) / name, data)
        if attempt.number > 1 or not newest:
            write_json(sample_folder(attempt.sample) / f"attempt_{attempt.number}" / name, data)
    Attempt.objects.filter(pk=attempt.pk).update(written_at=timezone.now())


def write_run(run: Run) -> None:
    folder = folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    if run.version is not None:
        write_json(folder / "generated_task_spec.json", run.version.document)
        write_text(folder / "combined.csv", combined_csv(run, spec_of(run.version)))
    write_json(folder / "run_summary.json", summary_of(run))
    for kind, name in (("pattern", "patterns"), ("failure", "failures")):
        write_json(folder / "memory" / f"{name}.json", _memories(run, kind))
    _write_logs(run, folder / "logs")
    Run.objects.filter(pk=run.pk).update(written_at=timezone.now())


def summary_of(run: Run) -> dict[str, Any]:
    counts, cost = runs.counts_of(run), runs.cost_of(run)
    return {
        "run": run.folder,
        "id": run.public_id,
        "title": run.title,
        "status": run.status,
        "task_id": run.version.spec.task_id if run.version else None,
        "task_spec_version": run.version.number if run.version else None,
        "task_spec_digest": run.version.digest if run.version else None,
        "control": run.control,
        "period": run.period,
        "population": run.population,
        "samples": counts.total,
        "by_status": counts.by_status,
        "attempts": Attempt.objects.filter(sample__run=run).count(),
        "usage": usage_of(cost),
        "started_at": _time(run.started_at),
        "finished_at": _time(run.finished_at),
    }


def usage_of(total: model_use.Total) -> dict[str, Any]:
    return {
        "requests": total.requests,
        "input_tokens": total.input_tokens,
        "cached_tokens": total.cached_tokens,
        "output_tokens": total.output_tokens,
        "usd": total.dollars,
    }


def result_of(attempt: Attempt, files: Iterable[Artifact]) -> dict[str, Any]:
    sub = "" if attempt.number == 1 else f"attempt_{attempt.number}/"
    return {
        "sample_id": attempt.sample.sample_id,
        "status": attempt.status,
        "steps": attempt.actions.count(),
        "extracted": attempt.extracted,
        "artifacts": [
            {
                "filename": sub + row.name,
                "sha256": row.sha256,
                "size": row.size,
                "media_type": row.media_type,
                "kind": row.kind,
                "label": row.label,
                "source_url": row.source_url,
                "timestamp": _time(row.taken_at),
            }
            for row in files
        ],
        "judgment": attempt.judgment,
        "flagged": bool(attempt.errors or attempt.reasons),
        "reasons": attempt.reasons,
        "notes": attempt.notes,
        "errors": attempt.errors,
        "fields": [_field(row) for row in attempt.fields.select_related("artifact")],
        "attempt": attempt.number,
        "usage": usage_of(model_use.of_job(attempt.job)),
        "started_at": _time(attempt.started_at),
        "finished_at": _time(attempt.finished_at),
    }


def action_log_of(attempt: Attempt) -> list[dict[str, Any]]:
    """With what each step cost: tokens, and money at the full price of the model, as if nothing came from its cache."""
    use = attempt.job.model_uses.filter(purpose="agent").order_by("pk").last()
    price = prices.price_of(use.model, model_settings.price_table()) if use else None
    return [{**_action(row), "usd_at_most": _dollars(row, price)} for row in attempt.actions.all()]


def _dollars(row: ActionEntry, price: prices.Price | None) -> float | None:
    micros = prices.cost_of(Usage(input_tokens=row.input_tokens, output_tokens=row.output_tokens), price)
    return None if micros is None else micros / 1_000_000


def _documents(attempt: Attempt, files: list[Artifact]) -> dict[str, Any]:
    log = action_log_of(attempt)
    progress = attempt.checkpoint.get("progress", {})
    return {
        "result.json": result_of(attempt, files),
        "action_log.json": log,
        "checkpoint.json": {
            "sample_id": attempt.sample.sample_id,
            "status": attempt.status,
            "step": attempt.step,
            "max_steps": attempt.max_steps,
            "current_url": attempt.current_url,
            "accumulated_data": progress.get("extracted", {}),
            "progress_notes": progress.get("notes", []),
            "artifacts_so_far": [row.name for row in files],
            "steps_logged": len(log),
            "started_at": _time(attempt.started_at),
            "updated_at": _time(attempt.finished_at),
            "resume_state": attempt.checkpoint,
        },
    }


def _action(row: ActionEntry) -> dict[str, Any]:
    return {
        "step": row.seq,
        "thinking": row.thinking,
        "action": row.action,
        "params": row.params,
        "result": row.result,
        "ok": row.state == "did",
        "url": row.url,
        "evaluation": row.evaluation,
        "memory_update": row.memory_update,
        "next_goal": row.next_goal,
        "recipe_step": row.step,
        "ms": row.ms,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "timestamp": _time(row.at),
    }


def _field(row: Any) -> dict[str, Any]:
    return {
        "path": row.path,
        "value": row.value,
        "type": row.type,
        "problem": row.problem,
        "grounding": row.grounding,
        "url": row.url,
        "step": row.action_seq,
        "artifact": row.artifact.name if row.artifact else None,
        "box": row.box,
    }


def _memories(run: Run, kind: str) -> dict[str, list[Any]]:
    by_domain: dict[str, list[Any]] = defaultdict(list)
    for row in RunMemory.objects.filter(run=run, kind=kind):
        by_domain[row.domain].append({"task_type": row.task_type, **row.content})
    return {domain: kept[-5:] for domain, kept in by_domain.items()}


def _write_logs(run: Run, folder: Path) -> None:
    """One line per action, each with its sample's id; what was secret has been masked in the rows already."""
    rows = ActionEntry.objects.filter(attempt__sample__run=run).select_related("attempt__sample").order_by("at", "pk")
    lines, plain = [], []
    for row in rows.iterator(chunk_size=500):
        sample = row.attempt.sample.sample_id
        entry = {"sample_id": sample, "attempt": row.attempt.number, **_action(row)}
        lines.append(json.dumps(entry, ensure_ascii=False))
        said = " ".join(row.result.split())
        plain.append(f"{_time(row.at)} [{sample}] {row.attempt.number}.{row.seq} {row.action} {row.state}: {said}")
    write_text(folder / f"{run.folder}.jsonl", "".join(f"{line}\n" for line in lines))
    write_text(folder / f"{run.folder}.log", "".join(f"{line}\n" for line in plain))


def _place(row: Artifact, target: Path) -> None:
    """The same bytes under a readable name: a link where the disk allows it, else a copy."""
    if target.exists():
        return
    store = blobs()
    if isinstance(store, FileBlobs):
        with suppress(OSError):
            os.link(store.path_of(row.sha256), target)
            return
    with suppress(Missing), store.open(row.sha256) as source:
        temporary = target.with_name(f".{target.name}.part")
        with temporary.open("wb") as file:
            shutil.copyfileobj(source, file)
        temporary.replace(target)


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _time(value: Any) -> str | None:
    return value.isoformat() if value else None
