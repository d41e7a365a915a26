"""Writes a pack: the same bytes for the same content and seal, every file hashed again on its way into the ZIP.

1. `prepare` makes the documents and the manifest, which names each file by its hash.
2. The manifest's hash is entered in the ledger, and the ledger is signed.
3. `write` puts all into one ZIP, with the proofs that lead from there to that signature.
"""

from __future__ import annotations

import base64
import hashlib
import io
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import rfc8785

from evidence_app.bundle import pages, report, verifier
from evidence_app.bundle.came import came
from evidence_app.bundle.content import FORMAT, Content, EarlierHead, Files, Line, PackError, Seal, Stored
from evidence_app.bundle.offline import reading
from evidence_app.bundle.offline.archive import Member, central_header, local_header, tail
from evidence_app.bundle.story import told
from evidence_app.store.blobs import StoreError, chunks


@dataclass(frozen=True, slots=True)
class Prepared:
    """`documents` by their place in the pack; `digest` of the manifest is what is entered in the ledger."""

    documents: Mapping[str, bytes]
    stored: tuple[Stored, ...]
    manifest: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.manifest).hexdigest()


def prepare(content: Content, files: Files) -> Prepared:
    """PackError where the ledger says something else than what was captured."""
    stored = {each.sha256: each for each in sorted(content.stored, key=lambda each: (each.sha256, each.name))}
    story = told(content)
    how = came(story, files)
    foot = f"Agentify evidence, signed with key {content.fingerprint}"
    documents = {
        "HOW-TO-VERIFY.txt": pages.how_to_verify(content).encode(),
        "index.html": pages.index(story, how).encode(),
        "report.pdf": report.pdf(story, files, how, foot),
        "verify.py": verifier.text().encode(),
        reading.ENTRIES: b"".join(_line(_entry(each)) for each in sorted(content.lines, key=lambda each: each.seq)),
    }
    manifest = rfc8785.dumps(_manifest(content, documents, tuple(stored.values())))
    return Prepared(documents, tuple(stored.values()), manifest)


def write(prepared: Prepared, seal: Seal, files: Files, target: BinaryIO) -> None:
    """Into a file that is empty and can be sought in. PackError where a file is not what was captured any more."""
    small = {**prepared.documents, **_sealed(seal), reading.MANIFEST: prepared.manifest}
    large = {each.path: each for each in prepared.stored}
    members: list[Member] = []
    for name in sorted([*small, *large]):
        if name in small:
            members.append(_copied(target, Member(name, len(small[name]), 0, target.tell()), [small[name]], name)[0])
        else:
            members.append(_stored(target, large[name], files))
    offset = target.tell()
    for member in members:
        target.write(central_header(member))
    target.write(tail(len(members), target.tell() - offset, offset))


def _stored(target: BinaryIO, each: Stored, files: Files) -> Member:
    begun, called = Member(each.path, each.size, 0, target.tell()), f"{each.name} of sample {each.sample}"
    try:
        with io.BytesIO(each.data) if each.data is not None else files.open(each.sha256) as file:
            member, digest = _copied(target, begun, chunks(file), called)
    except StoreError as error:
        raise PackError(f"{called} cannot be packed: {error}") from error
    if digest != each.sha256:
        raise PackError(f"{called} is not what was captured: it hashes to {digest}, not {each.sha256}")
    return member


def _copied(target: BinaryIO, begun: Member, pieces: Iterable[bytes], called: str) -> tuple[Member, str]:
    """The member with its checksum, and the SHA-256 of what was written."""
    digest, crc, size = hashlib.sha256(), 0, 0
    target.write(local_header(begun))
    for piece in pieces:
        digest.update(piece)
        crc, size = zlib.crc32(piece, crc), size + len(piece)
        target.write(piece)
    if size != begun.size:
        raise PackError(f"{called} has {size} bytes, and {begun.size} were captured")
    member, end = begun._replace(crc=crc), target.tell()
    target.seek(begun.offset)
    target.write(local_header(member))
    target.seek(end)
    return member, digest.hexdigest()


def _manifest(content: Content, documents: Mapping[str, bytes], stored: Iterable[Stored]) -> dict[str, Any]:
    files = [
        {"path": path, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        for path, data in documents.items()
    ]
    files += [
        {
            "path": each.path,
            "sha256": each.sha256,
            "size": each.size,
            "name": _composed(each.name),
            "sample": each.sample,
        }
        for each in stored
    ]
    return {
        "format": FORMAT,
        "application": content.application,
        "made_by": content.made_by,
        "made_at": content.made_at,
        "run": dict(content.run),
        "completeness": content.completeness,
        "policy": {"scope": content.scope, "levels": content.levels},
        "entries": len(content.lines),
        "files": sorted(files, key=lambda each: str(each["path"])),
        "withheld": [
            {"sha256": each.sha256, "name": _composed(each.name), "sample": each.sample, "copy": each.copy}
            for each in sorted(content.withheld, key=lambda each: (each.sha256, each.name))
        ],
    }


def _composed(name: str) -> str:
    """A letter and its accent as one: some systems write names apart."""
    return unicodedata.normalize("NFC", name)


def _sealed(seal: Seal) -> dict[str, bytes]:
    proofs = (_line({"seq": seq, "path": _hex(path)}) for seq, path in sorted(seal.paths.items()))
    return {
        reading.SEALING: rfc8785.dumps(_entry(seal.line)),
        reading.PROOFS: b"".join(proofs),
        reading.HEAD: seal.note.encode(),
        reading.HEADS: b"".join(_heads(seal.heads)),
        reading.KEYS: "".join(f"{key}\n" for key in seal.keys).encode(),
    }


def _heads(heads: Iterable[EarlierHead]) -> Iterator[bytes]:
    for each in heads:
        stamps = [
            {"authority": name, "token": base64.b64encode(token).decode()} for name, token in each.timestamps
        ]  # fmt: skip
        yield _line({"note": each.note, "path": _hex(each.path), "timestamps": stamps})


def _entry(line: Line) -> dict[str, Any]:
    return {"seq": line.seq, "body": line.body, "salt": line.salt, "facts": line.facts}


def _hex(path: Iterable[bytes]) -> list[str]:
    return [step.hex() for step in path]


def _line(value: Any) -> bytes:
    return rfc8785.dumps(value) + b"\n"
