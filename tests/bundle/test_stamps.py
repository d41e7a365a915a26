"""Time stamps as verify.py reads them, with authorities of openssl and keys of the kinds that there are."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from evidence_app.bundle import write
from evidence_app.bundle.content import EarlierHead
from evidence_app.bundle.offline.stamps import BadStamp, read_stamp
from evidence_app.ledger import merkle, stamps
from tests.bundle.attacking import as_lines, changed, lines
from tests.bundle.making import Room, content_of, found, room_in, seal_of
from tests.evidence_trust.outside import OPENSSL, Authority, certificate

pytestmark = pytest.mark.skipif(OPENSSL is None, reason="openssl stamps here")
KEYS: dict[str, Callable[[], Any]] = {
    "P-256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "P-384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "RSA": lambda: rsa.generate_private_key(65537, 2048),
}
NOTE = "evidence.example\n1\nroot\n"


def authority(folder: Path, kind: str) -> Authority:
    made = Authority(folder)
    root, key = KEYS["P-384"](), KEYS[kind]()
    (folder / "root.pem").write_bytes(certificate("Root", root, "Root", root, is_root=True).public_bytes(Encoding.PEM))
    own = certificate("TSA", key, "Root", root, is_root=False)
    (folder / "tsa.pem").write_bytes(own.public_bytes(Encoding.PEM))
    (folder / "tsa.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return made


def fingerprint(pem: Path) -> str:
    body = "".join(pem.read_text().splitlines()[1:-1])
    return hashlib.sha256(base64.b64decode(body)).hexdigest()


@pytest.mark.parametrize("kind", KEYS)
def test_a_stamp_is_of_its_text_and_of_who_signed_it(tmp_path: Path, kind: str) -> None:
    tsa = authority(tmp_path / "tsa", kind)
    token = tsa.stamp(stamps.ask(NOTE).data)[1]
    stamp = read_stamp(token, NOTE.encode())
    assert stamp.at == stamps.check(token, NOTE).at
    assert stamp.signer == fingerprint(tsa.folder / "tsa.pem")
    chain = [hashlib.sha256(each.raw).hexdigest() for each in stamp.chain]
    assert chain == [stamp.signer, fingerprint(tsa.roots)]
    with pytest.raises(BadStamp, match="of another text"):
        read_stamp(token, b"another")
    for at in (len(token) - 9, len(token) - 3):  # in the signature
        with pytest.raises(BadStamp, match="its signature is wrong"):
            read_stamp(token[:at] + bytes([token[at] ^ 1]) + token[at + 1 :], NOTE.encode())


def test_a_chain_leads_only_over_those_who_may_give_certificates(tmp_path: Path) -> None:
    tsa, folder = authority(tmp_path / "tsa", "P-256"), tmp_path / "tsa"
    root, middle, key = KEYS["P-384"](), KEYS["P-256"](), KEYS["P-256"]()
    certs = [
        certificate("Middle", middle, "Root", root, is_root=False),
        certificate("Root", root, "Root", root, is_root=True),
    ]
    (folder / "root.pem").write_bytes(b"".join(each.public_bytes(Encoding.PEM) for each in certs))
    own = certificate("TSA", key, "Middle", middle, is_root=False)
    (folder / "tsa.pem").write_bytes(own.public_bytes(Encoding.PEM))
    (folder / "tsa.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    stamp = read_stamp(tsa.stamp(stamps.ask(NOTE).data)[1], NOTE.encode())
    assert [hashlib.sha256(each.raw).hexdigest() for each in stamp.chain] == [fingerprint(folder / "tsa.pem")]


def stamped(tmp_path: Path) -> tuple[Room, Path, Authority]:
    """A pack whose ledger was stamped before the pack was entered."""
    room, tsa = room_in(tmp_path), authority(tmp_path / "tsa", "P-256")
    note, size = room.head(), room.tree.size
    token = tsa.stamp(stamps.ask(note).data)[1]
    prepared = write.prepare(content_of(room), room.blobs)
    sealing = room.append("pack.built", {"run": "r1", "manifest": prepared.digest})
    path = tuple(merkle.consistency_proof(room.tree.nodes, size, room.tree.size))
    seal = seal_of(room, sealing, [EarlierHead(note, path, (("https://tsa.example/", token),))])
    pack = tmp_path / "pack.zip"
    with pack.open("w+b") as file:
        write.write(prepared, seal, room.blobs, file)
    return room, pack, tsa


def test_a_pack_says_when_it_was_stamped_and_by_whom(tmp_path: Path) -> None:
    room, pack, tsa = stamped(tmp_path)
    report = found(pack, room)
    assert (report.code, report.facts["timestamps"]) == (0, 1)
    assert "time stamp of https://tsa.example/ on 13 entries: 20" in report.notes[0]
    assert fingerprint(tsa.folder / "tsa.pem") in report.notes[0]
    for pem in ("tsa.pem", "root.pem"):
        assert found(pack, room, authorities=[fingerprint(tsa.folder / pem)]).code == 0
    report = found(pack, room, authorities=["0" * 64])
    assert (report.code, "which is not the authority that was named" in report.lines()[0]) == (8, True)


@pytest.mark.parametrize("how", ["another text", "cut", "no token", "another ledger"])
def test_a_wrong_stamp_is_said(tmp_path: Path, how: str) -> None:
    room, pack, tsa = stamped(tmp_path)

    def spoil(files: dict[str, bytes]) -> None:
        line = lines(files["ledger/heads.jsonl"])[0]
        token = base64.b64decode(line["timestamps"][0]["token"])
        if how == "another ledger":
            line["path"] = ["0" * 64 for _ in line["path"]]
        else:
            other = tsa.stamp(stamps.ask("another").data)[1]
            made = {"another text": other, "cut": token[:-9], "no token": b"\x30\x00"}[how]
            line["timestamps"][0]["token"] = base64.b64encode(made).decode()
        files["ledger/heads.jsonl"] = as_lines([line])

    report = found(changed(pack, spoil), room)
    assert (report.code, [finding.kind for finding in report.findings]) == (8, ["timestamp"])


def test_whoever_insists_on_a_stamp_is_told_that_there_is_none(shared: tuple[Room, Path]) -> None:
    room, pack = shared
    assert found(pack, room, authorities=["0" * 64]).code == 8
