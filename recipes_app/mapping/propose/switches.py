"""A switch that is not part of a form: what it is set to is sent at once, and the site keeps it or does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recipes_app.engine.document import Condition, Locator, Step, Target
from recipes_app.mapping.facts import ButtonFacts
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.fields import Param


def is_lone_switch(params: Sequence[Param], submit: ButtonFacts | None) -> bool:
    """One that says its state in its markup, which tells later whether it was kept."""
    if submit is not None or len(params) != 1:
        return False
    field = params[0].field
    return field.role == "switch" and field.tag != "input" and bool(field.name)


def as_switch(param: Param) -> Param:
    schema = {key: value for key, value in param.schema.items() if key != "default"}
    return replace(param, schema=schema, required=True)


def with_proof(draft: Draft, param: Param) -> Draft:
    """Seen again after the page was loaded anew: a switch that only changes what is shown now is no tool.

    By its name and its state, which both have to fit: what else finds it finds it in either state.
    """
    state = f'[role=switch][aria-checked="{{{{{param.name}}}}}"]'
    kept = Target(locators=(Locator("role", "switch", param.field.name), Locator("css", state)))
    proof = (
        Step("reload", {}),
        Step("verify", {"condition": Condition("element_exists", target=kept)}, note="the site has kept it"),
    )
    return replace(draft, steps=(*draft.steps, *proof))
