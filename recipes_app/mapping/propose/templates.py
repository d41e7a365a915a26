"""Addresses that differ in one place only, or in a number and the title behind it: one kind of page, one tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.propose.names import one, path_noun, place_noun
from recipes_app.mapping.propose.worth import good_lists, good_tables, is_bare, is_index
from recipes_app.mapping.risks import why_risky_url
from recipes_app.mapping.urls import same_site

MIN_LINKS = 3
MOST = 0.8
MANY = 10
NUMBERED = re.compile(r"([^\W\d]+[-_]?)\d+")


@dataclass(frozen=True, slots=True)
class Template:
    """`before` + a value + `after` is an address; `values` were all seen as links.

    With `titles`, the value's own title stands behind it in the address: /topic/12/some-title.
    """

    noun: str
    before: str
    after: str
    values: tuple[str, ...]
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        title = f"/{{{{{self.title_name}}}}}" if self.titles else ""
        return f"{self.before}{{{{{self.noun}}}}}{title}{self.after}"

    @property
    def title_name(self) -> str:
        return f"{self.noun}_title"

    def value_in(self, url: str) -> str | None:
        """The value that makes this address, or None when it is no address of this kind."""
        plain = url.split("#", 1)[0]
        title = "/[^/?&#]+" if self.titles else ""
        match = re.fullmatch(f"{re.escape(self.before)}([^/?&#]+){title}{re.escape(self.after)}", plain)
        value = unquote(match.group(1)) if match else None
        return value if value is None or not self.values or self._fits(value) else None

    def arguments(self, value: str) -> dict[str, str]:
        """What the parameters of `url` are for this value."""
        return {self.noun: value, **({self.title_name: self.titles[value]} if value in self.titles else {})}

    @property
    def properties(self) -> dict[str, dict[str, Any]]:
        """The JSON Schema of each parameter of `url`."""
        words = self.noun.replace("_", " ")
        said = {self.noun: f"the {words} as its address names it"}
        if self.titles:
            said[self.title_name] = f"the title behind it in the address of the {words}"
        samples = [self.arguments(value) for value in self.values[:5]]
        return {
            name: {
                "type": "string",
                "minLength": 1,
                "description": words,
                "examples": [sample[name] for sample in samples if name in sample],
            }
            for name, words in said.items()
        }

    def other_than(self, value: str) -> str:
        return next((other for other in self.values if other != value), value)

    def _fits(self, value: str) -> bool:
        """Among numbers only a number is one of them: /items/new is no item."""
        return value in self.values or value.isdigit() or not all(known.isdigit() for known in self.values)


def templates_of(pages: Sequence[PageSurvey]) -> tuple[Template, ...]:
    """One template per kind of address; where two lists link to the same kind, their values are joined."""
    found: dict[tuple[str, str], Template] = {}
    for page in pages:
        for noun, urls in _link_columns(page):
            made = template(noun, [url for url in urls if same_site(url, page.final_url)])
            if made is None or why_risky_url(made.before + "0" + made.after):
                continue
            earlier = found.get((made.before, made.after))
            values = tuple(dict.fromkeys((*(earlier.values if earlier else ()), *made.values)))
            found[made.before, made.after] = Template(
                earlier.noun if earlier else noun,
                made.before,
                made.after,
                values,
                {**(earlier.titles if earlier else {}), **made.titles},
            )
    seen = list(pages)
    return tuple(proven for made in found.values() if (proven := _proven(made, seen)) is not None)


def _proven(made: Template, pages: list[PageSurvey]) -> Template | None:
    """Pages of one kind are made alike: where those seen are not, this is a menu. Odd values (new) are left out."""
    makes = {made.value_in(page.final_url): page.shape.rpartition("#")[2] for page in pages}
    makes.pop(None, None)
    counts = Counter(makes.values())
    listed = len(made.values) >= MANY and _mostly_numbered(made.values)
    if len(makes) > 1 and counts.most_common(1)[0][1] == 1 and not listed:
        return None
    usual = counts.most_common(1)[0][0] if counts else ""
    odd = {value for value, make in makes.items() if make != usual and re.fullmatch(r"[a-z_-]+", value or "")}
    numeric = sum(value.isdigit() for value in made.values) >= len(made.values) * 0.8
    values = tuple(v for v in made.values if v not in odd and (v.isdigit() or not numeric))
    return replace(made, values=values) if len(values) >= MIN_LINKS else None


def _link_columns(page: PageSurvey) -> Iterable[tuple[str, list[str]]]:
    """A list of bare links may be an index of all sorts of pages: there only numbered addresses are of one kind."""
    rich = {facts.items_css for facts in good_lists(page)}
    for facts in good_lists(page, strict=False):
        noun = "page" if is_index(facts, page) and is_bare(facts) else one(place_noun(facts.context, page))
        for each in facts.fields:
            urls = [value for value in each.values if value]
            if each.attr == "href" and (facts.items_css in rich or _numbered(urls)):
                yield _from_url(noun, urls), urls
    for table in good_tables(page):
        urls = [url for url in table.links if url]
        if urls:
            yield _from_url(one(place_noun(table.context, page)), urls), _like(urls[0], page)


def _mostly_numbered(values: Sequence[str]) -> bool:
    return sum(bool(re.search(r"\d", value)) for value in values) >= len(values) * MOST


def _numbered(urls: list[str]) -> bool:
    return _mostly_numbered([urlsplit(url).path + urlsplit(url).query for url in urls])


def _like(url: str, page: PageSurvey) -> list[str]:
    """All links of the page made like this one."""
    parts = urlsplit(url)
    size = len(parts.path.split("/"))
    keys = [key for key, _ in parse_qsl(parts.query)]
    return [
        link.url.split("#")[0]
        for link in page.links
        if not link.chrome
        and len(urlsplit(link.url).path.split("/")) == size
        and [key for key, _ in parse_qsl(urlsplit(link.url).query)] == keys
        and urlsplit(link.url).path.rsplit("/", 1)[0] == parts.path.rsplit("/", 1)[0]
        and _stem(link.url) == _stem(url)
    ]


def _stem(url: str) -> str:
    """What stands before the number in the last segment, where there is one; pages beside the rows have none."""
    match = NUMBERED.fullmatch(urlsplit(url).path.rsplit("/", 1)[1])
    return match.group(1) if match else ""


def _from_url(noun: str, urls: Iterable[str | None]) -> str:
    """/products/oak-desk is a product whatever stands above the list, if the path says so."""
    first = next((url for url in urls if url), "")
    segments = [s for s in urlsplit(first).path.split("/") if s]
    parent = path_noun("/" + "/".join(segments[:-1])) if len(segments) > 1 else ""
    numbered = next((index for index, segment in enumerate(segments) if index and segment.isdigit()), 0)
    if numbered and segments[numbered - 1].isalpha() and numbered >= len(segments) - 2:
        return one(parent) or noun
    return one(parent) if parent.endswith("s") or noun.endswith(f"_{parent}") else noun


def template(noun: str, urls: list[str]) -> Template | None:
    """None unless they differ in exactly one path segment or one query value; the few made otherwise are left out."""
    parts = _alike([urlsplit(url) for url in dict.fromkeys(urls)])
    if len(parts) < MIN_LINKS or len({(p.scheme, p.netloc) for p in parts}) > 1:
        return None
    if len({p.query for p in parts}) == 1:
        return _by_segment(noun, parts)
    return _by_query(noun, parts) if len({p.path for p in parts}) == 1 else None


def _alike(parts: list[SplitResult]) -> list[SplitResult]:
    """Those of the commonest form, where nearly all have it."""
    forms = [
        (len(p.path.split("/")), tuple(key for key, _ in parse_qsl(p.query, keep_blank_values=True))) for p in parts
    ]
    if not forms:
        return []
    usual, count = Counter(forms).most_common(1)[0]
    return [p for p, form in zip(parts, forms, strict=True) if form == usual] if count >= len(parts) * MOST else parts


def _by_segment(noun: str, parts: list[SplitResult]) -> Template | None:
    split = [p.path.split("/") for p in parts]
    if len({len(segments) for segments in split}) > 1:
        return None
    differing = [i for i, column in enumerate(zip(*split, strict=True)) if len(set(column)) > 1]
    if len(differing) == 2:
        return _by_number_and_title(noun, parts, split, differing)
    if len(differing) != 1 or not all(segments[differing[0]] for segments in split):
        return None
    at, first = differing[0], parts[0]
    values = [unquote(segments[at]) for segments in split]
    shared = _shared_word(values)
    before = urlunsplit((first.scheme, first.netloc, "/".join([*split[0][:at], quote(shared)]), "", ""))
    after = "".join(f"/{segment}" for segment in split[0][at + 1 :]) + (f"?{first.query}" if first.query else "")
    return Template(noun, before, after, tuple(value.removeprefix(shared) for value in values))


def _by_number_and_title(
    noun: str, parts: list[SplitResult], split: list[list[str]], differing: list[int]
) -> Template | None:
    """/topic/12/some-title: each number has one title, which nothing else is called by."""
    at, behind = differing
    titles = {unquote(segments[at]): unquote(segments[behind]) for segments in split}
    pairs = {(segments[at], segments[behind]) for segments in split}
    if behind != at + 1 or len(pairs) > len(titles) or not all(titles.values()):
        return None
    if not all(value.isdigit() for value in titles) or any(title.isdigit() for title in titles.values()):
        return None
    first = parts[0]
    before = urlunsplit((first.scheme, first.netloc, "/".join([*split[0][:at], ""]), "", ""))
    after = "".join(f"/{segment}" for segment in split[0][behind + 1 :]) + (f"?{first.query}" if first.query else "")
    return Template(noun, before, after, tuple(titles), titles)


def _shared_word(values: list[str]) -> str:
    """The word in front of the number that tells ticket12 from ticket7; "" where there is no such word."""
    stems = {match.group(1) if (match := NUMBERED.fullmatch(value)) else "" for value in values}
    return stems.pop() if len(stems) == 1 else ""


def _by_query(noun: str, parts: list[SplitResult]) -> Template | None:
    pairs = [parse_qsl(p.query, keep_blank_values=True) for p in parts]
    if len({tuple(key for key, _ in query) for query in pairs}) > 1:
        return None
    differing = [i for i in range(len(pairs[0])) if len({query[i][1] for query in pairs}) > 1]
    if len(differing) != 1:
        return None
    at, first = differing[0], parts[0]
    head, tail = urlencode(pairs[0][:at]), urlencode(pairs[0][at + 1 :])
    base = urlunsplit((first.scheme, first.netloc, first.path, "", ""))
    before = f"{base}?{head + '&' if head else ''}{quote(pairs[0][at][0])}="
    return Template(noun, before, f"&{tail}" if tail else "", tuple(query[at][1] for query in pairs))
