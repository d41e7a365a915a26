"""What comes in with a request, brought within what a database can be asked."""

from collections.abc import Iterable

LARGEST = 2**63 - 1
WORDS, WORD = 12, 80


def number_of(text: str) -> int | None:
    """The primary key it spells, if it spells one."""
    return int(text) if text.isdecimal() and len(text) < 20 and int(text) <= LARGEST else None


def numbers_of(texts: Iterable[str]) -> list[int]:
    return [number for text in texts if (number := number_of(text)) is not None]


def words_of(text: str) -> list[str]:
    """The first words to search for."""
    return [word[:WORD] for word in text.split()[:WORDS]]
