"""Which values a form is tried with: something is to be found, nothing lasting is to be changed."""

from __future__ import annotations

import re
from dataclasses import replace

from recipes_app.mapping.facts import PageSurvey
from recipes_app.mapping.propose.examples import Values
from recipes_app.mapping.propose.fields import Param, renamed
from recipes_app.mapping.propose.in_sight import is_in_sight
from recipes_app.mapping.propose.words import (
    IDENTITY,
    LANGUAGE_KEYS,
    OLD_PASSWORD,
    READING,
    SEARCH_KEYS,
    SORT_KEYS,
)
from recipes_app.mapping.risks import words_of
from recipes_app.mapping.unique import UNIQUE

SWITCHES = LANGUAGE_KEYS | SORT_KEYS


def is_switch(params: tuple[Param, ...]) -> bool:
    """Only language, order or page size: chrome, no tool."""
    return bool(params) and all(
        {param.name, param.field.attribute_name.lower(), *_letters(param.field.attribute_name)} & SWITCHES
        and param.step.op in {"select", "choose", "check"}
        for param in params
    )


def _letters(name: str) -> list[str]:
    """The words of @sort0 or sort-dir_1 without digits and signs."""
    return [re.sub(r"\d+", "", word) for word in words_of(name)]


def said_of(param: Param) -> set[str]:
    return {*words_of(param.field.attribute_name), *words_of(param.field.name)}


def as_query(param: Param, queries: tuple[str, ...], *, alone: bool) -> Param:
    """Called `query` where its label only says that one searches; tried with words that are there to be found."""
    searchy = said_of(param) & (SEARCH_KEYS | set(READING))
    named = renamed(param, "query") if searchy and param.name != "query" else param
    words = queries if len(queries) > 1 else ("test", "example")
    fixed = not searchy or param.field.popup or param.field.options or param.field.pattern
    values = param.values if fixed else Values(words[0], words[1])
    return replace(named, values=values, required=param.required or alone)


def tried(params: tuple[Param, ...], query: Param | None, page: PageSurvey) -> tuple[Param, ...]:
    """Filters narrow: only the query, or one filter, is tried, so that something is left to see."""
    needed = [param for param in params if param.required]
    if query is not None and query not in needed:
        needed.append(query)
    if not needed:
        ranked = sorted(params, key=lambda param: (not is_in_sight(param, page), "enum" not in param.schema))
        needed = ranked[:1]
    return tuple(needed)


def harmless(params: tuple[Param, ...]) -> tuple[Param, ...]:
    """Without choosing another language, in which nothing recorded would be found again, and without a new password."""
    return _without_new_password(tuple(param for param in params if param.required or not is_switch((param,))))


def _without_new_password(params: tuple[Param, ...]) -> tuple[Param, ...]:
    """Where a form also changes the password of who is signed in, that is not tried: the old one is not made up."""
    secret = [param for param in params if param.schema.get("format") == "password"]
    changes = any(set(words_of(f"{p.field.label} {p.field.attribute_name}")) & OLD_PASSWORD for p in secret)
    if not changes or any(param.required for param in secret) or len(secret) == len(params):
        return params
    return tuple(param for param in params if param not in secret)


def once_only(param: Param) -> Param:
    """The name or address of an account, which a site takes once: each recording needs one of its own."""
    said = {*words_of(param.field.attribute_name), *words_of(param.field.label or param.field.beside)}
    if not param.is_text or param.schema.get("format") == "password" or not said & IDENTITY:
        return param
    return replace(param, schema={**param.schema, UNIQUE: True})
