"""Public test vectors, rebuilt as data: canonical JSON, and proofs in the tree."""

from __future__ import annotations

import json
import struct

import pytest

from evidence_app.ledger.canonical import canonical, plain
from evidence_app.ledger.merkle import consistency_proof, inclusion_proof
from tests.ledger.test_merkle import LEAVES, tree_of

# Source: RFC 8785, appendix B: the bits of a double, and how it is written.
NUMBERS = {
    "0000000000000000": "0", "8000000000000000": "0", "0000000000000001": "5e-324", "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308", "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992", "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000", "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23", "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000", "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21", "3eb0c6f7a0b5ed8c": "9.999999999999997e-7", "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332", "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333", "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343", "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}  # fmt: skip

# Source: RFC 8785, sections 3.2.2 and 3.2.3.
SAMPLE = r"""{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
 "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"""
WRITTEN = (
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
)
UNSORTED = r"""{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
 "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}"""
ORDER = [
    "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign", "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
]  # fmt: skip

# Source: the proofs that google/certificate-transparency and transparency-dev/merkle test with, over the same leaves.
FIRST = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
LEAF_0 = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
LEAF_1 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
LEAF_4 = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
PAIR_1 = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
PAIR_2 = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
PAIR_3 = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
HALF_0 = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"
HALF_1 = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
INCLUSION = [
    (0, 1, []),
    (0, 8, [LEAF_1, PAIR_1, HALF_1]),
    (5, 8, [LEAF_4, PAIR_3, HALF_0]),
    (2, 3, [FIRST]),
    (1, 5, [LEAF_0, PAIR_1, LEAF_4]),
]
CONSISTENCY = [
    (1, 1, []),
    (1, 8, [LEAF_1, PAIR_1, HALF_1]),
    (6, 8, [PAIR_2, PAIR_3, HALF_0]),
    (2, 5, [PAIR_1, LEAF_4]),
]


@pytest.mark.parametrize(("bits", "written"), NUMBERS.items())
def test_numbers_are_written_as_the_rfc_has_them(bits: str, written: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number).decode() == written


def test_the_samples_of_the_rfc() -> None:
    assert canonical(json.loads(SAMPLE)).decode() == WRITTEN
    assert list(json.loads(canonical(json.loads(UNSORTED))).values()) == ORDER


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**60, -(2**60)])
def test_what_json_cannot_hold_exactly_is_kept_as_text(value: float) -> None:
    assert json.loads(canonical([value])) == [str(value)]
    assert plain(plain(value)) == plain(value)


@pytest.mark.parametrize(("index", "size", "proof"), INCLUSION)
def test_inclusion_proofs_of_the_public_vectors(index: int, size: int, proof: list[str]) -> None:
    assert [step.hex() for step in inclusion_proof(tree_of(LEAVES).nodes, index, size)] == proof


@pytest.mark.parametrize(("first", "second", "proof"), CONSISTENCY)
def test_consistency_proofs_of_the_public_vectors(first: int, second: int, proof: list[str]) -> None:
    assert [step.hex() for step in consistency_proof(tree_of(LEAVES).nodes, first, second)] == proof
