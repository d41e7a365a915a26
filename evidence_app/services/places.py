"""Where in the ledger a capture stands, and which signed heads cover it."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_app.models import Artifact, Entry, HeadCopy, Run, Timestamp, TreeHead


@dataclass(frozen=True, slots=True)
class Place:
    """`head`: the first signed one over it, None while it waits for that. `copies`, `stamps`: places outside."""

    seq: int
    head: TreeHead | None
    copies: int = 0
    stamps: int = 0


def place_of(statement: Artifact, run: Run) -> Place | None:
    """None where the ledger does not know it: it was captured before there was one, or its facts were removed."""
    kept = Entry.objects.filter(run=run, kind="capture.kept", opening__facts__contains=statement.sha256)
    seq = kept.order_by("seq").values_list("seq", flat=True).first()
    if seq is None:
        return None
    head = TreeHead.objects.filter(size__gt=seq).order_by("size", "pk").first()
    if head is None:
        return Place(seq, None)
    copies = HeadCopy.objects.filter(head__size__gt=seq, ok_at__isnull=False).order_by()
    stamps = Timestamp.objects.filter(head__size__gt=seq, ok_at__isnull=False).order_by()
    return Place(
        seq,
        head,
        copies=copies.values("place").distinct().count(),
        stamps=stamps.values("authority").distinct().count(),
    )
