"""What kind of date control an element is, and the fields it consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from recipes_app.browser.api import Locator as Nodes
from recipes_app.engine.act import Act
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.scripts import with_aria

FIELDS = (
    "input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=button]):not([type=submit]), "
    "select, [role=spinbutton]"
)


@dataclass(frozen=True, slots=True)
class DateField:
    """`unit` is year, month, day, hour, minute, second or ampm for one part of a date, else empty."""

    node: Nodes
    tag: str
    type: str
    unit: str
    readonly: bool
    width: int
    hints: tuple[str, ...] = ()
    options: tuple[dict[str, Any], ...] = ()

    @property
    def is_native(self) -> bool:
        return self.type in {"date", "datetime-local", "time", "month", "week"}


@dataclass(frozen=True, slots=True)
class DateControl:
    """`kind`: fields (whole dates), parts (of one date or of two), calendar (open already), opener."""

    kind: str
    fields: tuple[DateField, ...]
    lang: str
    local: str


def control_of(act: Act, found: Found) -> DateControl:
    """The control meant, or the one that a label is for."""
    own = bool(found.locator.evaluate("(e, fields) => e.matches(fields)", FIELDS, timeout=act.left_ms))
    inside = found.locator if own else found.locator.locator(f"css={FIELDS}")
    given = {"own": own, "box": found.locator.element_handle(timeout=act.left_ms)}
    facts: dict[str, Any] = inside.evaluate_all(with_aria("date_control.js"), given)
    fields = tuple(field_of(inside.nth(each["index"]), each) for each in facts["fields"])
    return DateControl(facts["kind"], fields, facts["lang"], facts["local"])


def field_of(node: Nodes, facts: dict[str, Any]) -> DateField:
    return DateField(
        node=node,
        tag=facts["tag"],
        type=facts["type"],
        unit=facts["unit"],
        readonly=facts["readonly"],
        width=facts["width"],
        hints=tuple(facts["hints"]),
        options=tuple(facts["options"]),
    )
