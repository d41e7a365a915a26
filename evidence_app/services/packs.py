"""Packs of a run: asked for, entered in the ledger, sealed with its proofs, laid down, and handed out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import BinaryIO

from django.db import transaction
from django.db.models import Max, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from evidence_app.bundle.content import Content, EarlierHead, Line, PackError, Seal
from evidence_app.bundle.write import Prepared
from evidence_app.ledger import merkle
from evidence_app.ledger.merkle import Place
from evidence_app.ledger.note import Verifier, read_verifier
from evidence_app.models import Entry, HeadCopy, LedgerKey, Pack, Removal, Run, Timestamp, TreeHead
from evidence_app.models.pack import Scope
from evidence_app.models.retention import Asked
from evidence_app.models.run import RunStatus
from evidence_app.services import four_eyes, ledger, signing
from evidence_app.services.artifacts import blobs
from evidence_app.store.blobs import Blob, Missing
from recipes_app.models import Job, User
from recipes_app.models.job import ACTIVE, JobKind
from recipes_app.models.team import RUNNERS, SIGNERS
from recipes_app.services import access, audit, dispatch
from recipes_app.services.errors import NotAllowed, WrongState
from recipes_app.services.runs import Claim

MAKERS = RUNNERS | SIGNERS
_signs_here: ContextVar[bool] = ContextVar("signs_here", default=False)
DEADLINE_S = 4 * 3600
AT_ONCE = 15  # proofs, each of which reads some 30 hashes at most: SQLite takes no more than 1,000 in a query
# Signed states that somebody outside may hold, and that a pack has to lead on from; the newest of each kind.
HEADS_OF_PACKS, HEADS_WITH_TIME, HEADS_OF_DAYS = 300, 30, 400


@transaction.atomic
def request(*, run: Run, by: User, scope: str = Scope.ALL, withholds: bool = False) -> Pack:
    if not access.can(by, run.team, MAKERS):
        raise NotAllowed(f"You cannot make packs: a viewer of {run.team} downloads those that there are.")
    if run.status not in (RunStatus.DONE, RunStatus.CANCELLED, RunStatus.FAILED):
        raise WrongState(f"{run.title} is not over yet: a pack is made of a run that has ended.")
    if not Entry.objects.filter(run=run).exists():
        raise WrongState("Nothing of this run stands in the ledger: it was collected before there was one.")
    if Pack.objects.filter(run=run, scope=Scope(scope), withholds=withholds, job__status__in=ACTIVE).exists():
        raise WrongState("Such a pack is being made already.")
    job = dispatch.open_job(
        team=run.team, by=by, kind=JobKind.PACK, title=f"Pack of {run.title}", deadline_s=DEADLINE_S
    )
    pack = Pack.objects.create(run=run, job=job, requested_by=by, scope=Scope(scope), withholds=withholds)
    audit.record(run.team, by, "pack.requested", f"run {run.public_id} {run.title}", scope=str(scope))
    return pack


def of_job(job: Job) -> Pack:
    return Pack.objects.select_related("run__team", "run__version__spec", "requested_by").get(job=job)


def key_of_ledger() -> Verifier | None:
    """The key that signed last; None where nothing was signed yet."""
    head = TreeHead.objects.order_by("pk").last()
    key = LedgerKey.objects.filter(pk=head.fingerprint).first() if head else None
    return read_verifier(key.verifier) if key else None


@transaction.atomic
def enter(*, claim: Claim, pack: Pack, content: Content, prepared: Prepared) -> Entry:
    """The ledger's line about a pack names its manifest, and so all that is in it."""
    claim.hold()
    facts = {
        "team": pack.run.team_id,
        "run": pack.run.public_id,
        "pack": pack.public_id,
        "manifest": prepared.digest,
        "scope": pack.scope,
        "levels": content.levels,
        "files": len(content.stored),
        "withheld": len(content.withheld),
        "by": four_eyes.person(pack.requested_by),
    }
    entry = ledger.append("pack.built", facts, run=pack.run)
    Pack.objects.filter(pk=pack.pk).update(entry=entry)
    return entry


@contextmanager
def signing_here() -> Iterator[None]:
    """Inside, the ledger is signed by this process: a command line's, beside which no upkeep need run."""
    token = _signs_here.set(True)
    try:
        yield
    finally:
        _signs_here.reset(token)


def head_over(seq: int) -> TreeHead | None:
    """A signed state that holds this entry; upkeep signs every few seconds, and workers have no key."""
    if _signs_here.get():
        signing.sign()
    return TreeHead.objects.filter(size__gt=seq).order_by("size").first()


def seal_of(content: Content, entry: Entry, head: TreeHead) -> Seal:
    if head.fingerprint != content.fingerprint:
        raise PackError("The ledger's key was changed while the pack was made. Make it again.")
    line = Line(entry.seq, entry.body, entry.opening.salt, entry.opening.facts)
    numbers = [*(each.seq for each in content.lines), entry.seq]
    return Seal(
        line=line,
        paths=paths_of(numbers, head.size),
        note=head.note,
        keys=tuple(LedgerKey.objects.order_by("at").values_list("verifier", flat=True)),
        heads=tuple(_earlier(head, Pack.objects.get(entry=entry).run)),
    )


def paths_of(numbers: Sequence[int], size: int) -> dict[int, tuple[bytes, ...]]:
    """The proof of each of these entries in the tree of the first `size`; a few queries for many."""
    made: dict[int, tuple[bytes, ...]] = {}
    for at in range(0, len(numbers), AT_ONCE):
        some, wanted = numbers[at : at + AT_ONCE], _Wanted()
        for seq in some:
            merkle.inclusion_proof(wanted, seq, size)
        known = ledger.fetched(wanted)
        made |= {seq: tuple(merkle.inclusion_proof(known, seq, size)) for seq in some}
    return made


class _Wanted(set[Place]):
    """Takes down which hashes are asked for."""

    def __getitem__(self, place: Place) -> bytes:
        self.add(place)
        return merkle.EMPTY_ROOT


def _earlier(head: TreeHead, run: Run) -> Iterator[EarlierHead]:
    rows = TreeHead.objects.filter(pk__in=_known_outside(run), size__lte=head.size, size__gt=0).order_by("size", "pk")
    for row in rows:
        stamps = row.timestamps.filter(ok_at__isnull=False).order_by("pk")
        path = ledger.consistency(row.size, head.size)
        tokens = tuple((each.authority, bytes(each.token)) for each in stamps if each.token)
        yield EarlierHead(row.note, tuple(path), tokens)


def _known_outside(run: Run) -> set[int]:
    """Heads in earlier packs of the team, with a time stamp, the last of each day that was copied, and those by
    which a key handed over."""
    packs = Pack.objects.filter(run__team=run.team_id, head__isnull=False).order_by("-pk")
    stamped = Timestamp.objects.filter(ok_at__isnull=False).order_by("-pk")
    copied = HeadCopy.objects.filter(ok_at__isnull=False).annotate(day=TruncDate("head__at")).order_by().values("day")
    days = copied.annotate(newest=Max("head")).order_by("-day").values_list("newest", flat=True)
    handed = [
        TreeHead.objects.filter(fingerprint=each.pk, note__contains=f"\nkey {each.pk} after ").order_by("pk").first()
        for each in LedgerKey.objects.all()
    ]
    found: Iterable[int | None] = [
        *packs.values_list("head", flat=True)[:HEADS_OF_PACKS],
        *stamped.values_list("head", flat=True)[:HEADS_WITH_TIME],
        *days[:HEADS_OF_DAYS],
        *(each.pk for each in handed if each),
    ]
    return {each for each in found if each is not None}


def kept(file: BinaryIO) -> Blob:
    return blobs().put(file)


@transaction.atomic
def finish(*, claim: Claim, pack: Pack, head: TreeHead, blob: Blob, samples: int) -> None:
    """Its row, as long as the evidence is there; the job ends in the same transaction."""
    claim.hold()
    if Removal.objects.filter(run=pack.run, status=Asked.APPROVED).exists():
        raise PackError("The evidence of this run was deleted while the pack was made.")
    built = {"head": head, "sha256": blob.sha256, "size": blob.size, "samples": samples, "built_at": timezone.now()}
    Pack.objects.filter(pk=pack.pk).update(**built)


def opened(pack: Pack, by: User) -> BinaryIO:
    """Its bytes; that they were handed out is written down."""
    if not pack.is_there:
        raise Missing("there is no such pack any more")
    file = blobs().open(pack.sha256)
    audit.record(pack.run.team, by, "pack.downloaded", f"pack {pack.public_id} of run {pack.run.public_id}")
    return file


def of_run(run: Run) -> QuerySet[Pack]:
    return Pack.objects.filter(run=run).select_related("job", "requested_by", "run")
