"""Verifying the ledger: the rows of samples and files against what the ledger says of them."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from evidence_app.ledger.canonical import canonical
from evidence_app.models import Artifact, Attempt, Entry, Opening
from evidence_app.services import entries
from evidence_app.services.verifying_decisions import Decisions
from evidence_app.services.verifying_runs import Runs

if TYPE_CHECKING:
    from evidence_app.services.verifying import Report, Row

FILES = ("capture.kept", "derived.kept")
TOMBSTONE, FINISHED = "retention.removed", "sample.finished"
# Whoever can write entries can write anything into them.
ODD = (KeyError, TypeError, ValueError, AttributeError, OverflowError)
AT_ONCE = 5000


class Rows:
    """What was seen on the way: which entry names which file, and which entries' facts are gone."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._ids, self._seqs = array("q"), array("q")  # of files, and of the entries that name them
        self._first: int | None = None  # the oldest file that the ledger tells of since it was captured
        self._buried: set[int] = set()  # files whose removal an entry tells of
        self._upto = 0  # entries before this one were read
        self._gone: list[int] = []
        self._told: list[tuple[int, int]] = []  # ranges of entries that a tombstone tells of
        self._decisions, self._runs = Decisions(report), Runs(report)

    def check(self, rows: Sequence[Row]) -> Iterator[None]:
        """One chunk of entries, in order, whose facts are what was committed to, or were removed."""
        files: dict[int, tuple[int, dict[str, Any]]] = {}
        for row in rows:
            if row.removed_at is not None:
                self._gone.append(row.seq)
                continue
            try:
                files |= self._read(row, json.loads(row.facts or "{}"))
            except ODD:
                self._report.add(f"what it tells of ({row.kind}) is not written as this program writes it", row.seq)
            if row.kind == FINISHED:
                yield
        self._check_files(files)
        self._decisions.compare()

    def _read(self, row: Row, facts: dict[str, Any]) -> dict[int, tuple[int, dict[str, Any]]]:
        """The files that it names. One of ODD where it says anything else than our own entries do."""
        self._check_run(row, facts)
        self._decisions.take(row, facts)
        self._runs.take(row, facts)
        if row.kind in FILES:
            return {int(each["id"]): (row.seq, _all_said(each)) for each in _files_in(facts)}
        if row.kind == FINISHED:
            self._check_sample(row, facts)
        elif row.kind == TOMBSTONE:
            self._told += [(int(first), int(last)) for first, last in facts.get("entries", ())]
            self._bury(row.seq, facts)
        return {}

    def check_unnamed(self) -> Iterator[None]:
        """Files that no entry names, and what went without a word."""
        self._upto = self._report.size
        self._catch_up()
        self._sort()
        self._check_gone()
        yield
        before, last = 0, 0
        files = Artifact.objects.order_by("pk").values_list("pk", "name", "removed_at")
        while rows := list(files.filter(pk__gt=last)[:AT_ONCE]):
            for row in rows:
                if not self._is_told(*row):
                    before += self._is_older(*row)
            last = rows[-1][0]
            yield
        if before:
            self._report.notes.append(f"{before} files are older than the ledger: no entry names them")
        yield from self._decisions.check_rows(self._report.size)
        yield from self._runs.check_rows(self._report.size)

    def _check_gone(self) -> None:
        """Each entry without its facts lies in a range that a tombstone tells of; both are in order."""
        told, at = sorted(self._told), 0
        for seq in self._gone:
            while at < len(told) and told[at][1] < seq:
                at += 1
            if at == len(told) or told[at][0] > seq:
                self._report.add("what it tells of was taken away, and no entry says so", seq)

    def _is_told(self, pk: int, _name: str, removed_at: datetime | None) -> bool:
        """Whether an entry names the file, and its removal."""
        return self.entry_of(pk) is not None and (removed_at is None or pk in self._buried)

    def _is_older(self, pk: int, name: str, removed_at: datetime | None) -> bool:
        """Than the ledger, of a file that is not told of. Else it is wrong, unless its entry has only just come."""
        is_older = self._first is None or pk < self._first
        if is_older and removed_at is None:
            return True
        self._catch_up()
        if removed_at is not None and pk not in self._buried:
            self._report.add(f"the file {name} ({pk}) is marked as removed, and no entry says so")
        elif not is_older and self.entry_of(pk) is None:
            self._report.add(f"the file {name} ({pk}) is named by no entry")
        return False

    def entry_of(self, pk: int) -> int | None:
        """Which entry names the file."""
        at = bisect_left(self._ids, pk)
        return self._seqs[at] if at < len(self._ids) and self._ids[at] == pk else None

    def _catch_up(self) -> None:
        """Entries that came meanwhile name files too."""
        since = Entry.objects.filter(seq__gte=self._upto).order_by("seq")
        rows = list(since.values_list("seq", "kind", "opening__facts"))
        for seq, kind, text in rows:
            facts = json.loads(text or "{}") if kind in (*FILES, TOMBSTONE) else {}
            if kind == TOMBSTONE:
                self._bury(seq, facts)
            for each in _files_in(facts):
                self._name(seq, each["id"])
            self._upto = seq + 1
        if rows:
            self._sort()

    def _sort(self) -> None:
        """In order of the files."""
        order = sorted(range(len(self._ids)), key=self._ids.__getitem__)
        self._ids = array("q", (self._ids[at] for at in order))
        self._seqs = array("q", (self._seqs[at] for at in order))

    def _bury(self, seq: int, facts: dict[str, Any]) -> None:
        """What a tombstone tells of: the entries before it cannot name these files any more."""
        for each in facts.get("artifacts", ()):
            self._buried.add(each["id"])
            self._ids.append(each["id"])
            self._seqs.append(seq)

    def _name(self, seq: int, pk: int) -> None:
        self._first = pk if self._first is None else min(self._first, pk)
        self._ids.append(pk)
        self._seqs.append(seq)

    def _check_files(self, files: dict[int, tuple[int, dict[str, Any]]]) -> None:
        found = Artifact.objects.in_bulk(list(files))
        for pk, (seq, said) in files.items():
            self._name(seq, pk)
            row = found.get(pk)
            if row is None:
                self._report.add(f"the row of {said['name']} is gone", seq)
            elif canonical(entries.about_file(row)) != canonical({name: said[name] for name in entries.ABOUT_FILES}):
                self._report.add(f"the row of {said['name']} was changed", seq)

    def _check_run(self, row: Row, facts: dict[str, Any]) -> None:
        if "run" in facts and facts["run"] != row.run:
            self._report.add(f"it is about the run {facts['run']}, and is filed under {row.run}", row.seq)

    def _check_sample(self, row: Row, facts: dict[str, Any]) -> None:
        rows = Attempt.objects.select_related("sample__run").filter(sample__run__public_id=row.run)
        attempt = rows.filter(sample__sample_id=facts["sample"], number=facts["attempt"]).first()
        if attempt is None:
            self._report.add(f"attempt {facts.get('attempt')} at {facts.get('sample')} is gone", row.seq)
            return
        now = json.loads(canonical(entries.finished_facts(attempt)))
        changed = [name for name in now if now[name] != facts.get(name)]
        if changed and not Opening.objects.filter(pk=row.seq, removed_at__isnull=False).exists():
            name = f"{attempt.sample.sample_id} (attempt {attempt.number})"
            self._report.add(f"{', '.join(changed)} of {name} changed after its end", row.seq)


def _all_said(facts: dict[str, Any]) -> dict[str, Any]:
    """The same. KeyError where it lacks something."""
    return {name: facts[name] for name in entries.ABOUT_FILES}


def _files_in(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Many of a capture, one that was made of another."""
    return [*facts.get("artifacts", ()), *([facts["artifact"]] if "artifact" in facts else [])]
