"""The ways in which a recording describes one element, as the target of a step: the strongest kept, chance left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.document import Locator
from recipes_app.engine.finding.strength import css_strength

# Ids and classes that a library counts or a build makes up: another visit has other ones.
GENERATED = re.compile(
    r"^:\w+:$|^«\w+»$|^_r_\w+_$"
    r"|^(?:mui|react-aria|react-select|radix|headlessui|downshift|ember|ext-gen|gwt-uid|yui|cdk|mat-\w+|select2|rc|v|input"
    r"|field|id|el|jss|sc|css|chakra|tippy|popover|dropzone|ui-id|dijit|isc|x-auto|uniq\w*)(?:[-_:]\S*\d|\d+$)"
    r"|^(?:sc|css|jss|emotion|styled)-[\w-]+$"
    r"|[0-9a-f]{8}-[0-9a-f]{4}|(?:^|[-_])[0-9a-f]{10,}$|\d{5,}|^react-aria|^radix-|^headlessui-",
    re.IGNORECASE,
)
NAMES_IN_CSS = re.compile(r"[#.]((?:\\.|[\w\-«»]|[^\x00-\x7f])+)|\[\s*id\s*=\s*[\"']?([^\"'\]]+)")
STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
NO_ROLES = {"", "generic", "none", "presentation", "statictext", "labeltext", "rootwebarea", "inlinetextbox", "unknown"}
XPATH_ATTRIBUTE = re.compile(r"//(\*|[a-z][\w-]*)\[@([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')\]")
XPATH_TEXT = re.compile(
    r"//(\*|[a-z][\w-]*)\[(?:(contains)\((?:text\(\)|\.),\s*|(?:text\(\)|\.|normalize-space\((?:\.|text\(\))?\))\s*=\s*)"
    r"(?:\"([^\"]*)\"|'([^']*)')\)?\]"
)
ROLE_OF_TAG = {"a": "link", "button": "button", "h1": "heading", "h2": "heading", "h3": "heading"}
LONG_KINDS = ("label", "placeholder", "alt", "title")
ATTRIBUTE_OF = {"placeholder": "placeholder", "alt": "alt", "title": "title", "test_id": "data-testid"}
LAST_COMPOUND = re.compile(r"[\s>+~]+")
TAG = re.compile(r"(?:^|[\s>+~/])([a-z][a-z0-9]*)(?=[^\s>+~/]*$)")
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the element is: `frames` named outermost first; `any_frame` when the recording only numbers them."""

    frames: tuple[Json, ...] = ()
    any_frame: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """All descriptions of one element. A Locator of kind "name" is an accessible name without a role."""

    locators: tuple[Locator, ...] = ()
    place: Place = field(default_factory=Place)
    within: Json | None = None
    nth: int | None = None

    @property
    def usable(self) -> list[Locator]:
        return [simple for locator in self.locators if not is_generated(simple := simplified(locator))]

    @property
    def label(self) -> str:
        """What a person would call it, for the name of a parameter."""
        for kinds in (("label", "name", "role"), ("placeholder", "title", "alt"), ("test_id",)):
            for locator in self.usable:
                words = locator.name if locator.kind == "role" else locator.value
                if locator.kind in kinds and words:
                    return words
        names = [name_in_css(locator.value) for locator in self.usable if locator.kind == "css"]
        return next((name for name in names if name), "")

    @property
    def tag(self) -> str:
        """The element's tag where a description says it."""
        for locator in self.locators:
            if locator.kind in {"css", "xpath"} and (match := TAG.search(STRINGS.sub("", locator.value))):
                return match[1]
        return ""

    @property
    def is_hidden_text(self) -> bool:
        return any("type=" in c.value and "password" in c.value for c in self.locators if c.kind in {"css", "xpath"})

    def target(self) -> Json | None:
        """The target, or None where nothing lasting describes the element."""
        found = compose(self.usable, short=self.place.any_frame)
        if found is None:
            return None
        if self.place.frames:
            found["frames"] = list(self.place.frames)
        if self.within is not None:
            found["within"] = self.within
        if self.nth is not None:
            found["nth"] = self.nth
        return found

    @property
    def is_place_only(self) -> bool:
        """Replay refuses what says nothing but where something stood."""
        usable = self.usable
        return self.nth is None and bool(usable) and all(strength(entry) == "place" for entry in usable)


def compose(found: Sequence[Locator], *, short: bool = False) -> Json | None:
    """Identity and wording together where both are known; else the short form, in which later ones only narrow."""
    identity = next((entry for entry in found if strength(entry) == "identity"), None)
    wording = best_wording(found)
    if not short and wording is not None and is_long(wording):
        return long_form([wording] if identity is None else [identity, wording])
    if not short and identity is not None and wording is not None and wording.kind == "role":
        return long_form([identity, wording])
    if not short and identity is not None and identity.kind == "test_id":
        return long_form([identity])
    return short_form(found, identity, wording) or last_resort(found)


def is_long(wording: Locator) -> bool:
    return wording.kind in LONG_KINDS or not wording.exact


def best_wording(found: Sequence[Locator]) -> Locator | None:
    named = [entry for entry in found if entry.kind == "role" and entry.name]
    others = [entry for kind in (*LONG_KINDS, "name", "text") for entry in found if entry.kind == kind]
    bare = [entry for entry in found if entry.kind == "role" and not entry.name]
    return next(iter([*named, *others, *bare]), None)


def long_form(locators: Sequence[Locator]) -> Json:
    return {"locators": [plain(locator) for locator in locators]}


def plain(locator: Locator) -> Json:
    entry: Json = {locator.kind: locator.value}
    if locator.name is not None:
        entry["name"] = locator.name
    return entry if locator.exact else entry | {"exact": False}


def short_form(found: Sequence[Locator], identity: Locator | None, wording: Locator | None) -> Json | None:
    target: Json = {}
    if wording is not None:
        target = short_words(wording)
    css = css_of(identity) if identity else None
    css = css or next((entry.value for entry in found if entry.kind == "css"), None)
    if css and "css" not in target:
        target["css"] = css
    return target or None


def short_words(wording: Locator) -> Json:
    if wording.kind == "role":
        return {"role": wording.value} | ({"name": wording.name} if wording.name else {})
    if wording.kind in {"label", "name"}:
        return {"name": wording.value}
    return {"text": wording.value} if wording.kind == "text" else {"css": css_of(wording)}


def css_of(locator: Locator) -> str | None:
    if locator.kind == "css":
        return locator.value
    attribute = ATTRIBUTE_OF.get(locator.kind)
    return f"[{attribute}={css_string(locator.value)}]" if attribute else None


def last_resort(found: Sequence[Locator]) -> Json | None:
    xpath = next((entry for entry in found if entry.kind == "xpath"), None)
    return long_form([xpath]) if xpath else None


def strength(locator: Locator) -> str:
    """identity, wording, feature or place."""
    if locator.kind == "test_id":
        return "identity"
    if locator.kind == "xpath":
        return "place"
    return css_strength(locator.value) if locator.kind == "css" else "wording"


def css_string(text: str) -> str:
    escaped = re.sub(r"[\"\\]", r"\\\g<0>", text)
    return '"' + re.sub(r"[\n\r\f]", lambda match: f"\\{ord(match[0]):x} ", escaped) + '"'


def by_attribute(name: str, value: str, tag: str = "") -> Locator:
    return Locator("css", f"{tag}[{name}={css_string(value)}]")


def is_generated(locator: Locator) -> bool:
    if locator.kind != "css":
        return locator.kind in {"test_id", "xpath"} and generated_in_xpath(locator)
    names = [re.sub(r"\\(.)", r"\1", first or second) for first, second in NAMES_IN_CSS.findall(locator.value)]
    return any(GENERATED.search(name) for name in names)


def generated_in_xpath(locator: Locator) -> bool:
    if locator.kind == "test_id":
        return False
    return any(GENERATED.search(name) for name in re.findall(r"@id\s*=\s*[\"']([^\"']+)", locator.value))


def simplified(locator: Locator) -> Locator:
    """An XPath that only names an attribute or a text is said as what it is."""
    if locator.kind != "xpath":
        return locator
    expression = locator.value.strip()
    if match := XPATH_ATTRIBUTE.fullmatch(expression):
        tag = "" if match[1] == "*" else match[1]
        return by_attribute(match[2], match[3] if match[3] is not None else match[4], tag)
    if match := XPATH_TEXT.fullmatch(expression):
        words = " ".join((match[3] if match[3] is not None else match[4]).split())
        role = ROLE_OF_TAG.get(match[1])
        if words:
            exact = match[2] is None
            return Locator("role", role, words, exact) if role else Locator("text", words, None, exact)
    return locator


def name_in_css(css: str) -> str:
    """The id or name attribute a selector ends with."""
    last = LAST_COMPOUND.split(css.strip())[-1]
    match = re.search(r"#([\w-]+)|\[\s*(?:id|name)\s*=\s*[\"']?([\w-]+)", last)
    return (match[1] or match[2]) if match else ""


def role_locator(role: str, name: str | None, *, exact: bool = True) -> Locator | None:
    """A role as the recording's browser calls it; None where pages are not searched by it."""
    if role.lower() in NO_ROLES or not re.fullmatch(r"[a-zA-Z]{2,30}", role):
        return Locator("name", name) if name else None
    return Locator("role", role.lower(), name or None, exact)
