"""How much a CSS selector says about which node is meant, judged by its text."""

from __future__ import annotations

import re
from functools import lru_cache

from recipes_app.engine.shapes import Locator

POSITION = re.compile(r":(?:nth-|first-|last-|only-)|>>\s*nth=|:nth\b", re.IGNORECASE)
STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
IDENTITY = re.compile(r"#[\w\\-]|\[\s*(?:id|name|data-test(?:id|-id)?|data-cy|data-qa)\s*=", re.IGNORECASE)
BARE = re.compile(r"[\w\s>+~*,|-]+")
LAST_COMPOUND = re.compile(r"[\s>+~]+")
ONLY_ONE = {"html", "body", "main"}


@lru_cache(maxsize=1024)
def css_strength(css: str) -> str:
    """identity (by id, name or test id), place (by position or bare tags), or feature (anything else)."""
    plain = STRINGS.sub('""', css.strip())
    if plain.lower() in ONLY_ONE:
        return "feature"
    if POSITION.search(plain) or BARE.fullmatch(plain):
        return "place"
    last = LAST_COMPOUND.split(re.sub(r"\[[^\]]*\]", lambda m: m.group().replace(" ", ""), plain))[-1]
    return "identity" if IDENTITY.search(last) else "feature"


def family(locator: Locator) -> str:
    """identity, wording or place: two families rarely drift together."""
    if locator.kind == "test_id":
        return "identity"
    if locator.kind == "css":
        return "identity" if css_strength(locator.value) == "identity" else "place"
    return "place" if locator.kind == "xpath" else "wording"
