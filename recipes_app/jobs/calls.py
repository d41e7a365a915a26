"""Jobs of the queue `calls`: pure replay. Nothing here may load a model's client."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from recipes_app import wiring
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe
from recipes_app.engine.parameters import secret_values
from recipes_app.engine.runner import Outcome, RunOptions, run
from recipes_app.jobs import running
from recipes_app.jobs.signed_in import Borrowed, asks_to_sign_in, borrow, signed_out
from recipes_app.models import Call
from recipes_app.services import calls, downloads
from recipes_app.services.recipes import callable_tools, document_as_taken
from recipes_app.services.runs import Claim


def run_call(job_id: int) -> None:
    running.run(job_id, _call)


def _call(claim: Claim) -> None:
    call = Call.objects.select_related("recipe__site", "version__recipe").get(job=claim.job)
    document = document_as_taken(call.version)
    arguments = calls.arguments_of(call)
    downloads.forget([claim.job.pk])  # of a try that was lost
    claim.keep_secret(secret_values(document.parameters, arguments))
    site = call.recipe.site
    options = RunOptions(base_url=site.base_url, tools=callable_tools(document, site), max_download=downloads.largest())
    borrowed = borrow(claim, site)
    context = borrowed.keeping(wiring.call_options(site, document))
    work = partial(_replay, document, arguments, context, options, borrowed)
    outcome = running.drive(claim, work)
    result = borrowed.settled(outcome.as_result())
    calls.finish(claim=claim, call=call, result=result, picture=outcome.picture)


def _replay(
    document: Recipe,
    arguments: dict[str, Any],
    context: ContextOptions,
    options: RunOptions,
    borrowed: Borrowed,
    desk: Desk,
) -> Outcome:
    """Where the site asks to sign in: once, and the recipe starts anew, unless something was sent already."""
    again = borrowed.again
    with desk.session(context) as session:
        outcome = run(document, arguments, session, emit=desk.emit, options=options)
        sent = bool(session.sending.requests)
        outcome = signed_out(outcome, session, borrowed.loan)
        if again is None or not asks_to_sign_in(outcome) or sent:
            return outcome
        if why := again.sign_in(session, desk):
            said = f"{(outcome.error or {})['error']} Signing in again did not work: {why}"
            return replace(outcome, error={**(outcome.error or {}), "error": said})
        return run(document, arguments, session, emit=desk.emit, options=options)
