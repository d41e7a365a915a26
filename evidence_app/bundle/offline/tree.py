"""The ledger's tree of hashes: RFC 6962, section 2.1; its proofs as RFC 9162, section 2.1, checks them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


class BadPath(Exception):
    """A proof does not lead where it has to; the message is for a person."""


class NotContinued(Exception):
    """A later tree does not hold an earlier one."""


def leaf_of(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def check_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """BadPath unless the leaf number `index` of a tree of `size` with that root is this one."""
    if not 0 <= index < size:
        raise BadPath(f"the ledger that was signed has {size} entries")
    value = leaf
    for step, is_left in _walk(index, size - 1, path):
        value = node_of(step, value) if is_left else node_of(value, step)
    if value != root:
        raise BadPath("its proof does not lead to the root that was signed")


def check_continued(sizes: tuple[int, int], path: Sequence[bytes], roots: tuple[bytes, bytes]) -> None:
    """NotContinued unless the first tree is the beginning of the second; BadPath for what is no proof of either."""
    first, second = sizes
    if first > second:
        raise NotContinued(f"it has {second} entries, and the earlier one had {first} already")
    if first in (0, second):
        _check_same(first, roots)
        return
    steps = [roots[0], *path] if first & (first - 1) == 0 else list(path)
    if not path:
        raise BadPath("there is no proof")
    node, last = first - 1, second - 1
    while node % 2:
        node, last = node >> 1, last >> 1
    old = new = steps[0]
    for step, is_left in _walk(node, last, steps[1:]):
        if is_left:
            old, new = node_of(step, old), node_of(step, new)
        else:
            new = node_of(new, step)
    if (old, new) != roots:
        raise NotContinued("the entries of the earlier ledger are not its first ones")


def _check_same(count: int, roots: tuple[bytes, bytes]) -> None:
    if count and roots[0] != roots[1]:
        raise NotContinued(f"of the same {count} entries the roots differ")


def _walk(node: int, last: int, path: Sequence[bytes]) -> list[tuple[bytes, bool]]:
    """Each step with whether it stands to the left on the way up from `node`; it has to end at the top."""
    walked = []
    for step in path:
        if last == 0 or len(step) != 32:
            raise BadPath("its proof is too long, or holds what is no hash")
        is_left = bool(node % 2) or node == last
        walked.append((step, is_left))
        while is_left and node % 2 == 0 and node:
            node, last = node >> 1, last >> 1
        node, last = node >> 1, last >> 1
    if last:
        raise BadPath("its proof is too short")
    return walked
