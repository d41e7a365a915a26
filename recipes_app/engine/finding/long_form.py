"""Long targets: locators of different families must agree on one node, or one of them and the fingerprint."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from recipes_app.browser.api import Frame
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.quorum import MANY
from recipes_app.engine.finding.fingerprints import resembles
from recipes_app.engine.finding.locating import all_locators, build, families_of, scope_of
from recipes_app.engine.finding.outcome import Found, Look, Miss, shown, with_lost
from recipes_app.engine.finding.strength import css_strength, family
from recipes_app.engine.shapes import Locator, Target

NONCES = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Vote:
    """All locators of a target marked in one chain, ready to be asked for agreement."""

    union: Nodes
    nonce: int
    document: Nodes
    total: int

    def agreeing(self, families: int) -> Nodes:
        return self.union.locator(f"agentify-agree={self.nonce}:{families}")

    def count(self, agreed: Nodes) -> tuple[int, bool]:
        """How many there are, and whether every locator finds one of them."""
        count = agreed.or_(self.document.locator(f"agentify-whole={self.nonce}:{self.total}")).count()
        return (count - MANY, True) if count > MANY else (count, False)

    def finders(self, agreed: Nodes) -> set[int]:
        """The numbers of the locators that find it."""
        bits = range(self.total)
        return {bit for bit in bits if agreed.locator(f"agentify-found-by={self.nonce}:{bit}").count()}


def find_long(frame: Frame, target: Target, look: Look) -> Found | Miss:
    for fold_case in (False, True):
        vote = call_vote(frame, target, look, fold_case=fold_case)
        outcome = count_vote(frame, target, vote)
        if isinstance(outcome, Found) or outcome.kind == "ambiguous":
            return outcome
    return outcome


def call_vote(frame: Frame, target: Target, look: Look, *, fold_case: bool) -> Vote:
    """Every call has a nonce of its own: a locator kept from it never sees the marks of a later one."""
    nonce = next(NONCES)
    union: Nodes | None = None
    for bit, locator in enumerate(all_locators(target)):
        marked = build(frame, locator, fold_case=fold_case).locator(mark(nonce, bit, locator, target, look))
        union = marked if union is None else union.or_(marked)
    scope = scope_of(frame, target)
    root = frame.locator("css=html") if isinstance(scope, Frame) else scope
    reset = root.locator(f"agentify-reset={nonce}")
    total = len(all_locators(target))
    return Vote(reset.locator(union) if union is not None else reset, nonce, frame.locator("css=html"), total)


def matched_by(target: Target, vote: Vote, agreed: Nodes) -> str:
    """The families that found it, and the locators that did not."""
    finders = vote.finders(agreed)
    numbered = list(enumerate(all_locators(target)))
    families = {family(locator) for bit, locator in numbered if bit in finders}
    if target.within:
        families.add("place")
    lost = [label_of(locator) for bit, locator in numbered if bit not in finders]
    return with_lost(" and ".join(sorted(families)), lost)


def label_of(locator: Locator) -> str:
    """Short: it stands in the step's report."""
    return locator.value[:30] if locator.kind == "css" else locator.kind


def mark(nonce: int, bit: int, locator: Locator, target: Target, look: Look) -> str:
    families = {family(locator)} | ({"place"} if target.within else set())
    which = "visible" if look.visible else "any"
    return f"agentify-mark={nonce}:{bit}:{'+'.join(sorted(families))}:{which}"


def count_vote(frame: Frame, target: Target, vote: Vote) -> Found | Miss:
    offered = families_of(target)
    needed = min(2, len(offered))
    agreed = vote.agreeing(needed)
    count, is_whole = vote.count(agreed)
    if target.nth is not None and count > target.nth:
        return Found(agreed.nth(target.nth), f"number {target.nth + 1}", frame)
    if count > 1:
        return Miss("ambiguous", {"agreeing": count}, frame=frame)
    if count == 1 and (needed == 2 or stands_alone(target, agreed)):
        return Found(agreed, " and ".join(sorted(offered)) if is_whole else matched_by(target, vote, agreed), frame)
    return by_fingerprint(frame, target, vote)


def stands_alone(target: Target, agreed: Nodes) -> bool:
    """A target of one family only: its fingerprint decides, or without one whether it is more than a position."""
    if target.fingerprint:
        return resembles(agreed, target.fingerprint)
    return any(locator.kind != "xpath" and not is_place(locator) for locator in all_locators(target))


def is_place(locator: Locator) -> bool:
    return locator.kind == "css" and css_strength(locator.value) == "place"


def by_fingerprint(frame: Frame, target: Target, vote: Vote) -> Found | Miss:
    single = vote.agreeing(1)
    count = single.count()
    if count == 0:
        return Miss("missing" if vote.union.count() == 0 else "drifted", frame=frame, reason=veto_words(vote))
    if count > 1:
        return Miss("ambiguous", {"found": count}, frame=frame)
    if target.fingerprint and resembles(single, target.fingerprint):
        return Found(single, f"the fingerprint and {matched_by(target, vote, single)}", frame)
    return Miss("drifted", {"found": 1}, "one locator finds it, but nothing else agrees", frame)


def veto_words(vote: Vote) -> str:
    return "its locators find different nodes" if vote.union.count() else ""


def votes_each(frame: Frame, target: Target, look: Look) -> dict[str, int]:
    """How many nodes each locator finds by itself; asked only when the target was not found."""
    scope = scope_of(frame, target)
    return {
        f"{number}. {locator.kind}": shown(build(scope, locator), look).count()
        for number, locator in enumerate(all_locators(target), start=1)
    }
