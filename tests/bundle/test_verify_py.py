"""verify.py as an auditor runs it: alone, on a Python with nothing installed, on any input."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from evidence_app.bundle import verifier
from evidence_app.bundle.content import EarlierHead
from evidence_app.bundle.offline import ed25519
from evidence_app.ledger import merkle
from tests.bundle.attacking import changed
from tests.bundle.making import Room, pack_of, room_in


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("auditor") / "verify.py"
    path.write_text(verifier.text(), encoding="utf-8")
    return path


def run(program: Path, *given: str | Path) -> tuple[int, str]:
    """Isolated, without the packages of this installation, in another folder."""
    command = [sys.executable, "-I", "-S", str(program), *map(str, given)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=program.parent, timeout=60)
    assert "Traceback" not in ended.stderr
    return ended.returncode, ended.stdout + ended.stderr


def test_it_is_one_file_of_the_standard_library_and_of_python_3_9() -> None:
    module = ast.parse(verifier.text(), feature_version=(3, 9))
    imported = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in module.body
                if isinstance(node, ast.Import | ast.ImportFrom)}  # fmt: skip
    assert {str(name).partition(".")[0] for name in imported} <= set(sys.stdlib_module_names)
    names = Counter(each for node in module.body for each in _named(node))
    assert [name for name, count in names.items() if count > 1] == []


def _named(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return [node.name]
    if not isinstance(node, ast.Assign):
        return []
    return [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def test_it_says_what_it_found_and_ends_with_the_code(program: Path, shared: tuple[Room, Path], tmp_path: Path) -> None:
    room, pack = shared
    code, said = run(program, pack, "--key", room.fingerprint)
    assert (code, "GOOD: everything in this pack is as it was captured and signed" in said) == (0, True)
    code, said = run(program, pack)
    assert (code, "CONSISTENT, SIGNER NOT KNOWN" in said) == (6, True)
    bad = changed(pack, lambda files: files.update({"index.html": b"<h1>All is well</h1>"}))
    code, said = run(program, bad, "--key", room.fingerprint, "--json")
    assert (code, json.loads(said)["findings"][0]["where"]) == (2, "index.html")


@pytest.mark.parametrize("form", ["fingerprint", "spaced", "name+id+key", "pem", "file of a fingerprint"])
def test_a_key_is_named_in_any_form(program: Path, shared: tuple[Room, Path], tmp_path: Path, form: str) -> None:
    room, pack = shared
    file = tmp_path / "key"
    spaced = ":".join(room.fingerprint[at : at + 2] for at in range(0, 64, 2)).upper()
    if form == "pem":
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        file.write_bytes(room.signer.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    else:
        file.write_text(room.signer.verifier.text if form == "name+id+key" else f"{room.fingerprint}\n")
    given = {"fingerprint": room.fingerprint, "spaced": spaced}.get(form, file)
    assert run(program, pack, "--key", given)[0] == 0


def test_wrong_use_is_said(program: Path, shared: tuple[Room, Path], tmp_path: Path) -> None:
    room, pack = shared
    cases: list[tuple[list[str | Path], str]] = [
        ([], "required: pack"),
        ([tmp_path / "nowhere.zip"], "No such file"),
        ([pack, "--key", room.fingerprint[:20]], "is no fingerprint"),
        ([pack, "--key", pack], "is no text"),
        ([pack, "--since", program], "is no signed state of a ledger"),
        ([pack, "--tsa", "x"], "is no SHA-256"),
        ([pack, "--nonsense"], "unrecognized arguments"),
    ]
    for given, why in cases:
        code, said = run(program, *given)
        assert (code, why in said) == (1, True), said


def test_it_goes_on_from_an_earlier_pack(program: Path, tmp_path: Path) -> None:
    room = room_in(tmp_path)
    first = pack_of(room, tmp_path / "first.zip")
    size, earlier = room.tree.size, room.head()
    room.append("pack.built", {"run": "another"})
    (tmp_path / "empty.note").write_text(earlier, encoding="utf-8")
    grown = merkle.Tree(room.tree.size, dict(room.tree.nodes))
    # The pack's own entry comes on top: the proof is of the tree with it.
    second = pack_of(room, tmp_path / "second.zip")
    key = ("--key", room.fingerprint)
    code, said = run(program, second, *key, "--since", first)
    assert (code, "the pack holds no proof from there" in said) == (11, True)
    path = merkle.consistency_proof(room.tree.nodes, size, room.tree.size)
    assert grown.size < room.tree.size
    third = _with_head(second, EarlierHead(earlier, tuple(path)))
    assert run(program, third, *key, "--since", first)[0] == 0
    assert run(program, third, *key, "--since", tmp_path / "empty.note")[0] == 0
    code, said = run(program, first, *key, "--since", second)
    assert (code, "history was rewritten, or is older" in said) == (7, True)


def _with_head(pack: Path, head: EarlierHead) -> Path:
    from evidence_app.bundle.write import _heads

    return changed(pack, lambda files: files.update({"ledger/heads.jsonl": b"".join(_heads([head]))}))


VECTORS = [  # RFC 8032, section 7.1: key, message, signature
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_signatures_of_the_standard(key: str, message: str, signature: str) -> None:
    raw, data, signed = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
    assert ed25519.has_signed(raw, data, signed)
    assert not ed25519.has_signed(raw, data + b"\0", signed)
    assert not ed25519.has_signed(raw, data, signed[:-1] + bytes([signed[-1] ^ 1]))
    order = (int.from_bytes(signed[32:], "little") + ed25519.ORDER).to_bytes(32, "little")
    assert not ed25519.has_signed(raw, data, signed[:32] + order)  # the same scalar, written in a second way
    assert not ed25519.has_signed(b"\xff" * 32, data, signed)
    assert not ed25519.has_signed(raw[:-1], data, signed)
