"""Ed25519 signatures (RFC 8032, section 5.1.7), verified with whole numbers and nothing else."""

from __future__ import annotations

import hashlib

FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, -1, FIELD) % FIELD
ROOT_OF_MINUS_1 = pow(2, (FIELD - 1) // 4, FIELD)
NEUTRAL = (0, 1, 1, 0)

Point = tuple[int, int, int, int]  # X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z


def has_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the private key of `key` (32 bytes) made `signature` (64 bytes) over the message."""
    if len(key) != 32 or len(signature) != 64:
        return False
    point, scalar = _point(key), int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER:
        return False
    hashed = hashlib.sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(hashed, "little") % ORDER
    found = _sum(_times(scalar, _BASE), _times(challenge, (FIELD - point[0], point[1], point[2], FIELD - point[3])))
    return _encoded(found) == signature[:32]


def _sum(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % FIELD
    b = (one[1] + one[0]) * (other[1] + other[0]) % FIELD
    c = 2 * one[3] * other[3] * CURVE_D % FIELD
    d = 2 * one[2] * other[2] % FIELD
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % FIELD, g * h % FIELD, f * g % FIELD, e * h % FIELD


def _times(scalar: int, point: Point) -> Point:
    found = NEUTRAL
    while scalar:
        if scalar & 1:
            found = _sum(found, point)
        point, scalar = _sum(point, point), scalar >> 1
    return found


def _point(encoded: bytes) -> Point | None:
    """None for bytes that are no point of the curve."""
    value = int.from_bytes(encoded, "little")
    sign, y = value >> 255, value & ((1 << 255) - 1)
    if y >= FIELD:
        return None
    x2 = (y * y - 1) * pow(CURVE_D * y * y + 1, -1, FIELD) % FIELD
    x = pow(x2, (FIELD + 3) // 8, FIELD)
    if (x * x - x2) % FIELD:
        x = x * ROOT_OF_MINUS_1 % FIELD
    if (x * x - x2) % FIELD or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = FIELD - x
    return x, y, 1, x * y % FIELD


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], -1, FIELD)
    x, y = point[0] * inverse % FIELD, point[1] * inverse % FIELD
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _base() -> Point:
    point = _point((4 * pow(5, -1, FIELD) % FIELD).to_bytes(32, "little"))
    if point is None:
        raise ArithmeticError
    return point


_BASE = _base()
