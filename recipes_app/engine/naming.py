"""Placeholders, and names compared the way people read them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}")
WHOLE_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}")

# Soft hyphen, zero-width characters, bidi marks, word joiner, byte order mark.
INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
INVISIBLE_RUN = re.compile(f"[{INVISIBLE}]+")
OPTIONAL_INVISIBLE = f"[{INVISIBLE}]*"
SPACES = re.compile(r"\s+")
ACCESS_KEY = re.compile(r"\s*\[(?:(?:Alt|Ctrl|Shift|Option)\+)*[A-Z]\]\s*$", re.IGNORECASE)
PREFIX_LENGTH = 120


def normalise(text: str) -> str:
    """NFKC, invisible marks removed, spaces folded: the form in which names are compared."""
    visible = INVISIBLE_RUN.sub("", unicodedata.normalize("NFKC", text))
    return SPACES.sub(" ", visible).strip()


def without_access_key(text: str) -> str:
    """For people: without the key that some sites write behind what a thing is called, as in "Save [S]"."""
    return ACCESS_KEY.sub("", text)


def same_name(left: str, right: str) -> bool:
    return normalise(left) == normalise(right)


@lru_cache(maxsize=1)
def compatible_spellings() -> dict[str, list[str]]:
    """For each text NFKC yields from a single character: the characters that yield it (BMP only)."""
    spellings: dict[str, list[str]] = {}
    for code in range(0xA0, 0x10000):
        if 0xD800 <= code < 0xE000:
            continue
        character = chr(code)
        folded = unicodedata.normalize("NFKC", character)
        if folded != character and folded.strip():
            spellings.setdefault(folded, []).append(character)
    return spellings


@lru_cache(maxsize=512)
def name_pattern(text: str, *, fold_case: bool = False, prefix: bool = False, part: bool = False) -> re.Pattern[str]:
    """A pattern that matches every spelling equal to `text` after `normalise`.

    It must be valid in Python and JavaScript alike, without the `u` flag.
    """
    words = [word_pattern(word) for word in normalise(text).split(" ")]
    gap = rf"[\s{INVISIBLE}]*\s[\s{INVISIBLE}]*"
    body = OPTIONAL_INVISIBLE + gap.join(words)
    edge = rf"[\s{INVISIBLE}]*"
    start = "" if part else f"^{edge}"
    end = "" if part or prefix else f"{edge}$"
    return re.compile(f"{start}{body}{end}", re.IGNORECASE if fold_case else 0)


def word_pattern(word: str) -> str:
    pieces: list[str] = []
    position = 0
    while position < len(word):
        piece, length = spelled(word, position)
        pieces.append(piece)
        position += length
    return OPTIONAL_INVISIBLE.join(pieces) + OPTIONAL_INVISIBLE


def spelled(word: str, position: int) -> tuple[str, int]:
    """A pattern for the spellings at `position`, and how many characters it stands for."""
    spellings = compatible_spellings()
    for length in (3, 2):
        several = word[position : position + length]
        if len(several) == length and several in spellings:
            plain = OPTIONAL_INVISIBLE.join(one_character(letter) for letter in several)
            return f"(?:{plain}|[{''.join(map(escape, spellings[several]))}])", length
    return one_character(word[position]), 1


def one_character(letter: str) -> str:
    alternatives = [escape(letter)]
    decomposed = unicodedata.normalize("NFD", letter)
    if decomposed != letter:
        alternatives.append("".join(map(escape, decomposed)))
    others = compatible_spellings().get(letter, [])
    if others:
        alternatives.append(f"[{''.join(map(escape, others))}]")
    return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"


def escape(letter: str) -> str:
    """Escaped for both regular expression dialects; Python's re.escape writes what JavaScript refuses."""
    if letter.isalnum() and letter.isascii():
        return letter
    code = ord(letter)
    if code > 0xFFFF:
        return letter
    return f"\\u{code:04x}"
