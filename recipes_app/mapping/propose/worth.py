"""Which repeated structures are content worth a tool, and which are chrome, menus or parts of another."""

from __future__ import annotations

from recipes_app.mapping.facts import ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.columns import list_columns, points_inside, table_columns

MIN_ITEMS = 3
MENU_ROLES = frozenset(
    {"menu", "menubar", "tablist", "toolbar", "listbox", "radiogroup", "navigation", "presentation", "tree"}
)
MIN_ITEM_TEXT = 8
MIN_INDEX_TEXT = 3
MIN_INDEX = 8
MOST_OF_PAGE = 0.5
MAX_LISTS = 3
SAMPLES = 12


def good_lists(page: PageSurvey, *, strict: bool = True) -> list[ListFacts]:
    """The lists of a page, best first. Not strict: plain texts count too (what a search brought up)."""
    worthy = [
        facts
        for facts in page.lists
        if is_worthy(facts, page.final_url, strict=strict and not is_index(facts, page), brief=is_index(facts, page))
    ]
    kept: list[ListFacts] = []
    for facts in sorted(worthy, key=score, reverse=True):
        if not any(_overlap(facts, other) for other in kept):
            kept.append(facts)
    return kept[:MAX_LISTS]


def good_tables(page: PageSurvey) -> list[TableFacts]:
    """Rows one reads, not rows one fills in."""
    return [
        facts
        for facts in page.tables
        if facts.total
        and not facts.chrome
        and len(table_columns(facts)) > 1
        and facts.controls * 2 <= min(facts.total, SAMPLES)
    ]


def score(facts: ListFacts) -> float:
    columns = list_columns(facts)
    typed = sum(1 for column in columns if column.type != "string" or column.field.heading)
    return min(facts.total, 20) * (len(columns) + typed) + min(facts.text_size, 2000) / 100


def is_index(facts: ListFacts, page: PageSurvey) -> bool:
    """What a page is there for: links, each to another page, that make up most of what it says."""
    size = facts.text_size * facts.total / max(len(facts.texts), 1)
    links = [value for field in facts.fields if field.attr == "href" for value in field.values if value]
    apart = len(set(links)) == len(links) >= len(facts.texts)
    return facts.total >= MIN_INDEX and apart and size >= page.text_size * MOST_OF_PAGE


def is_worthy(facts: ListFacts, page_url: str, *, strict: bool, brief: bool = False) -> bool:
    if facts.total < MIN_ITEMS or facts.chrome or facts.chrome_words:
        return False
    if facts.role in MENU_ROLES and not (brief and facts.role == "tree"):
        return False
    if facts.controls * 2 > len(facts.texts) or points_inside(facts, page_url):
        return False
    columns = list_columns(facts)
    texts = [text for text in facts.texts if text]
    if (
        not columns
        or len(set(texts)) < 2
        or facts.text_size / max(len(facts.texts), 1) < (MIN_INDEX_TEXT if brief else MIN_ITEM_TEXT)
    ):
        return False
    return not strict or _has_substance(facts)


def is_bare(facts: ListFacts) -> bool:
    """Nothing but a link in each item."""
    return len([column for column in list_columns(facts) if column.field.attr != "href"]) < 2


def _has_substance(facts: ListFacts) -> bool:
    """At least two things per item beside its address, or questions with answers; bare links are a menu."""
    said = [column for column in list_columns(facts) if column.field.attr != "href"]
    if facts.tag == "details":
        return True
    return len(said) > 1 or (bool(said) and any(column.field.heading for column in said))


def _overlap(facts: ListFacts, other: ListFacts) -> bool:
    """One stands inside the items of the other, or both are the same things cut differently."""
    nested = other.items_css in facts.inside or facts.items_css in other.inside
    return nested or facts.items_css == other.items_css
