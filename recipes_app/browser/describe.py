"""One element in words that last: the long form of a recipe's target.

1. Ask the page what is lasting about the element and about what it stands in (describe.js).
2. Try each way to find it: kept are those that find this element and no other.
3. Where its wording is shared (a button in every row), find the row by the shortest text only that row has.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import ElementHandle, Error, Frame, Locator

from recipes_app.browser.errors import Indistinct
from recipes_app.browser.scripts import with_aria
from recipes_app.browser.session import BrowserSession

Target = dict[str, Any]
Root = Frame | Locator

FACTS = f"(element, prefer) => ({with_aria('describe.js')})({{ element, prefer }})"
# Whether the nodes found are this one alone; what is not shown does not count unless this one is not shown either.
ONLY = """(found, me) => {
  const shown = (e) => e.checkVisibility({ visibilityProperty: true });
  const counted = shown(me) ? found.filter(shown) : found;
  return counted.length === 1 && counted[0] === me;
}"""
COUNT = "(found, me) => [found.length, found.includes(me)]"
CONTAINS_ONLY = """(found, me) => found.length === 1 && found[0] !== me && (() => {
  for (let at = me; at; at = at.parentNode || at.host) if (at === found[0]) return true;
  return false;
})()"""
FRAME_FACTS = """frame => ({
  name: /\\d{2,}/.test(frame.name) ? "" : frame.name,
  title: frame.title,
  src: (frame.getAttribute("src") || "").split(/[?#]/)[0],
})"""
ROLE_AND_NAME = re.compile(r'get_by_role\("(?P<role>\w+)", name=(?P<name>"(?:[^"\\]|\\.)*")(?:, exact=True)?\)$')
LOOK_MS = 15_000
MAX_PLACES = 1


def describe(session: BrowserSession, locator: Locator, *, prefer: Sequence[str] = ()) -> Target:
    """A target that finds this one element. prefer: values (of arguments) that a row should rather be found by.

    Raises Indistinct where nothing lasting tells the element from its peers; playwright's Error where there is none.
    """
    try:
        handle = locator.element_handle(timeout=LOOK_MS)
        frame = handle.owner_frame()
        if frame is None:
            raise Indistinct("The element left the page while it was being described.")
        facts: dict[str, Any] = handle.evaluate(FACTS, list(prefer))
        return _Describer(frame, handle, _with_peers(facts, locator, frame, handle)).target()
    except Error as error:
        session.raise_if_lost(error)
        raise


@dataclass(frozen=True, slots=True)
class _Describer:
    frame: Frame
    handle: ElementHandle
    facts: dict[str, Any]

    def target(self) -> Target:
        within: Target | None = None
        locators = self._kept(self.frame, self._ways(has_peers=self.facts["peers"] > 1))
        if not _stands(locators):
            within, locators = self._inside()
        target: Target = {"locators": locators}
        if within:
            target["within"] = within
        frames = _frames(self.frame)
        if frames:
            target["frames"] = frames
        target["fingerprint"] = self._fingerprint()
        return target

    def _inside(self) -> tuple[Target, list[Target]]:
        """The nearest container that can be told from others and in which the element can be."""
        ways = list(self._ways(has_peers=True))
        for within, root in self._containers(self.frame, self.facts["containers"]):
            locators = self._kept(root, ways)
            if _stands(locators):
                return within, locators
        raise Indistinct(f"Nothing lasting tells {self._words()} from the others like it.")

    def _containers(self, root: Root, containers: Sequence[dict[str, Any]]) -> Iterator[tuple[Target, Locator]]:
        """First each container by itself, then those that need one around them to be unique."""
        for container in containers:
            for within in _spellings(container):
                found = find(root, within)
                if self._holds(found):
                    yield within, found
        for index, container in enumerate(containers):
            for outer, around in self._containers_alone(root, containers[index + 1 :]):
                for within in _spellings(container):
                    found = find(around, within)
                    if self._holds(found):
                        yield {**within, "within": outer}, found

    def _containers_alone(self, root: Root, containers: Sequence[dict[str, Any]]) -> Iterator[tuple[Target, Locator]]:
        for container in containers:
            for within in _spellings(container):
                found = find(root, within)
                if self._holds(found):
                    yield within, found
                    break

    def _holds(self, container: Locator) -> bool:
        return bool(container.evaluate_all(CONTAINS_ONLY, self.handle))

    def _kept(self, root: Root, ways: "Iterator[Target] | list[Target]") -> list[Target]:
        kept: list[Target] = []
        places = 0
        for way in ways:
            is_place = way.get("css") in self.facts["places"]
            if (is_place and places >= MAX_PLACES) or not find(root, way).evaluate_all(ONLY, self.handle):
                continue
            places += is_place
            kept.append(way)
        return kept

    def _ways(self, *, has_peers: bool) -> Iterator[Target]:
        """Identity first, then wording, then place. What names a row's data is no identity of a control in each row."""
        facts = self.facts
        yield from self._identities(has_peers=has_peers)
        if facts["by_role"] and facts["name"]:
            yield {"role": facts["role"], "name": facts["name"], "exact": True}
        yield from ({"label": text} for text in facts["labels"] if text != facts["name"] or not facts["by_role"])
        yield from ({key: facts[key]} for key in ("placeholder", "alt") if facts[key])
        if facts["title"] and facts["title"] != facts["name"]:
            yield {"title": facts["title"]}
        if not (facts["by_role"] and facts["name"]) and 0 < len(facts["text"]) <= 80 and not facts["labels"]:
            yield {"text": facts["text"]}
        yield from ({"css": css} for css in facts["places"] if not has_peers)
        if facts["by_role"] and not facts["name"]:
            yield {"role": facts["role"]}

    def _identities(self, *, has_peers: bool) -> Iterator[Target]:
        facts = self.facts
        if facts["test"] and not (has_peers and _has_digit(facts["test"][1])):
            attribute, value = facts["test"]
            yield {"test_id": value} if attribute == "data-testid" else {"css": f"[{attribute}={_quoted(value)}]"}
        if facts["id"]:
            yield {"css": _by_id(facts["id"])}
        if facts["field"] and not (has_peers and _has_digit(facts["field"])):
            yield {"css": f"{facts['tag']}[name={_quoted(facts['field'])}]"}

    def _fingerprint(self) -> Target:
        facts = self.facts
        told = {key: facts[key] for key in ("tag", "role", "name", "attributes", "landmark", "near") if facts[key]}
        return {**told, "peers": self.facts["peers"]}

    def _words(self) -> str:
        facts = self.facts
        return f"{facts['role'] or facts['tag']} “{facts['name'] or facts['text']}”"


def find(root: Root, target: Target) -> Locator:
    """One locator, or one container, of a target as a playwright Locator."""
    if "within" in target:
        root = find(root, target["within"])
    if "css" in target:
        found = root.locator(f"css={target['css']}")
        return found.filter(has_text=target["text"]) if "text" in target else found
    if "role" in target:
        role = root.get_by_role(target["role"], name=target.get("name") or None, exact=True)
        return role.filter(has_text=target["text"]) if "text" in target else role
    ways: dict[str, Callable[[str], Locator]] = {
        "test_id": root.get_by_test_id,
        "label": lambda text: root.get_by_label(text, exact=True),
        "placeholder": lambda text: root.get_by_placeholder(text, exact=True),
        "alt": lambda text: root.get_by_alt_text(text, exact=True),
        "title": lambda text: root.get_by_title(text, exact=True),
        "text": lambda text: root.get_by_text(text, exact=True),
    }
    key = next(key for key in ways if key in target)
    return ways[key](target[key])


def _spellings(container: dict[str, Any]) -> list[Target]:
    if not container["item"]:
        return [dict(container["by"])]
    return [{**container["by"], "text": piece} for piece in container["pieces"]]


def _stands(locators: Sequence[Target]) -> bool:
    """A path of tags alone says where something is, not what it is."""
    return any("css" not in way or way["css"].startswith("#") or "[" in way["css"] for way in locators)


def _with_peers(facts: dict[str, Any], locator: Locator, frame: Frame, handle: ElementHandle) -> dict[str, Any]:
    """How many share its wording. Where our role and name do not find it, those of playwright's generator are taken."""
    if not facts["by_role"]:
        peers = frame.get_by_text(facts["text"], exact=True).count() if facts["text"] else 1
        return {**facts, "peers": peers}
    peers, is_found = find(frame, _role_of(facts)).evaluate_all(COUNT, handle)
    if is_found:
        return {**facts, "peers": peers}
    theirs = ROLE_AND_NAME.search(str(locator.normalize()))
    if theirs is None:
        return _with_peers({**facts, "by_role": False}, locator, frame, handle)
    corrected = {**facts, "role": theirs["role"], "name": json.loads(theirs["name"])}
    return {**corrected, "peers": find(frame, _role_of(corrected)).count()}


def _role_of(facts: dict[str, Any]) -> Target:
    return {"role": facts["role"], "name": facts["name"]}


def _frames(frame: Frame) -> list[dict[str, str]]:
    """The way to the frame, outermost first, by lasting attributes of the iframes."""
    chain: list[dict[str, str]] = []
    while frame.parent_frame is not None:
        told = frame.frame_element().evaluate(FRAME_FACTS)
        chain.insert(0, {key: value for key, value in told.items() if value} or {"src": frame.url})
        frame = frame.parent_frame
    return chain


def _by_id(name: str) -> str:
    return f"#{name}" if re.fullmatch(r"[A-Za-z_][\w-]*", name) else f"[id={_quoted(name)}]"


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
