"""The part of DER (X.690) that time stamps and certificates are written in, read without trust."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

MAX_DEPTH_OF_LENGTH = 4
BOOLEAN, INTEGER, OCTETS, OBJECT, SEQUENCE, SET = 0x01, 0x02, 0x04, 0x06, 0x30, 0x31


class BadDer(Exception):
    """It cannot be read."""


class Value(NamedTuple):
    """`raw` is all of it, `data` what stands behind tag and length."""

    tag: int
    data: bytes
    raw: bytes

    def parts(self) -> list[Value]:
        return list(values(self.data))

    def part(self, *path: int) -> Value:
        """The value at that place, from outside to inside."""
        found = self
        for index in path:
            parts = found.parts()
            if index >= len(parts):
                raise BadDer("a part of it is missing")
            found = parts[index]
        return found

    def tagged(self, tag: int) -> Value | None:
        return next((each for each in self.parts() if each.tag == tag), None)

    @property
    def number(self) -> int:
        if self.tag != INTEGER:
            raise BadDer("a number of it is none")
        return int.from_bytes(self.data, "big", signed=True)

    @property
    def oid(self) -> str:
        if self.tag != OBJECT or not self.data:
            raise BadDer("a name of it is none")
        numbers, value = [], 0
        for byte in self.data:
            value = value << 7 | byte & 0x7F
            if not byte & 0x80:
                numbers.append(value)
                value = 0
        if not numbers:
            raise BadDer("a name of it is cut off")
        first = min(numbers[0] // 40, 2)
        return ".".join(str(each) for each in (first, numbers[0] - 40 * first, *numbers[1:]))


def values(data: bytes) -> Iterator[Value]:
    """One after the other, to the end."""
    at = 0
    while at < len(data):
        value = first_value(data, at)
        at += len(value.raw)
        yield value


def first_value(data: bytes, at: int = 0) -> Value:
    if at + 2 > len(data) or data[at] & 0x1F == 0x1F:
        raise BadDer("it is cut off")
    length, begin = data[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        if not 0 < count <= MAX_DEPTH_OF_LENGTH:
            raise BadDer("a length of it cannot be read")
        length, begin = int.from_bytes(data[begin : begin + count], "big"), begin + count
    if begin + length > len(data):
        raise BadDer("it is cut off")
    return Value(data[at], data[begin : begin + length], data[at : begin + length])
