"""A proposal's plan: read as a recipe, checked as a whole, and kept in step with its parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.errors import ArgumentsError, DocumentError
from recipes_app.engine.naming import PLACEHOLDER
from recipes_app.engine.parameters import check_arguments
from recipes_app.engine.substitution import placeholders
from recipes_app.models import Proposal
from recipes_app.models.recipe import SideEffect
from recipes_app.services.errors import BadInput

FILLING = frozenset({"type", "select", "choose", "check", "set_date", "upload"})


def plan_of(proposal: Proposal) -> Document:
    """The proposal's plan as a recipe; DocumentError if it is none."""
    return parse_recipe(
        {
            "name": proposal.name,
            "description": proposal.description,
            "parameters": proposal.parameters,
            **({"returns": proposal.returns} if proposal.returns else {}),
            "side_effect": proposal.side_effect,
            "steps": proposal.steps,
        }
    )


def check(proposal: Proposal) -> None:
    """The plan must parse, and take its own examples; a second set that does not fit any more is dropped."""
    try:
        plan = plan_of(proposal)
        check_arguments(plan, proposal.examples)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error
    except ArgumentsError as error:
        raise BadInput([f"The examples do not fit: {problem}" for problem in error.problems]) from error
    used = {name for name in placeholders(proposal.steps) if not name.startswith("_")}
    if gone := sorted(used - set(proposal.parameters.get("properties") or {})):
        raise BadInput({"parameters": f"The plan still needs {', '.join(gone)}."})
    proposal.others = _fitting(plan, proposal.others)


def follow(proposal: Proposal, renamed: Mapping[str, str]) -> None:
    """Bring the plan in step with the parameters: names that changed, and steps that filled what is gone."""
    if renamed:
        proposal.steps = _with_names(proposal.steps, renamed)
        proposal.others = {renamed.get(name, name): value for name, value in proposal.others.items()}
    known = set(proposal.parameters.get("properties") or {})
    submits = proposal.submit_index
    kept = [index for index, step in enumerate(proposal.steps) if index == submits or not _fills_nothing(step, known)]
    proposal.submit_index = None if submits is None else kept.index(submits) if submits in kept else submits
    proposal.steps = [proposal.steps[index] for index in kept]


def with_value(steps: Any, name: str, value: Any) -> Any:
    """The same steps with this value in place of the parameter."""
    match steps:
        case str():
            return value if steps == f"{{{{{name}}}}}" and not isinstance(value, str) else _filled(steps, name, value)
        case list():
            return [with_value(item, name, value) for item in steps]
        case dict():
            return {key: with_value(item, name, value) for key, item in steps.items()}
        case _:
            return steps


def check_others(proposal: Proposal, others: Mapping[str, Any]) -> None:
    """BadInput where a second set of values was given that the parameters do not take."""
    try:
        check_arguments(plan_of(proposal), dict(others))
    except ArgumentsError as error:
        raise BadInput({"others": "; ".join(error.problems)}) from error


def _filled(text: str, name: str, value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return PLACEHOLDER.sub(lambda found: said if found[1] == name else found[0], text)


def understated(proposal: Proposal) -> str:
    label = SideEffect(proposal.side_effect).label.lower()
    does = "removes or overwrites something" if proposal.plan_effect == SideEffect.DESTRUCTIVE else "submits something"
    return f"Its plan {does}, so {label} says too little. Tick below that you know better; the audit log keeps it."


def _fills_nothing(step: Any, known: set[str]) -> bool:
    if not isinstance(step, dict) or step.get("op") not in FILLING:
        return False
    named = placeholders(step)
    return bool(named) and not named & known


def _with_names(value: Any, renamed: Mapping[str, str]) -> Any:
    match value:
        case str():
            return _renamed_text(value, renamed)
        case list():
            return [_with_names(item, renamed) for item in value]
        case dict():
            return {key: _with_names(item, renamed) for key, item in value.items()}
        case _:
            return value


def _renamed_text(text: str, renamed: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: f"{{{{{renamed.get(found[1], found[1])}}}}}", text)


def _fitting(plan: Document, values: dict[str, Any]) -> dict[str, Any]:
    try:
        return check_arguments(plan, values) if values else {}
    except ArgumentsError:
        return {}
