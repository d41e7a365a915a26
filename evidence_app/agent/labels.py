"""Which label a value stands beside on a page, so that of several places of a value the field's own one is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidence_app.agent.grounding import Pages, folded, union
from evidence_app.agent.layout import Box, Layout, Piece

MAX_LABEL = 8  # words; a longer text is no label
BESIDE, ABOVE = 600.0, 60.0  # CSS pixels between a label and its value
CONTENTLESS = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "by", "date", "day", "for", "from", "has", "have", "if", "in", "is",
     "it", "its", "no", "not", "of", "on", "or", "page", "shown", "shows", "the", "their", "this", "time", "to",
     "was", "were", "what", "when", "where", "whether", "which", "who", "whose", "with")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words by which a field's label is known: of its name, and of what its task says of it."""

    name: frozenset[str]
    description: frozenset[str] = frozenset()

    def names(self, text: str) -> bool:
        """Whether a text is this field's label: it holds the whole name, or nothing but words of the field."""
        words = words_of(text)
        telling = words - CONTENTLESS
        if not words or len(text.split()) > MAX_LABEL:
            return False
        return self.name <= words or (bool(telling) and telling <= self.name | self.description)

    def nearness(self, texts: Iterable[str]) -> int:
        fitting = [words_of(text) for text in texts if self.names(text)]
        return max((2 * len(words & self.name) + len(words & self.description) for words in fitting), default=0)


@dataclass(frozen=True, slots=True)
class Placed:
    """`note` says in words why the place is no proof by itself; empty where it stands beside the field's label."""

    how: str
    layout: Layout
    box: Box
    note: str = ""


def wanted(name: str, description: str = "") -> Wanted:
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return Wanted(words_of(split), words_of(description) - CONTENTLESS)


def words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", folded(text)))


def place_of(pages: Pages, value: object, field: Wanted) -> Placed | None:
    """The place beside the field's label where there is one, else the first with a note; None where it stands nowhere.

    A value that stands once is doubted only where the field's label stands elsewhere on that page, or where what
    it stands beside ends with a colon.
    """
    found = pages.places(value)
    if found is None:
        return None
    layout, hits = found
    texts = [_labels(layout.pieces, pieces) for _, pieces in hits]
    scores = [field.nearness(each) for each in texts]
    best = max(range(len(hits)), key=lambda at: scores[at])
    how, pieces = hits[best]
    return Placed(how, layout, union(pieces), "" if scores[best] else _note(layout, texts, field))


def label_of(pages: Pages, field: Wanted) -> str:
    """What stands at the label of a field that is said to be empty, newest capture first: "Disabled: Not yet"."""
    for layout in reversed(pages.layouts):
        for piece in layout.pieces:
            label, colon, rest = piece.text.partition(":")
            if piece.kind != "text" or not field.name <= words_of(label) or not field.names(label):
                continue
            beside = rest.strip() if colon else ""
            beside = beside or next((each.text for each in layout.pieces if _is_beside(piece.box, each.box)), "")
            return f"{label.strip()}: {beside.strip()}".rstrip(": ")[:120]
    return ""


def _note(layout: Layout, texts: Sequence[Sequence[str]], field: Wanted) -> str:
    if len(texts) > 1:
        return f"found {len(texts)} times, not beside its label"
    other = next((text for text in texts[0] if len(text.split()) <= MAX_LABEL), "")
    is_elsewhere = any(piece.kind == "text" and _is_label(piece.text, field) for piece in layout.pieces)
    if other and (is_elsewhere or other.rstrip().endswith(":")):
        return f"found beside “{other.strip(' :')[:80]}”, not beside its label"
    return ""


def _is_label(text: str, field: Wanted) -> bool:
    label = text.partition(":")[0]
    return field.name <= words_of(label) and field.names(label)


def _labels(pieces: Sequence[Piece], hit: Sequence[Piece]) -> list[str]:
    """What may be the label of a value: the words before it in its own text, the text left of it, the one above."""
    box = union(hit)
    own = hit[0].text.partition(":")
    texts = [piece for piece in pieces if piece.kind == "text" and piece not in hit and piece.text.strip()]
    left = [each for each in texts if _is_beside(each.box, box)]
    above = [each for each in texts if _is_above(each.box, box)]
    nearest = sorted(left, key=lambda each: box[0] - each.box[0])[:1]
    nearest += sorted(above, key=lambda each: box[1] - each.box[1])[:1]
    return [*([f"{own[0]}:"] if own[1] else []), *(each.text for each in nearest)]


def _is_beside(label: Box, value: Box) -> bool:
    gap = value[0] - (label[0] + label[2])
    middle = value[1] + value[3] / 2
    return -2 <= gap <= BESIDE and label[1] <= middle <= label[1] + label[3]


def _is_above(label: Box, value: Box) -> bool:
    gap = value[1] - (label[1] + label[3])
    return -2 <= gap <= ABOVE and label[0] < value[0] + value[2] and value[0] < label[0] + label[2]
