"""What of a model's words may stand: names, texts and examples. It read pages that may have told it what to say."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from recipes_app.mapping.facts import FormFacts, ListFacts, PageSurvey, Survey, TableFacts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.words import is_destructive, snake
from recipes_app.mapping.risks import words_of

NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
MAX_NAME, MAX_WORDS = 60, 7
EFFECTS = ("read", "write", "destructive")
ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]*://\S*|\b(?:javascript|data|vbscript):\S*|\b(?:[\w-]+\.)+[a-z]{2,}\b(?![\w(])", re.IGNORECASE
)
# Set aside for examples and documentation (RFC 2606).
EXAMPLE_HOSTS = ("example.com", "example.org", "example.net")
FILE_ENDINGS = frozenset(
    {"pdf", "csv", "txt", "png", "jpg", "jpeg", "json", "xml", "zip", "html", "doc", "docx", "xlsx"}
)


class NotTaken(ValueError):
    """Why one thing a model said is left out, as the end of a sentence about it."""


@dataclass(eq=False)
class Guard:
    """Knows the site's host and words: `shown` are those of its structure, `said` those of its running text."""

    survey: Survey
    drafts: tuple[Draft, ...]

    def name(self, text: str, taken: Iterable[str]) -> str:
        """A tool's name in snake_case; NotTaken where it is none, is taken, or was dictated by a page's text."""
        name = snake(text)
        words = name.split("_")
        if not NAME.fullmatch(name) or len(name) > MAX_NAME or len(words) > MAX_WORDS or keyword.iskeyword(name):
            raise NotTaken(f"“{text[:40]}” is no name for a tool")
        if name in set(taken):
            raise NotTaken(f"another tool is called {name}")
        if self._is_dictated(name):
            raise NotTaken(f"only a page's running text speaks of “{name}”")
        return name

    def text(self, text: str) -> str:
        if foreign := self.foreign_address(text):
            raise NotTaken(f"its words name another place ({foreign})")
        return text

    def foreign_address(self, text: str) -> str:
        """The first address in a text that is neither the site's own nor one for examples; "" where there is none."""
        return next((found for found in ADDRESS.findall(text) if self._is_foreign(found)), "")

    def _is_foreign(self, address: str) -> bool:
        if "://" not in address:
            scheme = address.partition(":")[0].lower()
            if scheme in {"javascript", "data", "vbscript"}:
                return True
            if address.rpartition(".")[2].lower() in FILE_ENDINGS:
                return False
            address = f"http://{address}"
        try:
            parts = urlsplit(address)
            host = (parts.hostname or "").lower()
        except ValueError:
            return True
        if parts.scheme not in {"http", "https"}:
            return True
        own = (urlsplit(self.survey.start_url).hostname or "").removeprefix("www.")
        return host.removeprefix("www.") != own and not any(
            host == example or host.endswith(f".{example}") for example in EXAMPLE_HOSTS
        )

    def _is_dictated(self, name: str) -> bool:
        """A name that stands in a page's text word by word, but in nothing one can use there."""
        said = " ".join(name.split("_"))
        if "_" in name and name in self._raw:
            return True
        return len(said.split()) > 1 and f" {said} " in self._said and not self._is_shown(said)

    def is_seen(self, text: str) -> bool:
        """Every word of it is on some page, whole or as part of a word."""
        return all(word in self._raw for word in words_of(text))

    def _is_shown(self, said: str) -> bool:
        return any(f" {said} " in line for line in self._shown)

    @cached_property
    def _raw(self) -> str:
        return "\n".join(page.text.lower() for page in self.survey.pages)

    @cached_property
    def _said(self) -> str:
        return f" {' '.join(words_of(self._raw))} "

    @cached_property
    def _shown(self) -> tuple[str, ...]:
        texts = [text for page in self.survey.pages for text in _structure(page)]
        texts += [draft.name for draft in self.drafts]
        return tuple({f" {' '.join(words_of(text))} " for text in texts if text})


def _structure(page: PageSurvey) -> Iterator[str]:
    """What a page shows to be used or to be found under: titles, labels, buttons, columns, links."""
    yield from (page.title, page.heading)
    yield from (link.text for link in page.links)
    for form in page.forms:
        yield from _of_form(form)
    repeated: tuple[ListFacts | TableFacts, ...] = (*page.lists, *page.tables)
    for facts in repeated:
        yield from (facts.context.heading, facts.context.label, facts.context.caption)
        yield from (action.name for action in facts.actions)
        yield from facts.headers if isinstance(facts, TableFacts) else _of_list(facts)


def _of_form(form: FormFacts) -> Iterator[str]:
    yield from (form.context.heading, form.context.label, form.context.caption, form.element_id)
    yield from (button.name for button in form.buttons)
    for field in form.fields:
        yield from (field.label, field.name, field.attribute_name, field.group)


def _of_list(facts: ListFacts) -> Iterator[str]:
    return (field.label for field in facts.fields)


def graver(first: str, second: str) -> str:
    """Of two side effects the one that does more."""
    return max(first, second, key=EFFECTS.index)


def effect_of_words(*texts: str) -> str:
    return "destructive" if any(is_destructive(text) for text in texts) else "read"
