"""Selenium IDE's locators and frames, in the words of a target."""

from __future__ import annotations

import re

from recipes_app.engine.document import Locator
from recipes_app.engine.parsing.reader import as_list, as_text
from recipes_app.formats.imported import Json
from recipes_app.formats.recorded_targets import Described, Place, by_attribute, css_string

PREFIX = re.compile(
    r"(id|name|css|xpath|link|linkText|partialLinkText|class|className|tagName|identifier)=(.*)", re.DOTALL
)
FRAME_CSS = re.compile(
    r"(?:iframe|frame)?\[\s*(name|id|title|src)\s*=\s*[\"']?([^\"'\]]+)[\"']?\s*\]|(?:iframe|frame)?#([\w-]+)"
)
POSITIONAL_CSS = re.compile(r":nth-(?:child|of-type)")


def locator_of(text: str) -> Locator | None:
    """None for what finds nothing by itself."""
    if text.startswith(("//", "(//", "(.//")):
        return Locator("xpath", text)
    match = PREFIX.fullmatch(text)
    if match is None:
        return by_attribute("id", text) if text and "=" not in text else None
    kind, value = match[1], match[2].strip()
    return BUILDERS[kind](value) if value else None


def by_link(value: str) -> Locator:
    return Locator("role", "link", " ".join(value.removeprefix("exact:").split()))


def by_part_of_link(value: str) -> Locator:
    return Locator("role", "link", " ".join(value.split()), exact=False)


def by_xpath(value: str) -> Locator:
    return Locator("xpath", value)


def by_css(value: str) -> Locator:
    return Locator("css", value)


BUILDERS = {
    "id": lambda value: by_attribute("id", value),
    "identifier": lambda value: by_attribute("id", value),
    "name": lambda value: by_attribute("name", value),
    "css": by_css,
    "xpath": by_xpath,
    "link": by_link,
    "linkText": by_link,
    "partialLinkText": by_part_of_link,
    "class": lambda value: Locator("css", f"[class~={css_string(value)}]"),
    "className": lambda value: Locator("css", f"[class~={css_string(value)}]"),
    "tagName": by_css,
}


def alternatives(command: Json, main: str, path: str) -> list[Locator]:
    """The locator used first, then the others the recorder found."""
    texts = [main]
    for index, entry in enumerate(as_list(command.get("targets") or [], f"{path}.targets")):
        at = f"{path}.targets[{index}]"
        pair = as_list(entry, at)
        texts += [as_text(pair[0], f"{at}[0]")] if pair else []
    found: list[Locator] = []
    for text in texts:
        locator = locator_of(text)
        found += [locator] if locator and locator not in found else []
    return found


def described(command: Json, main: str, place: Place, path: str) -> Described:
    return Described(tuple(alternatives(command, main, path)), place)


def frame_of(text: str) -> Json | None:
    """A frame by name, id, title or address; None where the locator says something else."""
    locator = locator_of(text)
    css = locator.value if locator and locator.kind == "css" else ""
    match = FRAME_CSS.fullmatch(css)
    if match is None:
        return None
    if match[3]:
        return {"name": match[3]}
    return {"name" if match[1] == "id" else match[1]: match[2].replace("\\", "")}
