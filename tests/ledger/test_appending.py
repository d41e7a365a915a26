"""Entries: gapless, canonical, in the transaction they tell of; proofs from the kept hashes verify."""

import hashlib
import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
import rfc8785
from django.db import connection, transaction

from evidence_app.ledger import merkle
from evidence_app.ledger.merkle import leaf_hash, verify_consistency, verify_inclusion
from evidence_app.models import Entry, Node, Opening
from evidence_app.services import ledger
from tests.ledger.vault import problems


@pytest.fixture
def filled(db: None) -> int:
    for number in range(37):
        ledger.append("test.done", {"team": 1, "number": number})
    return 37


@pytest.mark.django_db(transaction=True)
def test_nothing_is_appended_outside_of_the_transaction_it_tells_of() -> None:
    with pytest.raises(transaction.TransactionManagementError, match="belongs into the transaction that it tells of"):
        ledger.append("test.done", {})
    assert ledger.size() == 0


@pytest.mark.django_db(transaction=True)
def test_an_entry_goes_with_its_transaction_and_leaves_no_gap() -> None:
    with transaction.atomic():
        ledger.append("test.done", {})
    with transaction.atomic():
        ledger.append("test.done", {})
        transaction.set_rollback(True)
    with transaction.atomic():
        ledger.append("test.done", {})
    assert list(Entry.objects.values_list("seq", flat=True)) == [0, 1]
    assert ledger.current()[1] == ledger.root_at(2)


def test_an_entry_says_nothing_but_its_number_kind_time_and_commitment(filled: int) -> None:
    entry = Entry.objects.get(seq=5)
    said = json.loads(entry.body)
    assert set(said) == {"v", "seq", "kind", "at", "commitment"}
    assert (said["v"], said["seq"], said["kind"]) == (1, 5, "test.done")
    assert rfc8785.dumps(said).decode() == entry.body
    assert entry.leaf == leaf_hash(entry.body.encode()).hex()
    opening = Opening.objects.get(entry=5)
    assert said["commitment"] == hashlib.sha256(bytes.fromhex(opening.salt) + opening.facts.encode()).hexdigest()
    assert json.loads(opening.facts) == {"team": 1, "number": 5}


def test_the_same_facts_have_another_commitment_each_time(filled: int) -> None:
    with_salt = {json.loads(ledger.append("test.done", {}).body)["commitment"] for _ in range(3)}
    assert len(with_salt) == 3


def test_the_kept_hashes_are_those_of_the_whole_tree(filled: int) -> None:
    tree = merkle.Tree()
    for body in Entry.objects.values_list("body", flat=True):
        tree.append(leaf_hash(body.encode()))
    kept = {(node.level, node.index): bytes.fromhex(node.hash) for node in Node.objects.all()}
    assert kept == {place: value for place, value in tree.nodes.items() if place[0]}
    assert ledger.current() == (37, tree.root)


def test_proofs_are_read_in_two_queries_and_verify(filled: int, django_assert_max_num_queries: object) -> None:
    chance = random.Random(4)
    for _ in range(30):
        count = chance.randint(1, filled)
        seq, first = chance.randrange(count), chance.randint(1, count)
        root, leaf = ledger.root_at(count), bytes.fromhex(Entry.objects.get(seq=seq).leaf)
        with django_assert_max_num_queries(2):  # type: ignore[operator]
            proof = ledger.inclusion(seq, count)
        verify_inclusion(leaf=leaf, index=seq, size=count, proof=proof, root=root)
        with django_assert_max_num_queries(2):  # type: ignore[operator]
            proof = ledger.consistency(first, count)
        old = ledger.root_at(first)
        verify_consistency(first=first, second=count, proof=proof, first_root=old, second_root=root)


def test_a_missing_hash_is_no_proof(filled: int) -> None:
    with pytest.raises(KeyError):
        ledger.root_at(filled + 1)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_many_at_once_leave_no_gap() -> None:
    """Four workers, each in transactions of its own, who read the tree meanwhile."""

    def work(worker: int) -> None:
        for number in range(15):
            with transaction.atomic():
                ledger.append("test.done", {"worker": worker, "number": number})
            count, root = ledger.current()
            assert ledger.root_at(count) == root
        connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert list(Entry.objects.values_list("seq", flat=True)) == list(range(60))
    assert problems(files="none") == []
