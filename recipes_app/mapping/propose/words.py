"""How a text is read for a tool's name and nature: its verb, its nouns, what it says."""

from __future__ import annotations

import re
import unicodedata

from recipes_app.mapping.risks import LEAVING, phrase_in, words_of
from recipes_app.mapping.vocabulary import verbs, words

READING = verbs("reading")
WRITING = verbs("writing")
DELETING = verbs("deleting")
VERBS = {**READING, **WRITING, **DELETING}
SEARCH_KEYS = words("signs", "search_keys")
SIGN_IN = words("signs", "sign_in")
IDENTITY = words("signs", "identity")
TOO_FAST = words("signs", "too_fast")
OLD_PASSWORD = words("signs", "old_password")
SIGN_UP = words("signs", "sign_up")
SECRETS = words("signs", "secrets")
LANGUAGE_KEYS = words("signs", "language_keys")
SORT_KEYS = words("signs", "sort_keys")
SECONDARY = words("signs", "secondary_buttons")
LEADING = words("signs", "leading")
FILLER = words("signs", "filler")
NOTHING_FOUND = words("signs", "nothing_found")
VAGUE_NOUNS = words("signs", "vague_nouns")
VAGUE_CLASSES = words("signs", "vague_classes")


def snake(text: str) -> str:
    """Letters, digits and single underscores; accents are taken off, other scripts dropped."""
    text = re.sub(r"(?<=\w)['\u2019]s\b", "", text).replace("ß", "ss").replace("&", " and ")
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", " ", plain)
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def content_words(text: str) -> list[str]:
    """The words that carry a text's meaning, verbs of buttons and filler left out."""
    return [word for word in words_of(text) if word not in FILLER and word not in VERBS and not word.isdigit()]


def verb_in(text: str) -> str | None:
    """The English verb a button's text means, from its first words."""
    return next((VERBS[word] for word in words_of(text)[:4] if word in VERBS), None)


def singular(noun: str) -> str:
    for ending, kept in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if noun.endswith(ending) and len(noun) > len(ending) + 1:
            return noun[: -len(ending)] + kept
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is", "news")) else noun


def plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in set("aeiou") else noun + "s"


def says(phrases: frozenset[str], *texts: str) -> bool:
    """Whether any text has one of the phrases as whole words, wherever it stands."""
    for text in texts:
        padded = f" {' '.join(words_of(text))} "
        if any(f" {phrase} " in padded or (not phrase.isascii() and phrase in text) for phrase in phrases):
            return True
    return False


def is_destructive(text: str) -> bool:
    """By the first verb, or by a word of deleting wherever it stands in a short text."""
    said = words_of(text)[:5]
    first = next((word for word in said if word in VERBS), "")
    return first in DELETING or any(DELETING.get(word) in {"delete", "remove"} for word in said)


def is_leaving(text: str) -> bool:
    return phrase_in(text, LEAVING) is not None


def is_secret(*names: str) -> bool:
    """By whole words only: a zip code, a keyword or a shipping address are no secrets."""
    return any(word in SECRETS for name in names for word in words_of(name))
