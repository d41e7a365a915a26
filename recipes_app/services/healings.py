"""Healing: a replacement for a lost element is searched for by a job, and decided by an editor."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from recipes_app.engine.document import DocumentError, parse_recipe, step_sentence
from recipes_app.engine.events import Picture
from recipes_app.engine.nesting import path_in_document
from recipes_app.engine.parameters import secret_names
from recipes_app.models import Call, Healing, JobPicture, RecipeVersion, Recording, User
from recipes_app.models.healing import HealingStatus
from recipes_app.models.job import ACTIVE, JobKind, JobStatus
from recipes_app.models.recipe import Origin
from recipes_app.models.team import EDITORS
from recipes_app.services import access, audit, dispatch, recipes, recordings
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.recipes import document_of
from recipes_app.services.runs import Claim

HEALABLE = frozenset({"missing", "drifted", "ambiguous"})
CANDIDATE_PICTURE = "The page now, with the proposed element outlined"
PARTS = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Search:
    """What a search brought; `target` as it stands in a recipe, None where nothing is proposed."""

    message: str
    target: dict[str, Any] | None = None
    found: str = ""
    score: float | None = None
    runner_up: str = ""
    runner_up_score: float | None = None
    reasons: tuple[str, ...] = ()
    picture: bytes | None = None


def can_be_healed(call: Call) -> bool:
    """Whether the call failed at an element of the version that is live now."""
    error = call.job.error or {}
    is_lost = call.job.status == JobStatus.FAILED and error.get("kind") in HEALABLE and bool(error.get("failed_step"))
    return is_lost and call.recipe.live_version_id == call.version_id


@transaction.atomic
def request_healing(*, version: RecipeVersion, path: str, by: User, call: Call | None = None) -> Healing:
    """A job that goes to the step without sending anything, and looks for what took the place of its element."""
    team = version.recipe.site.team
    if not access.can(by, team, EDITORS):
        raise NotAllowed(f"Your role in {team} does not let you mend tools.")
    if Healing.objects.filter(version=version, path=path, job__status__in=ACTIVE).exists():
        raise WrongState(f"A replacement for this step of {version} is being looked for already.")
    step = step_in(version.document, path)
    if not isinstance(step.get("target"), dict):
        raise WrongState("This step names no single element, so there is none to look for.")
    job = dispatch.open_job(
        team=team, by=by, kind=JobKind.HEAL, title=f"Mend {version}", deadline_s=settings.RECORDING_DEADLINE_S
    )
    return Healing.objects.create(
        job=job,
        version=version,
        call=call,
        path=path[:80],
        sentence=sentence_of(version, path),
        old_target=step["target"],
    )


def arguments_for(healing: Healing) -> dict[str, Any]:
    """Those of the call that failed, unless they were secret; else those the version is verified with."""
    document = document_of(healing.version)
    call = healing.call
    if call is not None and not secret_names(document.parameters).intersection(call.arguments):
        return dict(call.arguments)
    return recordings.examples_for(healing.version, document)


@transaction.atomic
def finish(*, claim: Claim, healing: Healing, search: Search) -> Healing:
    after = claim.picture(Picture(CANDIDATE_PICTURE, search.picture)) if search.picture else None
    status = HealingStatus.PROPOSED if search.target else HealingStatus.NOTHING
    Healing.objects.filter(pk=healing.pk).update(
        status=status,
        new_target=claim.clean(search.target),
        found=claim.clean(search.found)[:300],
        score=search.score,
        runner_up=claim.clean(search.runner_up)[:300],
        runner_up_score=search.runner_up_score,
        reasons=claim.clean(list(search.reasons)),
        message=claim.clean(search.message),
        before=last_picture(healing.version),
        after=after,
    )
    claim.progress("done", 1, 1, "A replacement is proposed" if search.target else "Nothing to propose")
    claim.finish(JobStatus.DONE)
    healing.refresh_from_db()
    return healing


def last_picture(version: RecipeVersion) -> JobPicture | None:
    """Of its recording or verification."""
    rows = JobPicture.objects.filter(job__in=Recording.objects.filter(version=version).values("job"))
    return rows.order_by("-pk").first()


@transaction.atomic
def accept(*, healing: Healing, by: User) -> RecipeVersion:
    """A new version with the new target. It is verified, and cannot be published before it has passed."""
    _decide(healing, by, HealingStatus.ACCEPTED)
    document = healed_document(healing)
    try:
        parsed = parse_recipe(document, format=healing.version.format)
    except DocumentError as error:
        raise BadInput({error.path: error.message}) from error
    version = recipes.save_version(
        site=healing.version.recipe.site,
        document=parsed,
        author=by,
        origin=Origin.HEALED,
        examples=healing.version.examples,
    )
    Healing.objects.filter(pk=healing.pk).update(healed=version)
    _note(healing, by, "healing.accepted", version=version.number)
    recipes.request_verification(version=version, by=by)
    healing.refresh_from_db()
    return version


@transaction.atomic
def reject(*, healing: Healing, by: User, reason: str) -> Healing:
    if not reason.strip():
        raise BadInput({"reason": "Say why this is not the element."})
    _decide(healing, by, HealingStatus.REJECTED, reason.strip()[:500])
    _note(healing, by, "healing.rejected", reason=reason.strip()[:500])
    healing.refresh_from_db()
    return healing


def healed_document(healing: Healing) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(healing.version.document)
    step_in(document, healing.path)["target"] = healing.new_target
    return document


def step_in(document: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The step at a path such as `steps[2].then[0]`, as it stands in the document."""
    at: Any = document
    for name, number in PARTS.findall(path_in_document(path)):
        steps = at.get(name) if isinstance(at, Mapping) else None
        if not isinstance(steps, list) or int(number) >= len(steps):
            raise WrongState(f"This version has no step {path}.")
        at = steps[int(number)]
    if at is document or not isinstance(at, dict):
        raise WrongState(f"This version has no step {path}.")
    return at


def sentence_of(version: RecipeVersion, path: str) -> str:
    at: Any = document_of(version)
    for name, number in PARTS.findall(path_in_document(path)):
        steps = at.steps if name == "steps" and hasattr(at, "steps") else at.fields.get(name, ())
        at = steps[int(number)]
    return step_sentence(at)[:300]


def _decide(healing: Healing, by: User, status: HealingStatus, reason: str = "") -> None:
    team = healing.version.recipe.site.team
    if not access.can(by, team, EDITORS):
        raise NotAllowed(f"Your role in {team} does not let you mend tools.")
    open_ = Healing.objects.filter(pk=healing.pk, status=HealingStatus.PROPOSED)
    if open_.update(status=status, decided_by=by, decided_at=timezone.now(), decision_reason=reason) != 1:
        healing.refresh_from_db()
        raise WrongState(f"This is not to be decided any more: {healing.get_status_display().lower()}.")
    healing.refresh_from_db()


def _note(healing: Healing, by: User, action: str, **more: Any) -> None:
    audit.record(
        healing.version.recipe.site.team, by, action, f"version {healing.version_id} {healing.version}", **more
    )
