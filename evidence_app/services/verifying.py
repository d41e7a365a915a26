"""The whole ledger done again from its entries' own text, and compared with everything that is kept of it.

It works in pieces and never holds more than one: `verify` yields between them, so that upkeep can do it bit by bit and
a terminal can tell how far it is. What is wrong is collected; nothing stops it but a missing entry.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db.models import Q

from evidence_app.ledger import merkle
from evidence_app.ledger.canonical import VERSION, canonical, moment
from evidence_app.ledger.merkle import Place, Tree
from evidence_app.models import Entry, Node
from evidence_app.services import guards, ledger, verifying_files, verifying_heads, verifying_rows

CHUNK = 2048
MOST = 50  # problems that are told one by one


@dataclass(frozen=True, slots=True)
class Problem:
    """`seq`: of the entry it is about; None where it is about none, or about all."""

    text: str
    seq: int | None = None

    def __str__(self) -> str:
        return self.text if self.seq is None else f"entry {self.seq}: {self.text}"


@dataclass(slots=True)
class Report:
    """`notes` are no faults, but should be known. `wrong` counts all problems, `problems` holds the first of them."""

    files: str = "sample"  # which were hashed again: all, sample or none
    size: int = 0
    root: str = ""
    entries: int = 0
    opened: int = 0  # entries whose facts were there and are what was committed to
    removed: int = 0  # entries whose facts were removed by retention
    heads: int = 0
    hashed: int = 0  # files
    bytes: int = 0
    wrong: int = 0
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.wrong == 0

    @property
    def first(self) -> Problem | None:
        """The one with the lowest number; those without a number come last."""
        return min(self.problems, key=lambda each: (each.seq is None, each.seq or 0), default=None)

    def add(self, text: str, seq: int | None = None) -> None:
        self.wrong += 1
        if len(self.problems) < MOST:
            self.problems.append(Problem(text, seq))

    def as_json(self) -> dict[str, Any]:
        return {"ok": self.ok, "first": str(self.first) if self.first else None, **asdict(self)}


class Row(NamedTuple):
    """An entry with its opening, as they lie in the database; the opening's are None where it is missing."""

    seq: int
    kind: str
    at: Any
    run: str | None
    body: str
    leaf: str
    salt: str | None
    facts: str | None
    removed_at: Any


def verify(report: Report, *, key: str = "", since: str = "") -> Iterator[None]:
    """`key`: fingerprint of the key that has to have signed; without it that of the key on this machine, if any.

    `since`: the note of a head that was kept elsewhere, which the ledger has to continue.
    """
    if names := guards.missing():
        report.add(f"rows can be changed, as guards are not in the database: {', '.join(names)}")
    rows = verifying_rows.Rows(report)
    signed = verifying_heads.Signed(report, key, since)
    report.size = ledger.size()
    yield from _tree(report, rows, signed.sizes)
    yield from signed.check()
    if report.entries == report.size:
        yield from rows.check_unnamed()
    yield from verifying_files.check(report, rows.entry_of)


def _tree(report: Report, rows: verifying_rows.Rows, sizes: dict[int, bytes | None]) -> Iterator[None]:
    """Each entry, each kept hash, and the root at each of `sizes`, which is filled in."""
    tree = Tree()
    if 0 in sizes:
        sizes[0] = merkle.EMPTY_ROOT
    for start in range(0, report.size, CHUNK):
        end = min(start + CHUNK, report.size)
        made: dict[Place, bytes] = {}
        right: list[Row] = []
        chunk = _rows(start, end)
        for expected, row in zip(range(start, end), chunk, strict=False):
            if row.seq != expected:
                break
            leaf = merkle.leaf_hash(row.body.encode())
            if _is_right(report, row, leaf):
                right.append(row)
            made.update(tree.append(leaf))
            if tree.size in sizes:
                sizes[tree.size] = tree.root
        _check_nodes(report, made, start, tree.size)
        report.entries = tree.size
        yield from rows.check(right)
        if tree.size < end:
            report.add("is missing, so nothing after it could be verified", tree.size)
            break
        tree.nodes = {place: tree.nodes[place] for place in merkle.peaks(tree.size)}
        yield
    report.root = tree.root.hex()


def _rows(start: int, end: int) -> list[Row]:
    rows = (
        Entry.objects.filter(seq__gte=start, seq__lt=end)
        .order_by("seq")
        .values_list(
            "seq",
            "kind",
            "at",
            "run__public_id",
            "body",
            "leaf",
            "opening__salt",
            "opening__facts",
            "opening__removed_at",
        )
    )
    return [Row(*row) for row in rows]


def _is_right(report: Report, row: Row, leaf: bytes) -> bool:
    """The entry and what it commits to, in themselves."""
    problem = _problem_of(row, leaf) or _problem_of_opening(row)
    if problem:
        report.add(problem, row.seq)
        return False
    if row.removed_at is None:
        report.opened += 1
    else:
        report.removed += 1
    return True


def _problem_of(row: Row, leaf: bytes) -> str:
    if leaf.hex() != row.leaf:
        return "its text is not what was hashed"
    said = _said(row)
    if canonical(said).decode() != row.body:
        return "its text is no entry"
    expected = {"v": VERSION, "seq": row.seq, "kind": row.kind, "at": moment(row.at)}
    if {name: said.get(name) for name in expected} != expected:
        return "its number, kind or time is not what its text says"
    return ""


def _problem_of_opening(row: Row) -> str:
    if row.salt is None or row.facts is None:
        return "what it commits to is missing"
    if row.removed_at is None and _commitment(row.salt, row.facts) != _said(row).get("commitment"):
        return f"what it tells of ({row.kind}) is not what was committed to"
    return ""


def _said(row: Row) -> dict[str, Any]:
    try:
        said = json.loads(row.body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _commitment(salt: str, facts: str) -> str:
    try:
        return hashlib.sha256(bytes.fromhex(salt) + facts.encode()).hexdigest()
    except ValueError:
        return ""


def _check_nodes(report: Report, made: dict[Place, bytes], start: int, end: int) -> None:
    """The kept hashes over what ends between these two entries."""
    wanted = {place: value.hex() for place, value in made.items() if place[0]}
    spans = [
        Q(level=level, index__gte=start >> level, index__lt=end >> level)
        for level in range(1, end.bit_length())
        if start >> level < end >> level
    ]
    if not spans:
        return
    rows = Node.objects.filter(Q(*spans, _connector=Q.OR)).values_list("level", "index", "hash")
    kept = {(level, index): value for level, index, value in rows}
    for place, value in sorted(wanted.items(), key=lambda item: (item[0][1] + 1) << item[0][0]):
        if kept.get(place) != value:
            level, index = place
            what = "is not that of" if place in kept else "is missing over"
            report.add(f"the kept hash {what} the entries up to it", ((index + 1) << level) - 1)
