"""Which list or table of a page is the one a tool is for, where its kind promises several things.

By what the model pointed at, then by the words of the tool's name, description and results, then by size. A page that
holds one entry today shows no repetition: its entries are read as a list where the markup says that they are entries
and the words around them are the tool's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Target
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.substitution import substitute
from recipes_app.engine.target import resolve
from recipes_app.mapping.facts import ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.words import content_words, singular
from recipes_app.mapping.propose.worth import is_lone
from recipes_app.mapping.risks import words_of
from recipes_app.mapping.survey import survey_page

Rows = ListFacts | TableFacts
SEEKING = frozenset({"search", "find", "list", "browse", "filter"})
BESIDE = frozenset({"complementary", "navigation", "contentinfo", "banner"})
ANSWERING = frozenset({"result", "hit", "match"})
POINTED_MS = 1000
NOT_ROWS = "the page that was reached shows no list and no table that could be the {what}; reach one that does"
STANDS_IN = "(el, css) => !!el.closest(css) || [...document.querySelectorAll(css)].some((item) => el.contains(item))"


@dataclass(frozen=True, slots=True)
class Meant:
    """`pointed` are elements a model named as part of what is meant, `arguments` what stands in them."""

    draft: Draft
    session: BrowserSession
    arguments: Mapping[str, Any]
    pointed: tuple[Target, ...] = ()

    def best(self, there: Sequence[Rows], rank: Callable[[Rows], float]) -> Rows | None:
        """Of what came up, the one the tool is for."""
        if not there:
            return None
        hinted = [facts for facts in there if self._is_pointed_at(facts)]
        wanted = wanted_words(self.draft)
        return max(hinted or there, key=lambda facts: (not _is_beside(facts), fit(facts, wanted), rank(facts)))

    def lone(self, before: PageSurvey) -> Rows | None:
        """A list that has fewer entries than show a repetition."""
        after = survey_page(self.session.page, picture=False, least=1)
        known = {(facts.items_css, facts.texts) for facts in before.lists}
        wanted = wanted_words(self.draft)
        told = [
            facts
            for facts in after.lists
            if is_lone(facts, after.final_url)
            and (facts.items_css, facts.texts) not in known
            and (fit(facts, wanted) or self._is_pointed_at(facts))
        ]
        return self.best(told, lambda facts: float(isinstance(facts, ListFacts) and facts.text_size))

    def _is_pointed_at(self, facts: Rows) -> bool:
        css = facts.css if isinstance(facts, TableFacts) else facts.items_css
        return any(self._stands_in(target, css) for target in self.pointed)

    def _stands_in(self, target: Target, css: str) -> bool:
        try:
            found = resolve(self.session, substitute(target, self.arguments), POINTED_MS)
            return bool(found.locator.evaluate(STANDS_IN, css, timeout=POINTED_MS))
        except StepFailure:
            return False
        except Error as error:
            self.session.raise_if_lost(error)
            return False


def promises_rows(draft: Draft) -> bool:
    """Whether it brings several things by its kind, and never what a page says of one thing or of itself."""
    if draft.kind == "list":
        return True
    return draft.kind == "search" and draft.origin == "model" and draft.name.partition("_")[0] in SEEKING


def why_no_rows(draft: Draft) -> str:
    noun = draft.name.partition("_")[2].replace("_", " ") or "results"
    return NOT_ROWS.format(what=noun)


def wanted_words(draft: Draft) -> frozenset[str]:
    """What the tool is about: its noun and the names of what it returns; its description where they say nothing."""
    returned = " ".join((draft.returns or {}).get("properties", {}))
    own = words_in(draft.name.partition("_")[2], returned) or words_in(draft.description)
    return own | ANSWERING if draft.kind == "search" else own


def words_in(*texts: str) -> frozenset[str]:
    said = [word for text in texts for word in words_of(text)]
    return frozenset(singular(word) for word in content_words(" ".join(said)) if len(word) > 2)


def fit(facts: Rows, wanted: frozenset[str]) -> int:
    """How many of the words wanted stand around it, in its heads, or in what its author called it."""
    return len(wanted & words_in(*_around(facts)))


def _around(facts: Rows) -> Iterable[str]:
    context = facts.context
    yield from (context.label, context.caption, context.heading)
    if isinstance(facts, TableFacts):
        yield from (facts.css, *facts.headers)
    else:
        yield facts.items_css


def _is_beside(facts: Rows) -> bool:
    return facts.context.landmark in BESIDE
