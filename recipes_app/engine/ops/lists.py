"""The op extract_list."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any

from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.page import settle
from recipes_app.engine.act import Act
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.finding.locating import by_name, by_role
from recipes_app.engine.naming import name_pattern
from recipes_app.engine.ops.emptiness import is_shown_empty
from recipes_app.engine.ops.reading import convert, read
from recipes_app.engine.scripts import once_styled, script
from recipes_app.engine.sentences import target_words
from recipes_app.engine.shapes import ExtractField, Target
from recipes_app.engine.substitution import as_words
from recipes_app.engine.target import POLL_MS, Listed, find_all
from recipes_app.engine.values.typed import Read

MAX_ITEMS = 10_000
LOOP = ".rounds["


def extract_list(act: Act) -> None:
    fields: Mapping[str, ExtractField] = act.get("fields")
    limit = as_limit(act)
    is_plain = all(is_css(field) for field in fields.values())
    given = {"limit": limit, "fields": plain(fields)} if is_plain else None
    items = wait_for_items(act, act.get("items"), given)
    if items is None:
        act.keep([])
        return
    rows = items.rows
    if rows is None and given is not None:
        rows = by_css(items.nodes, given)
    if rows is None:
        rows = [by_parts(act, items.nodes.nth(index), fields) for index in range(min(limit, items.nodes.count()))]
    check_fields(act, rows, fields, is_one=limit == 1)
    act.keep([row_of(act, row, fields, f"{act.get('key')}[{index}]") for index, row in enumerate(rows)])


def check_fields(act: Act, rows: list[dict[str, Any]], fields: Mapping[str, ExtractField], *, is_one: bool) -> None:
    """Some items lack a field; where most fields are in no item at all, these are not the items recorded.

    Of one thing alone half is too little: there is no other item that could have the rest.
    """
    lost = [name for name in fields if all(row[name] is None for row in rows)]
    too_many = len(fields) / 2 if is_one and len(fields) > 1 else len(fields) / 2 + 0.5
    if rows and len(lost) >= too_many:
        named, many = ", ".join(lost), "1 item is" if len(rows) == 1 else f"{len(rows)} items are"
        raise act.fail("drifted", f"{many} there, but without {named}: is it still what was recorded?")


def as_limit(act: Act) -> int:
    words = as_words(act.get("limit", MAX_ITEMS))
    if not words.isdecimal():
        raise act.fail("bad_arguments", f"limit must be a whole number, not “{words[:40]}”")
    return min(int(words), MAX_ITEMS)


def wait_for_items(act: Act, items: Target, given: Mapping[str, Any] | None = None) -> Listed | None:
    """None once the page is quiet, shows none, and shows that there are none. StepFailure: missing.

    A round of a loop may find nothing: whether the list is there was seen by the rounds before.
    """
    in_loop = LOOP in act.path
    look = act.look()
    until = monotonic() + act.left_ms / 1000
    is_settled = False
    says_empty = False
    while True:
        found = find_all(act.session, items, look, given)
        if found is not None:
            act.matched = found.label
            return found
        if says_empty or (is_settled and in_loop):
            return None
        if is_settled and is_shown_empty(act, items):
            # What says so may have come after the look at the items, and they with it.
            says_empty = True
            continue
        if monotonic() >= until:
            raise StepFailure("missing", f"{target_words(items)} is not there, and nothing says that there are none")
        if is_settled:
            act.session.page.wait_for_timeout(POLL_MS * 4)
        else:
            settle(act.session.page, limit_ms=max(POLL_MS, (until - monotonic()) * 1000))
        is_settled = True


def is_css(field: ExtractField) -> bool:
    """Readable in one go: plain CSS all the way down."""
    if field.role or field.name or field.text:
        return False
    return all(is_css(inner) for inner in field.fields.values())


def by_css(items: Nodes, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = items.evaluate_all(once_styled(script("items.js")), given)
    return rows


def plain(fields: Mapping[str, ExtractField]) -> dict[str, Any]:
    return {
        name: {
            "css": field.css,
            "attr": field.attr,
            "type": field.type,
            "fields": plain(field.fields) if field.fields else None,
        }
        for name, field in fields.items()
    }


def by_parts(act: Act, item: Nodes, fields: Mapping[str, ExtractField]) -> dict[str, Any]:
    return {name: one_part(act, item, field) for name, field in fields.items()}


def one_part(act: Act, item: Nodes, field: ExtractField) -> Any:
    node = part_of(item, field)
    count = 1 if node is item else node.count()
    if count == 0:
        return None
    if count > 1 and not field.css:
        raise act.fail(
            "ambiguous", f"a field fits {count} elements of one item: {field.role or field.name or field.text}"
        )
    first = node if node is item else node.first
    if field.fields:
        return by_parts(act, first, field.fields)
    found = read(first, field.attr, field.type, act.left_ms)
    return {"text": found.text, "lang": found.lang, "base": found.base}


def part_of(item: Nodes, field: ExtractField) -> Nodes:
    node = item.locator(f"css={field.css}") if field.css else item
    if field.role:
        node = by_role(node, field.role, name_pattern(field.name) if field.name else None)
    elif field.name:
        node = by_name(node, name_pattern(field.name))
    return node.get_by_text(name_pattern(field.text)) if field.text else node


def row_of(act: Act, row: Mapping[str, Any], fields: Mapping[str, ExtractField], where: str) -> dict[str, Any]:
    return {name: value_of(act, row[name], field, f"{where}.{name}") for name, field in fields.items()}


def value_of(act: Act, value: Any, field: ExtractField, where: str) -> Any:
    if value is None:
        return None
    if field.fields:
        return row_of(act, value, field.fields, where)
    return convert(act, Read(**value), field.type, where)
