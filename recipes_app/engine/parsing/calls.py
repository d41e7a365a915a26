"""Tools that call each other: what can be seen to be wrong before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.nesting import MAX_CALLS, called_tools
from recipes_app.engine.shapes import SIDE_EFFECTS, Recipe


def check_calls(tools: Sequence[Recipe], path: str) -> None:
    """DocumentError for a circle, a chain too long, or a tool that would do more than it says it does.

    Tools that are not among `tools` are not known here; `path` may hold a place for the tool's index.
    """
    known = {tool.name: tool for tool in tools}
    chains = Chains(known)
    for index, tool in enumerate(tools):
        at = path.format(index)
        chain = chains.longest(tool.name, (), at)
        if len(chain) > MAX_CALLS + 1:
            raise DocumentError(at, f"more than {MAX_CALLS} calls deep: {' > '.join(chain[: MAX_CALLS + 2])}")
        for name in called_tools(tool):
            check_side_effect(tool, known.get(name), f"{at}.side_effect" if at else "side_effect")


@dataclass(slots=True)
class Chains:
    """The longest chain of calls from each tool; every tool is looked at once."""

    known: Mapping[str, Recipe]
    found: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def longest(self, name: str, above: tuple[str, ...], at: str) -> tuple[str, ...]:
        if name in above:
            raise DocumentError(at, f"calls itself: {' > '.join((*above[above.index(name) :], name))}")
        if name not in self.found:
            tool = self.known.get(name)
            below = [self.longest(inner, (*above, name), at) for inner in called_tools(tool)] if tool else []
            self.found[name] = (name, *max(below, key=len, default=()))
        return self.found[name]


def check_side_effect(tool: Recipe, called: Recipe | None, at: str) -> None:
    if called is not None and exceeds(called, tool):
        raise DocumentError(at, f"is {tool.side_effect}, but it calls {called.name}, which is {called.side_effect}")


def exceeds(called: Recipe, caller: Recipe) -> bool:
    return SIDE_EFFECTS.index(called.side_effect) > SIDE_EFFECTS.index(caller.side_effect)
