"""From the words of a target to Playwright locators inside one frame."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from recipes_app.browser.api import Frame
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.labels import ENGINE
from recipes_app.engine.finding.strength import family
from recipes_app.engine.naming import name_pattern, normalise
from recipes_app.engine.shapes import Locator, Target

Scope = Frame | Nodes
Matcher = str | re.Pattern[str]

# What a name alone may belong to.
NAMED_ROLES = (
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "radio",
    "spinbutton",
    "slider",
    "switch",
    "tab",
    "option",
    "menuitem",
    "listbox",
    "heading",
    "img",
)


def by_role(scope: Scope, role: str, name: Matcher | None = None) -> Nodes:
    """Nodes of a role; a range input, which older recordings call a textbox, answers to that too."""
    known: Any = role
    found = scope.get_by_role(known, name=name, exact=isinstance(name, str))
    if role == "textbox" and name is not None:
        # Not by its label: on a page with one label that asks every button for its own, each time over the whole page.
        sliders = scope.get_by_role("slider", name=name, exact=isinstance(name, str))
        return found.or_(sliders.and_(scope.locator("input[type=range]")))
    return found


def by_name(scope: Scope, name: Matcher) -> Nodes:
    found = by_role(scope, NAMED_ROLES[0], name)
    for role in NAMED_ROLES[1:]:
        found = found.or_(by_role(scope, role, name))
    return found


def build(scope: Scope, locator: Locator, *, fold_case: bool = False) -> Nodes:
    """One locator of a long target. With `exact` the whole text must match, otherwise a part of it."""
    if locator.kind == "css":
        return scope.locator(f"css={locator.value}")
    if locator.kind == "xpath":
        return scope.locator(f"xpath={locator.value}")
    if locator.kind == "test_id":
        return scope.get_by_test_id(locator.value)
    if locator.kind == "role":
        name = pattern(locator.name, locator, fold_case) if locator.name else None
        return by_role(scope, locator.value, name)
    return by_wording(scope, locator.kind, pattern(locator.value, locator, fold_case))


def pattern(text: str, locator: Locator, fold_case: bool) -> re.Pattern[str]:
    return name_pattern(text, part=not locator.exact, fold_case=fold_case)


def by_wording(scope: Scope, kind: str, words: re.Pattern[str]) -> Nodes:
    finders = {
        "label": scope.get_by_label,
        "placeholder": scope.get_by_placeholder,
        "alt": scope.get_by_alt_text,
        "title": scope.get_by_title,
        "text": scope.get_by_text,
    }
    return finders[kind](words)


def all_locators(target: Target) -> tuple[Locator, ...]:
    """The long form's locators, and the short fields of a mixed form behind them."""
    extra: list[Locator] = []
    if target.role:
        extra.append(Locator("role", target.role, target.name))
    if target.css:
        extra.append(Locator("css", target.css))
    if target.text:
        extra.append(Locator("text", target.text))
    return target.locators + tuple(entry for entry in extra if entry not in target.locators)


def containers(frame: Frame, within: Target) -> Nodes:
    """The innermost nodes that fit `within`, whose text is one they contain."""
    outer: Scope = frame if within.within is None else containers(frame, within.within)
    found = container_nodes(outer, within)
    if within.text:
        found = found.locator(f"agentify-says={json.dumps(normalise(within.text))}")
    innermost = found.filter(has_not=relative(frame, within))
    return innermost if within.nth is None else innermost.nth(within.nth)


def relative(frame: Frame, within: Target) -> Nodes:
    """The same description seen from inside a container."""
    found = container_nodes(frame, within)
    return found.locator(f"agentify-says={json.dumps(normalise(within.text))}") if within.text else found


def container_nodes(scope: Scope, within: Target) -> Nodes:
    """A container is named by any of its descriptions; several must all fit."""
    described = replace(within, text=None)
    parts = [build(scope, locator) for locator in all_locators(described)]
    if not parts and within.name:
        parts = [by_name(scope, name_pattern(within.name))]
    if not parts:
        parts = [scope.locator("css=tr, li, dl > div, article, fieldset, section, form, [role], div")]
    found = parts[0]
    for part in parts[1:]:
        found = found.and_(part)
    return found


def scope_of(frame: Frame, target: Target) -> Scope:
    return containers(frame, target.within) if target.within else frame


def quick_scope(frame: Frame, target: Target) -> Scope:
    """The same, in which controls are found by their names without a search for the labels of each."""
    return containers(frame, target.within) if target.within else frame.locator(f"{ENGINE}=once")


def families_of(target: Target) -> set[str]:
    families = {family(locator) for locator in all_locators(target)}
    return families | {"place"} if target.within else families
