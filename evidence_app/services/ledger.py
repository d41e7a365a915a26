"""The ledger: an entry appended in the transaction it tells of, and proofs read from the kept hashes."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from evidence_app.ledger import merkle
from evidence_app.ledger.canonical import SALT_BYTES, body, canonical
from evidence_app.ledger.merkle import Nodes, Place
from evidence_app.models import Entry, Node, Opening, Run

Made = TypeVar("Made")

LOCK = 0x6C6564676572  # of PostgreSQL, held until the transaction ends


def append(kind: str, facts: Mapping[str, Any], *, run: Run | None = None) -> Entry:
    """The last statement of the transaction it tells of: everybody else's entries wait until that has ended."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(f"{kind} belongs into the transaction that it tells of")
    opened, salt = canonical(facts), secrets.token_bytes(SALT_BYTES)
    _lock()
    seq, at = size(), timezone.now()
    data = body(seq=seq, kind=kind, at=at, salt=salt, facts=opened)
    leaf = merkle.leaf_hash(data)
    entry = Entry.objects.create(seq=seq, kind=kind, at=at, run=run, body=data.decode(), leaf=leaf.hex())
    Opening.objects.create(entry=entry, salt=salt.hex(), facts=opened.decode())
    made = list(merkle.appended(nodes(), seq, leaf))[1:]
    Node.objects.bulk_create(Node(level=level, index=index, hash=value.hex()) for (level, index), value in made)
    return entry


def size() -> int:
    last = Entry.objects.order_by("-seq").values_list("seq", flat=True).first()
    return 0 if last is None else last + 1


def current() -> tuple[int, bytes]:
    """How many entries there are, and the root over them."""
    count = size()
    return count, root_at(count)


def root_at(count: int) -> bytes:
    """Of the first `count` entries; KeyError where hashes are missing."""
    return _with_nodes(lambda kept: merkle.root_at(kept, count))


def inclusion(seq: int, count: int) -> list[bytes]:
    """That entry `seq` is in the tree of the first `count`."""
    return _with_nodes(lambda kept: merkle.inclusion_proof(kept, seq, count))


def consistency(first: int, second: int) -> list[bytes]:
    """That the tree of the first `second` entries continues that of the first `first`."""
    return _with_nodes(lambda kept: merkle.consistency_proof(kept, first, second))


def nodes() -> Nodes:
    return _Rows()


def fetched(places: Iterable[Place]) -> dict[Place, bytes]:
    """The kept hashes of these places, in two queries; those that are missing are not in it."""
    wanted: dict[int, list[int]] = defaultdict(list)
    for level, index in set(places):
        wanted[level].append(index)
    leaves = Entry.objects.filter(seq__in=wanted.pop(0, ()))
    found = {(0, seq): bytes.fromhex(leaf) for seq, leaf in leaves.values_list("seq", "leaf")}
    if wanted:
        above = Q(*(Q(level=level, index__in=indexes) for level, indexes in wanted.items()), _connector=Q.OR)
        rows = Node.objects.filter(above).values_list("level", "index", "hash")
        found |= {(level, index): bytes.fromhex(value) for level, index, value in rows}
    return found


def _with_nodes(make: Callable[[Nodes], Made]) -> Made:
    """What it reads is found out in a first round, and fetched at once."""
    wanted = _Wanted()
    make(wanted)
    return make(fetched(wanted))


class _Wanted(set[Place]):
    """Takes down which hashes are asked for."""

    def __getitem__(self, place: Place) -> bytes:
        self.add(place)
        return merkle.EMPTY_ROOT


class _Rows:
    """The hashes as they are kept: the leaves with their entries, the others in a table of their own."""

    def __getitem__(self, place: Place) -> bytes:
        level, index = place
        if level == 0:
            value = Entry.objects.filter(seq=index).values_list("leaf", flat=True).first()
        else:
            value = Node.objects.filter(level=level, index=index).values_list("hash", flat=True).first()
        if value is None:
            raise KeyError(place)
        return bytes.fromhex(value)


def _lock() -> None:
    """SQLite has one writer at a time anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
