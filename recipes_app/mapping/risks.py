"""Links a crawl never follows because following one would change something, in the words of several languages."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from recipes_app.mapping.facts import LinkFacts
from recipes_app.mapping.vocabulary import words

LEAVING = words("links", "leaving")
DESTRUCTIVE = words("links", "removing") | words("links", "ending")
PHRASES = LEAVING | DESTRUCTIVE | words("links", "doing")
# A title like "How to delete your account" is something to read, "Delete account" something to do.
MAX_WORDS = 4
# Scripts without spaces between words: a phrase counts wherever it stands.
UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff]")


def words_of(text: str) -> list[str]:
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [word for word in re.split(r"[^\w]+|_", split.lower()) if word]


def phrase_in(text: str, phrases: frozenset[str] = PHRASES) -> str | None:
    """The phrase that makes a short text an action, or None."""
    said = words_of(text)
    if not said or len(said) > MAX_WORDS:
        return None
    spans = {" ".join(said[i:j]) for i in range(len(said)) for j in range(i + 1, len(said) + 1)}
    found = sorted(spans & phrases, key=len, reverse=True)
    if found:
        return found[0]
    return next((phrase for phrase in phrases if UNSPACED.search(phrase) and phrase in text), None)


def why_risky(link: LinkFacts) -> str | None:
    """Why following this link could change something, in words; None when nothing says so."""
    if link.data_method and link.data_method.lower() != "get":
        return f"the link sends a {link.data_method.upper()} request"
    if link.confirm:
        return "the link asks for a confirmation"
    phrase = phrase_in(link.text)
    if phrase:
        return f"the link says “{phrase}”"
    return why_risky_url(link.url)


def why_risky_url(url: str) -> str | None:
    parts = urlsplit(url)
    for segment in unquote(parts.path).split("/"):
        phrase = phrase_in(segment.rsplit(".", 1)[0])
        if phrase:
            return f"its address has “{phrase}”"
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        phrase = phrase_in(key) or (phrase_in(value) if not _is_search(key) else None)
        if phrase:
            return f"its address has “{phrase}”"
    return None


def _is_search(key: str) -> bool:
    return key.lower() in {"q", "query", "search", "s", "term", "text", "title", "next", "return", "redirect", "tag"}
