"""A ledger in memory with one run of two samples, and the packs that are made of it: no database, no browser."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from PIL import Image

from evidence_app.bundle import write
from evidence_app.bundle.content import Content, EarlierHead, Line, Seal, Stored, Withheld
from evidence_app.bundle.offline.findings import Report
from evidence_app.bundle.offline.program import verify
from evidence_app.ledger import merkle, note
from evidence_app.ledger.note import Head, Signer
from evidence_app.store.blobs import FileBlobs

ORIGIN = "evidence.example"
RUNNER = {"id": 1, "name": "ola", "email": "ola@example.com"}
REVIEWER = {"id": 2, "name": "rita", "email": "rita@example.com"}
SECOND = {"id": 3, "name": "sam", "email": "sam@example.com"}


CAME: dict[str, Any] = {
    "http_status": 200,
    "tls": {"protocol": "TLS 1.3", "subject": "hr.example", "issuer": "R11", "valid_to": "2027-01-31"},
    "peer_address": "192.0.2.7 port 443",
    "taken_at": "2026-12-01T04:00:00.123Z",
    "clock": {"offset_s": 0.4, "source": "date"},
}


def key_of(seed: bytes = b"a ledger's key") -> Signer:
    return Signer(ORIGIN, Ed25519PrivateKey.from_private_bytes(hashlib.sha256(seed).digest()))


@dataclass(slots=True)
class Room:
    """A ledger, its store and its key. `lines` are the run's, in between stand entries of others."""

    blobs: FileBlobs
    signer: Signer = field(default_factory=key_of)
    tree: merkle.Tree = field(default_factory=merkle.Tree)
    lines: list[Line] = field(default_factory=list)
    stored: dict[str, Stored] = field(default_factory=dict)
    run: dict[str, str] = field(default_factory=dict)

    def append(self, kind: str, facts: Mapping[str, Any], at: str = "2026-12-01T04:00:00.000000Z") -> Line:
        seq, salt = self.tree.size, hashlib.sha256(f"salt {self.tree.size}".encode()).digest()
        opened = rfc8785.dumps({"team": 1, **facts})
        commitment = hashlib.sha256(salt + opened).hexdigest()
        body = rfc8785.dumps({"v": 1, "seq": seq, "kind": kind, "at": at, "commitment": commitment})
        self.tree.append(merkle.leaf_hash(body))
        return Line(seq, body.decode(), salt.hex(), opened.decode())

    def of_run(self, kind: str, facts: Mapping[str, Any]) -> Line:
        line = self.append(kind, {"run": "r1", **facts})
        self.lines.append(line)
        return line

    def keep(self, data: bytes, name: str, media_type: str, kind: str, sample: str) -> dict[str, Any]:
        blob = self.blobs.put([data])
        self.stored[blob.sha256] = Stored(blob.sha256, blob.size, media_type, name, sample)
        return {"id": 0, "name": name, "kind": kind, "sha256": blob.sha256, "size": blob.size, "media_type": media_type}

    def head(self) -> str:
        return note.sign(Head(ORIGIN, self.tree.size, self.tree.root), [self.signer])

    @property
    def fingerprint(self) -> str:
        return self.signer.verifier.fingerprint


def picture(colour: str, size: tuple[int, int] = (64, 40)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, colour).save(made, "PNG")
    return made.getvalue()


def room_in(folder: Path) -> Room:
    """One run of two samples, captured and signed by somebody else than who ran it."""
    room = Room(FileBlobs(folder / "blobs"))
    room.append("capture.kept", {"run": "another"})
    room.of_run(
        "run.requested",
        {
            "title": "Access reviews",
            "by": RUNNER,
            "samples": 2,
            "population": {"source": "users.csv", "rows": 2},
            "goal": "Look up who approved the access.",
            "question": "Did the manager approve it?",
        },
    )
    room.of_run("run.barred", {"people": [{**RUNNER, "why": "ran"}]})
    for sample, colour in (("A-1", "navy"), ("A-2 <b>", "teal")):
        seen = capture(room, sample, colour)
        room.append("capture.kept", {"run": "another"})
        decide(room, sample, seen)
        room.of_run(
            "conclusion.given",
            {"sample": sample, "attempt": 1, "answer": "meets", "words": "All four", "reviewer": REVIEWER},
        )
    return room


def capture(room: Room, sample: str, colour: str, attempt: int = 1) -> list[dict[str, Any]]:
    """What a reviewer is shown of it."""
    shot = room.keep(picture(colour), "01_home.png", "image/png", "screenshot", sample)
    text = room.keep(f"Äccess of {sample}".encode(), "01_home.text.txt", "text/plain", "text", sample)
    said = rfc8785.dumps({"sample": sample, **CAME})
    statement = room.keep(said, "statement", "application/json", "statement", sample)
    facts = {"sample": sample, "attempt": attempt, "step": 3, "label": "home", "statement": statement["sha256"]}
    room.of_run("capture.kept", {**facts, "artifacts": [shot, text]})
    room.of_run("sample.finished", _finished(sample, attempt, shot["sha256"]))
    return [shot, text, statement]


def decide(room: Room, sample: str, seen: Sequence[Mapping[str, Any]], **changes: Any) -> Line:
    said = [{"artifact": 0, "name": each["name"], "sha256": each["sha256"], "shown": True} for each in seen]
    facts = {"sample": sample, "attempt": 1, "review": len(room.lines), "level": 1, "decision": "approve"}
    return room.of_run("review.decided", {**facts, "seen": said, "reviewer": REVIEWER, "words": "", **changes})


def _finished(sample: str, attempt: int, picture: str) -> dict[str, Any]:
    name = {"path": "name", "value": "Ödön & <Co> 報告", "type": "string", "grounding": "text"}
    fields = [{**name, "artifact": picture, "box": [6, 4.5, 30, 8]}]
    judgment = {"answer": "yes", "confidence": 0.9, "reasoning": "The list is complete."}
    return {"sample": sample, "attempt": attempt, "status": "done", "fields": fields, "judgment": judgment}


def content_of(room: Room, **changes: Any) -> Content:
    made = Content(
        run={"id": "r1", "title": "Access reviews", "control": "CC6.2", "period": "2026-Q3", "task_id": "access"},
        lines=tuple(room.lines),
        stored=tuple(room.stored.values()),
        completeness="2 of 2 captured, 0 duplicated, 0 recaptured",
        made_by="rita",
        made_at="2026-12-01T05:00:00.000000Z",
        origin=ORIGIN,
        fingerprint=room.fingerprint,
        application="Agentify 0.1.0",
    )
    return replace(made, **changes)


def withholding(room: Room, sample: str) -> Content:
    """The first picture of a sample stays behind, a redacted copy is shown, and the text of the page stays too."""
    own = [each for each in room.stored.values() if each.sample == sample]
    shot = next(each for each in own if each.name == "01_home.png")
    text = next(each for each in own if each.media_type == "text/plain")
    copy = room.keep(picture("black"), "01_home.redacted.png", "image/png", "redacted", sample)
    facts = {"sample": sample, "attempt": 1, "artifact": copy, "source": shot.sha256}
    room.of_run("derived.kept", {**facts, "transform": {"name": "redacted", "sources": [{"sha256": shot.sha256}]}})
    withheld = (
        Withheld(shot.sha256, shot.name, sample, copy["sha256"]),
        Withheld(text.sha256, text.name, sample),
    )
    stored = tuple(each for each in room.stored.values() if each.sha256 not in (shot.sha256, text.sha256))
    return content_of(room, stored=stored, withheld=withheld)


def pack_of(room: Room, target: Path, content: Content | None = None, earlier: Sequence[EarlierHead] = ()) -> Path:
    prepared = write.prepare(content or content_of(room), room.blobs)
    sealing = room.append("pack.built", {"run": "r1", "manifest": prepared.digest})
    with target.open("w+b") as file:
        write.write(prepared, seal_of(room, sealing, earlier), room.blobs, file)
    return target


def seal_of(room: Room, sealing: Line, earlier: Sequence[EarlierHead] = ()) -> Seal:
    size = room.tree.size
    paths = {
        line.seq: tuple(merkle.inclusion_proof(room.tree.nodes, line.seq, size)) for line in [*room.lines, sealing]
    }
    keys = (room.signer.verifier.text,)
    return Seal(line=sealing, paths=paths, note=room.head(), keys=keys, heads=tuple(earlier))


def found(pack: Path, room: Room, **more: Any) -> Report:
    return verify(pack, keys=[room.fingerprint], **more)


def flipped(data: bytes, bit: int) -> bytes:
    at, mask = divmod(bit, 8)
    return data[:at] + bytes([data[at] ^ 1 << mask]) + data[at + 1 :]


Change = Callable[[dict[str, bytes]], None]
