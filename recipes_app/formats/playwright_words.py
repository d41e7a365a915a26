"""Targets, conditions and values of a recipe as Python expressions for a Playwright script.

Every text of the recipe enters the script through `repr`: nothing of it is ever code.
"""

from __future__ import annotations

from typing import Any

from recipes_app.engine.document import Condition, DialogRule, Locator, Target, dump_target
from recipes_app.engine.finding.strength import css_strength
from recipes_app.engine.naming import PLACEHOLDER

BY_WORDING = {
    "label": "get_by_label",
    "placeholder": "get_by_placeholder",
    "alt": "get_by_alt_text",
    "title": "get_by_title",
    "text": "get_by_text",
}


def text(value: str) -> str:
    return f"run.text({value!r})" if PLACEHOLDER.search(value) else repr(value)


def value(given: Any) -> str:
    """A value that keeps the type of the argument it stands for."""
    if isinstance(given, str):
        return f"run.value({given!r})" if PLACEHOLDER.search(given) else repr(given)
    if isinstance(given, list | tuple):
        return f"[{', '.join(map(value, given))}]"
    if isinstance(given, dict):
        return "{" + ", ".join(f"{key!r}: {value(entry)}" for key, entry in given.items()) + "}"
    return repr(given)


def url(given: object) -> str:
    return f"run.url({str(given)!r})"


def arguments(**given: Any) -> str:
    """`, name=value` for each that is given."""
    return "".join(f", {name}={words}" for name, words in given.items() if words is not None)


def locator(entry: Locator) -> str:
    exact = "" if not entry.exact else ", exact=True"
    if entry.kind == "role":
        name = f", name={text(entry.name)}{exact}" if entry.name else ""
        return f"at.get_by_role({entry.value!r}{name})"
    if entry.kind in {"css", "xpath"}:
        return f"at.locator({text(f'{entry.kind}={entry.value}')})"
    if entry.kind == "test_id":
        return f"at.get_by_test_id({text(entry.value)})"
    return f"at.{BY_WORDING[entry.kind]}({text(entry.value)}{exact})"


def own_locators(target: Target) -> list[str]:
    """In the order in which they are tried."""
    ways = [locator(entry) for entry in target.locators]
    if target.role:
        ways.append(locator(Locator("role", target.role, target.name)))
    elif target.name:
        ways.append(f"named(at, {text(target.name)})")
    if target.css:
        ways.append(locator(Locator("css", target.css)))
    if target.text:
        ways.append(locator(Locator("text", target.text)))
    return ways


def find_arguments(target: Target) -> str:
    """What `run.find`, `run.is_there` and their like take."""
    ways, narrow = own_locators(target), []
    if target.css and len(ways) > 1 and css_strength(target.css) == "place":
        # A position never finds anything by itself: it only chooses among what a description found.
        narrow = [locator(Locator("css", target.css))]
        ways = [way for way in ways if way not in narrow]
    return ", ".join(f"lambda at: {way}" for way in ways) + arguments(
        within=containers(target.within),
        frames=frames(target),
        page=text(target.page) if target.page else None,
        nth=nth(target),
        narrow=f"[{', '.join(f'lambda at: {way}' for way in narrow)}]" if narrow else None,
        everywhere=True if not target.locators and not target.frames else None,
    )


def nth(target: Target) -> str | None:
    placeholder = getattr(target, "nth_argument", None)
    if placeholder:
        return f"int({value(placeholder)})"
    return None if target.nth is None else str(target.nth)


def frames(target: Target) -> str | None:
    named = dump_target(target).get("frames")
    return "[" + ", ".join(value(frame) for frame in named) + "]" if named else None


def containers(within: Target | None) -> str | None:
    """Outermost first."""
    builds: list[str] = []
    while within is not None:
        said = text(within.text) if within.text else None
        builds.insert(0, f"(lambda at: {container(within)}, {said}, {nth(within)})")
        within = within.within
    return f"[{', '.join(builds)}]" if builds else None


def container(within: Target) -> str:
    """Its text, the words it contains, stands beside it."""
    ways = [locator(entry) for entry in within.locators]
    if within.role:
        ways.append(locator(Locator("role", within.role, within.name)))
    elif within.name:
        ways.append(f"named(at, {text(within.name)})")
    if within.css:
        ways.append(locator(Locator("css", within.css)))
    first = ways[0] if ways else "at.locator('tr, li, dl > div, article, fieldset, section, form, [role], div')"
    more = "".join(f".and_({way})" for way in ways[1:])
    return f"{first}{more}"


# --- conditions


def condition(given: Condition) -> str:
    if given.kind in {"all", "any"}:
        joined = f" {'and' if given.kind == 'all' else 'or'} ".join(condition(part) for part in given.parts)
        return f"({joined})"
    if given.kind == "not":
        return f"not ({condition(given.parts[0])})"
    if given.target is not None:
        return about_element(given, given.target)
    return about_page(given)


def about_element(given: Condition, target: Target) -> str:
    found = find_arguments(target)
    if given.kind == "value_is":
        return f"run.holds({text(given.value or '')}, {found}{arguments(fold=given.case_insensitive or None)})"
    return f"run.is_there({found})" if given.kind == "element_exists" else f"not run.is_there({found})"


def about_page(given: Condition) -> str:
    wanted = text(given.value or "")
    if given.kind == "url_matches":
        return f"fits(run.page.url, {wanted})"
    name = {"page_text_contains": "says", "url_contains": "address_has"}[given.kind]
    return f"run.{name}({wanted}{arguments(fold=given.case_insensitive or None)})"


def dialog_arguments(rule: DialogRule) -> str:
    given = {"type": rule.type, "message": rule.message, "answer": rule.answer, "text": rule.text}
    return ", ".join(f"{name}={entry!r}" for name, entry in given.items() if entry is not None)
