"""Ops that pick one of what is offered: select (native lists) and choose (anything)."""

from __future__ import annotations

import json
from typing import Any

from recipes_app.browser.api import Frame
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.looking import Wish
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true
from recipes_app.engine.errors import StepFailure
from recipes_app.engine.fields import field_of, put, read_value
from recipes_app.engine.finding.locating import by_role
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.naming import name_pattern, normalise
from recipes_app.engine.ops.checks import toggle
from recipes_app.engine.ops.rolling import Rolling
from recipes_app.engine.pressing import what_became
from recipes_app.engine.scripts import script, with_aria
from recipes_app.engine.substitution import as_words

# Lists that depend on another field are filled a moment later.
LATE_OPTIONS_MS = 800
CHOICE_ROLES = ("option", "menuitem", "menuitemradio", "radio", "treeitem", "tab")
LISTED = 30
OPENS_MS = 600


def select(act: Act) -> None:
    found = act.find(wish=Wish(("chooser", "options")))
    facts = found.facts.get("chooser") or chooser_of(act, found)
    values = wanted_values(act)
    if facts["kind"] == "native":
        pick_native(act, found, values)
    else:
        choose_in(act, found, values[0])


def choose(act: Act) -> None:
    found = act.find(visible=False)
    choose_in(act, found, wanted_values(act)[0])


def wanted_values(act: Act) -> list[str]:
    value = act.get("value")
    return [as_words(entry) for entry in value] if isinstance(value, list | tuple) else [as_words(value)]


def chooser_of(act: Act, found: Found) -> dict[str, Any]:
    facts: dict[str, Any] = found.locator.evaluate(with_aria("chooser.js"), timeout=act.left_ms)
    return facts


def choose_in(act: Act, found: Found, value: str) -> None:
    facts = chooser_of(act, found)
    if facts["kind"] == "inside":
        inner = found.locator.locator("css=select, [role=combobox], [role=radiogroup], [role=listbox]").first
        found = Found(inner, found.matched, found.frame)
        facts = chooser_of(act, found)
    CHOOSERS[facts["kind"]](act, found, value, facts)


# --- native lists


def choose_native(act: Act, found: Found, value: str, _facts: dict[str, Any]) -> None:
    pick_native(act, found, [value])


def pick_native(act: Act, found: Found, values: list[str]) -> None:
    """By value, then by label; the choice is read back."""
    indexes = indexes_of(act, found, values)
    act.send()
    found.locator.select_option(index=indexes, timeout=act.left_ms)
    chosen = what_became(act, found, ("chosen",)).facts.get("chosen") if found.nonce else None
    if chosen is None:
        act.left = None
        chosen = found.locator.evaluate(script("chosen.js"), timeout=act.left_ms)
    if sorted(chosen) != sorted(indexes):
        raise act.fail(
            "value_not_kept", f"{act.words} holds {read_value(found.locator)} instead of {', '.join(values)}"
        )


def indexes_of(act: Act, found: Found, values: list[str]) -> list[int]:
    options: list[dict[str, Any]] = list(found.facts.get("options", ()))

    def all_offered() -> bool:
        options[:] = found.locator.evaluate(script("options.js"), timeout=act.left_ms)
        return all(option_for(options, value) is not None for value in values)

    if not all(option_for(options, value) for value in values):
        comes_true(act.session, all_offered, min(LATE_OPTIONS_MS, act.left_ms))
    return [usable_option(act, options, value) for value in values]


def option_for(options: list[dict[str, Any]], value: str) -> dict[str, Any] | None:
    wanted = normalise(value)
    for fits in (
        lambda option: option["value"] == value,
        lambda option: normalise(option["label"]) == wanted,
        lambda option: normalise(option["label"]).casefold() == wanted.casefold(),
    ):
        found = [option for option in options if fits(option)]
        if found:
            return found[0]
    return None


def usable_option(act: Act, options: list[dict[str, Any]], value: str) -> int:
    option = option_for(options, value)
    if option is None:
        raise not_offered(act, value, [entry["label"] for entry in options if entry["label"]])
    if option["disabled"]:
        raise act.fail("option_not_offered", f"{act.words} offers “{option['label']}”, but it is disabled")
    return int(option["index"])


def not_offered(act: Act, value: str, offered: list[str]) -> Exception:
    listed = ", ".join(f"“{each}”" for each in offered[:LISTED]) or "nothing"
    if len(offered) > LISTED:
        listed = f"{listed} and {len(offered) - LISTED} more"
    return act.fail(
        "option_not_offered", f"{act.words} does not offer “{value}”; it offers: {listed}", offered[:LISTED]
    )


# --- radio groups and open lists


def choose_radio(act: Act, found: Found, value: str, facts: dict[str, Any]) -> None:
    """The target is one button of a group: its fellows are the choices."""
    if facts["name"]:
        fellows = found.frame.locator(f'css=input[type=radio][name="{facts["name"]}"]')
        exact = by_role(found.frame, "radio", name_pattern(value)).and_(fellows)
        folded = by_role(found.frame, "radio", name_pattern(value, fold_case=True)).and_(fellows)
        set_choice(act, found.frame, exact if exact.count() else folded, fellows, value)
    else:
        set_choice(act, found.frame, found.locator, found.locator, value)


def choose_in_group(act: Act, found: Found, value: str, _facts: dict[str, Any]) -> None:
    fellows = by_role(found.locator, "radio")
    exact = by_role(found.locator, "radio", name_pattern(value))
    folded = by_role(found.locator, "radio", name_pattern(value, fold_case=True))
    set_choice(act, found.frame, exact if exact.count() else folded, fellows, value)


def set_choice(act: Act, frame: Frame, choice: Nodes, fellows: Nodes, value: str) -> None:
    if choice.count() == 0:
        raise not_offered(act, value, names_of(fellows))
    if choice.count() > 1:
        raise act.fail("ambiguous", f"{act.words} offers “{value}” {choice.count()} times")
    if is_set(choice):
        return
    toggle(act, Found(choice, "", frame))
    if not comes_true(act.session, lambda: is_set(choice), min(1000, act.left_ms)):
        raise act.fail("value_not_kept", f"{act.words} did not keep “{value}”")


def is_set(choice: Nodes) -> bool:
    return choice.evaluate(script("checked.js"), timeout=2000) is True


def choose_open(act: Act, found: Found, value: str, _facts: dict[str, Any]) -> None:
    choice = wait_for_choice(act, found.locator, value)
    act.reach(Found(choice, "", found.frame))
    act.send()
    choice.click(timeout=act.left_ms, no_wait_after=True)
    if not comes_true(act.session, lambda: is_taken(choice), min(1000, act.left_ms)):
        raise act.fail("value_not_kept", f"{act.words} did not keep “{value}”")


def is_taken(choice: Nodes) -> bool:
    """A choice that says nothing of its state, or has gone, is believed."""
    return choice.count() != 1 or choice.evaluate(script("checked.js"), timeout=2000) is not False


def choose_suggested(act: Act, found: Found, value: str, facts: dict[str, Any]) -> None:
    """A field with a list of values of its own, which the browser shows."""
    wanted = normalise(value).casefold()
    fitting = [entry for entry in facts["listed"] if wanted in {normalise(text).casefold() for text in entry.values()}]
    if not fitting:
        raise not_offered(act, value, [entry["label"] or entry["value"] for entry in facts["listed"]])
    put(act, field_of(act, found), str(fitting[0]["value"]))


# --- what opens first: combo boxes, menus, custom lists


def choose_by_opening(act: Act, found: Found, value: str, facts: dict[str, Any]) -> None:
    """Opens, waits for the choice, clicks it, and sees that the list closed with the choice shown."""
    act.reach(found)
    act.send()
    found.locator.click(timeout=act.left_ms, no_wait_after=True)
    try:
        choice = choice_in_list(act, found, value, facts)
    except StepFailure:
        close(act, found.locator)
        raise
    name = choice.inner_text(timeout=act.left_ms)
    act.reach(Found(choice, "", found.frame), f"the choice “{value}”")
    choice.click(timeout=act.left_ms, no_wait_after=True)
    if not comes_true(act.session, lambda: shows(found.locator, value, name), min(1500, act.left_ms)):
        held = read_value(found.locator)
        close(act, found.locator)
        if facts["role"] == "combobox":
            raise act.fail("value_not_kept", f"{act.words} shows “{held}” instead of “{value}”")
        act.note(f"{act.words} shows “{held}” after choosing “{value}”")
    if choice.count() and choice.first.is_visible():
        close(act, found.locator)


def choice_in_list(act: Act, found: Found, value: str, facts: dict[str, Any]) -> Nodes:
    """Some lists open by a key only, and many say which they are once they are open."""
    if not comes_true(act.session, lambda: offers_any(list_of(act, found)), min(OPENS_MS, act.left_ms)):
        found.locator.press("ArrowDown", timeout=act.left_ms, no_wait_after=True)
    return wait_for_choice(act, list_of(act, found), value, filter_by=found.locator if facts["typed"] else None)


def offers_any(scope: Nodes) -> bool:
    return any_choice(scope).filter(visible=True).count() > 0


def list_of(act: Act, found: Found) -> Nodes:
    """The list it says it controls, once that is there; else the whole document."""
    controls = str(chooser_of(act, found)["controls"])
    own = found.frame.locator(f"css=[id={json.dumps(controls)}]")
    return own if controls and own.count() else found.frame.locator("css=body")


def wait_for_choice(act: Act, scope: Nodes, value: str, filter_by: Nodes | None = None) -> Nodes:
    choices: list[Nodes] = []

    def is_offered() -> bool:
        choices[:] = [nodes for nodes in choice_ways(scope, value) if nodes.count()]
        return bool(choices)

    limit = min(act.left_ms, 1500)
    if not comes_true(act.session, is_offered, limit) and filter_by is not None:
        # A long list is often only shown for what is typed.
        filter_by.fill("", timeout=act.left_ms)
        filter_by.press_sequentially(value, timeout=act.left_ms)
        comes_true(act.session, is_offered, limit)
    if not choices and not any_choice(scope).filter(visible=True).count():
        # A list that says of nothing what it is: the words must be there exactly once.
        choices = [nodes for nodes in by_words(scope, value) if nodes.count()]
    if not choices:
        choices = rolled_to(act, scope, value)
    if choices[0].count() > 1:
        raise act.fail("ambiguous", f"{act.words} offers “{value}” {choices[0].count()} times")
    return choices[0]


def rolled_to(act: Act, scope: Nodes, value: str) -> list[Nodes]:
    """In a list that holds only what is in view: the exact name from its top to its end, then whatever its case."""
    shown = any_choice(scope).filter(visible=True)
    rolling = Rolling(act, shown, lambda: names_of(shown))
    wanted = normalise(value)
    for way in choice_ways(scope, value):
        if rolling.until(lambda way=way: way.count() > 0):  # type: ignore[misc]
            return [way]
        if all(normalise(name).casefold() != wanted.casefold() for name in rolling.seen):
            break
    raise not_offered(act, value, rolling.seen or names_of(shown))


def choice_ways(scope: Nodes, value: str) -> list[Nodes]:
    """Whole name, then whatever its case; visible ones only."""
    ways: list[Nodes] = []
    for fold in (False, True):
        words = name_pattern(value, fold_case=fold)
        found = by_role(scope, CHOICE_ROLES[0], words)
        for role in CHOICE_ROLES[1:]:
            found = found.or_(by_role(scope, role, words))
        ways.append(found.filter(visible=True))
    return ways


def by_words(scope: Nodes, value: str) -> list[Nodes]:
    return [scope.get_by_text(name_pattern(value, fold_case=fold)).filter(visible=True) for fold in (False, True)]


def any_choice(scope: Nodes) -> Nodes:
    found = by_role(scope, CHOICE_ROLES[0])
    for role in CHOICE_ROLES[1:]:
        found = found.or_(by_role(scope, role))
    return found


def names_of(nodes: Nodes) -> list[str]:
    entries: list[dict[str, str]] = nodes.evaluate_all(with_aria("names.js"), LISTED)
    return [entry["name"] for entry in entries if entry["name"]]


def shows(opener: Nodes, value: str, name: str) -> bool:
    held = normalise(read_value(opener)).casefold()
    return normalise(value).casefold() in held or (bool(name.strip()) and normalise(name).casefold() in held)


def close(act: Act, opener: Nodes) -> None:
    """Some lists stay open, after a choice (those that take several) or without one; Escape ends them."""
    if opener.count() == 1 and opener.get_attribute("aria-expanded") == "true":
        act.page.keyboard.press("Escape")


CHOOSERS = {
    "native": choose_native,
    "radio": choose_radio,
    "group": choose_in_group,
    "open": choose_open,
    "suggested": choose_suggested,
    "opener": choose_by_opening,
}
