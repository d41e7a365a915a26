"""A site mapped again: which proposals are new, which are published already, which differ, and what was not found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from recipes_app.engine.document import parse_step, step_sentence
from recipes_app.engine.errors import DocumentError
from recipes_app.engine.naming import PLACEHOLDER
from recipes_app.models import Mapping as MappingRow
from recipes_app.models import Proposal, Recipe, Recording, Site
from recipes_app.models.proposal import ProposalChange

LABELS = (("parameters", "Parameters"), ("steps", "Steps"), ("returns", "Returns"))


@dataclass(frozen=True, slots=True)
class Line:
    """`kind` is added, removed or changed."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What a proposal would change in the tool that is published."""

    parameters: list[Line] = field(default_factory=list)
    steps: list[Line] = field(default_factory=list)
    returns: list[Line] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.parameters or self.steps or self.returns)

    @property
    def parts(self) -> list[tuple[str, list[Line]]]:
        found = [(label, getattr(self, name)) for name, label in LABELS]
        return [(label, lines) for label, lines in found if lines]

    @property
    def summary(self) -> str:
        counted = [f"{len(lines)} in its {label.lower()}" for label, lines in self.parts]
        return f"Differs from what is published: {', '.join(counted)}." if counted else ""


@dataclass(frozen=True, slots=True)
class Published:
    """A tool as it is published; `plan` is the proposal it was recorded from, if it was."""

    recipe: Recipe
    document: Mapping[str, Any]
    plan: Proposal | None


def compare(mapping: MappingRow, made: Iterable[Proposal]) -> None:
    """Write down how each proposal stands to what is published, and which mapped tools were not found again."""
    tools, found = published(mapping.site), set[int]()
    for proposal in made:
        tool = _counterpart(proposal, tools, found)
        if tool is not None:
            found.add(tool.recipe.pk)
            _judge(proposal, tool)
    if mapping.pages.exists():
        mapping.gone = sorted(tool.recipe.name for tool in tools if tool.plan and tool.recipe.pk not in found)
        mapping.save(update_fields=["gone"])


def published(site: Site) -> list[Published]:
    recipes = Recipe.objects.published().filter(site=site).select_related("live_version")
    rows = Recording.objects.filter(version__recipe__in=recipes, proposal__isnull=False).order_by("pk")
    plans: dict[int, Proposal] = {}
    for row in rows.select_related("version", "proposal"):
        if row.version and row.proposal:
            plans[row.version.recipe_id] = row.proposal
    return [Published(each, each.live_version.document, plans.get(each.pk)) for each in recipes if each.live_version]


def difference_of(proposal: Proposal) -> Difference | None:
    """To the published tool of its name; None where there is none."""
    tool = next((each for each in published(proposal.site) if each.recipe.name == proposal.name), None)
    return difference(proposal, tool) if tool else None


def difference(proposal: Proposal, tool: Published) -> Difference:
    """Plan against plan where the tool was recorded from one; else only what callers see of it."""
    plan = tool.plan
    if plan is None or plan.pk == proposal.pk:
        old_parameters, old_returns = tool.document.get("parameters") or {}, tool.document.get("returns") or {}
        return Difference(_schema_lines(old_parameters, proposal.parameters), [], _returns(old_returns, proposal))
    return Difference(
        _schema_lines(plan.parameters, proposal.parameters),
        _step_lines(plan.steps, proposal.steps),
        _returns(plan.returns or {}, proposal),
    )


def _counterpart(proposal: Proposal, tools: Iterable[Published], taken: set[int]) -> Published | None:
    """By name, else by what its plan does: a person may have renamed the tool and its parameters."""
    free = [tool for tool in tools if tool.recipe.pk not in taken]
    by_name = next((tool for tool in free if tool.recipe.name == proposal.name), None)
    return by_name or next((tool for tool in free if tool.plan and _does_the_same(tool.plan, proposal)), None)


def _judge(proposal: Proposal, tool: Published) -> None:
    renamed = proposal.name != tool.recipe.name
    if renamed:
        if proposal.mapping.proposals.filter(name=tool.recipe.name).exists():
            return
        proposal.name = tool.recipe.name
    found = Difference() if renamed else difference(proposal, tool)
    proposal.change = ProposalChange.CHANGED if found else ProposalChange.SAME
    proposal.change_note = found.summary[:500]
    proposal.save(update_fields=["name", "change", "change_note"])


def _does_the_same(one: Proposal, other: Proposal) -> bool:
    return one.kind == other.kind and _shape(one) == _shape(other)


def _shape(proposal: Proposal) -> str:
    """Its steps whatever its parameters are called, and what it returns."""
    names: dict[str, str] = {}
    text = json.dumps([proposal.steps, proposal.returns], sort_keys=True)
    return PLACEHOLDER.sub(lambda found: names.setdefault(found[1], f"<{len(names)}>"), text)


def _schema_lines(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Line]:
    before, after = _described(old), _described(new)
    return [
        *(Line("removed", f"{name}: {text}") for name, text in before.items() if name not in after),
        *(Line("added", f"{name}: {text}") for name, text in after.items() if name not in before),
        *(
            Line("changed", f"{name}: {before[name]} → {text}")
            for name, text in after.items()
            if name in before and before[name] != text
        ),
    ]


def _described(schema: Mapping[str, Any]) -> dict[str, str]:
    """By parameter: its type, its limits, and whether it must be given."""
    required = schema.get("required") or []
    properties = schema.get("properties") or {}
    return {
        name: f"{_type_of(content)}, {'required' if name in required else 'optional'}"
        for name, content in properties.items()
    }


def _type_of(content: Any) -> str:
    if not isinstance(content, Mapping):
        return "anything"
    if "enum" in content:
        return "one of " + ", ".join(json.dumps(value, ensure_ascii=False) for value in content["enum"])
    items = content.get("items")
    inner = f" of {_type_of(items)}" if isinstance(items, Mapping) else ""
    return f"{content.get('format') or content.get('type', 'anything')}{inner}"


def _returns(old: Mapping[str, Any], proposal: Proposal) -> list[Line]:
    """A plan that says nothing of what it returns decides that while recording: no difference yet."""
    new = proposal.returns or {}
    before, after = _fields(old), _fields(new)
    if not new or not old or before == after:
        return []
    return [
        *(Line("removed", text) for text in before if text not in after),
        *(Line("added", text) for text in after if text not in before),
    ]


def _fields(schema: Mapping[str, Any], path: str = "") -> list[str]:
    found: list[str] = []
    for name, content in (schema.get("properties") or {}).items():
        inner = content.get("items", content) if isinstance(content, Mapping) else {}
        here = f"{path}{name}"
        deeper = _fields(inner, f"{here}.") if isinstance(inner, Mapping) else []
        found += deeper or [f"{here}: {_type_of(content)}"]
    return found


def _step_lines(old: list[Any], new: list[Any]) -> list[Line]:
    before, after = [_said(step) for step in old], [_said(step) for step in new]
    lines: list[Line] = []
    for tag, start, end, from_, to in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += _quietly_other(old[start:end], new[from_:to])
            continue
        lines += [Line("removed", text) for text in before[start:end]]
        lines += [Line("added", text) for text in after[from_:to]]
    return lines


def _quietly_other(old: list[Any], new: list[Any]) -> list[Line]:
    """Steps that read alike and find their element, or read it, in another way."""
    pairs = zip(old, new, strict=True)
    return [Line("changed", f"{_said(after)} (by another way)") for before, after in pairs if before != after]


def _said(step: Any) -> str:
    try:
        return step_sentence(parse_step(step))
    except DocumentError:
        return json.dumps(step, sort_keys=True)
