"""Long targets: locators of different families must agree on one node, or one of them and the fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from recipes_app.browser.api import Frame
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.looking import NONCES, Wish, look_at_marked
from recipes_app.engine.finding.fingerprints import resembles
from recipes_app.engine.finding.locating import all_locators, build, families_of, scope_of
from recipes_app.engine.finding.outcome import Found, Look, Miss, shown, with_lost
from recipes_app.engine.finding.strength import css_strength, family
from recipes_app.engine.shapes import Locator, Target


@dataclass(frozen=True, slots=True)
class Vote:
    """All locators of a target marked in one chain, and what one look at it said."""

    union: Nodes
    nonce: int
    said: dict[str, Any]

    def agreeing(self, families: int) -> Nodes:
        return self.union.locator(f"agentify-agree={self.nonce}:{families}")

    @property
    def facts(self) -> dict[str, Any]:
        return dict(self.said.get("facts", {}))

    def found(self, families: int, matched: str, frame: Frame) -> Found:
        return Found(self.agreeing(families), matched, frame, nonce=self.nonce, facts=self.facts)


def find_long(frame: Frame, target: Target, look: Look) -> Found | Miss:
    for fold_case in (False, True):
        outcome = count_vote(frame, target, call_vote(frame, target, look, fold_case=fold_case))
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
    chain = reset.locator(union) if union is not None else reset
    wish = (look.wish if target.nth is None else Wish()).as_body()
    if target.fingerprint:
        wish["want"] = [*wish["want"], "features"]
    body = {**wish, "nonce": nonce, "needed": needed_families(target)}
    return Vote(chain, nonce, look_at_marked(frame, chain, body))


def needed_families(target: Target) -> int:
    return min(2, len(families_of(target)))


def matched_by(target: Target, vote: Vote) -> str:
    """The families that found it, and the locators that did not."""
    finders = set(vote.said["finders"])
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
    needed = needed_families(target)
    count = vote.said["agreed"]
    if target.nth is not None and count > target.nth:
        return Found(vote.agreeing(needed).nth(target.nth), f"number {target.nth + 1}", frame)
    if count > 1:
        return Miss("ambiguous", {"agreeing": count}, frame=frame)
    if count == 1 and (needed == 2 or stands_alone(target, vote)):
        return vote.found(needed, matched_by(target, vote), frame)
    return by_fingerprint(frame, target, vote)


def stands_alone(target: Target, vote: Vote) -> bool:
    """A target of one family only: its fingerprint decides, or without one whether it is more than a position."""
    if target.fingerprint:
        return resembles(vote.facts.get("features"), target.fingerprint)
    return any(locator.kind != "xpath" and not is_place(locator) for locator in all_locators(target))


def is_place(locator: Locator) -> bool:
    return locator.kind == "css" and css_strength(locator.value) == "place"


def by_fingerprint(frame: Frame, target: Target, vote: Vote) -> Found | Miss:
    union, single = vote.said["union"], vote.said["single"]
    if single == 0:
        reason = "its locators find different nodes" if union else ""
        return Miss("drifted" if union else "missing", frame=frame, reason=reason)
    if single > 1:
        return Miss("ambiguous", {"found": single}, frame=frame)
    if target.fingerprint and resembles(vote.facts.get("features"), target.fingerprint):
        return vote.found(1, f"the fingerprint and {matched_by(target, vote)}", frame)
    return Miss("drifted", {"found": 1}, "one locator finds it, but nothing else agrees", frame)


def votes_each(frame: Frame, target: Target, look: Look) -> dict[str, int]:
    """How many nodes each locator finds by itself; asked only when the target was not found."""
    scope = scope_of(frame, target)
    return {
        f"{number}. {locator.kind}": shown(build(scope, locator), look).count()
        for number, locator in enumerate(all_locators(target), start=1)
    }
