"""Put placeholders where a recording shows the values it was made with.

By exact value, longest first, in one pass, and never inside a longer word, number or address: with n="5" the text
15213 stays as it is, with title="na" so does Anna. A value of one or two characters only counts as the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from recipes_app.engine.document import Fingerprint, Locator, Target
from recipes_app.engine.substitution import as_words, placeholders

MIN_PART = 3
WORDINGS = frozenset({"role", "label", "text", "alt", "title", "placeholder"})
BEFORE, AFTER = r"(?<![\w@+./-])", r"(?![\w@+/-]|\.\w)"


def values_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    """value as it is typed -> parameter. Of two with one value the first counts; true and false are no text."""
    bound: dict[str, str] = {}
    for name, value in arguments.items():
        if value is None or isinstance(value, bool | dict | list | tuple):
            continue
        words = as_words(value)
        if words.strip() and words not in bound:
            bound[words] = name
    return bound


def bind(text: str, arguments: Mapping[str, Any]) -> str:
    values = values_of(arguments)
    if text in values:
        return f"{{{{{values[text]}}}}}"
    parts = sorted((value for value in values if len(value) >= MIN_PART), key=len, reverse=True)
    if not parts:
        return text
    pattern = f"{BEFORE}(?:{'|'.join(map(re.escape, parts))}){AFTER}"
    return re.sub(pattern, lambda match: f"{{{{{values[match.group()]}}}}}", text)


def shown_values(arguments: Mapping[str, Any]) -> list[str]:
    """All a page may repeat of the arguments, longest first: texts, each entry of a list, the names of files."""
    flat = [entry for value in arguments.values() for entry in (value if isinstance(value, list | tuple) else [value])]
    words = {as_words(entry) for entry in flat if entry is not None and not isinstance(entry, bool | dict)}
    named = {match.group(1) for word in words if (match := re.match(r"data:[^,]*;name=([^;,]+)", word))}
    return sorted({word for word in words | named if word.strip()}, key=len, reverse=True)


def mentions(text: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a text depends on the arguments, even in another case or inside a longer word."""
    folded = text.casefold()
    return any(
        value.casefold() in folded if len(value) >= MIN_PART else value == text for value in shown_values(arguments)
    )


def bind_target(target: Target, arguments: Mapping[str, Any]) -> Target:
    """Names, labels and texts are bound; what stood near the element is forgotten where it shows a value.

    Of an element that is itself found by a value, what else was said of it belongs to that value and is dropped.
    """
    mark = target.fingerprint
    bound: Target = _bound(replace(target, fingerprint=None), arguments)
    if any(way.kind in WORDINGS and _is_bound(way) for way in bound.locators):
        kept = tuple(way for way in bound.locators if _is_bound(way))
        return replace(bound, locators=kept, fingerprint=_kind_of(mark, arguments) if mark else None)
    return replace(bound, fingerprint=_bound_mark(mark, arguments) if mark else None)


def _is_bound(way: Locator) -> bool:
    return bool(placeholders((way.value, way.name or "")))


def _kind_of(mark: Fingerprint, arguments: Mapping[str, Any]) -> Fingerprint:
    name = bind(mark.name, arguments) if mark.name else None
    return Fingerprint(tag=mark.tag, role=mark.role, name=name, landmark=mark.landmark)


def bind_rest(text: str, arguments: Mapping[str, Any]) -> str:
    """As `bind`, for a text that may have placeholders already: these are left alone."""
    parts = re.split(r"(\{\{[^{}]*\}\})", text)
    if len(parts) == 1:
        return bind(text, arguments)
    return "".join(part if at % 2 else bind(part, arguments) for at, part in enumerate(parts))


def _bound_mark(mark: Fingerprint, arguments: Mapping[str, Any]) -> Fingerprint:
    near = None if mark.near and mentions(mark.near, arguments) else mark.near
    attributes = {key: value for key, value in mark.attributes.items() if not mentions(value, arguments)}
    return replace(mark, name=bind(mark.name, arguments) if mark.name else None, near=near, attributes=attributes)


def _bound(shape: Any, arguments: Mapping[str, Any]) -> Any:
    if isinstance(shape, str):
        return bind(shape, arguments)
    if isinstance(shape, tuple):
        return tuple(_bound(part, arguments) for part in shape)
    if is_dataclass(shape) and not isinstance(shape, type):
        changes = {field.name: _bound(getattr(shape, field.name), arguments) for field in fields(shape)}
        return replace(shape, **changes)
    return shape
