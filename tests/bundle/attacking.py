"""What somebody does to a pack who has more than they should: each takes the files apart and puts them together."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rfc8785

from evidence_app.ledger import merkle, note
from evidence_app.ledger.note import Head, Signer
from tests.bundle.making import ORIGIN

Files = dict[str, bytes]
MANIFEST, ENTRIES, SEALING = "manifest.json", "ledger/entries.jsonl", "ledger/sealing.json"
PROOFS, HEAD, KEYS = "ledger/proofs.jsonl", "ledger/head.note", "ledger/keys.txt"


def changed(pack: Path, change: Callable[[Files], object], *, order: int = 1) -> Path:
    """A copy, put together again by an ordinary program, after `change`; -1 for the last file first."""
    with zipfile.ZipFile(pack) as archive:
        infos = {info.filename: info for info in archive.infolist()}
        files = {name: archive.read(name) for name in infos}
    change(files)
    target = pack.with_name(f"{pack.stem}.changed.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(files)[::order]:
            archive.writestr(infos.get(name, name), files[name])
    return target


def object_of(files: Files, ending: str, nth: int = 0) -> str:
    return sorted(name for name in files if name.startswith("objects/") and name.endswith(ending))[nth]


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def as_lines(values: list[dict[str, Any]]) -> bytes:
    return b"".join(rfc8785.dumps(each) + b"\n" for each in values)


def edit_facts(files: Files, kind: str, edit: Callable[[dict[str, Any]], object]) -> None:
    """The row is edited as it stands: what an entry says, and nothing else."""
    entries = lines(files[ENTRIES])
    for entry in entries:
        if json.loads(entry["body"])["kind"] == kind:
            facts = json.loads(entry["facts"])
            edit(facts)
            entry["facts"] = rfc8785.dumps(facts).decode()
            break
    files[ENTRIES] = as_lines(entries)


def commit_again(files: Files) -> None:
    """Each entry commits to what it says now."""
    entries = lines(files[ENTRIES])
    for entry in entries:
        _commit(entry)
    files[ENTRIES] = as_lines(entries)


def list_again(files: Files) -> None:
    """The manifest names the files as they are now, and the entry of the pack names the manifest."""
    manifest = json.loads(files[MANIFEST])
    for each in manifest["files"]:
        data = files[each["path"]]
        each |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
    files[MANIFEST] = rfc8785.dumps(manifest)
    sealing = json.loads(files[SEALING])
    facts = json.loads(sealing["facts"]) | {"manifest": hashlib.sha256(files[MANIFEST]).hexdigest()}
    sealing["facts"] = rfc8785.dumps(facts).decode()
    _commit(sealing)
    files[SEALING] = rfc8785.dumps(sealing)


def grow_again(files: Files, signer: Signer | None = None) -> None:
    """A whole new tree over the entries as they are now; signed by a key of one's own, or under the old signature."""
    known = {each["seq"]: each["body"].encode() for each in [*lines(files[ENTRIES]), json.loads(files[SEALING])]}
    tree = merkle.Tree()
    for seq in range(max(known) + 1):
        tree.append(merkle.leaf_hash(known.get(seq, b"made up")))
    files[PROOFS] = as_lines([
        {"seq": seq, "path": [step.hex() for step in merkle.inclusion_proof(tree.nodes, seq, tree.size)]}
        for seq in known
    ])  # fmt: skip
    head = Head(ORIGIN, tree.size, tree.root)
    if signer is None:
        files[HEAD] = (head.text + "\n" + files[HEAD].decode().partition("\n\n")[2]).encode()
    else:
        files[HEAD] = note.sign(head, [signer]).encode()
        files[KEYS] = f"{signer.verifier.text}\n".encode()


def _commit(entry: dict[str, Any]) -> None:
    body = json.loads(entry["body"])
    body["commitment"] = hashlib.sha256(bytes.fromhex(entry["salt"]) + entry["facts"].encode()).hexdigest()
    entry["body"] = rfc8785.dumps(body).decode()
