"""What is there in the end, counted: on the site, in the rows, in the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import Count

from evidence_app.models import Artifact, Attempt, Run
from evidence_app.services import artifacts, output
from evidence_app.store.blobs import FileBlobs, StoreError, check

# Written beside the artifacts by the output itself.
DOCUMENTS = {"result.json", "action_log.json", "checkpoint.json"}


@dataclass(frozen=True, slots=True)
class Killed:
    """A worker that was killed, and the job it held."""

    at: datetime
    job: int


def tally(run: Run, sent: Sequence[Mapping[str, str]], kills: Sequence[Killed]) -> dict[str, Any]:
    arrived = Counter((entry["person"], entry["reason"]) for entry in sent)
    asked = {(each.extra["employee"], each.extra["reason"]) for each in run.samples.all()}
    resumed = sorted(resume_times(kills))
    return {
        "samples": run.samples.count(),
        "complete": complete(run),
        "by status": dict(Counter(run.samples.values_list("status", flat=True))),
        "duplicated": duplicated(run),
        "repeated": sum(count - 1 for count in arrived.values()),
        "never sent": len(asked - set(arrived)),
        "rows without file": rows_without_file(run),
        "files without row": len(files_without_row(run)),
        "longest resume s": round(max(resumed, default=0.0), 1),
        "middle resume s": round(resumed[len(resumed) // 2], 1) if resumed else 0.0,
        "resumed": len(resumed),
        "attempts": Attempt.objects.filter(sample__run=run).count(),
        "claims": sum(Attempt.objects.filter(sample__run=run).values_list("job__attempt", flat=True)),
    }


def complete(run: Run) -> int:
    """Done, with both artifacts, and with the number under which the site has this very request."""
    done = Attempt.objects.filter(sample__run=run, status="done").prefetch_related("artifacts")
    return sum({"confirmation", "receipt"} <= {row.label for row in each.artifacts.all()} for each in done)


def duplicated(run: Run) -> int:
    """Samples that were handed in more than once, and files of one kind that one action brought twice."""
    ended = Attempt.objects.filter(sample__run=run, status="done").values("sample").annotate(count=Count("pk"))
    own = Artifact.objects.filter(attempt__sample__run=run, kind__in=("screenshot", "download"))
    files = own.values("attempt", "label", "kind").annotate(count=Count("pk"))
    return sum(row["count"] - 1 for row in [*ended, *files])


def rows_without_file(run: Run) -> int:
    """By the bytes: what lies under the hash hashes to it, in the store and in the run's folder."""
    store, missing = artifacts.blobs(), 0
    for row in Artifact.objects.filter(attempt__sample__run=run).select_related("attempt__sample__run"):
        try:
            check(store, row.sha256)
        except StoreError:
            missing += 1
            continue
        missing += not (output.attempt_folder(row.attempt) / row.name).exists()
    return missing


def files_without_row(run: Run) -> list[Path]:
    """In the store and in the samples' folders."""
    store = artifacts.blobs()
    assert isinstance(store, FileBlobs)
    named = set(Artifact.objects.values_list("sha256", flat=True))
    stray = [path for path in files_in(store.root) if path.name not in named]
    for sample in run.samples.all():
        rows = {row.name for attempt in sample.attempts.all() for row in attempt.artifacts.all()} | DOCUMENTS
        stray += [path for path in files_in(output.sample_folder(sample)) if path.name not in rows]
    return stray


def files_in(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def resume_times(kills: Sequence[Killed]) -> Iterable[float]:
    """From each kill to the next action of the sample that was under way, or to its end where none was left."""
    for kill in kills:
        attempt = Attempt.objects.get(job=kill.job)
        after = attempt.actions.filter(at__gt=kill.at).order_by("at").values_list("at", flat=True).first()
        after = after or attempt.finished_at
        if after is not None and after > kill.at:
            yield (after - kill.at).total_seconds()
