"""Verifying the ledger: the signed heads, each against the tree at its size and the key that has to have signed it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evidence_app.ledger import note
from evidence_app.ledger.errors import BadSignature, LedgerError
from evidence_app.ledger.note import KEY_ID_BYTES, Head, Verifier
from evidence_app.models import Entry, LedgerKey, TreeHead
from evidence_app.services import signing

if TYPE_CHECKING:
    from evidence_app.services.verifying import Report

AT_ONCE = 500


class Signed:
    """`sizes`: at which of them the root is wanted; filled in by whoever builds the tree."""

    def __init__(self, report: Report, key: str, since: str) -> None:
        self._report = report
        self._known = _known_keys(report)
        self._trusted = self._first_trusted(key)
        self._others = [*self._remember(), *self._kept(since)]
        self._newest = TreeHead.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        sizes = TreeHead.objects.order_by("size").values_list("size", flat=True).distinct()
        self.sizes: dict[int, bytes | None] = dict.fromkeys(sizes.iterator(chunk_size=5000))
        self.sizes |= {head.size: None for _, head in self._others}

    def check(self) -> Iterator[None]:
        """Newest first, by the keys that the texts of signed heads lead to; who else signed one proves nothing."""
        self._follow()
        for name, head in self._others:
            self._check_root(head, name)
        before: tuple[int, int] | None = None
        lost = _lost_before()
        while rows := self._heads_before(before):
            for row in rows:
                self._check_head(row, lost)
            before = (rows[-1].size, rows[-1].pk)
            yield

    def _first_trusted(self, key: str) -> dict[str, Verifier] | None:
        """None where nobody can say here whose signature counts."""
        if key:
            found = self._known.get(key)
            if found is None:
                self._report.add(f"no head was ever signed by the key {key}")
            return {key: found} if found else {}
        try:
            own = signing.verifiers()
        except LedgerError as error:
            self._report.add(str(error))
            return None
        if not own:
            self._report.notes.append("there is no signing key on this machine, so it was not checked who signed")
            return None
        return {each.fingerprint: each for each in own}

    def _follow(self) -> None:
        """A key that we trust signed a text that names the one after it, or the one before."""
        if self._trusted is None:
            return
        rows = TreeHead.objects.filter(pk__lte=self._newest, note__contains="\nkey ").order_by("size", "pk")
        steps = [step for text in rows.values_list("note", flat=True) for step in self._steps(text)]
        while led := {to for by, to in steps if by in self._trusted and to not in self._trusted}:
            self._trusted |= {each: self._known[each] for each in led}

    def _steps(self, text: str) -> Iterator[tuple[str, str]]:
        """From the fingerprint that signed this head to the one it names."""
        try:
            head, signatures = note.read(text)
        except BadSignature:
            return  # which is said of it when all heads are read
        pair = head.hand_over
        if pair is None or not set(pair) <= set(self._known):
            return
        for by, to in (pair, pair[::-1]):
            if _has_signed(self._known[by], head, signatures):
                yield by, to

    def _remember(self) -> list[tuple[str, Head]]:
        try:
            head = signing.remembered() if signing.verifier() is not None else None
        except LedgerError as error:
            self._report.add(str(error))
            return []
        return [("the head that is remembered outside of the database", head)] if head else []

    def _kept(self, since: str) -> list[tuple[str, Head]]:
        """It was kept by whoever asks, so its signature is not looked at: it may be of a key from before."""
        if not since:
            return []
        try:
            head = note.read(since)[0]
        except BadSignature as error:
            self._report.add(f"the head that was kept elsewhere: {error}")
            return []
        return [("the head that was kept elsewhere", head)]

    def _heads_before(self, before: tuple[int, int] | None) -> list[TreeHead]:
        """Without those that are signed while the ledger is read: they are over more of it."""
        rows = TreeHead.objects.filter(pk__lte=self._newest).order_by("-size", "-pk")
        if before is not None:
            size, pk = before
            rows = rows.filter(size__lte=size).exclude(size=size, pk__gte=pk)
        return list(rows[:AT_ONCE])

    def _check_head(self, row: TreeHead, lost: int) -> None:
        self._report.heads += 1
        name = f"the head signed over {row.size} entries"
        try:
            head, signatures = note.read(row.note)
        except BadSignature as error:
            self._report.add(f"{name}: {error}")
            return
        if (head.size, head.root.hex()) != (row.size, row.root):
            self._report.add(f"{name} says something else than its row")
        self._check_root(head, name)
        signers = [each for each in self._known.values() if _has_signed(each, head, signatures)]
        if self._trusted is None:
            if not signers:
                self._report.add(f"{name} is signed by no key that is known")
        elif not any(each.fingerprint in self._trusted for each in signers) and row.size > lost:
            self._report.add(f"{name} is not signed by the key it has to be signed by")

    def _check_root(self, head: Head, name: str) -> None:
        if head.size > self._report.size:
            there = self._report.size
            self._report.add(f"entries are gone: {name} is over {head.size}, and there are {there}", there)
            return
        root = self.sizes.get(head.size)
        if root is not None and root != head.root:
            self._report.add(f"history was rewritten: {name} has another root than the first {head.size} entries")


def _known_keys(report: Report) -> dict[str, Verifier]:
    found = {}
    for row in LedgerKey.objects.all():
        try:
            key = note.read_verifier(row.verifier)
        except BadSignature as error:
            report.add(f"the key {row.fingerprint}: {error}")
            continue
        found[key.fingerprint] = key
    return found


def _has_signed(key: Verifier, head: Head, signatures: list[tuple[str, bytes]]) -> bool:
    text = head.text.encode()
    return any(
        (name, value[:KEY_ID_BYTES]) == (key.name, key.id) and key.has_signed(text, value[KEY_ID_BYTES:])
        for name, value in signatures
    )


def _lost_before() -> int:
    """The last entry that says a key was lost: heads up to it were signed by one that nobody can vouch for."""
    entries = Entry.objects.filter(kind="key.rotated", opening__facts__contains='"lost":true')
    return entries.order_by("-seq").values_list("seq", flat=True).first() or 0
