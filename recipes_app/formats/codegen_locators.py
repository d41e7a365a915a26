"""Playwright's locators, as `codegen --target jsonl` writes them or as selector strings, in the words of a target."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from recipes_app.engine.document import DocumentError, Locator
from recipes_app.engine.parsing.reader import as_object, as_text
from recipes_app.formats.imported import Json
from recipes_app.formats.recorded_targets import Described, Place, compose, role_locator

MAX_PARTS = 20
KINDS = {"label": "label", "placeholder": "placeholder", "alt": "alt", "title": "title", "text": "text"}
ROLE = re.compile(r"([\w-]+)((?:\[[^\]]*\])*)", re.DOTALL)
QUOTED = r"(\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')([is]?)"
ATTRIBUTE = re.compile(rf"\[([\w-]+)\s*=\s*(?:{QUOTED}|(\w+))\s*\]")
FRAME_CSS = re.compile(
    r"(?:iframe|frame)?\[(name|title|src|id)\s*=\s*[\"']?([^\"'\]]+)[\"']?\s*\]|(?:iframe|frame)?#([\w-]+)"
)


class Unsayable(Exception):
    """This locator has no words in a target; the message is for the report."""


@dataclass(slots=True)
class Reading:
    """What the parts of one locator came to so far; a part further on is looked for inside what stands before it."""

    found: list[Locator] = field(default_factory=list)
    within: Json | None = None
    text: str | None = None
    nth: int | None = None
    frames: list[Json] = field(default_factory=list)
    any_frame: bool = False

    def next_part(self, locator: Locator) -> None:
        if self.found or self.text:
            self.within = self.container()
            self.found, self.text, self.nth = [], None, None
        self.found.append(locator)

    def container(self) -> Json:
        container = compose(self.found) or {}
        if self.text:
            container = container | {"text": self.text}
        if self.nth is not None:
            container["nth"] = self.nth
        return container | ({"within": self.within} if self.within else {})

    def enter_frame(self) -> None:
        """What was found so far is a frame."""
        frame = frame_ref(self.found)
        self.any_frame = self.any_frame or frame is None
        if frame is not None:
            self.frames.append(frame)
        self.found, self.within, self.text, self.nth = [], None, None, None

    def described(self) -> Described:
        if not self.found:
            raise Unsayable("names no element")
        if self.text:
            raise Unsayable("an element chosen by the text in it cannot be said, only one inside it")
        place = Place(tuple(self.frames), any_frame=self.any_frame)
        return Described(tuple(self.found), place, self.within, self.nth)


def read_locator(action: Json, path: str) -> Described:
    """From `locator` where it says everything, else from the selector beside it."""
    reading = Reading()
    for frame in action.get("framePath") or []:
        read_selector(reading, as_text(frame, f"{path}.framePath"))
        reading.enter_frame()
    structure = action.get("locator")
    if structure is not None and is_whole(structure, f"{path}.locator"):
        for part in parts_of(structure, f"{path}.locator"):
            read_part(reading, part)
    else:
        read_selector(reading, as_text(action.get("selector"), f"{path}.selector"))
    return reading.described()


def parts_of(structure: object, path: str) -> Iterator[Json]:
    part: object = structure
    for _ in range(MAX_PARTS):
        if part is None:
            return
        entry = as_object(part, path)
        yield entry
        part = entry.get("next")
    raise DocumentError(path, f"more than {MAX_PARTS} parts in one locator")


def is_whole(structure: object, path: str) -> bool:
    """A regular expression is an empty object in JSON: then only the selector tells it."""
    for part in parts_of(structure, path):
        options = part.get("options")
        if not isinstance(part.get("body"), str) or isinstance((options or {}).get("name"), dict):
            return False
    return True


def read_part(reading: Reading, part: Json) -> None:
    kind, body = str(part.get("kind")), str(part.get("body"))
    options: Json = part["options"] if isinstance(part.get("options"), dict) else {}
    exact = options.get("exact") is True
    if kind == "role":
        add_role(reading, body, options.get("name"), exact=exact, states=options.get("attrs") or [])
    elif kind in KINDS:
        reading.next_part(Locator(KINDS[kind], body, None, exact))
    elif kind == "test-id":
        reading.next_part(Locator("test_id", body))
    elif kind in {"nth", "first", "last"}:
        add_nth(reading, {"first": "0", "last": "-1"}.get(kind, body))
    elif kind == "default":
        add_plain(reading, body, options.get("hasText"))
    else:
        read_filter(reading, kind, body)


def read_filter(reading: Reading, kind: str, body: str) -> None:
    if kind == "frame-locator":
        add_plain(reading, body, None)
        reading.enter_frame()
    elif kind == "frame":
        reading.enter_frame()
    elif kind == "has-text":
        reading.text = body
    elif kind not in {"visible", "filter-visible"}:
        raise Unsayable(f"{kind[:40]} has no counterpart in a target")


def add_role(reading: Reading, role: str, name: object, *, exact: bool, states: list[Any]) -> None:
    if states:
        raise Unsayable("a role with a state (checked, level …) cannot be said")
    words = name if isinstance(name, str) and name else None
    locator = role_locator(role, words, exact=exact or words is None)
    if locator is None:
        raise Unsayable(f"nothing can be looked for by the role {role[:30]}")
    reading.next_part(locator)


def add_nth(reading: Reading, body: str) -> None:
    if not body.isdecimal():
        raise Unsayable("the last of several cannot be said, only the first, second …")
    reading.nth = int(body)


def add_plain(reading: Reading, selector: str, has_text: object) -> None:
    if selector.startswith(("//", "..", "xpath=")):
        reading.next_part(Locator("xpath", selector.removeprefix("xpath=")))
    elif selector.startswith("visible="):
        return
    else:
        reading.next_part(Locator("css", selector.removeprefix("css=")))
    if isinstance(has_text, str) and has_text:
        reading.text = has_text


# --- selector strings


def read_selector(reading: Reading, selector: str) -> None:
    parts = split_selector(selector)
    if len(parts) > MAX_PARTS:
        raise Unsayable(f"more than {MAX_PARTS} parts in one selector")
    for part in parts:
        read_engine(reading, *engine_of(part))


def split_selector(selector: str) -> list[str]:
    """At `>>`, but not inside quotes."""
    parts, quote, start, position = [], "", 0, 0
    while position < len(selector):
        letter = selector[position]
        if letter == "\\":
            position += 1
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'`":
            quote = letter
        elif selector.startswith(">>", position):
            parts.append(selector[start:position].strip())
            position += 1
            start = position + 1
        position += 1
    return [part for part in [*parts, selector[start:].strip()] if part]


def engine_of(part: str) -> tuple[str, str]:
    match = re.match(r"([a-zA-Z][\w:-]*)=", part)
    return (match[1], part[match.end() :]) if match else ("css", part)


def read_engine(reading: Reading, engine: str, body: str) -> None:
    reader = ENGINES.get(engine)
    if reader is not None:
        reader(reading, body)
    elif engine == "internal:control" and body == "enter-frame":
        reading.enter_frame()
    elif engine != "internal:describe":
        raise Unsayable(f"{engine[:40]} has no counterpart in a target")


def by_words(kind: str) -> Callable[[Reading, str], None]:
    def read(reading: Reading, body: str) -> None:
        words, exact = quoted(body)
        reading.next_part(Locator(kind, words, None, exact))

    return read


def read_has_text(reading: Reading, body: str) -> None:
    reading.text = quoted(body)[0]


def read_role(reading: Reading, body: str) -> None:
    match = ROLE.fullmatch(body)
    if match is None:
        raise Unsayable("a role by a pattern cannot be said")
    attributes = {name: (text, flag or word) for name, text, flag, word in ATTRIBUTE.findall(match[2])}
    text, flag = attributes.pop("name", ("", ""))
    attributes.pop("include-hidden", None)
    if match[2] and not text and not attributes:
        raise Unsayable("a name by a pattern cannot be said")
    add_role(reading, match[1], unquoted(text) if text else None, exact=flag == "s", states=list(attributes))


def read_attribute(reading: Reading, body: str) -> None:
    match = ATTRIBUTE.fullmatch(body)
    if match is None or not match[2]:
        raise Unsayable("an attribute by a pattern cannot be said")
    name, value = match[1], unquoted(match[2])
    kind = KINDS.get(name)
    if kind:
        reading.next_part(Locator(kind, value, None, match[3] == "s"))
    elif name == "data-testid":
        reading.next_part(Locator("test_id", value))
    else:
        reading.next_part(Locator("css", f"[{name}={json.dumps(value, ensure_ascii=False)}]"))


def quoted(body: str) -> tuple[str, bool]:
    """The words, and whether they must be whole: `"Save"s`; `"Save"i` is a part in any case."""
    match = re.fullmatch(QUOTED, body, re.DOTALL)
    if match:
        return unquoted(match[1]), match[2] != "i"
    if body.startswith("/"):
        raise Unsayable("a text by a pattern cannot be said")
    return body, False


def unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)


def frame_ref(found: list[Locator]) -> Json | None:
    for locator in found:
        if locator.kind == "title":
            return {"title": locator.value}
        match = FRAME_CSS.fullmatch(locator.value) if locator.kind == "css" else None
        if match:
            return {"name": match[3]} if match[3] else {"name" if match[1] == "id" else match[1]: match[2]}
    return None


ENGINES: dict[str, Callable[[Reading, str], None]] = {
    "internal:role": read_role,
    "internal:label": by_words("label"),
    "internal:text": by_words("text"),
    "text": by_words("text"),
    "internal:attr": read_attribute,
    "internal:testid": read_attribute,
    "internal:has-text": read_has_text,
    "css": lambda reading, body: add_plain(reading, body, None),
    "xpath": lambda reading, body: add_plain(reading, f"xpath={body}", None),
    "visible": lambda _reading, _body: None,
    "nth": add_nth,
}
