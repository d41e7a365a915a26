"""The recipe document as frozen dataclasses. `None` and empty mean: not given in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LOCATOR_KINDS = ("test_id", "role", "label", "placeholder", "alt", "title", "text", "css", "xpath")
CONDITION_KINDS = (
    "page_text_contains",
    "url_contains",
    "url_matches",
    "element_exists",
    "element_absent",
    "value_is",
)
GROUP_KINDS = ("all", "any", "not")
SIDE_EFFECTS = ("read", "write", "destructive")


@dataclass(frozen=True, slots=True)
class Locator:
    """One way to find a node. For kind "role", `value` is the role and `name` the accessible name."""

    kind: str
    value: str
    name: str | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class FrameRef:
    name: str | None = None
    title: str | None = None
    src: str | None = None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What the node looked like when it was recorded; `peers` counts nodes sharing role and name."""

    tag: str | None = None
    role: str | None = None
    name: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    landmark: str | None = None
    near: str | None = None
    peers: int | None = None
    frame: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Short form: role, name, css, text. Long form: locators. Without `page`: the page in use.

    `nth_argument` is a placeholder that gives `nth` when the step runs, such as `{{_index}}`.
    """

    role: str | None = None
    name: str | None = None
    css: str | None = None
    text: str | None = None
    locators: tuple[Locator, ...] = ()
    within: Target | None = None
    frames: tuple[FrameRef, ...] = ()
    page: str | None = None
    nth: int | None = None
    fingerprint: Fingerprint | None = None
    nth_argument: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A leaf of one of CONDITION_KINDS, or a group (all, any, not) over `parts`."""

    kind: str
    value: str | None = None
    case_insensitive: bool = False
    target: Target | None = None
    parts: tuple[Condition, ...] = ()
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class DialogRule:
    """Which native dialog is allowed, and its answer. `message` is a whole text or a `*` pattern."""

    type: str | None = None
    message: str | None = None
    answer: str = "accept"
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """What must be seen after a step; every part given must hold."""

    condition: Condition | None = None
    appears: Target | None = None
    disappears: Target | None = None
    url: str | None = None
    page_opened: bool = False
    download: bool = False
    dialog: DialogRule | None = None


@dataclass(frozen=True, slots=True)
class ExtractField:
    """One field of an extracted item; without css, role or text it reads the item itself."""

    css: str | None = None
    role: str | None = None
    name: str | None = None
    text: str | None = None
    attr: str = "text"
    type: str = "string"
    fields: Mapping[str, ExtractField] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    header: str | None = None
    type: str = "string"


@dataclass(frozen=True, slots=True)
class Offset:
    """CSS pixels from the element's upper left corner. `…_argument`: a placeholder that gives it when the step runs."""

    x: float
    y: float
    x_argument: str | None = None
    y_argument: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One operation. `fields` holds typed values: Target, Condition, tuple[Step, …], plain JSON."""

    op: str
    fields: Mapping[str, object] = field(default_factory=dict)
    optional: bool = False
    timeout_ms: int | None = None
    note: str = ""
    expect: Expect | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    check: Condition
    then: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    returns: Mapping[str, Any] | None = None
    side_effect: str = "write"
    steps: tuple[Step, ...] = ()
    format: int = 2


@dataclass(frozen=True, slots=True)
class Registry:
    """A registry file: all tools of one site."""

    site: str
    base_url: str
    tools: tuple[Recipe, ...] = ()
    mapped_at: str = ""
    auth: Mapping[str, Any] | None = None
    format: int = 2

    def tool(self, name: str) -> Recipe | None:
        return next((tool for tool in self.tools if tool.name == name), None)
