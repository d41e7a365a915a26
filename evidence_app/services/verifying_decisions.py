"""Verifying the ledger: what people decided, row by row, against what the ledger says that they decided.

Every row has its entry since there are such rows, so that one without is forged, whatever its number or time; only the
list of who may not sign was made up afterwards for runs that are older than the ledger.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from evidence_app.ledger.canonical import canonical
from evidence_app.models import (
    BreakGlass,
    Comment,
    Conclusion,
    Entry,
    Exhibit,
    Hold,
    Removal,
    Review,
    RunBarred,
)
from evidence_app.models.retention import Asked
from evidence_app.models.review import Decision, ExhibitState

if TYPE_CHECKING:
    from evidence_app.services.verifying import Report, Row

AT_ONCE = 2000
BARRED, BROKEN = "run.barred", "four_eyes.broken"
Said = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of entry about one row. `key`: what the facts call its number; `read`: what of the row they say too."""

    model: type[Model]
    key: str
    what: str
    read: Callable[[Any], dict[str, Any]]
    with_: tuple[str, ...] = ()
    told_of: Q = field(default_factory=Q)  # the rows that there is such an entry about


def _decided(row: Review) -> dict[str, Any]:
    names = ("level", "decision", "reason_code", "words", "seen", "hashed_here")
    return {**_place(row), **{name: getattr(row, name) for name in names}, "reviewer": row.reviewer_id}


def _concluded(row: Conclusion) -> dict[str, Any]:
    names = ("answer", "words", "judgment_was_hidden")
    return {**_place(row), **{name: getattr(row, name) for name in names}, "reviewer": row.reviewer_id}


def _place(row: Review | Conclusion) -> dict[str, Any]:
    return {"sample": row.sample.sample_id, "attempt": row.attempt.number, "run": row.sample.run.public_id}


def _placed(row: Hold) -> dict[str, Any]:
    about = {"team": row.team_id, "task_id": row.spec.task_id if row.spec else None}
    run = {"run": row.run.public_id} if row.run else {}
    return {**about, **run, "words": row.words, "by": row.placed_by_id}


def _removed(row: Removal) -> dict[str, Any]:
    people = {"asked_by": row.asked_by_id, "approved_by": row.decided_by_id}
    about = {"run": row.run.public_id, "retention_days": row.days}
    return {**about, **people, "words": [row.words, row.decided_words]}


KINDS = {
    "review.decided": Kind(Review, "review", "the decision", _decided, ("sample__run", "attempt")),
    "review.undone": Kind(
        Review,
        "review",
        "the taking back of decision",
        lambda row: {"by": row.undone_by_id, "words": row.undone_words},
        told_of=Q(undone_at__isnull=False),
    ),
    "conclusion.given": Kind(Conclusion, "conclusion", "the conclusion", _concluded, ("sample__run", "attempt")),
    "review.commented": Kind(
        Comment, "comment", "the comment", lambda row: {"by": row.by_id, "text": row.text}
    ),
    "hold.placed": Kind(Hold, "hold", "the hold", _placed, ("spec", "run")),
    "hold.lifted": Kind(
        Hold,
        "hold",
        "the lifting of hold",
        lambda row: {"by": row.lifted_by_id, "words": row.lifted_words},
        told_of=Q(lifted_at__isnull=False),
    ),
    "retention.removed": Kind(
        Removal, "removal", "the removal", _removed, ("run",), told_of=Q(status=Asked.APPROVED)
    ),
}  # fmt: skip
# What has to have been decided about the attempt where an exhibit stands so.
DECIDED = {
    ExhibitState.APPROVED: (Decision.APPROVE,),
    ExhibitState.SECOND: (Decision.APPROVE,),
    ExhibitState.REJECTED: (Decision.REJECT,),
    ExhibitState.RECAPTURE: (Decision.REJECT, Decision.RECAPTURE),
}


class Hand(NamedTuple):
    """Somebody who may not sign a run, or may all the same; `why` is a Bar."""

    run: str
    user: int
    why: str = ""


class Decisions:
    """What was seen on the way: which entry tells of which row, and who is said to be barred from which run."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told: dict[str, set[int]] = defaultdict(set)
        self._new: dict[str, dict[int, tuple[int, Said]]] = defaultdict(dict)
        self._barred: set[Hand] = set()
        self._broken: dict[Hand, tuple[int, Said]] = {}

    def take(self, row: Row, facts: Said) -> None:
        """One entry, whose facts are what was committed to; KeyError or TypeError where they lack what ours have."""
        if kind := KINDS.get(row.kind):
            self._new[row.kind][_number(facts[kind.key])] = (row.seq, facts)
        elif row.kind == BARRED:
            self._barred |= {Hand(row.run or "", _number(each["id"]), str(each["why"])) for each in facts["people"]}
        elif row.kind == BROKEN:
            said = {"by": _number(facts["by"]["id"]), "words": str(facts["words"])}
            self._broken[Hand(row.run or "", _number(facts["person"]["id"]))] = (row.seq, said)

    def compare(self) -> None:
        """The rows that the entries taken since the last time tell of."""
        for name, entries in self._new.items():
            kind = KINDS[name]
            rows = _all(kind.model).select_related(*kind.with_).in_bulk(list(entries))
            for pk, (seq, facts) in entries.items():
                self._compare(kind, rows.get(pk), seq, facts)
            self._told[name] |= set(entries)
        self._new.clear()

    def _compare(self, kind: Kind, row: Any, seq: int, facts: Said) -> None:
        if row is None:
            self._report.add(f"the row of {kind.what} {facts[kind.key]} is gone", seq)
            return
        now = kind.read(row)
        changed = [name for name in now if canonical({"is": now[name]}) != canonical({"is": _said(facts.get(name))})]
        if changed:
            self._report.add(f"{', '.join(changed)} of {kind.what} {row.pk} changed since", seq)

    def check_rows(self, upto: int) -> Iterator[None]:
        """From the rows to the entries: `upto` so many were taken, and others have come meanwhile."""
        self.compare()
        for name, kind in KINDS.items():
            yield from self._check_told(name, kind, upto)
        yield from self._check_barred(upto)
        self._check_broken(upto)
        yield
        self._check_exhibits()
        yield

    def _check_told(self, name: str, kind: Kind, upto: int) -> Iterator[None]:
        last, rows = 0, _all(kind.model).filter(kind.told_of).order_by("pk").values_list("pk", flat=True)
        while found := list(rows.filter(pk__gt=last)[:AT_ONCE]):
            if unknown := set(found) - self._told[name]:
                unknown -= {facts[kind.key] for facts in _since(upto, name)}
            for pk in sorted(unknown):
                self._report.add(f"no entry tells of {kind.what} {pk}")
            last = found[-1]
            yield
        if below := list(rows.filter(pk__lte=0)):
            self._report.add(f"no entry tells of {kind.what} {below[0]}")

    def _check_barred(self, upto: int) -> Iterator[None]:
        """Either way: somebody taken off the list could sign, somebody put on it could not."""
        begun = Entry.objects.filter(seq=0).values_list("at", flat=True).first()
        found: set[Hand] = set()
        last = None
        rows = RunBarred.objects.order_by("pk").values_list("pk", "run__public_id", "user", "why", "run__created_at")
        while chunk := list((rows if last is None else rows.filter(pk__gt=last))[:AT_ONCE]):
            hands = {Hand(run, user, why): made for _, run, user, why, made in chunk}
            found |= set(hands)
            self._check_listed({hand: made for hand, made in hands.items() if hand not in self._barred}, begun, upto)
            last = chunk[-1][0]
            yield
        for hand in sorted(self._barred - found):
            self._report.add(f"the list of who may not sign the run {hand.run} lacks the person {hand.user}")

    def _check_listed(self, hands: dict[Hand, datetime], begun: datetime | None, upto: int) -> None:
        listed = {hand.run for hand in self._barred}
        unknown = {hand for hand, made in hands.items() if hand.run in listed or (begun is not None and made >= begun)}
        if unknown:
            came = _since(upto, BARRED)
            unknown -= {Hand(facts["run"], each["id"], each["why"]) for facts in came for each in facts["people"]}
        for hand in sorted(unknown):
            self._report.add(f"no entry tells that the person {hand.user} may not sign the run {hand.run}")

    def _check_broken(self, upto: int) -> None:
        found = {Hand(row.run.public_id, row.user_id): row for row in BreakGlass.objects.select_related("run")}
        came = {Hand(facts["run"], facts["person"]["id"]) for facts in _since(upto, BROKEN)}
        for hand in sorted(set(found) - set(self._broken) - came):
            self._report.add(f"no entry tells that the person {hand.user} may sign the run {hand.run} all the same")
        for hand, (seq, facts) in self._broken.items():
            row = found.get(hand)
            if row is None or (row.by_id, row.words) != (facts["by"], facts["words"]):
                self._report.add(f"that the person {hand.user} may sign all the same was changed", seq)

    def _check_exhibits(self) -> None:
        """The queue says of nothing that it was decided on which was not."""
        for state, decisions in DECIDED.items():
            same = Review.objects.filter(attempt=OuterRef("attempt"), decision__in=decisions, undone_at=None)
            rows = Exhibit.objects.filter(state=state).exclude(Exists(same)).select_related("sample__run")
            for row in rows.order_by("pk")[:AT_ONCE]:
                name = f"{row.sample.sample_id} of the run {row.sample.run.public_id}"
                self._report.add(f"{name} stands as “{row.get_state_display()}”, and no decision says so")


def _number(value: Any) -> int:
    """Of a row. TypeError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**63:
        raise TypeError(value)
    return value


def _all(model: type[Model]) -> QuerySet[Any]:
    return model._default_manager.all()


def _said(value: Any) -> Any:
    """People are told apart by their number: names and addresses may change."""
    return value["id"] if isinstance(value, dict) and {"id", "name"} <= set(value) else value


def _since(upto: int, kind: str) -> list[dict[str, Any]]:
    """The facts of entries that came while the others were read."""
    rows = Entry.objects.filter(seq__gte=upto, kind=kind).order_by("seq")
    return [json.loads(text) for text in rows.values_list("opening__facts", flat=True) if text]
