"""As much of DER (X.690) as is needed to put the certificates of a time stamp in the order that DER wants.

Authorities built on OpenSSL send them in the order of their configuration; strict readers refuse that. Nothing signs
that order, and no length changes by it.
"""

from __future__ import annotations

from dataclasses import dataclass

# Of TimeStampResp: the token, its content, SignedData, the certificates; each the place among its siblings.
TOKEN, CONTENT, SIGNED_DATA = 1, 1, 0
CERTIFICATES = 0xA0
LONG = 0x80


class NotDer(ValueError):
    pass


@dataclass(frozen=True, slots=True)
class Part:
    """One value: `start` of its tag, `body` of what it holds, `end` after it."""

    tag: int
    start: int
    body: int
    end: int


def with_sorted_certificates(data: bytes) -> bytes:
    """The same answer; unchanged where it is none."""
    try:
        signed = _inside(data, [0, TOKEN, CONTENT, SIGNED_DATA])
        held = next((part for part in parts(data, signed.body, signed.end) if part.tag == CERTIFICATES), None)
        if held is None:
            return data
        each = sorted(data[part.start : part.end] for part in parts(data, held.body, held.end))
    except NotDer:
        return data
    return data[: held.body] + b"".join(each) + data[held.end :]


def parts(data: bytes, start: int, end: int) -> list[Part]:
    found = []
    while start < end:
        part = _part(data, start, end)
        found.append(part)
        start = part.end
    return found


def _inside(data: bytes, way: list[int]) -> Part:
    part = Part(0, 0, 0, len(data))
    for place in way:
        within = parts(data, part.body, part.end)
        if len(within) <= place:
            raise NotDer
        part = within[place]
    return part


def _part(data: bytes, start: int, end: int) -> Part:
    if start + 2 > end:
        raise NotDer
    length, body = data[start + 1], start + 2
    if length >= LONG:
        body += length - LONG
        length = int.from_bytes(data[start + 2 : body], "big")
    if body > end or body + length > end:
        raise NotDer
    return Part(data[start], start, body, body + length)
