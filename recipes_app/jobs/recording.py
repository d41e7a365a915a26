"""Recording a proposal's tool and verifying versions, for the queue `agents`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from recipes_app import wiring
from recipes_app.browser.session import BrowserSession, ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.document import Recipe, parse_step
from recipes_app.engine.events import Picture
from recipes_app.engine.parameters import secret_values
from recipes_app.engine.runner import RunOptions
from recipes_app.jobs import making, running
from recipes_app.jobs.signed_in import borrow
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.facts import NOWHERE
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.unique import made_new
from recipes_app.mapping.verify import Mode, Verdict, verify
from recipes_app.models import Proposal, RecipeVersion, Recording
from recipes_app.models.proposal import ProposalOrigin
from recipes_app.models.recipe import SideEffect
from recipes_app.services import planning, recordings
from recipes_app.services.recipes import callable_tools, document_of
from recipes_app.services.runs import Claim

Values = Mapping[str, Any]


def record_recipe(job_id: int) -> None:
    running.run(job_id, _run)


def _run(claim: Claim) -> None:
    rows = Recording.objects.select_related("proposal__site", "version__recipe__site")
    recording = rows.get(job=claim.job)
    if recording.proposal is not None:
        _record(claim, recording, recording.proposal)
    elif recording.version is not None:
        _verify(claim, recording.version)
    else:
        raise running.Failed("What was to be recorded has been deleted.", "refused")


def _record(claim: Claim, recording: Recording, proposal: Proposal) -> None:
    recordings.begin(claim=claim, proposal=proposal)
    keep_secrets(claim, proposal.parameters, proposal.examples, proposal.others)
    if proposal.origin == ProposalOrigin.HAND:
        _verify_what_was_shown(claim, recording, proposal)
        return
    plan = making.plan_for(proposal, _draft(proposal), borrow(claim, proposal.site))
    try:
        made = making.made(claim, plan)
    except RecordingFailed as error:
        recordings.keep_reason(claim=claim, proposal=proposal, reason=error.message)
        raise _failed(claim, error) from error
    recorded = made.recorded
    again = (f"recorded a second time, because the first came to this: {made.again}",) if made.again else ()
    judged = _judged(recorded.recipe, recorded.arguments, made.verdict, made.mode, (*recorded.warnings, *again))
    recordings.finish_recording(claim=claim, recording=recording, judged=judged)


def _verify_what_was_shown(claim: Claim, recording: Recording, proposal: Proposal) -> None:
    """A person has done it once and for real: their own steps are the recipe, and only have to work again."""
    document = planning.plan_of(proposal)
    mode: Mode = "dry_run" if proposal.dry_run or proposal.side_effect == SideEffect.DESTRUCTIVE else "full"
    submits = proposal.submit_index
    work = partial(
        _replay_shown,
        document,
        made_new(proposal.parameters, proposal.examples),
        made_new(proposal.parameters, proposal.others),
        borrow(claim, proposal.site).context(wiring.call_options(proposal.site, document)),
        mode,
        None if submits is None else f"steps[{submits}]",
    )
    verdict = running.drive(claim, work)
    judged = _judged(document, proposal.examples, verdict, mode)
    recordings.finish_recording(claim=claim, recording=recording, judged=judged)


def _replay_shown(  # noqa: PLR0913 - everything by its place, in a partial
    document: Recipe,
    arguments: Values,
    others: Values,
    context: ContextOptions,
    mode: Mode,
    path: str | None,
    desk: Desk,
) -> Verdict:
    return verify(
        document,
        arguments=arguments,
        others=others,
        open_session=_opener(desk, context),
        emit=desk.emit,
        mode=mode,
        submit_path=path,
    )


def _verify(claim: Claim, version: RecipeVersion) -> None:
    document = document_of(version)
    arguments = recordings.examples_for(version, document)
    keep_secrets(claim, document.parameters, arguments)
    mode: Mode = "dry_run" if version.side_effect == SideEffect.DESTRUCTIVE else "full"
    site = version.recipe.site
    options = RunOptions(base_url=site.base_url, tools=callable_tools(document, site))
    context = borrow(claim, site).context(wiring.call_options(site, document))
    work = partial(_only_verify, document, arguments, context, mode, options)
    verdict = running.drive(claim, work)
    judged = _judged(document, arguments, verdict, mode)
    recordings.finish_verification(claim=claim, version=version, judged=judged)


def keep_secrets(claim: Claim, schema: Mapping[str, Any], *sets: Values) -> None:
    claim.keep_secret(text for values in sets for text in secret_values(schema, values))


def _only_verify(
    document: Recipe, arguments: Values, context: ContextOptions, mode: Mode, options: RunOptions, desk: Desk
) -> Verdict:
    return verify(
        document,
        arguments=arguments,
        others={},
        open_session=_opener(desk, context),
        emit=desk.emit,
        mode=mode,
        careful=True,
        options=options,
    )


def _opener(desk: Desk, context: ContextOptions) -> Callable[[], AbstractContextManager[BrowserSession]]:
    return lambda: desk.session(context)


def _draft(proposal: Proposal) -> Draft:
    return Draft(
        name=proposal.name,
        description=proposal.description,
        kind=proposal.kind,
        side_effect=proposal.side_effect,
        parameters=proposal.parameters,
        examples=proposal.examples,
        others=proposal.others,
        returns=proposal.returns,
        start_url=proposal.start_url,
        steps=tuple(parse_step(step, path=f"steps[{index}]") for index, step in enumerate(proposal.steps)),
        submit_index=proposal.submit_index,
        reason=proposal.reason,
        page_url=proposal.page.url if proposal.page else proposal.start_url,
        box=NOWHERE,
        submits=proposal.submits,
    )


def _judged(
    document: Recipe, examples: Values, verdict: Verdict, mode: Mode, warnings: tuple[str, ...] = ()
) -> recordings.Judged:
    outcome = verdict.outcome
    failed = outcome is not None and not outcome.ok
    return recordings.Judged(
        document=document,
        examples=dict(examples),
        verdict={**verdict.as_dict(), "mode": mode, "warnings": list(warnings)},
        warnings=warnings,
        picture=outcome.picture if outcome and failed else None,
        error=dict(outcome.error or {}) if outcome and failed else {},
    )


def _failed(claim: Claim, error: RecordingFailed) -> running.Failed:
    """The failed step's own payload, with the page as it was."""
    payload = dict((error.outcome.error if error.outcome else None) or {})
    if error.outcome and error.outcome.picture:
        payload["screenshot"] = claim.picture(Picture(recordings.FAILURE_PICTURE, error.outcome.picture)).pk
    kind = str(payload.pop("kind", "verify_failed"))
    payload.pop("error", None)
    return running.Failed(error.message, kind, **payload)
