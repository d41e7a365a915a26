"""From the key an auditor knows to the one that signs now: only by what the old one signed itself."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evidence_app.bundle import write
from evidence_app.bundle.content import EarlierHead
from evidence_app.bundle.offline.program import verify
from evidence_app.ledger import merkle, note
from evidence_app.ledger.note import Head, Signer
from tests.bundle.making import (
    ORIGIN,
    RUNNER,
    Room,
    capture,
    content_of,
    decide,
    found,
    key_of,
    pack_of,
    room_in,
    seal_of,
)


@dataclass(frozen=True)
class Genuine:
    """One pack, and what anybody can read in it: the last head, and the tree to go on from."""

    pack: Path
    fingerprint: str
    key: str
    note: str
    tree: merkle.Tree

    @property
    def head(self) -> Head:
        return note.read(self.note)[0]


@pytest.fixture
def genuine(tmp_path: Path) -> Genuine:
    room = room_in(tmp_path / "genuine")
    pack = pack_of(room, tmp_path / "genuine.zip")
    assert found(pack, room).code == 0
    with zipfile.ZipFile(pack) as archive:
        sealing = json.loads(archive.read("ledger/sealing.json"))
        proofs = [json.loads(line) for line in archive.read("ledger/proofs.jsonl").splitlines()]
        text, key = archive.read("ledger/head.note").decode(), archive.read("ledger/keys.txt").decode().strip()
    size = note.read(text)[0].size
    path = next([bytes.fromhex(step) for step in each["path"]] for each in proofs if each["seq"] == size - 1)
    peaks, value = merkle.peaks(size), merkle.leaf_hash(sealing["body"].encode())
    inside = peaks[-1][0]
    for step in path[:inside]:
        value = merkle.node_hash(step, value)
    tree = merkle.Tree(size, dict(zip(reversed(peaks), [value, *path[inside:]], strict=True)))
    return Genuine(pack, room.fingerprint, key, text, tree)


def forged(genuine: Genuine, folder: Path, me: Signer, handing: str) -> Path:
    """A run that never was, entered after the genuine ledger's end, under a head of a key of one's own."""
    room = room_in(folder)
    size, nodes = genuine.tree.size, genuine.tree.nodes
    fake = Room(room.blobs, signer=me, tree=merkle.Tree(size, dict(nodes)))
    fake.of_run("run.requested", {"title": "Forged", "by": RUNNER, "samples": 1})
    fake.of_run("run.barred", {"people": [{**RUNNER, "why": "ran"}]})
    decide(fake, "CEO", capture(fake, "CEO", "red"))
    prepared = write.prepare(content_of(fake, fingerprint=genuine.fingerprint), fake.blobs)
    sealing = fake.append("pack.built", {"run": "r1", "manifest": prepared.digest})
    path = tuple(merkle.consistency_proof(fake.tree.nodes, size, fake.tree.size))
    seal = replace(seal_of(fake, sealing, [EarlierHead(handing, path)]), keys=(me.verifier.text, genuine.key))
    target = folder / "forged.zip"
    with target.open("w+b") as file:
        write.write(prepared, seal, fake.blobs, file)
    return target


def test_a_signature_that_somebody_adds_to_a_genuine_head_hands_nothing_over(genuine: Genuine, tmp_path: Path) -> None:
    me = key_of(b"attacker")
    mine = note.sign(genuine.head, [me]).partition("\n\n")[2]
    pack = forged(genuine, tmp_path / "forged", me, genuine.note + mine)
    report = verify(pack, keys=[genuine.fingerprint])
    assert (report.code, "not by the key that was named" in report.lines()[0]) == (6, True)
    assert verify(pack, keys=[genuine.fingerprint], since=str(genuine.pack)).code == 6


def test_a_text_that_names_another_key_is_not_the_old_ones_word(genuine: Genuine, tmp_path: Path) -> None:
    """Under the old key's signature of another text, or under one's own."""
    me, old = key_of(b"attacker"), note.read_verifier(genuine.key)
    head = replace(genuine.head, lines=(note.hands_over(me.verifier, old),))
    mine, theirs = note.sign(head, [me]), genuine.note.partition("\n\n")[2]
    for number, handing in enumerate((mine, f"{head.text}\n{theirs}", mine + theirs)):
        pack = forged(genuine, tmp_path / str(number), me, handing)
        assert verify(pack, keys=[genuine.fingerprint]).code == 6


def test_the_old_keys_own_word_leads_on_to_the_new_one(genuine: Genuine, tmp_path: Path) -> None:
    new, old = key_of(b"the next key"), key_of()
    head = Head(ORIGIN, genuine.tree.size, genuine.tree.root, (note.hands_over(new.verifier, old.verifier),))
    pack = forged(genuine, tmp_path / "next", new, note.sign(head, [old]))
    report = verify(pack, keys=[genuine.fingerprint])
    assert (report.code, report.notes[0]) == (
        0,
        f"the key that was named handed over to {new.verifier.fingerprint}",
    )
