"""Looking for a replacement of a lost element, for the queue `agents`."""

from __future__ import annotations

from functools import partial
from typing import Any

from recipes_app import wiring
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe, dump_target
from recipes_app.engine.parameters import secret_values
from recipes_app.engine.runner import RunOptions
from recipes_app.jobs import running
from recipes_app.jobs.signed_in import borrow
from recipes_app.mapping import heal as mapping
from recipes_app.models import Healing
from recipes_app.services import healings
from recipes_app.services.recipes import callable_tools, document_as_taken
from recipes_app.services.runs import Claim


def heal_recipe(job_id: int) -> None:
    running.run(job_id, _heal)


def _heal(claim: Claim) -> None:
    healing = Healing.objects.select_related("version__recipe__site", "call").get(job=claim.job)
    document = document_as_taken(healing.version)
    arguments = healings.arguments_for(healing)
    claim.keep_secret(secret_values(document.parameters, arguments))
    site = healing.version.recipe.site
    options = RunOptions(base_url=site.base_url, tools=callable_tools(document, site))
    context = borrow(claim, site).context(wiring.context_options(site))
    work = partial(_search, document, healing.path, arguments, context, options)
    healings.finish(claim=claim, healing=healing, search=_plain(running.drive(claim, work)))


def _search(
    document: Recipe,
    path: str,
    arguments: dict[str, Any],
    context: ContextOptions,
    options: RunOptions,
    desk: Desk,
) -> mapping.Healing:
    with desk.session(context) as session:
        return mapping.heal(document, path, arguments, session, desk.emit, options=options)


def _plain(found: mapping.Healing) -> healings.Search:
    return healings.Search(
        message=found.message,
        target=dump_target(found.target) if found.target else None,
        found=found.found,
        score=found.score,
        runner_up=found.second,
        runner_up_score=found.second_score,
        reasons=found.reasons,
        picture=found.picture,
    )
