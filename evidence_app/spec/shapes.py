"""A task spec as the agent reads it: what to collect, when it is complete, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TYPES = ("str", "int", "float", "bool", "date", "datetime", "url", "enum", "list", "object", "any")
PHASES = ("discovery", "execution")
OVERLAYS = ("dismiss", "keep")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """The type of one extracted value. `declared` is what the file said, kept so that it is written back unchanged."""

    name: str
    type: str = "any"
    nullable: bool = True
    pattern: str = ""
    choices: tuple[str, ...] = ()
    items: FieldSpec | None = None
    fields: tuple[FieldSpec, ...] = ()
    description: str = ""
    declared: Any = None


@dataclass(frozen=True, slots=True)
class Milestone:
    """A point the task must pass. The agent marks it by its `id`."""

    id: str
    description: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True)
class Judgment:
    """A question answered by yes, no or inconclusive; `fields` are what the judgment holds beside the answer."""

    question: str
    fields: tuple[FieldSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class CaptureSpec:
    """What a capture keeps beside the full-page picture. `overlays`: closed before it where possible, or kept."""

    text: bool = True
    viewport: bool = True
    mhtml: bool = False
    pdf: bool = False
    overlays: str = "dismiss"


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """Defaults as the format has them. Times in seconds, 0 for no limit; `expected_items` 0 for none expected.

    `pagination` and `stop_condition` are words for the agent; `input_schema` names the columns samples must have.
    """

    task_id: str
    goal: str
    phase: str = "execution"
    title: str = ""
    start_url: str = ""
    system_prompt: str = ""
    keywords: tuple[str, ...] = ()
    output: tuple[FieldSpec, ...] = ()
    required_fields: tuple[str, ...] = ()
    required_artifacts: tuple[str, ...] = ()
    max_steps: int = 25
    max_time_seconds: int = 0
    expected_items: int = 0
    expected_items_field: str = ""
    max_consecutive_network_errors: int = 5
    judgment: Judgment | None = None
    pagination: Any = None
    stop_condition: Any = None
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    auth_profile: str = ""
    milestones: tuple[Milestone, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    session: str = ""
    control: str = ""
    period: str = ""
    retention_days: int = 0
    capture: CaptureSpec = CaptureSpec()

    def field_named(self, name: str) -> FieldSpec | None:
        return next((each for each in self.output if each.name == name), None)

    @property
    def counted_field(self) -> FieldSpec | None:
        """The list whose items are counted: the one that was named, else the first that is required, else the first."""
        if self.expected_items_field:
            return self.field_named(self.expected_items_field)
        lists = [each for each in self.output if each.type == "list"]
        required = [each for each in lists if each.name in self.required_fields]
        return next(iter(required or lists), None)
