"""Which repeated structures are content worth a tool, and which are chrome, menus or parts of another."""

from __future__ import annotations

from recipes_app.mapping.facts import ListFacts, PageSurvey, TableFacts
from recipes_app.mapping.propose.columns import list_columns, points_inside, table_columns

MIN_ITEMS = 3
MIN_PAIR_COLUMNS = 2
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
    return [facts for facts in page.tables if not why_no_table(facts)]


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
    return not _why_not(facts, page_url, strict=strict, brief=brief)


def why_no_list(facts: ListFacts, page: PageSurvey) -> str:
    """Why a repeated structure is no list worth a tool; "" where it is one."""
    index = is_index(facts, page)
    why = _why_not(facts, page.final_url, strict=not index, brief=index)
    if why or facts in good_lists(page):
        return why
    return "it is part of another list of the page, or there are richer ones"


def _why_not(facts: ListFacts, page_url: str, *, strict: bool, brief: bool) -> str:
    if facts.chrome or facts.chrome_words:
        return "a menu, a pager or another part around the content"
    if facts.total < MIN_ITEMS and not is_pair(facts):
        return "too few entries to tell what they have in common"
    if facts.role in MENU_ROLES and not (brief and facts.role == "tree"):
        return f"controls ({facts.role}), not content"
    if facts.controls * 2 > len(facts.texts):
        return "its entries are filled in, not read"
    if points_inside(facts, page_url):
        return "it leads to places in the page itself"
    return _why_empty(facts, strict=strict, brief=brief)


def _why_empty(facts: ListFacts, *, strict: bool, brief: bool) -> str:
    texts = [text for text in facts.texts if text]
    said = facts.text_size / max(len(facts.texts), 1)
    if not list_columns(facts) or said < (MIN_INDEX_TEXT if brief else MIN_ITEM_TEXT):
        return "its entries say next to nothing"
    if len(set(texts)) < 2:
        return "its entries all say the same"
    return "" if not strict or _has_substance(facts) else "its entries are bare links or single texts, as in a menu"


def is_pair(facts: ListFacts) -> bool:
    """Two entries are a list where the markup says that they are entries and each says several things."""
    marked = facts.tag in {"li", "article"} or facts.item_role in {"listitem", "article"}
    said = [column for column in list_columns(facts) if column.field.attr != "href"]
    named = any(column.field.heading or column.field.link for column in said)
    return facts.total == 2 and marked and named and len(said) >= MIN_PAIR_COLUMNS and len(set(facts.texts)) == 2


def is_lone(facts: ListFacts, page_url: str) -> bool:
    """One or two entries, for who knows that a list is meant: the markup says what they are, and they are content."""
    marked = facts.tag in {"li", "article"} or facts.item_role in {"listitem", "article"}
    around = facts.chrome or facts.chrome_words or facts.role in MENU_ROLES or facts.controls
    return marked and not around and 0 < facts.total < MIN_ITEMS and not points_inside(facts, page_url)


def why_no_table(facts: TableFacts) -> str:
    """Why a table is not worth a tool; "" where it is."""
    if facts.chrome:
        return "a part around the content"
    if not facts.total:
        return "it has no rows"
    if len(table_columns(facts)) <= 1:
        return "it has no columns with a heading that say anything"
    return "its rows are filled in, not read" if facts.controls * 2 > min(facts.total, SAMPLES) else ""


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
