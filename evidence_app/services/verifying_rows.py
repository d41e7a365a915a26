"""Verifying the ledger: the rows of runs and files against what the ledger says of them."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from evidence_app.ledger.canonical import canonical
from evidence_app.models import Artifact, Attempt, Entry, Opening
from evidence_app.services import entries

if TYPE_CHECKING:
    from evidence_app.services.verifying import Report, Row

FILES = ("capture.kept", "derived.kept")
AT_ONCE = 5000


class Rows:
    """What was seen on the way: which entry names which file, and which entries' facts are gone."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._ids, self._seqs = array("q"), array("q")  # of files, and of the entries that name them
        self._gone: list[int] = []
        self._told: list[tuple[int, int]] = []  # ranges of entries that a tombstone tells of

    def check(self, rows: Sequence[Row]) -> None:
        """One chunk of entries, in order, whose facts are what was committed to, or were removed."""
        files: dict[int, tuple[int, dict[str, Any]]] = {}
        for row in rows:
            if row.removed_at is not None:
                self._gone.append(row.seq)
                continue
            facts: dict[str, Any] = json.loads(row.facts or "{}")
            self._check_run(row, facts)
            match row.kind:
                case kind if kind in FILES:
                    files |= {each["id"]: (row.seq, each) for each in _files_in(facts)}
                case "sample.finished":
                    self._check_sample(row, facts)
                case "retention.removed":
                    self._told += [(first, last) for first, last in facts.get("entries", ())]
                    for each in facts.get("artifacts", ()):
                        self._ids.append(each["id"])
                        self._seqs.append(row.seq)
        self._check_files(files)

    def check_unnamed(self) -> Iterator[None]:
        """Files that no entry names, and entries whose facts went without a word."""
        for seq in self._gone:
            if not any(first <= seq <= last for first, last in self._told):
                self._report.add("what it tells of was taken away, and no entry says so", seq)
        yield
        self._add_named_since()
        before, last = 0, 0
        first = self._ids[0] if self._ids else None
        while rows := list(Artifact.objects.filter(pk__gt=last).order_by("pk").values_list("pk", "name")[:AT_ONCE]):
            for pk, name in rows:
                if self.entry_of(pk) is not None:
                    continue
                if first is None or pk < first:
                    before += 1
                else:
                    self._report.add(f"the file {name} ({pk}) is named by no entry")
            last = rows[-1][0]
            yield
        if before:
            self._report.notes.append(f"{before} files are older than the ledger: no entry names them")

    def entry_of(self, pk: int) -> int | None:
        """Which entry names the file."""
        at = bisect_left(self._ids, pk)
        return self._seqs[at] if at < len(self._ids) and self._ids[at] == pk else None

    def _add_named_since(self) -> None:
        """What came while the ledger was read is named by entries after it. Then all are put in order of the files."""
        since = Entry.objects.filter(seq__gte=self._report.size, kind__in=FILES).order_by("seq")
        for seq, text in since.values_list("seq", "opening__facts").iterator():
            for each in _files_in(json.loads(text or "{}")):
                self._ids.append(each["id"])
                self._seqs.append(seq)
        order = sorted(range(len(self._ids)), key=self._ids.__getitem__)
        self._ids = array("q", (self._ids[at] for at in order))
        self._seqs = array("q", (self._seqs[at] for at in order))

    def _check_files(self, files: dict[int, tuple[int, dict[str, Any]]]) -> None:
        found = Artifact.objects.in_bulk(list(files))
        for pk, (seq, said) in files.items():
            self._ids.append(pk)
            self._seqs.append(seq)
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


def _files_in(facts: dict[str, Any]) -> list[dict[str, Any]]:
    """Many of a capture, one that was made of another."""
    return [*facts.get("artifacts", ()), *([facts["artifact"]] if "artifact" in facts else [])]
