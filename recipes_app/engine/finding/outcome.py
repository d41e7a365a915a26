"""What one look at the page came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recipes_app.browser.api import Frame, Page
from recipes_app.browser.api import Locator as Nodes
from recipes_app.browser.looking import Wish

LOST = "; lost: "


@dataclass(frozen=True, slots=True)
class Found:
    """`locator` is strict and is resolved anew whenever it is used.

    `matched` says which descriptions found it and, after LOST, which of the recorded ones did not any more. `facts`:
    what the look wished to know, as far as it could be read at once; `nonce` is the number of that look.
    """

    locator: Nodes
    matched: str
    frame: Frame
    warning: str = ""
    nonce: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Miss:
    """Why nothing was found: a failure kind, and how many nodes each description found."""

    kind: str = "missing"
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    frame: Frame | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """How to look. `lenient` holds the leniencies for files of the first Agentify.

    `patient` is false while a weaker description might only fit because the page is not ready yet.
    """

    visible: bool = True
    lenient: bool = False
    opened: Mapping[str, Sequence[Page]] = field(default_factory=dict)
    wish: Wish = field(default_factory=Wish)
    on_poll: Callable[[], None] = lambda: None


def with_lost(matched: str, lost: Sequence[str]) -> str:
    return f"{matched}{LOST}{', '.join(lost)}" if lost else matched


def lost_in(matched: str) -> str:
    """The recorded descriptions that a step worked without: the recipe is drifting."""
    return matched.partition(LOST)[2]


def shown(nodes: Nodes, look: Look) -> Nodes:
    return nodes.filter(visible=True) if look.visible else nodes
