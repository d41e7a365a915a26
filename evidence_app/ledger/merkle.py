"""The Merkle tree of RFC 6962, section 2.1, with its proofs as RFC 9162, section 2.1 verifies them.

Interior hashes of complete subtrees are kept under (level, index): level 0 are the leaves, node (l, i) covers the
leaves from i * 2^l to (i + 1) * 2^l. An append touches, and a proof reads, O(log n) of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from evidence_app.ledger.errors import BadProof, Rewritten

EMPTY_ROOT = hashlib.sha256(b"").digest()
HASH_BYTES = 32

Place = tuple[int, int]


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Nodes(Protocol):
    """Where the hashes of complete subtrees are kept; KeyError for one that is not there."""

    def __getitem__(self, place: Place, /) -> bytes: ...


@dataclass(slots=True)
class Tree:
    """A tree in memory."""

    size: int = 0
    nodes: dict[Place, bytes] = field(default_factory=dict)

    def append(self, leaf: bytes) -> list[tuple[Place, bytes]]:
        """`leaf` is a leaf's hash; the nodes that are new by it, to be kept."""
        made = list(appended(self.nodes, self.size, leaf))
        self.nodes.update(made)
        self.size += 1
        return made

    @property
    def root(self) -> bytes:
        return root_at(self.nodes, self.size)


def appended(nodes: Nodes, size: int, leaf: bytes) -> Iterator[tuple[Place, bytes]]:
    """The nodes that the leaf number `size` completes, the leaf itself first."""
    level, index, value = 0, size, leaf
    yield (level, index), value
    while index % 2:
        value = node_hash(nodes[(level, index - 1)], value)
        level, index = level + 1, index // 2
        yield (level, index), value


def peaks(size: int, start: int = 0) -> list[Place]:
    """The complete subtrees that make up the leaves from `start` on, largest first; `start` is aligned to them."""
    found, at = [], start
    left = size - start
    while left:
        level = left.bit_length() - 1
        found.append((level, at >> level))
        at += 1 << level
        left -= 1 << level
    return found


def root_at(nodes: Nodes, size: int) -> bytes:
    """The root of the first `size` leaves."""
    if size == 0:
        return EMPTY_ROOT
    return _folded([nodes[place] for place in peaks(size)])


def inclusion_proof(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """PATH of RFC 6962, 2.1.1, from the leaf up. ValueError for a leaf that is not in a tree of that size."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    return _path(nodes, index, 0, size)


def _path(nodes: Nodes, index: int, start: int, end: int) -> list[bytes]:
    count = end - start
    if count == 1:
        return []
    split = start + _split(count)
    if index < split:
        return [*_path(nodes, index, start, split), _range(nodes, split, end)]
    return [*_path(nodes, index, split, end), _range(nodes, start, split)]


def consistency_proof(nodes: Nodes, first: int, second: int) -> list[bytes]:
    """PROOF of RFC 6962, 2.1.2: that the first `first` leaves of a tree of `second` are the tree of `first`."""
    if not 0 < first <= second:
        raise ValueError(f"no proof leads from {first} to {second}")
    return [] if first == second else _subproof(nodes, first, 0, second, whole=True)


def _subproof(nodes: Nodes, first: int, start: int, end: int, *, whole: bool) -> list[bytes]:
    count = end - start
    if first == count:
        return [] if whole else [_range(nodes, start, end)]
    split = _split(count)
    if first <= split:
        return [*_subproof(nodes, first, start, start + split, whole=whole), _range(nodes, start + split, end)]
    rest = _subproof(nodes, first - split, start + split, end, whole=False)
    return [*rest, _range(nodes, start, start + split)]


def verify_inclusion(*, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """RFC 9162, 2.1.3.2. `leaf` is the leaf's hash. Raises BadProof."""
    if not 0 <= index < size:
        raise BadProof(f"there is no leaf {index} in a tree of {size}")
    value = leaf
    for step, is_left in zip(proof, _sides(index, size - 1, proof), strict=True):
        value = node_hash(step, value) if is_left else node_hash(value, step)
    if value != root:
        raise BadProof("the proof does not lead to the root")


def verify_consistency(
    *, first: int, second: int, proof: Sequence[bytes], first_root: bytes, second_root: bytes
) -> None:
    """RFC 9162, 2.1.4.2. Raises BadProof for what is no proof, Rewritten where the trees do not agree."""
    if first > second or first < 0:
        raise Rewritten(f"a tree of {second} cannot continue one of {first}")
    if first == second or first == 0:
        _verify_trivial(first, second, proof, first_root, second_root)
        return
    steps = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not proof:
        raise BadProof("the proof is empty")
    node, last = first - 1, second - 1
    while node % 2:
        node, last = node >> 1, last >> 1
    old = new = steps[0]
    for step, is_left in zip(steps[1:], _sides(node, last, steps[1:]), strict=True):
        if is_left:
            old, new = node_hash(step, old), node_hash(step, new)
        else:
            new = node_hash(new, step)
    if old != first_root or new != second_root:
        raise Rewritten("the later tree does not continue the earlier one")


def _sides(node: int, last: int, proof: Sequence[bytes]) -> Iterator[bool]:
    """For each step of a proof whether it stands to the left on the way up from `node`; it has to end at the top."""
    for step in proof:
        if last == 0 or len(step) != HASH_BYTES:
            raise BadProof("the proof is too long, or holds what is no hash")
        is_left = bool(node % 2) or node == last
        yield is_left
        while is_left and node % 2 == 0 and node:
            node, last = node >> 1, last >> 1
        node, last = node >> 1, last >> 1
    if last:
        raise BadProof("the proof is too short")


def _verify_trivial(first: int, second: int, proof: Sequence[bytes], first_root: bytes, second_root: bytes) -> None:
    if proof:
        raise BadProof("no proof is needed here, and one was given")
    if first == second and first_root != second_root:
        raise Rewritten("two trees of the same size have different roots")
    if first == 0 and first_root != EMPTY_ROOT:
        raise Rewritten("an empty tree has another root")


def _split(count: int) -> int:
    """The largest power of two below `count`."""
    return int(1 << ((count - 1).bit_length() - 1))


def _range(nodes: Nodes, start: int, end: int) -> bytes:
    return _folded([nodes[place] for place in peaks(end, start)])


def _folded(hashes: Sequence[bytes]) -> bytes:
    value = hashes[-1]
    for left in reversed(hashes[:-1]):
        value = node_hash(left, value)
    return value
