"""Which page comes next: breadth first, new shapes before known ones, pages where things are done before chrome."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from recipes_app.mapping.facts import LinkFacts, PageSurvey
from recipes_app.mapping.urls import depth_of, path_words, shape_of
from recipes_app.mapping.vocabulary import words

SAMPLES_PER_SHAPE = 2
CLUSTER = 4
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

    def add(self, url: str, *, depth: int, rank: int, cluster: str = "") -> None:
        if url in self.known:
            return
        self.known.add(url)
        keys = (shape_of(url), *([cluster] if cluster else []))
        self.waiting.append(Candidate(url, depth, rank, len(self.known), keys))

    def next(self) -> Candidate | None:
        """The best page that is not of a shape seen often enough."""
        while self.waiting:
            best = min(self.waiting, key=self._order)
            self.waiting.remove(best)
            if best.depth == 0 or not self._seen_enough(best):
                return best
            self.left_out[best.keys[0]] += 1
        return None

    def seen(self, candidate: Candidate, page: PageSurvey) -> None:
        for key in candidate.keys:
            self.taken[key] += 1
            self.makes[key].add(page.shape.rpartition("#")[2])

    def failed(self, candidate: Candidate) -> None:
        """A page that could not be seen counts against its shape too: a site may have thousands of dead links."""
        for key in candidate.keys:
            self.taken[key] += 1

    def _order(self, candidate: Candidate) -> tuple[int, int, int, int]:
        often = max(self.taken[key] for key in candidate.keys)
        return (often, candidate.depth, -candidate.rank, candidate.order)

    def _seen_enough(self, candidate: Candidate) -> bool:
        """An address pattern is a shape by itself; neighbours in a list are one only if they are made alike."""
        url_shape, *clusters = candidate.keys
        if self.taken[url_shape] >= SAMPLES_PER_SHAPE:
            return True
        return any(self.taken[key] >= SAMPLES_PER_SHAPE and len(self.makes[key]) == 1 for key in clusters)


def rank_link(link: LinkFacts) -> int:
    """Only the path and the words of the link count: a host may be called bookshop."""
    said = {*path_words(link.url), *link.text.lower().split()}
    rank = min(depth_of(link.url), 3) + (3 if said & PROMISING else 0) - (6 if said & DULL else 0)
    if link.landmark == "contentinfo":
        rank -= 2
    return rank if link.visible else rank - 1


def clusters_of(page: PageSurvey) -> dict[str, str]:
    """url -> a key shared by the links that stand at the same place of a repeated structure in the content."""
    places = Counter(link.place for link in page.links if not link.chrome)
    return {
        link.url: f"{shape_of(page.final_url)} {link.place}"
        for link in page.links
        if not link.chrome and places[link.place] >= CLUSTER
    }
