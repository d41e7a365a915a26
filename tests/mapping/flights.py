"""Tools recorded by a scripted model on a site of the test's own, or on the practice site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recipes_app.engine.events import Event
from recipes_app.llm.base import Answer, Request
from recipes_app.llm.budget import Budget
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from recipes_app.mapping.attempts import Made, Order, make
from recipes_app.mapping.propose.draft import Draft, object_schema
from tests.mapping.conftest import OpenSession
from tests.pilot.flying import Script


def quiet(_event: Event) -> None:
    return


def draft_of(
    name: str,
    start_url: str,
    *,
    side_effect: str = "read",
    examples: Mapping[str, Any] | None = None,
    others: Mapping[str, Any] | None = None,
    types: Mapping[str, Any] | None = None,
    kind: str = "",
) -> Draft:
    """A draft without a plan: only a model can record it."""
    given = dict(examples or {})
    schemas = {key: {"type": "boolean" if isinstance(value, bool) else "string"} for key, value in given.items()}
    return Draft(
        name=name,
        description=name.replace("_", " ").capitalize() + ".",
        kind=kind or ("search" if side_effect == "read" else "action"),
        side_effect=side_effect,
        parameters=object_schema({**schemas, **(types or {})}, tuple(given)),
        examples=given,
        others=dict(others or {}),
        start_url=start_url,
        steps=(),
        reason="",
        page_url=start_url,
        submits={"read": 0, "write": 2, "destructive": 1}[side_effect],
        origin="model",
    )


def recorded_by(
    at_desk: Callable[..., Any],
    draft: Draft,
    *moves: Any,
    script: Callable[[Request], Answer] | None = None,
    **more: Any,
) -> tuple[Made, Scripted]:
    provider = Scripted(script or Script(moves))
    model = Model(provider, budget=Budget())

    def work(open_session: OpenSession) -> Made:
        return make(Order(draft, open_session, quiet, model=model, **more))

    made: Made = at_desk(work, url=draft.start_url)
    return made, provider
