"""Signatures of certificates and time stamps, with whole numbers: RSA (RFC 8017, PKCS #1 v1.5), ECDSA (FIPS 186-5)."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from evidence_app.bundle.offline.der import Value, first_value

DIGESTS = {
    "2.16.840.1.101.3.4.2.1": "sha256", "2.16.840.1.101.3.4.2.2": "sha384", "2.16.840.1.101.3.4.2.3": "sha512",
    "1.2.840.113549.1.1.11": "sha256", "1.2.840.113549.1.1.12": "sha384", "1.2.840.113549.1.1.13": "sha512",
    "1.2.840.10045.4.3.2": "sha256", "1.2.840.10045.4.3.3": "sha384", "1.2.840.10045.4.3.4": "sha512",
}  # fmt: skip
PREFIXES = {
    "sha256": "3031300d060960864801650304020105000420",
    "sha384": "3041300d060960864801650304020205000430",
    "sha512": "3051300d060960864801650304020305000440",
}
MAX_RSA = 2048  # bytes of a modulus
RSA, EC = "1.2.840.113549.1.1.1", "1.2.840.10045.2.1"
Flat = tuple[int, int]


class Unsupported(Exception):
    """A kind of key or hash that is not known here."""


class Curve(NamedTuple):
    """y^2 = x^3 - 3x + b over the whole numbers below `p`; `n` is the order of the point (x, y)."""

    p: int
    b: int
    n: int
    x: int
    y: int


CURVES = {
    "1.2.840.10045.3.1.7": Curve(
        0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
    "1.3.132.0.34": Curve(
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
        0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
        0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    ),
}


def is_signature(key: Value, digest: str, data: bytes, signature: bytes) -> bool:
    """`key` is a SubjectPublicKeyInfo. Unsupported for what cannot be checked here."""
    algorithm = key.part(0, 0).oid
    bits = key.part(1).data[1:]
    hashed = hashlib.new(digest, data).digest()
    if algorithm == RSA:
        public = first_value(bits)
        return _rsa(public.part(0).number, public.part(1).number, signature, bytes.fromhex(PREFIXES[digest]) + hashed)
    curve = CURVES.get(key.part(0, 1).oid) if algorithm == EC else None
    if curve is None:
        raise Unsupported("its key is of a kind that is not known here")
    return _ecdsa(curve, bits, signature, hashed)


def digest_of(oid: str) -> str:
    if oid not in DIGESTS:
        raise Unsupported("its hash is of a kind that is not known here")
    return DIGESTS[oid]


def _rsa(modulus: int, exponent: int, signature: bytes, info: bytes) -> bool:
    length = (modulus.bit_length() + 7) // 8
    if (
        modulus <= 0
        or length > MAX_RSA
        or not 3 <= exponent < 2**64
        or len(signature) != length
        or length < len(info) + 11
    ):
        return False
    padded = b"\0\1" + b"\xff" * (length - len(info) - 3) + b"\0" + info
    return pow(int.from_bytes(signature, "big"), exponent, modulus) == int.from_bytes(padded, "big")


def _ecdsa(curve: Curve, bits: bytes, signature: bytes, hashed: bytes) -> bool:
    length = (curve.p.bit_length() + 7) // 8
    if len(bits) != 1 + 2 * length or bits[0] != 4:
        raise Unsupported("its key is written in a way that is not known here")
    x, y = int.from_bytes(bits[1 : 1 + length], "big"), int.from_bytes(bits[1 + length :], "big")
    pair = first_value(signature)
    r, s = pair.part(0).number, pair.part(1).number
    if (y * y - x**3 + 3 * x - curve.b) % curve.p or not (0 < r < curve.n and 0 < s < curve.n):
        return False
    extra = max(0, 8 * len(hashed) - curve.n.bit_length())
    inverse, value = pow(s, -1, curve.n), int.from_bytes(hashed, "big") >> extra
    one = _multiplied(curve, value * inverse % curve.n, (curve.x, curve.y))
    other = _multiplied(curve, r * inverse % curve.n, (x, y))
    found = _added(curve, one, other)
    return found is not None and found[0] % curve.n == r


def _added(curve: Curve, one: Flat | None, other: Flat | None) -> Flat | None:
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % curve.p == 0:
        return None
    if one == other:
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, curve.p)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, curve.p)
    x = (slope * slope - one[0] - other[0]) % curve.p
    return x, (slope * (one[0] - x) - one[1]) % curve.p


def _multiplied(curve: Curve, scalar: int, point: Flat) -> Flat | None:
    found: Flat | None = None
    step: Flat | None = point
    while scalar:
        if scalar & 1:
            found = _added(curve, found, step)
        step, scalar = _added(curve, step, step), scalar >> 1
    return found
