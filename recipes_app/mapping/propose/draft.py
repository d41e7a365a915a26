"""A proposed tool: what it would be called, take and return, how it would be recorded, and why it is proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from recipes_app.engine.document import Step, dump_step, parse_step
from recipes_app.mapping.facts import NOWHERE, Box

KINDS = ("action", "search", "list", "detail", "login")


@dataclass(frozen=True, slots=True)
class Draft:
    """`steps` hold {{parameter}} placeholders; `submit_index` is the step that really submits, if any.

    `examples` are valid values of all parameters for recording, `others` a second set for verification.
    `submits` is how often recording and verification together will really submit.
    `origin` says who drew it up; `set_aside` why a model would leave it out, `merged_into` the name of the better one.
    `behind` is the address of the page that a link leads to, where nobody has looked at that page yet.
    """

    name: str
    description: str
    kind: str
    side_effect: str
    parameters: Mapping[str, Any]
    examples: Mapping[str, Any]
    start_url: str
    steps: tuple[Step, ...]
    reason: str
    page_url: str
    others: Mapping[str, Any] = field(default_factory=dict)
    returns: Mapping[str, Any] | None = None
    submit_index: int | None = None
    box: Box = NOWHERE
    submits: int = 0
    origin: str = "rules"
    set_aside: str = ""
    merged_into: str = ""
    behind: str = ""

    def as_dict(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in PLAIN}
        return {**plain, "steps": [dump_step(step) for step in self.steps], "box": asdict(self.box)}


PLAIN = tuple(name for name in Draft.__dataclass_fields__ if name not in {"steps", "box"})


def draft_from(data: Mapping[str, Any]) -> Draft:
    """The draft that `as_dict` wrote; raises DocumentError for steps that are no steps."""
    plain = {name: data[name] for name in PLAIN if name in data}
    steps = tuple(parse_step(step) for step in data["steps"])
    return Draft(**plain, steps=steps, box=Box(**data["box"]))


def object_schema(properties: Mapping[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**schema, "required": list(required)} if required else schema


def with_more(schema: Mapping[str, Any], properties: Mapping[str, Any], must: tuple[str, ...] = ()) -> dict[str, Any]:
    """The schema of the parameters with some more, of which `must` have to be given."""
    if not properties:
        return dict(schema)
    required = (*schema.get("required", ()), *must)
    return object_schema({**schema.get("properties", {}), **properties}, required)


def without(schema: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    """The schema of the parameters without some that are not required."""
    kept = {name: each for name, each in schema.get("properties", {}).items() if name not in names}
    return {**schema, "properties": kept} if names else dict(schema)
