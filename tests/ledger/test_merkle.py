"""The Merkle tree: public vectors, and the laws of its proofs over trees of any size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.ledger.errors import BadProof, LedgerError, Rewritten
from evidence_app.ledger.merkle import (
    EMPTY_ROOT,
    Tree,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_at,
    verify_consistency,
    verify_inclusion,
)

# Source: the test vectors of Certificate Transparency (google/certificate-transparency, merkletree tests), which the
# transparency-dev/merkle project uses too: eight leaves, and the root after each.
LEAVES = [bytes.fromhex(text) for text in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def tree_of(leaves: list[bytes]) -> Tree:
    tree = Tree()
    for leaf in leaves:
        tree.append(leaf_hash(leaf))
    return tree


def plain_root(hashes: list[bytes]) -> bytes:
    """MTH of RFC 6962 as it is written there."""
    if not hashes:
        return EMPTY_ROOT
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return node_hash(plain_root(hashes[:split]), plain_root(hashes[split:]))


@pytest.mark.parametrize("size", range(1, 9))
def test_the_roots_are_those_of_the_public_vectors(size: int) -> None:
    assert tree_of(LEAVES[:size]).root.hex() == ROOTS[size - 1]
    assert root_at(tree_of(LEAVES).nodes, size).hex() == ROOTS[size - 1]


def test_an_empty_tree_has_the_hash_of_nothing() -> None:
    assert Tree().root.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


SIZES = st.integers(1, 200)


@given(SIZES)
def test_kept_nodes_give_the_root_as_the_rfc_defines_it(size: int) -> None:
    leaves = [bytes([at % 251, at // 251]) for at in range(size)]
    assert tree_of(leaves).root == plain_root([leaf_hash(leaf) for leaf in leaves])


@given(SIZES, st.data())
def test_every_inclusion_proof_verifies_and_for_nothing_else(size: int, data: st.DataObject) -> None:
    tree = tree_of([str(at).encode() for at in range(size)])
    index = data.draw(st.integers(0, size - 1))
    proof = inclusion_proof(tree.nodes, index, size)
    assert len(proof) <= size.bit_length()
    leaf = leaf_hash(str(index).encode())
    verify_inclusion(leaf=leaf, index=index, size=size, proof=proof, root=tree.root)
    with pytest.raises(BadProof):
        verify_inclusion(leaf=leaf_hash(b"other"), index=index, size=size, proof=proof, root=tree.root)
    other = data.draw(st.integers(0, size))
    if other != index:
        with pytest.raises(BadProof):
            verify_inclusion(leaf=leaf, index=other, size=size, proof=proof, root=tree.root)


@given(SIZES, st.data())
def test_any_bit_flipped_in_a_proof_breaks_it(size: int, data: st.DataObject) -> None:
    tree = tree_of([str(at).encode() for at in range(size + 1)])
    index = data.draw(st.integers(0, size))
    proof = inclusion_proof(tree.nodes, index, size + 1)
    step, bit = data.draw(st.integers(0, len(proof) - 1)), data.draw(st.integers(0, 255))
    flipped = bytearray(proof[step])
    flipped[bit // 8] ^= 1 << bit % 8
    broken = [*proof[:step], bytes(flipped), *proof[step + 1 :]]
    leaf = leaf_hash(str(index).encode())
    for wrong in (broken, proof[:-1], [*proof, proof[-1]]):
        with pytest.raises(BadProof):
            verify_inclusion(leaf=leaf, index=index, size=size + 1, proof=wrong, root=tree.root)


@given(SIZES, st.data())
def test_every_tree_continues_its_earlier_states_and_no_other(size: int, data: st.DataObject) -> None:
    leaves = [str(at).encode() for at in range(size)]
    tree = tree_of(leaves)
    first = data.draw(st.integers(1, size))
    old = root_at(tree.nodes, first)
    proof = consistency_proof(tree.nodes, first, size)
    verify_consistency(first=first, second=size, proof=proof, first_root=old, second_root=tree.root)
    changed = data.draw(st.integers(0, first - 1))
    rewritten = tree_of([*leaves[:changed], b"rewritten", *leaves[changed + 1 :]])
    with pytest.raises(LedgerError):
        verify_consistency(
            first=first,
            second=size,
            proof=consistency_proof(rewritten.nodes, first, size),
            first_root=old,
            second_root=rewritten.root,
        )


def test_a_shorter_tree_continues_nothing() -> None:
    with pytest.raises(Rewritten):
        verify_consistency(first=5, second=3, proof=[], first_root=EMPTY_ROOT, second_root=EMPTY_ROOT)


def test_two_trees_of_one_size_with_other_roots_are_a_rewrite() -> None:
    with pytest.raises(Rewritten):
        verify_consistency(first=3, second=3, proof=[], first_root=b"a" * 32, second_root=b"b" * 32)


@pytest.mark.parametrize(("index", "size"), [(0, 0), (3, 3), (-1, 3)])
def test_a_leaf_that_is_not_there_has_no_proof(index: int, size: int) -> None:
    tree = tree_of(LEAVES)
    with pytest.raises(ValueError, match="there is no leaf"):
        inclusion_proof(tree.nodes, index, size)
    with pytest.raises(BadProof):
        verify_inclusion(leaf=leaf_hash(b""), index=index, size=size, proof=[], root=tree.root)
