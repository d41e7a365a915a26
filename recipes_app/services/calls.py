"""Calls of published tools: asked for here, run by a worker, ended here."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any, TypedDict, Unpack

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.errors import ArgumentsError
from recipes_app.engine.events import Picture
from recipes_app.engine.parameters import check_arguments, mask, secret_names
from recipes_app.engine.plain_json import clean
from recipes_app.models import ApiToken, Call, Recipe, RecipeVersion, User
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.models.team import RUNNERS
from recipes_app.services import access, dispatch, sealing
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.recipes import document_of
from recipes_app.services.runs import Claim

MB = 1_000_000
FAILURE_PICTURE = "What the page showed when the call failed"


class How(TypedDict, total=False):
    """By which way a call comes in, of which version if not the live one, and whether somebody waits for it."""

    via: str
    token: ApiToken | None
    idempotency_key: str
    version: RecipeVersion | None
    interactive: bool


def request_call(*, recipe: Recipe, arguments: dict[str, Any], by: User, **how: Unpack[How]) -> Call:
    """Arguments are checked before any queue (BadInput lists every problem); the same idempotency key from the same
    token gives the same call."""
    version, interactive = how.pop("version", None) or recipe.live_version, how.pop("interactive", True)
    if version is None:
        raise WrongState(f"{recipe.name} has no published version.")
    _require_runner(recipe, by)
    document = document_of(version)
    try:
        checked = check_arguments(document, clean(arguments))
    except ArgumentsError as error:
        raise BadInput(error.problems) from error
    call = Call(recipe=recipe, version=version, **how)
    _put_arguments(call, document, checked)
    return _existing(call) or _open(call, by, interactive=interactive)


def arguments_of(call: Call) -> dict[str, Any]:
    """The arguments to run with. Sealed values are read once: they are gone from the row afterwards."""
    if call.sealed_arguments is None:
        if secret_names(document_of(call.version).parameters).intersection(call.arguments):
            raise WrongState("The secret values of this call were used up by an earlier try. Call again.")
        return dict(call.arguments)
    sealed = bytes(call.sealed_arguments)
    if Call.objects.filter(pk=call.pk, sealed_arguments__isnull=False).update(sealed_arguments=None) != 1:
        raise WrongState("The secret values of this call were used up by an earlier try. Call again.")
    try:
        return {**call.arguments, **sealing.unseal(sealed)}
    except sealing.Unreadable as error:
        raise WrongState("No worker took the secret values of this call within five minutes. Call again.") from error


@transaction.atomic
def finish(*, claim: Claim, call: Call, result: dict[str, Any], picture: bytes | None = None) -> None:
    """What the replay brought: `result` as the engine's Outcome.as_result gives it. The job is done, or failed.

    A failure's payload (error, kind, failed_step, …, screenshot: the id of a picture) stands beside the other keys.
    """
    result = within_limits(result)
    failure = dict(result.pop("error", None) or {})
    if picture:
        _keep_picture(claim, picture, failure, result)
    result = claim.clean({**result, **failure, "llm_calls": 0, "recipe_version": call.version.number})
    Call.objects.filter(pk=call.pk).update(result=result, sealed_arguments=None)
    if result["ok"]:
        claim.finish(JobStatus.DONE)
    else:
        claim.finish(JobStatus.FAILED, failure)


def _keep_picture(claim: Claim, picture: bytes, failure: dict[str, Any], result: dict[str, Any]) -> None:
    """A folder that takes no picture must not hide why the call failed."""
    try:
        failure["screenshot"] = claim.picture(Picture(FAILURE_PICTURE, picture)).pk
    except WrongState as error:
        result["warnings"] = [*result.get("warnings", ()), str(error)]


def within_limits(result: dict[str, Any]) -> dict[str, Any]:
    """As it is where it can be kept; else what is left is a failure that says why."""
    try:
        why = _too_large(len(json.dumps(result, allow_nan=False)))
    except (RecursionError, ValueError):
        why = "what came back is nested too deeply, or holds a number that is none"
    if not why:
        return result
    kept: dict[str, Any] = {name: result[name] for name in ("warnings", "steps", "url", "llm_calls") if name in result}
    failure = {**(result.get("error") or {}), "partial": {}, "looked_for": None, "found": []}
    if result.get("ok"):
        failure |= {"error": why, "kind": "bad_return"}
    return {**kept, "ok": False, "data": {}, "error": failure}


def _too_large(size: int) -> str:
    most = settings.MAX_RESULT_MB
    return f"what came back is too large: {size / MB:.1f} MB; at most {most} MB are kept" if size > most * MB else ""


def forget_old_secrets() -> int:
    """Sealed values that no worker took in time are thrown away."""
    before = timezone.now() - timedelta(seconds=sealing.LASTS_S)
    stale = Call.objects.filter(sealed_arguments__isnull=False, job__created_at__lt=before)
    return stale.update(sealed_arguments=None)


def _require_runner(recipe: Recipe, by: User) -> None:
    team = recipe.site.team
    role = access.role_in(by, team)
    if role is None:
        raise NotAllowed(f"You do not belong to {team}.")
    if role not in RUNNERS:
        raise NotAllowed(f"A {role.label.lower()} calls no tools; an operator of {team} does.")


def _put_arguments(call: Call, document: Document, checked: dict[str, Any]) -> None:
    secret = secret_names(document.parameters)
    call.arguments = mask(document.parameters, checked)
    hidden = {name: value for name, value in checked.items() if name in secret}
    if hidden:
        call.sealed_arguments, call.secrets_mark = sealing.seal(hidden), sealing.mark(hidden)


def _existing(call: Call) -> Call | None:
    if not call.idempotency_key:
        return None
    same = Call.objects.filter(recipe=call.recipe, token=call.token, idempotency_key=call.idempotency_key)
    found = same.select_related("job").first()
    if found and (found.arguments, found.secrets_mark) != (call.arguments, call.secrets_mark):
        raise WrongState("This idempotency key was used for a call with other arguments.")
    return found


def _open(call: Call, by: User, *, interactive: bool) -> Call:
    try:
        with transaction.atomic():
            call.job = dispatch.open_job(
                team=call.recipe.site.team,
                by=by,
                kind=JobKind.CALL,
                title=f"Call {call.recipe.name}",
                deadline_s=settings.CALL_DEADLINE_S,
                interactive=interactive,
            )
            call.save()
    except IntegrityError:
        # The same key arrived twice at once and the other one won.
        found = _existing(call)
        if found is None:
            raise
        return found
    return call
