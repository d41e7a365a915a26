"""Short targets: role and name, then css, then text; an earlier description that fits several nodes rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.browser.api import Frame
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.looking import Wish, look_at
from recipes_app.engine.finding.locating import Scope, by_name, by_role, quick_scope
from recipes_app.engine.finding.outcome import Found, Look, Miss, shown, with_lost
from recipes_app.engine.finding.strength import css_strength
from recipes_app.engine.naming import PREFIX_LENGTH, name_pattern
from recipes_app.engine.shapes import Target

ACTIONABLE = (
    "css=a, button, input, select, textarea, summary, label, option, [role=button], [role=link], [role=option],"
    " [role=menuitem], [role=tab], [role=checkbox], [role=radio], [role=switch], [tabindex], [onclick],"
    " [contenteditable]"
)


@dataclass(frozen=True, slots=True)
class Way:
    """One description of the target. `weak` ones are tried only once the page had time to show the stronger ones."""

    label: str
    build: Callable[[Scope], Nodes]
    weak: bool = False
    alone: bool = True
    warning: str = ""


def find_short(frames: Sequence[Frame], target: Target, look: Look, *, patient: bool) -> Found | Miss:
    """One look. `patient` says that the stronger descriptions had their time."""
    counts: dict[str, int] = {}
    for way in ways(target, look):
        if way.weak and not patient:
            break
        seen = first_frame_with(frames, target, way, look)
        if seen is None:
            counts[way.label] = 0
            continue
        counts[way.label] = seen.count
        outcome = settle_on(seen, way, target)
        if isinstance(outcome, Found):
            return outcome
        if seen.count > 1 and (way.alone or not way.weak):
            return narrow(seen.frame, seen.nodes, way, target, look, counts)
    return Miss("missing", counts, unusable(target, counts))


def ways(target: Target, look: Look) -> Iterator[Way]:
    """In the order of their strength; letter case only counts where it decides."""
    yield from wording_ways(target)
    strong = bool(target.role and target.name)
    if target.css:
        yield Way(
            "css", lambda scope: scope.locator(f"css={target.css}"), weak=strong, alone=css_may_stand_alone(target)
        )
    if target.text:
        yield Way("text", text_builder(target.text, fold=False), weak=bool(target.role or target.css))
        yield Way("text, whatever its case", text_builder(target.text, fold=True), weak=True)
    if look.lenient and target.role and target.name:
        yield from lenient_ways(target.role, target.name)


def wording_ways(target: Target) -> Iterator[Way]:
    role, name = target.role, target.name
    if role and name:
        yield Way("role+name", lambda scope: by_role(scope, role, name_pattern(name)))
        yield Way(
            "role+name, whatever its case", lambda scope: by_role(scope, role, name_pattern(name, fold_case=True))
        )
    elif role:
        yield Way("role", lambda scope: by_role(scope, role))
    elif name:
        yield Way("name", lambda scope: by_name(scope, name_pattern(name)))
        yield Way("name, whatever its case", lambda scope: by_name(scope, name_pattern(name, fold_case=True)))


def lenient_ways(role: str, name: str) -> Iterator[Way]:
    if len(name) >= PREFIX_LENGTH:
        start = name_pattern(name, prefix=True)
        warning = f"found by the first {len(name)} characters of its name"
        yield Way("role+name, cut off", lambda scope: by_role(scope, role, start), weak=True, warning=warning)
        return
    words = name_pattern(name, part=True, fold_case=True)
    warning = f"“{name}” was found only as a part of a longer name"
    yield Way("role+part of the name", lambda scope: by_role(scope, role, words), weak=True, warning=warning)


def text_builder(text: str, *, fold: bool) -> Callable[[Scope], Nodes]:
    return lambda scope: scope.get_by_text(name_pattern(text, fold_case=fold))


def css_may_stand_alone(target: Target) -> bool:
    """Where the recorded name is gone, only an id, name or test id is left to be believed."""
    strength = css_strength(target.css or "")
    if strength == "place":
        return False
    return strength == "identity" or not (target.role and target.name)


@dataclass(frozen=True, slots=True)
class Seen:
    """The nodes of one frame that a description found, and what was read of the only one."""

    frame: Frame
    nodes: Nodes
    count: int
    nonce: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_found(self, matched: str, warning: str = "") -> Found:
        return Found(self.nodes, matched, self.frame, warning, nonce=self.nonce, facts=self.facts)


def first_frame_with(frames: Sequence[Frame], target: Target, way: Way, look: Look) -> Seen | None:
    for frame in frames:
        nodes = shown(way.build(quick_scope(frame, target)), look)
        said = look_at(frame, nodes, look.wish if target.nth is None else Wish())
        if said["union"]:
            return Seen(frame, nodes, said["union"], said["nonce"], said.get("facts", {}))
    return None


def settle_on(seen: Seen, way: Way, target: Target) -> Found | None:
    """The one node a description found, if that description is enough by itself."""
    nodes = seen.nodes
    if target.nth is not None:
        return Found(nodes.nth(target.nth), way.label, seen.frame, way.warning) if target.nth < seen.count else None
    if way.label == "role" and target.role == "option" and not target.css:
        return Found(nodes.first, "first option", seen.frame)
    if seen.count != 1 or not way.alone:
        return None
    if way.label == "css" and target.role and not has_role(seen.frame, nodes, target.role):
        return None
    warning = way.warning
    if way.weak and not warning:
        warning = f"found by its {way.label} only; the recorded role and name were not there"
    lost = ["role+name"] if way.weak and target.role and target.name and way.label in {"css", "text"} else []
    return seen.as_found(with_lost(way.label, lost), warning)


def has_role(frame: Frame, nodes: Nodes, role: str) -> bool:
    return nodes.and_(by_role(frame, role)).count() == 1


def narrow(frame: Frame, nodes: Nodes, first: Way, target: Target, look: Look, counts: dict[str, int]) -> Found | Miss:
    """Several nodes fit: the later descriptions may choose among them, and only among them."""
    label = first.label
    for way in narrowing_ways(target, first):
        closer = nodes.and_(shown(way.build(quick_scope(frame, target)), look))
        count = closer.count()
        counts[f"{label} and {way.label}"] = count
        if count == 1:
            by_place = way.label == "css" and css_strength(target.css or "") == "place"
            return Found(closer, f"{label} and {way.label}", frame, "chosen by its position" if by_place else "")
        if count > 1:
            nodes, label = closer, f"{label} and {way.label}"
    return Miss("ambiguous", counts, frame=frame)


def narrowing_ways(target: Target, first: Way) -> Iterator[Way]:
    if target.css and first.label != "css":
        yield Way("css", lambda scope: scope.locator(f"css={target.css}"))
    if target.text and not first.label.startswith("text"):
        yield Way("text", text_builder(target.text, fold=False))
    if first.label.startswith("text"):
        yield Way("actionable", lambda scope: scope.locator(ACTIONABLE))


def unusable(target: Target, counts: dict[str, int]) -> str:
    """Why a css that did find something was not believed."""
    if not counts.get("css"):
        return ""
    if css_strength(target.css or "") == "place":
        return f"{target.css} says only where something stood, so it is not enough by itself"
    return f"{target.css} finds something, but not what was recorded"
