"""Links a crawl never follows because following one would change something, in the words of several languages."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit

from recipes_app.engine.naming import without_access_key
from recipes_app.mapping.facts import LinkFacts
from recipes_app.mapping.vocabulary import words

LEAVING = words("links", "leaving")
DESTRUCTIVE = words("links", "removing") | words("links", "ending")
PHRASES = LEAVING | DESTRUCTIVE | words("links", "doing")
# A title like "How to delete your account" is something to read, "Delete account" something to do.
MAX_WORDS = 4
TITLE_WORDS = 3
APPLIED = words("links", "applied")
AMBIGUOUS = words("links", "ambiguous")
AT_ONCE = words("links", "at_once")
SIGNS = words("links", "signs")
ACTION_KEYS = words("links", "action_keys")
SHORT_ACTIONS = words("links", "short_actions")
VIEW_KEYS = words("links", "view_keys")
# Words that tell what happened, not what to do.
SAYING = words("links", "saying")
# Scripts without spaces between words: a phrase counts wherever it stands.
UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff]")


def words_of(text: str) -> list[str]:
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", without_access_key(text))
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
    """Why following this link could change something, in words; None when nothing says so.

    “Book now” that leads to /booking is followed, for it most likely shows a form; one that leads to /rooms/5/book is
    not, for it may book room 5.
    """
    if link.data_method and link.data_method.lower() != "get":
        return f"the link sends a {link.data_method.upper()} request"
    if link.confirm:
        return "the link asks for a confirmation"
    phrase = phrase_in(link.text) or _command(link.text, link.url)
    if phrase and not is_title_of_one(link, phrase):
        return f"the link says “{phrase}”"
    return why_risky_url(link.url)


def is_title_of_one(link: LinkFacts, phrase: str) -> bool:
    """“Refund not received” that leads to /tickets/12 is what a ticket is called: it tells what happened or asks, and
    its address names one thing and does nothing to it.
    """
    path = unquote(urlsplit(link.url).path).rstrip("/")
    names_one = bool(re.fullmatch(r"[A-Za-z_-]*\d+|[\w-]*-[\w-]*", path.rpartition("/")[2]))
    if phrase in LEAVING or urlsplit(link.url).query or not names_one or why_risky_url(link.url):
        return False
    return bool((set(words_of(link.text)) - set(phrase.split())) & SAYING)


def why_risky_url(url: str) -> str | None:
    parts = urlsplit(url)
    segments = [segment for segment in unquote(parts.path).split("/") if segment]
    for phrase in (*map(_done_by, segments), _applied(segments), _short_action(segments, parts.query)):
        if phrase:
            return f"its address has “{phrase}”"
    for key, value in parse_qsl(parts.query, keep_blank_values=True):
        phrase = phrase_in(key) or _asked_for(key, value)
        if phrase:
            return f"its address has “{phrase}”"
    return None


def _done_by(segment: str) -> str | None:
    return phrase_in(segment.rsplit(".", 1)[0])


def _command(text: str, url: str) -> str | None:
    """What a link to one thing does to it: “Order now”, “+”; or “Delete the selected accounts for good”."""
    said = words_of(text)
    if len(said) > MAX_WORDS:
        start = next((phrase for n in (1, 2) if (phrase := " ".join(said[:n])) in DESTRUCTIVE), None)
        return start if start and not _is_title(said, url) else None
    if not _names_one_thing(url):
        return None
    if text.strip() in SIGNS:
        return text.strip()
    verb = " ".join(word for word in said if word not in AT_ONCE)
    return verb if verb in APPLIED | AMBIGUOUS else None


def _is_title(said: list[str], url: str) -> bool:
    """The address of an article repeats its title."""
    slugs = (words_of(unquote(segment)) for segment in urlsplit(url).path.split("/"))
    return any(len(set(slug) & set(said)) >= TITLE_WORDS for slug in slugs)


def _names_one_thing(url: str) -> bool:
    parts = urlsplit(url)
    keys = {key.lower() for key, _ in parse_qsl(parts.query, keep_blank_values=True)}
    return any(map(str.isdigit, unquote(parts.path))) or bool(keys - VIEW_KEYS)


def _applied(segments: list[str]) -> str | None:
    """A verb beside the number of what it is done to."""
    for index, segment in enumerate(segments):
        verb = " ".join(words_of(segment.rsplit(".", 1)[0]))
        beside = [*segments[max(0, index - 1) : index], *segments[index + 1 : index + 2]]
        if verb in APPLIED and any(any(map(str.isdigit, other)) for other in beside):
            return verb
    return None


def _short_action(segments: list[str], query: str) -> str | None:
    """/u/3/d, /d?id=3"""
    last = segments[-1].lower() if segments else ""
    is_about = any(map(str.isdigit, segments[-2] if len(segments) > 1 else "")) or any(map(str.isdigit, query))
    return last if last in SHORT_ACTIONS and is_about else None


def _asked_for(key: str, value: str) -> str | None:
    """What a pair of the query asks to be done."""
    if _is_search(key):
        return None
    said, plain_key = words_of(value), key.lower().strip("[]")
    if plain_key in APPLIED and any(map(str.isdigit, value)):
        return plain_key
    if plain_key not in ACTION_KEYS:
        return phrase_in(value)
    starts = (" ".join(said[:n]) for n in (3, 2, 1))
    return phrase_in(value) or next((start for start in starts if start in PHRASES | APPLIED | AMBIGUOUS), None)


def _is_search(key: str) -> bool:
    return key.lower() in {"q", "query", "search", "s", "term", "text", "title", "next", "return", "redirect", "tag"}
