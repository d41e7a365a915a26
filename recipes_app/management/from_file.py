"""A tool run straight from a registry file: no database, no row, the same engine."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from recipes_app import wiring
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe, parse_registry
from recipes_app.engine.parameters import check_arguments
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.management.acting import known
from recipes_app.management.files import read_json
from recipes_app.management.plain import Refused
from recipes_app.management.reach import passing_site
from recipes_app.management.work import Work, drive
from recipes_app.models import Site


@dataclass(frozen=True, slots=True)
class Replay:
    """`site`: what it may reach; its own address may have to be allowed first."""

    recipe: Recipe
    arguments: dict[str, Any]
    site: Site
    tools: dict[str, Recipe]

    def run(self, work: Work) -> dict[str, Any]:
        """The answer of a call; a failure's payload stands beside the other keys."""
        outcome = drive(work.place().browser, self._replay, deadline_s=settings.CALL_DEADLINE_S, hear=work.tell)
        result = outcome.as_result()
        return {**result, **(result.pop("error", None) or {})}

    def _replay(self, desk: Desk) -> Outcome:
        with desk.session(wiring.context_options(self.site)) as session:
            options = RunOptions(tools=self.tools)
            return run(self.recipe, self.arguments, session, emit=desk.emit, options=options)


def prepare(file: str, tool: str, arguments: dict[str, Any], *, username: str) -> Replay:
    """Everything that can be wrong is said before a browser starts."""
    registry = parse_registry(read_json(file))
    recipe = next((each for each in registry.tools if each.name == tool), None)
    if recipe is None:
        raise Refused(f"{file} has no tool {tool}{known(each.name for each in registry.tools)}")
    return Replay(
        recipe,
        check_arguments(recipe, arguments),
        passing_site(registry.base_url, username),
        {each.name: each for each in registry.tools},
    )
