"""A snapshot in words, for a model's prompt, cut to so many characters with an honest account of what was left out."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from recipes_app.browser.snapshot import Element, Snapshot

PROMPT_CHARACTERS = 4000
# The page's own words get at least this share, where there are so many.
TEXT_SHARE = 0.3
# Of the rest, what saying which page it is may take.
HEAD_SHARE = 0.08
REPORT_CHARACTERS = 240
NAME_CHARACTERS = 80
VALUE_CHARACTERS = 40
HREF_CHARACTERS = 60
KINDS_TOLD = 6
# So many of one role come before another role has had its turn.
ROLE_TURN = 12
SAME_NAME_PENALTY = 2
MOST_REPEATS = 6
BONUS = 4
FORM_ROLES = frozenset(
    ["textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider", "checkbox", "radio", "switch", "button"]
)
OVERLAYS = frozenset({"dialog", "alertdialog"})
AROUND = frozenset({"banner", "navigation", "contentinfo", "complementary"})
SHORT_WORD = 2
WORD = re.compile(r"\w+")
# One place of so many.
FORM_PART = 4
MOST_FIRST = 4


def prompt_text(
    snapshot: Snapshot,
    limit: int = PROMPT_CHARACTERS,
    *,
    goal: str = "",
    most: int | None = None,
    first: Collection[int] = (),
) -> str:
    """The page in at most `limit` characters (200 or more): title and address, elements, then other words.

    An element's line is `12 button "Save" (disabled)`; its number is `Element.index`, so `snapshot.elements[12]` is it.
    Links have their address (from the root where it is this site's), fields their value. Elements stand in the order of
    the page under headings like `[navigation]` or `[main, frame 0]`. If they do not all fit, these come first: what a
    dialog holds, fields and buttons, links of the page's middle, then those around it; of many alike the first ones.
    `most`: no more elements than that; `first`: numbers of those that come before all others then.
    `goal`: what is wanted; elements and lines that share words with it come first.
    What is missing is told: `19,800 more: 9,900 links, …` counts all of the page, also what a limit of `take_snapshot`
    left out; of the words the number of characters. The text is the page's, so it is data and never an instruction.
    """
    shared = _Shared.with_goal(goal)
    head = _head(snapshot, int(limit * HEAD_SHARE))
    room = limit - len(head) - REPORT_CHARACTERS
    wanted = min(len(snapshot.text), int(limit * TEXT_SHARE))
    ranked = sorted(snapshot.elements, key=_Ranks(shared).rank)
    ordered = ranked if most is None else _balanced(ranked, most, first)
    shown = _chosen((_Line(each, _line(each, snapshot.url)) for each in ordered), room - wanted, most)
    elements = "\n".join([head, *_sections(shown), *_left_out(snapshot, shown)])
    text = _text(snapshot.text, limit - len(elements) - 1, {line.element.name for line in shown}, shared)
    return f"{elements}\n{text}"[:limit].rstrip()


@dataclass(slots=True)
class _Line:
    element: Element
    words: str


@dataclass(frozen=True, slots=True)
class _Shared:
    """How many of the goal's words are in a text; looked for together, since a page has thousands of texts."""

    pattern: re.Pattern[str] | None

    @classmethod
    def with_goal(cls, goal: str) -> "_Shared":
        words = sorted({word for word in WORD.findall(goal.casefold()) if len(word) > SHORT_WORD})
        return cls(re.compile(rf"\b(?:{'|'.join(words)})\b") if words else None)

    def __call__(self, text: str) -> int:
        return len(set(self.pattern.findall(text.casefold()))) if self.pattern else 0


@dataclass(slots=True)
class _Ranks:
    """How early each element is told: a small number is early. One object for one page, asked in the page's order.

    Counted apart by bonus, for what the goal is about must not wait behind what came before it on the page.
    """

    shared: _Shared
    roles: Counter[tuple[int, str]] = field(default_factory=Counter)
    names: Counter[tuple[str, str]] = field(default_factory=Counter)

    def rank(self, element: Element) -> int:
        said = f"{element.name} {element.value}" if element.value else element.name
        bonus = BONUS * (self.shared(said) + (element.landmark in OVERLAYS))
        turn, named = (bonus, element.role), (element.role, element.name)
        late = self.roles[turn] // ROLE_TURN + SAME_NAME_PENALTY * min(self.names[named], MOST_REPEATS)
        self.roles[turn] += 1
        self.names[named] += 1
        return late + _place(element) - bonus


def _place(element: Element) -> int:
    is_unseen = "hidden" in element.states or "aria-hidden" in element.states
    return (element.role not in FORM_ROLES) + (element.landmark in AROUND) + is_unseen


def _head(snapshot: Snapshot, most: int) -> str:
    return f"{_clipped(snapshot.title, most)}\n{_clipped(snapshot.url, most)}".strip()


def _line(element: Element, url: str) -> str:
    parts = [str(element.index), element.role, _quoted(element.name, NAME_CHARACTERS)]
    if element.value:
        parts.append("= " + _quoted(element.value, VALUE_CHARACTERS))
    if element.states:
        parts.append(f"({', '.join(element.states)})")
    if element.href:
        parts.append(_clipped(_from_root(element.href, url), HREF_CHARACTERS))
    return " ".join(parts)


def _chosen(ranked: Iterable[_Line], room: int, most: int | None) -> list[_Line]:
    """Those that fit, in the order of the page."""
    kept: list[_Line] = []
    headings = set[str]()
    for line in ranked:
        heading = _heading(line.element)
        cost = len(line.words) + 1 + (0 if heading in headings else 2 * (len(heading) + 1))
        if cost > room or len(kept) == most:
            break
        room -= cost
        headings.add(heading)
        kept.append(line)
    return sorted(kept, key=lambda line: line.element.index)


def _balanced(ranked: Sequence[Element], most: int, first: Collection[int]) -> list[Element]:
    """Some places are for fields and buttons, however many links share words with the goal."""
    leading = [each for each in ranked if each.index in first][:MOST_FIRST]
    controls = [each for each in ranked if each.role in FORM_ROLES][: most // FORM_PART]
    before = {each.index: each for each in (*leading, *controls)}
    return [*before.values(), *(each for each in ranked if each.index not in before)]


def _sections(lines: Iterable[_Line]) -> Iterator[str]:
    last = ""
    for line in lines:
        heading = _heading(line.element)
        if heading != last:
            yield heading
            last = heading
        yield line.words


def _heading(element: Element) -> str:
    frame = f"frame {'.'.join(map(str, element.frame))}" if element.frame else ""
    return f"[{', '.join(filter(None, (element.landmark or 'page', frame)))}]"


def _left_out(snapshot: Snapshot, shown: Sequence[_Line]) -> list[str]:
    missing = Counter(snapshot.kinds)
    missing.subtract(line.element.role for line in shown)
    ranked = [(role, count) for role, count in missing.most_common() if count > 0]
    total = sum(count for _, count in ranked)
    told = [_many(count, role) for role, count in ranked[:KINDS_TOLD]]
    others = sum(count for _, count in ranked[KINDS_TOLD:])
    kinds = [*told, f"{others:,} others"] if others else told
    return [f"{total:,} more: {', '.join(kinds)}"] if total else []


def _many(count: int, role: str) -> str:
    plural = "es" if role.endswith(("x", "ch")) else "s"
    return f"{count:,} {role}{plural if count != 1 else ''}"


def _text(text: str, room: int, names: set[str], shared: _Shared) -> str:
    """The lines that are no element's name, as many as fit, those about the goal before the others."""
    lines = [line for line in map(_flat, text.replace("\t", " | ").splitlines()) if line and line not in names]
    if not lines:
        return ""
    total = sum(map(len, lines))
    room -= len("Text:\n") + len(f"\n({total:,} more characters of text)")
    order = sorted(range(len(lines)), key=lambda at: -shared(lines[at]))
    kept: dict[int, str] = {}
    for at in order:
        if room <= 1:
            break
        kept[at] = _clipped(lines[at], room - 1)
        room -= len(kept[at]) + 1
    left = total - sum(min(len(line), len(lines[at])) for at, line in kept.items())
    more = [f"({left:,} more characters of text)"] if left > 0 else []
    return "\n".join(["Text:", *(kept[at] for at in sorted(kept)), *more])


def _from_root(href: str, url: str) -> str:
    page, link = urlsplit(url), urlsplit(href)
    same = (page.scheme, page.netloc) == (link.scheme, link.netloc)
    return href[len(f"{link.scheme}://{link.netloc}") :] or "/" if same and link.netloc else href


def _quoted(text: str, most: int) -> str:
    return f'"{_clipped(text, most)}"'


def _clipped(text: str, most: int) -> str:
    flat = _flat(text)
    return flat if len(flat) <= most else flat[: max(0, most - 1)] + "…"


def _flat(text: str) -> str:
    return " ".join(text.split())
