"""Which page comes next: breadth first, new shapes before known ones, pages where things are done before chrome."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from recipes_app.mapping.facts import LinkFacts, PageSurvey
from recipes_app.mapping.urls import depth_of, parent_path, path_words, shape_of
from recipes_app.mapping.vocabulary import words

SAMPLES_PER_SHAPE = 2
CLUSTER = 4
ROOT = "under /"
MENU_REPEATS = 3
PROMISING = words("links", "promising")
DULL = words("links", "dull")


@dataclass(frozen=True, slots=True)
class Candidate:
    url: str
    depth: int
    rank: int
    order: int
    keys: tuple[str, ...]


@dataclass(slots=True)
class Frontier:
    """The pages still to see, and how often each shape was seen."""

    waiting: list[Candidate] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    taken: Counter[str] = field(default_factory=Counter)
    makes: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, url: str, *, depth: int, rank: int, clusters: tuple[str, ...] = ()) -> None:
        if url in self.known:
            return
        self.known.add(url)
        same_path = (f"path {urlsplit(url).path}",) if urlsplit(url).query else ()
        keys = (shape_of(url), *clusters, *same_path)
        self.waiting.append(Candidate(url, depth, rank, len(self.known), keys))

    def next(self) -> Candidate | None:
        """The best page that is not of a shape seen often enough."""
        while self.waiting:
            best = min(self.waiting, key=self._order)
            self.waiting.remove(best)
            if best.depth == 0 or not self._seen_enough(best):
                return best
            self.left_out[self._kind_of(best)] += 1
        return None

    def seen(self, candidate: Candidate, page: PageSurvey) -> None:
        for key in candidate.keys:
            self.taken[key] += 1
            self.makes[key].add(page.shape.rpartition("#")[2])

    def failed(self, candidate: Candidate) -> None:
        """A page that could not be seen counts against its shape too: a site may have thousands of dead links."""
        self.taken[candidate.keys[0]] += 1

    def _order(self, candidate: Candidate) -> tuple[int, int, int, int]:
        url_shape, *clusters = candidate.keys
        often = max(self.taken[url_shape], *(self._repeats(key) for key in clusters if key != ROOT), 0)
        return (often, candidate.depth, -candidate.rank, candidate.order)

    def _kind_of(self, candidate: Candidate) -> str:
        url_shape, *clusters = candidate.keys
        if self.taken[url_shape] >= SAMPLES_PER_SHAPE or not clusters:
            return url_shape
        return f"{parent_path(candidate.url)}…"

    def _repeats(self, key: str) -> int:
        """How often pages of this neighbourhood turned out to be made like one seen before."""
        return self.taken[key] - len(self.makes[key])

    def _is_one_kind(self, key: str) -> bool:
        """In a menu, or directly under the root, all sorts of pages stand side by side: more of them must be alike."""
        return self._repeats(key) >= (1 if key.startswith("under ") and key != ROOT else MENU_REPEATS)

    def _seen_enough(self, candidate: Candidate) -> bool:
        """An address pattern is a shape by itself; neighbours in a list are one as soon as two are made alike."""
        url_shape, *clusters = candidate.keys
        return self.taken[url_shape] >= SAMPLES_PER_SHAPE or any(self._is_one_kind(key) for key in clusters)


def rank_link(link: LinkFacts) -> int:
    """Only the path and the words of the link count: a host may be called bookshop."""
    said = {*path_words(link.url), *link.text.lower().split()}
    rank = min(depth_of(link.url), 3) + (3 if said & PROMISING else 0) - (6 if said & DULL else 0)
    if link.landmark == "contentinfo":
        rank -= 2
    return rank if link.visible else rank - 1


def clusters_of(page: PageSurvey) -> dict[str, tuple[str, ...]]:
    """url -> keys shared by links at the same place of a list, and by those that have one parent path besides."""
    keys = {link.url: (link.place, parent_path(link.url)) for link in page.links if not link.chrome}
    counts = Counter(keys.values())
    places = Counter(place for place, _ in keys.values())
    return {
        url: ((f"under {path}",) if counts[place, path] >= CLUSTER else ()) + (f"at {place}",)
        for url, (place, path) in keys.items()
        if places[place] >= CLUSTER
    }
