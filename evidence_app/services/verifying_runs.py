"""Verifying the ledger: the rows of runs against what the ledger says was asked for, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.migrations.recorder import MigrationRecorder

from evidence_app.ledger.canonical import canonical, moment
from evidence_app.models import Entry, Run
from evidence_app.models.run import RunStatus
from evidence_app.services import entries

if TYPE_CHECKING:
    from evidence_app.services.verifying import Report, Row

AT_ONCE = 200
ASKED, CONFIRMED, ENDED, REMOVED = "run.requested", "run.confirmed", "run.ended", "retention.removed"
AGAIN = ("run.resumed", "recapture.asked")
KINDS = (ASKED, CONFIRMED, ENDED, REMOVED, *AGAIN)
NOT_YET = (RunStatus.PLANNING, RunStatus.DRAFT)
OVER = (RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED)
# Until it was applied fewer columns were taken for secrets: the samples of a run of before have another digest now.
LAST_SEALED = "0011_seal_more"


@dataclass(slots=True)
class Said:
    """What the entries of one run say last; `seq` of the entry that told what was asked for."""

    seq: int
    asked: Mapping[str, Any]
    by: int | None = None
    ended: Mapping[str, Any] | None = None
    is_removed: bool = False


class Runs:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._said: dict[str, Said] = {}

    def take(self, row: Row, facts: Mapping[str, Any]) -> None:
        """One entry, whose facts are what was committed to; KeyError or TypeError where they lack what ours have."""
        if row.kind in KINDS and row.run is not None:
            self._take(row.run, row.kind, row.seq, facts)

    def _take(self, run: str, kind: str, seq: int, facts: Mapping[str, Any]) -> None:
        said = self._said.get(run)
        if kind in (ASKED, CONFIRMED):
            by = facts["by"]["id"] if kind == ASKED else said.by if said else None
            self._said[run] = Said(seq, facts, by)
        elif said is None:
            return
        elif kind == ENDED:
            said.ended = {"status": facts["status"], "finished_at": facts.get("finished_at")}
        elif kind == REMOVED:
            said.is_removed = True
        else:
            said.ended = None

    def check_rows(self, upto: int) -> Iterator[None]:
        """Each run; `upto` so many entries were taken, and others have come meanwhile."""
        begun = Entry.objects.filter(seq=0).values_list("at", flat=True).first()
        sealed = _applied(LAST_SEALED)
        before, last = 0, 0
        rows = Run.objects.select_related("version__spec").order_by("pk")
        while found := list(rows.filter(pk__gt=last)[:AT_ONCE]):
            self._catch_up(upto)
            for run in found:
                said = self._said.get(run.public_id)
                if said is not None:
                    self._compare(run, said, digest=sealed is None or run.created_at >= sealed)
                elif run.status in (*NOT_YET, RunStatus.FAILED, RunStatus.CANCELLED):
                    continue  # it came to nothing before anybody confirmed it
                elif begun is None or run.created_at < begun:
                    before += 1
                else:
                    self._report.add(f"no entry tells of the run {run.public_id}")
            last = found[-1].pk
            yield
        if before:
            self._report.notes.append(f"{before} runs are older than the ledger: no entry tells of them")
        known = set(Run.objects.values_list("public_id", flat=True))
        for name in sorted(set(self._said) - known):
            self._report.add(f"the row of the run {name} is gone", self._said[name].seq)

    def _catch_up(self, upto: int) -> None:
        since = Entry.objects.filter(seq__gte=upto, kind__in=KINDS).order_by("seq")
        for seq, run, kind, text in since.values_list("seq", "run__public_id", "kind", "opening__facts"):
            if run and text:
                self._take(run, kind, seq, json.loads(text))

    def _compare(self, run: Run, said: Said, *, digest: bool) -> None:
        if run.status in NOT_YET or (run.status == RunStatus.CANCELLED and not run.samples.exists()):
            return  # a draft is changed until it is confirmed, and told anew then; or it was discarded
        now = {name: value for name, value in entries.asked_facts(run).items() if name in said.asked}
        now["title"] = run.title
        if said.is_removed or not digest:
            now.pop("samples_sha256")
        changed = [name for name in now if canonical({"is": now[name]}) != canonical({"is": said.asked.get(name)})]
        if said.by is not None and said.by != run.requested_by_id:
            changed.append("requested_by")
        if changed:
            self._report.add(f"{', '.join(changed)} of the run {run.public_id} changed since", said.seq)
        self._compare_end(run, said)

    def _compare_end(self, run: Run, said: Said) -> None:
        status, finished_at = Run.objects.filter(pk=run.pk).values_list("status", "finished_at").get()
        if said.ended is None:
            if status == RunStatus.DONE and not self._has_ended_since(run):
                self._report.add(f"no entry tells that the run {run.public_id} has ended", said.seq)
        elif said.ended["status"] in OVER and not self._goes_on_since(run):
            at = said.ended.get("finished_at")
            if status != said.ended["status"]:
                self._report.add(f"status of the run {run.public_id} changed after its end", said.seq)
            elif at is not None and (finished_at is None or moment(finished_at) != at):
                self._report.add(f"finished_at of the run {run.public_id} changed after its end", said.seq)

    def _has_ended_since(self, run: Run) -> bool:
        """By an entry that came while the row was looked at."""
        return self._newest_of(run) == ENDED

    def _goes_on_since(self, run: Run) -> bool:
        return self._newest_of(run) in (*AGAIN, CONFIRMED)

    def _newest_of(self, run: Run) -> str | None:
        kinds = Entry.objects.filter(run=run, kind__in=(ENDED, CONFIRMED, *AGAIN)).order_by("-seq")
        return kinds.values_list("kind", flat=True).first()


def _applied(name: str) -> datetime | None:
    rows = MigrationRecorder.Migration.objects.filter(app="evidence_app", name=name)
    applied: datetime | None = rows.values_list("applied", flat=True).first()
    return applied
