"""Jobs of the queue `packs`: making a pack of a run. No browser, no model."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from django.conf import settings

from evidence_app.bundle import write
from evidence_app.bundle.content import Files, PackError, Seal
from evidence_app.bundle.offline.program import verify
from evidence_app.bundle.write import Prepared
from evidence_app.ledger.errors import LedgerError
from evidence_app.models import Pack, TreeHead
from evidence_app.services import ledger, packing, packs
from evidence_app.services.artifacts import blobs
from evidence_app.store.blobs import Blob, StoreError
from recipes_app.browser.errors import Aborted
from recipes_app.jobs import running
from recipes_app.models.job import JobStatus
from recipes_app.services.runs import Claim

__all__ = ["build_pack"]

SIGNED_WITHIN_S = 120.0
LOOK_EVERY_S = 0.5
NOT_SIGNED = "The ledger was not signed in time. Upkeep signs it: see whether it runs, and whether it raised an alarm."
# What must not be found in a pack that is handed out: the ledger or the store is not as it should be.
BROKEN = frozenset({"modified", "missing", "extra", "proof", "signature", "repacked", "newer"})


@running.end_for.register(PackError)
@running.end_for.register(StoreError)
@running.end_for.register(LedgerError)
def _(error: Exception, claim: Claim) -> None:
    claim.finish(JobStatus.FAILED, {"error": str(error), "kind": "refused"})


def build_pack(job_id: int) -> None:
    running.run(job_id, _build)


def _build(claim: Claim) -> None:
    pack, watch = packs.of_job(claim.job), _Watch(claim)
    watch.say("gather", "Reading the ledger")
    _head(ledger.size() - 1, watch)
    key = packs.key_of_ledger()
    if key is None:
        raise PackError(NOT_SIGNED)
    content = packing.content_of(pack, key)
    watch.total = len(content.stored)
    store = _Watched(blobs(), watch)
    watch.say("report", "Writing the report")
    prepared = write.prepare(content, store)
    entry = packs.enter(claim=claim, pack=pack, content=content, prepared=prepared)
    watch.say("sign", "Waiting for the ledger's signature")
    head = _head(entry.seq, watch)
    watch.begin("pack", "Putting the files together")
    blob, samples = _packed(prepared, packs.seal_of(content, entry, head), store, key.fingerprint)
    _end(claim, pack, head, (blob, samples))


def _end(claim: Claim, pack: Pack, head: TreeHead, made: tuple[Blob, int]) -> None:
    blob, samples = made
    packs.finish(claim=claim, pack=pack, head=head, blob=blob, samples=samples)
    claim.finish(JobStatus.DONE)


def _head(seq: int, watch: _Watch) -> TreeHead:
    """Waits for upkeep, where this machine cannot sign."""
    until, pause = monotonic() + SIGNED_WITHIN_S, threading.Event()
    while (head := packs.head_over(seq)) is None:
        if monotonic() > until:
            raise PackError(NOT_SIGNED)
        watch.look()
        pause.wait(LOOK_EVERY_S)
    return head


def _packed(prepared: Prepared, seal: Seal, store: Files, fingerprint: str) -> tuple[Blob, int]:
    """Into the store, once it has been verified as a stranger would; how many samples are in it."""
    root: Path = settings.EVIDENCE_ROOT
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root, prefix=".pack-") as folder:
        path = Path(folder) / "pack.zip"
        with path.open("w+b") as file:
            write.write(prepared, seal, store, file)
        report = verify(path, keys=[fingerprint])
        if wrong := [finding.line for finding in report.findings if finding.kind in BROKEN]:
            raise PackError(f"The pack does not verify, so it is not handed out: {wrong[0]}")
        with path.open("rb") as file:
            return packs.kept(file), int(report.facts.get("samples", 0))


@dataclass(slots=True)
class _Watch:
    """Keeps the job's lease, says how far it is, and stops when a person asked for that."""

    claim: Claim
    done: int = 0
    total: int = 0
    phase: str = ""
    note: str = ""

    def say(self, phase: str, note: str) -> None:
        self.phase, self.note = phase, note
        self.look()
        self.claim.progress(phase, self.done, self.total or None, note)

    def begin(self, phase: str, note: str) -> None:
        self.done = 0
        self.say(phase, note)

    def look(self) -> None:
        self.claim.renew()
        if self.claim.cancelled():
            raise Aborted("cancelled")

    def next_file(self) -> None:
        self.done += 1
        self.say(self.phase, self.note)


@dataclass(slots=True)
class _Watched:
    """The store, with a look at the job before each file."""

    files: Files
    watch: _Watch

    def open(self, sha256: str) -> BinaryIO:
        self.watch.next_file()
        return self.files.open(sha256)
