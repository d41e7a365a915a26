"""Signed tree heads: the signature scheme's public vectors, the format, and every way to tamper with one."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.ledger.errors import BadSignature
from evidence_app.ledger.note import Head, Signer, Verifier, read, read_verifier, sign, verify

# Source: RFC 8032, section 7.1, tests 1 and 2: secret key, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
            "655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
            "b00d291612bb0c00"
        ),
    ),
]
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNER = Signer("ledger.example/audit", KEY)
HEAD = Head("ledger.example/audit", 1230, bytes(range(32)), ("2026-11-30T16:20:07Z",))


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_signatures_are_those_of_the_rfc(secret: str, public: str, message: str, signature: str) -> None:
    signer = Signer("rfc", Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)))
    assert signer.verifier.key.hex() == public
    assert signer.key.sign(bytes.fromhex(message)).hex() == signature
    assert signer.verifier.has_signed(bytes.fromhex(message), bytes.fromhex(signature))


def test_a_head_is_written_as_the_format_has_it() -> None:
    lines = sign(HEAD, [SIGNER]).split("\n")
    assert lines[:4] == [HEAD.origin, "1230", base64.b64encode(HEAD.root).decode(), "2026-11-30T16:20:07Z"]
    assert lines[4] == ""
    assert lines[5].startswith("\u2014 ledger.example/audit ")
    assert lines[6:] == [""]


def test_what_was_signed_reads_back_and_names_who_signed() -> None:
    other = Signer("other", Ed25519PrivateKey.from_private_bytes(bytes(32)))
    note = sign(HEAD, [other, SIGNER])
    assert verify(note, [SIGNER.verifier]) == (HEAD, SIGNER.verifier)
    assert len(read(note)[1]) == 2


def test_a_key_is_exchanged_as_name_id_and_key() -> None:
    assert read_verifier(SIGNER.verifier.text) == SIGNER.verifier
    with pytest.raises(BadSignature, match="id is not that of the key"):
        read_verifier(SIGNER.verifier.text.replace(SIGNER.verifier.id.hex(), "00000000"))
    with pytest.raises(BadSignature):
        read_verifier("nonsense")


def test_an_unknown_signer_and_one_of_the_same_name_are_told_apart() -> None:
    imposter = Signer(SIGNER.name, Ed25519PrivateKey.from_private_bytes(bytes(32)))
    note = sign(HEAD, [imposter])
    with pytest.raises(BadSignature, match="no key that is known"):
        verify(note, [SIGNER.verifier])
    with pytest.raises(BadSignature, match="no key that is known"):
        verify(note, [])


@given(st.data())
def test_no_other_head_than_the_signed_one_is_accepted(data: st.DataObject) -> None:
    """Any one bit flipped anywhere."""
    note = sign(HEAD, [SIGNER]).encode()
    at, bit = data.draw(st.integers(0, len(note) - 1)), data.draw(st.integers(0, 7))
    changed = bytearray(note)
    changed[at] ^= 1 << bit
    try:
        text = bytes(changed).decode()
    except UnicodeDecodeError:
        return
    with pytest.raises(BadSignature):
        verify(text, [SIGNER.verifier])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "origin\n1\n",
        "origin\n1\nAAAA\n\n\u2014 n AAAAAAAA\n",
        "origin\n01\n" + base64.b64encode(bytes(32)).decode() + "\n\n\u2014 n AAAAAAAA\n",
        "origin\n1\n" + base64.b64encode(bytes(32)).decode() + "\n\n- n AAAAAAAA\n",
        "origin\n1\n" + base64.b64encode(bytes(32)).decode() + "\n\n\u2014 n AAAAAAAA",
    ],
)
def test_what_is_no_signed_head_is_refused(note: str) -> None:
    with pytest.raises(BadSignature):
        read(note)


HEADS = [Head("", 1, bytes(32)), Head("a\nb", 1, bytes(32)), Head("a", 1, b"short"), Head("a", -1, bytes(32))]


@pytest.mark.parametrize("head", HEADS)
def test_a_head_that_could_be_read_otherwise_is_not_signed(head: Head) -> None:
    with pytest.raises(ValueError, match="tree head"):
        sign(head, [SIGNER])


def test_the_fingerprint_is_of_the_key_alone() -> None:
    assert Verifier("a", SIGNER.verifier.key).fingerprint == SIGNER.verifier.fingerprint
