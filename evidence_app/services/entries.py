"""What the ledger says of runs, captures and samples: the facts of each entry, read back from the rows just written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from evidence_app.ledger.canonical import canonical
from evidence_app.models import ActionEntry, Artifact, Attempt, Entry, Run
from evidence_app.services import confidential, four_eyes, ledger
from recipes_app.models import User

ABOUT_FILES = ("id", "name", "kind", "sha256", "size", "media_type")
LOGGED = (
    "seq", "state", "action", "params", "step", "thinking", "evaluation", "memory_update", "next_goal", "result",
    "url", "mark", "input_tokens", "output_tokens", "ms", "at",
)  # fmt: skip


def run_requested(run: Run, by: User) -> Entry:
    return ledger.append("run.requested", {**_about(run), **asked_facts(run), "by": four_eyes.person(by)}, run=run)


def run_confirmed(run: Run, by: User) -> Entry:
    """As it was when a person looked at it and said yes."""
    return ledger.append("run.confirmed", {**_about(run), **asked_facts(run), "by": four_eyes.person(by)}, run=run)


def run_resumed(run: Run, by: User, samples: int) -> Entry:
    return ledger.append("run.resumed", {**_about(run), "samples": samples, "by": four_eyes.person(by)}, run=run)


def run_ended(run: Run) -> Entry:
    """`run` as it stands in the database now."""
    run.refresh_from_db(fields=["status", "finished_at"])
    counts: dict[str, int] = {}
    for status in run.samples.order_by().values_list("status", flat=True).iterator():
        counts[status] = counts.get(status, 0) + 1
    facts = {**_about(run), "status": run.status, "finished_at": run.finished_at, "counts": counts}
    return ledger.append("run.ended", facts, run=run)


def capture_kept(attempt: Attempt, number: int) -> Entry:
    """All files of the attempt's capture `number`, what was made of them at once included."""
    rows = list(Artifact.objects.filter(attempt=attempt, seq=number).order_by("pk"))
    statement = next((row for row in rows if row.statement is not None), None)
    facts = {
        **_about_attempt(attempt),
        "step": rows[0].action_seq,
        "label": rows[0].label,
        "capture": rows[0].capture,
        "url": rows[0].source_url,
        "statement": statement.sha256 if statement else None,
        "artifacts": [about_file(row) for row in rows],
    }
    return ledger.append("capture.kept", facts, run=attempt.sample.run)


def sample_finished(attempt: Attempt) -> Entry:
    """`attempt` as it stands in the database now, with its end written."""
    return ledger.append("sample.finished", finished_facts(attempt), run=attempt.sample.run)


def finished_facts(attempt: Attempt) -> dict[str, Any]:
    """Also what whoever verifies compares the rows with."""
    return {
        **_about_attempt(attempt),
        "status": attempt.status,
        "reasons": attempt.reasons,
        "extracted": attempt.extracted,
        "judgment": attempt.judgment,
        "fields": [
            {
                "path": field.path,
                "value": field.value,
                "type": field.type,
                "problem": field.problem,
                "grounding": field.grounding,
                "artifact": field.artifact.sha256 if field.artifact else None,
                "box": field.box,
            }
            for field in attempt.fields.select_related("artifact").order_by("pk")
        ],
        "log": log_digest(attempt),
    }


def about_file(row: Artifact) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ABOUT_FILES}


def log_digest(attempt: Attempt) -> str:
    """SHA-256 over the action log: one line of canonical JSON for each action, with a line end after each."""
    rows = ActionEntry.objects.filter(attempt=attempt).order_by("seq").values(*LOGGED)
    return _digest(rows.iterator(chunk_size=500))


def samples_digest(run: Run) -> str:
    """The same over the samples in their order; secret columns as they are shown, with dots."""
    rows = run.samples.order_by("number").values("sample_id", "url", "extra")
    shown = ({**row, "extra": confidential.masked(row["extra"])} for row in rows.iterator(chunk_size=2000))
    return _digest(shown)


def _digest(rows: Iterator[dict[str, Any]]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(canonical(row) + b"\n")
    return digest.hexdigest()


def _about(run: Run) -> dict[str, Any]:
    return {"team": run.team_id, "run": run.public_id, "title": run.title}


def _about_attempt(attempt: Attempt) -> dict[str, Any]:
    run = attempt.sample.run
    return {
        "team": run.team_id,
        "run": run.public_id,
        "sample": attempt.sample.sample_id,
        "attempt": attempt.number,
    }


def asked_facts(run: Run) -> dict[str, Any]:
    """What was asked for: the task to the letter, the samples one by one. Also what rows are compared with."""
    version = run.version
    document = version.document if version else {}
    return {
        "goal": str(document.get("goal", "")),
        "question": str(document.get("judgment_question", "")),
        "task_id": version.spec.task_id if version else "",
        "spec_digest": version.digest if version else "",
        "control": run.control,
        "period": run.period,
        "population": run.population,
        "samples": run.samples.count(),
        "samples_sha256": samples_digest(run),
    }
