"""From a flight's steps to a plan: what was typed, picked, pressed or opened for a value is bound to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, unquote_plus

from recipes_app.browser.snapshot import Element
from recipes_app.engine.document import Condition, Expect, Locator, Step, Target
from recipes_app.engine.substitution import as_words, placeholders
from recipes_app.mapping.bind import bind_rest, bind_target, values_of
from recipes_app.mapping.effects import dialog_rule
from recipes_app.mapping.prune import Move
from recipes_app.mapping.risks import words_of

Values = Mapping[str, Any]
# Of these the name is the value: of a button the name is what it does, whatever was typed elsewhere.
NAMED_BY_VALUE = frozenset(
    {"option", "radio", "link", "menuitem", "menuitemradio", "tab", "treeitem", "checkbox", "cell"}
)
SUGGESTING = frozenset({"combobox", "searchbox", "textbox"})
VALUE_FIELDS = ("text", "value", "key")
LATE_MS = 8000


def compiled(moves: Sequence[Move], arguments: Values) -> tuple[tuple[Step, ...], int | None]:
    """The plan, and the index of its step that submits, where one was held back."""
    steps: list[Step] = []
    submits: int | None = None
    for move in moves:
        if move.step.op == "dialog":
            continue
        steps += _with_suggestions(steps, move, arguments) or [_bound(move, arguments)]
        if move.held and submits is None:
            submits = len(steps) - 1
    return _renumbered(tuple(steps)), submits


def _bound(move: Move, arguments: Values) -> Step:
    step, fields = move.step, dict(move.step.fields)
    for name in VALUE_FIELDS:
        if isinstance(fields.get(name), str):
            fields[name] = bind_rest(str(fields[name]), arguments)
    if step.op == "goto":
        fields["url"] = bound_address(str(fields["url"]), arguments)
    if step.op == "check":
        fields["value"] = _bound_flag(fields.get("value"), move.element, arguments)
    if step.op in {"select", "choose"}:
        fields["value"] = _bound_choice(str(fields["value"]), arguments)
    target = fields.get("target")
    if isinstance(target, Target):
        fields["target"] = lasting(target, move.element, arguments)
    return replace(step, fields=fields, expect=_expected(move, arguments))


def lasting(target: Target, element: Element | None, arguments: Values) -> Target:
    """Bound where a row is found by a value, or where the element is what the value says."""
    bound = bind_target(target, arguments)
    by_row = bool(placeholders(bound.within))
    by_name = element is not None and element.role in NAMED_BY_VALUE and element.name in values_of(arguments)
    if by_row and not by_name:
        own = replace(target, within=None)
        return replace(bound, **{name: getattr(own, name) for name in ("locators", "role", "name", "css", "text")})
    return bound if by_name else target


def _expected(move: Move, arguments: Values) -> Expect | None:
    """A dialog that was answered is allowed by the step that brings it, and by no other."""
    allowed = [seen for seen in move.dialogs if seen.allowed]
    rule = dialog_rule(allowed, arguments)
    if rule is None:
        return move.step.expect
    return replace(move.step.expect or Expect(), dialog=rule)


def _bound_choice(value: str, arguments: Values) -> str:
    """A choice is the same in another case."""
    bound = bind_rest(value, arguments)
    if placeholders(bound):
        return bound
    same = [name for words, name in values_of(arguments).items() if words.casefold() == value.casefold()]
    return f"{{{{{same[0]}}}}}" if same else value


def _bound_flag(value: object, element: Element | None, arguments: Values) -> object:
    """To the parameter of true or false that the box is about: the one that shares most words with its name."""
    if isinstance(value, str):
        return bind_rest(value, arguments)
    said = set(words_of(element.name)) if element else set()
    fitting = [(len(said & set(words_of(name))), name) for name, given in arguments.items() if given is value]
    best = max(fitting, default=(0, ""))
    return f"{{{{{best[1]}}}}}" if best[0] else value


def bound_address(url: str, arguments: Values) -> str:
    """Values in the path and the query, as whole segments and whole values."""
    head, mark, query = url.partition("?")
    scheme, slashes, rest = head.partition("://")
    host, slash, path = rest.partition("/") if slashes else ("", "", head)
    parts = "/".join(_bound_part(part, unquote(part), arguments) for part in path.split("/"))
    pairs = "&".join(_bound_pair(pair, arguments) for pair in query.split("&")) if mark else ""
    return f"{scheme}{slashes}{host}{slash}{parts}{mark}{pairs}" if slashes else f"{parts}{mark}{pairs}"


def _bound_pair(pair: str, arguments: Values) -> str:
    key, equals, value = pair.partition("=")
    return f"{key}{equals}{_bound_part(value, unquote_plus(value), arguments)}"


def _bound_part(written: str, plain: str, arguments: Values) -> str:
    """A short number is bound too: a whole segment is no part of something longer."""
    name = values_of(arguments).get(plain)
    return f"{{{{{name}}}}}" if name and plain else written


def _with_suggestions(steps: list[Step], move: Move, arguments: Values) -> list[Step] | None:
    """A suggestion picked after typing: type, wait for what is offered, choose. None where this is no such thing."""
    if move.step.op != "click" or move.element is None or move.element.role != "option" or not steps:
        return None
    typed = steps[-1]
    names = placeholders(typed.fields.get("text"))
    if typed.op != "type" or len(names) != 1:
        return None
    name = next(iter(names))
    steps[-1] = replace(typed, fields={**typed.fields, "keys": True})
    is_whole = move.element.name.casefold() == as_words(arguments.get(name)).casefold()
    offered = Target(role="option", name=f"{{{{{name}}}}}" if is_whole else None)
    there = Condition("element_exists", target=offered, timeout_ms=LATE_MS)
    waiting = Step("wait_for", {"condition": there}, timeout_ms=LATE_MS, note="the suggestions for what was typed")
    return [waiting, Step("click", {"target": _option(move, name) if is_whole else offered})]


def _option(move: Move, name: str) -> Target:
    frames = getattr(move.step.fields.get("target"), "frames", ())
    return Target(locators=(Locator("role", "option", f"{{{{{name}}}}}"),), frames=frames)


def _renumbered(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Pages are named by the step that opened them, which may stand elsewhere now."""
    opening = [index for index, step in enumerate(steps) if step.expect is not None and step.expect.page_opened]
    renumbered = []
    for index, step in enumerate(steps):
        if step.op != "switch_page" or step.fields["to"] == "main":
            renumbered.append(step)
            continue
        last = next((at for at in reversed(opening) if at < index), None)
        to = "main" if last is None else f"opened_by:steps[{last}]"
        renumbered.append(replace(step, fields={**step.fields, "to": to}))
    return tuple(renumbered)
