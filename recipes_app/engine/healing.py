"""Which element of a page may be the one that was recorded: a similarity that anybody can work out on paper.

Each signal that the recording knows is compared with each element that the step could use, to a number from 0 to 1.
The score is the mean of these, by weight. Nothing is learnt and nothing is random: the same page gives the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.naming import normalise
from recipes_app.engine.shapes import Locator, Target

# Below the floor nothing is proposed: six tenths of what is known must speak for it.
FLOOR = 0.6
# The second best must be this much worse, about one signal of weight 10; else it is a guess which of the two is meant.
MARGIN = 0.08


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of an element. `form`: of the page, by number; `order`: its place among the page's elements."""

    tag: str = ""
    role: str = ""
    name: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    landmark: str = ""
    near: str = ""
    form: int = -1
    order: int = -1


@dataclass(frozen=True, slots=True)
class Around:
    """Where the elements of the steps before and after were found: their order on the page, and their forms."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    forms: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Signal:
    """`compare` gives None where the recording does not know; `why` is the reason for the weight."""

    name: str
    weight: int
    why: str
    compare: Callable[[Traits, Traits, Around], float | None]


@dataclass(frozen=True, slots=True)
class Scored:
    traits: Traits
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`best` is None where nothing is similar enough, and `words` say why; `second` is the runner-up."""

    best: Scored | None
    second: Scored | None
    words: str


def alike(one: str, other: str) -> float:
    """Of two texts: shared words and shared triples of letters, each by Dice's measure; the better one counts."""
    one, other = normalise(one).casefold().rstrip(" *"), normalise(other).casefold().rstrip(" *")
    if one == other:
        return 1.0
    return 0.9 * max(dice(set(words_of(one)), set(words_of(other))), dice(triples(one), triples(other)))


def words_of(text: str) -> list[str]:
    """A name of a program falls into its words as well: unit-price, unitPrice."""
    return [word.casefold() for word in re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))]


def triples(text: str) -> set[str]:
    padded = f"  {text} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)} if text else set()


def dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


KIN = (
    {"textbox", "searchbox", "combobox", "spinbutton"},
    {"button", "link", "menuitem", "tab"},
    {"combobox", "listbox", "radiogroup"},
    {"checkbox", "switch", "radio"},
)


def role(old: Traits, new: Traits, _around: Around) -> float | None:
    if not old.role:
        return None
    return 1.0 if old.role == new.role else 0.4 if any({old.role, new.role} <= kin for kin in KIN) else 0.0


def name(old: Traits, new: Traits, _around: Around) -> float | None:
    return alike(old.name, new.name) if old.name else None


def tag(old: Traits, new: Traits, _around: Around) -> float | None:
    return float(old.tag == new.tag) if old.tag else None


def landmark(old: Traits, new: Traits, _around: Around) -> float | None:
    return float(new.landmark in old.landmark.split()) if old.landmark else None


def near(old: Traits, new: Traits, _around: Around) -> float | None:
    if not old.near:
        return None
    return 1.0 if normalise(old.near).casefold() in normalise(new.near).casefold() else alike(old.near, new.near)


def given(*names: str) -> Callable[[Traits, Traits, Around], float | None]:
    """The best agreement among attributes that programs read."""

    def compare(old: Traits, new: Traits, _around: Around) -> float | None:
        known = [key for key in names if old.attributes.get(key)]
        if not known:
            return None
        return max(alike_names(old.attributes[key], new.attributes.get(key, "")) for key in known)

    return compare


def alike_names(one: str, other: str) -> float:
    return 1.0 if one == other else 0.7 * dice(set(words_of(one)), set(words_of(other)))


def make(old: Traits, new: Traits, _around: Around) -> float | None:
    """The share of its other attributes that are as they were."""
    known = [key for key in ("type", "placeholder", "autocomplete", "alt", "title") if old.attributes.get(key)]
    same = [key for key in known if old.attributes[key] == new.attributes.get(key)]
    return len(same) / len(known) if known else None


def position(_old: Traits, new: Traits, around: Around) -> float | None:
    """In the form of the steps around it, and between them."""
    if not (around.before or around.after):
        return None
    inside = not around.forms or new.form in around.forms
    between = all(at < new.order for at in around.before[-1:]) and all(at > new.order for at in around.after[:1])
    return (0.5 if inside else 0.0) + (0.5 if between else 0.0)


SIGNALS = (
    Signal("name", 30, "what people read; a redesign rewords some of it, seldom all", name),
    Signal("field name", 20, "what the server reads: it changes only with the server", given("name")),
    Signal("role", 15, "another role is used in another way", role),
    Signal("id or test id", 10, "meant for programs, but renamed by every tool chain", given("test_id", "id")),
    Signal("make", 10, "type, placeholder, autocomplete: changed with the field's meaning", make),
    Signal("position", 10, "forms keep their fields together, mostly in order", position),
    Signal("near", 10, "the row or group it stands in", near),
    Signal("landmark", 5, "the part of the page; moved by a new layout", landmark),
    Signal("tag", 5, "how it is built", tag),
)


def anything(_it: Traits) -> bool:
    return True


# What an op can use at all.
TEXT = {"textbox", "searchbox", "combobox", "spinbutton", "slider"}
USABLE: Mapping[str, Callable[[Traits], bool]] = {
    "type": lambda it: it.role in TEXT or it.tag in {"input", "textarea"},
    "select": lambda it: it.tag == "select",
    "choose": lambda it: it.role in {"radio", "radiogroup", "listbox", "combobox", "button", "option", "group"},
    "check": lambda it: it.role in {"checkbox", "switch", "radio", "menuitemcheckbox"},
    "upload": lambda it: it.attributes.get("type") == "file" or it.role == "button",
    "set_date": lambda it: it.tag in {"input", "button"} or it.role in TEXT,
}


def traits_of(target: Target) -> Traits:
    """What a target says of its element, in whichever of its parts."""
    mark, locators = target.fingerprint, target.locators
    by_role = next((each for each in locators if each.kind == "role"), None)
    attributes = {str(key): str(value) for key, value in (mark.attributes if mark else {}).items()}
    for locator in locators:
        attributes |= {key: value for key, value in said_by(locator).items() if key not in attributes}
    attributes |= {key: value for key, value in css_says(target.css or "").items() if key not in attributes}
    label = next((each.value for each in locators if each.kind in {"label", "text"}), "")
    return Traits(
        tag=(mark.tag if mark else None) or "",
        role=(mark.role if mark else None) or target.role or (by_role.value if by_role else ""),
        name=(mark.name if mark else None)
        or target.name
        or (by_role.name if by_role else None)
        or label
        or target.text
        or "",
        attributes=attributes,
        landmark=(mark.landmark if mark else None) or "",
        near=(mark.near if mark else None) or "",
    )


def said_by(locator: Locator) -> dict[str, str]:
    if locator.kind in {"test_id", "placeholder", "alt", "title"}:
        return {locator.kind: locator.value}
    return css_says(locator.value) if locator.kind == "css" else {}


CSS_ID = re.compile(r"#([\w-]+)$")
CSS_ATTRIBUTE = re.compile(
    r"\[(name|type|autocomplete|placeholder|data-test(?:-?id)?|data-cy|data-qa)=[\"']?([^\"'\]]+)[\"']?\]$"
)


def css_says(css: str) -> dict[str, str]:
    by_id, by_attribute = CSS_ID.search(css), CSS_ATTRIBUTE.search(css)
    if by_id:
        return {"id": by_id[1]}
    if by_attribute:
        return {"test_id" if by_attribute[1].startswith("data-") else by_attribute[1]: by_attribute[2]}
    return {}


def search(target: Target, op: str, candidates: Sequence[Traits], around: Around) -> Choice:
    """The one element that is similar enough and clearly the most similar."""
    old = traits_of(target)
    if not old.role and not old.name and not old.attributes:
        return Choice(None, None, "too little was recorded of it to look for something similar")
    usable = USABLE.get(op, anything)
    scored = sorted((score(old, it, around) for it in candidates if usable(it)), key=lambda it: -it.score)
    best, second = (*scored, None, None)[:2]
    if best is None:
        return Choice(None, None, "the page has nothing that this step could use")
    if best.score < FLOOR:
        return Choice(None, best, f"nothing similar enough: the closest, {words(best)}, is below {percent(FLOOR)}")
    if second is not None and best.score - second.score < MARGIN:
        return Choice(None, second, f"two are about as similar: {words(best)} and {words(second)}")
    return Choice(best, second, "")


def score(old: Traits, new: Traits, around: Around) -> Scored:
    total, reached, reasons = 0, 0.0, []
    for signal in SIGNALS:
        likeness = signal.compare(old, new, around)
        if likeness is None:
            continue
        total += signal.weight
        reached += signal.weight * likeness
        reasons.append(reason(signal, likeness, old, new))
    return Scored(new, reached / total if total else 0.0, tuple(reasons))


def reason(signal: Signal, likeness: float, old: Traits, new: Traits) -> str:
    degree = "the same" if likeness == 1 else "nothing alike" if likeness == 0 else f"{percent(likeness)} alike"
    shown: dict[str, tuple[Any, Any]] = {
        "name": (old.name, new.name),
        "role": (old.role, new.role),
        "field name": (old.attributes.get("name"), new.attributes.get("name")),
        "tag": (old.tag, new.tag),
        "landmark": (old.landmark, new.landmark),
    }
    was, now = shown.get(signal.name, ("", ""))
    told = f" (“{was}”, now “{now or 'none'}”)" if was and likeness < 1 else ""
    return f"{signal.name}: {degree}{told}, weight {signal.weight}"


def percent(share: float) -> str:
    return f"{round(share * 100)} %"


def words(scored: Scored) -> str:
    return f"{named(scored)} ({percent(scored.score)})"


def named(scored: Scored) -> str:
    it = scored.traits
    return f"{it.role or it.tag} “{it.name}”" if it.name else it.role or it.tag
