"""What a recording or a verification brought, written down in one piece with the end of its job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from recipes_app.engine.document import Recipe as Document
from recipes_app.engine.errors import ArgumentsError
from recipes_app.engine.events import Picture
from recipes_app.engine.parameters import check_arguments
from recipes_app.models import Proposal, RecipeVersion, Recording
from recipes_app.models.job import JobStatus
from recipes_app.models.proposal import ProposalStatus
from recipes_app.models.recipe import Origin
from recipes_app.services.errors import LostLease, WrongState
from recipes_app.services.recipes import save_version, set_verdict
from recipes_app.services.runs import Claim

BEFORE = (ProposalStatus.APPROVED, ProposalStatus.RECORDING)
# Before the word that a failed recording leaves for the next one; without it the word is a person's.
FAILED_HINT = "The last recording failed: "
HINT_SIZE = 500
FAILURE_PICTURE = "What the page showed when it failed"


@dataclass(frozen=True, slots=True)
class Judged:
    """A recipe and what its verification said; `picture` shows the page of a verification that failed."""

    document: Document
    examples: dict[str, Any]
    verdict: dict[str, Any]
    warnings: tuple[str, ...] = ()
    picture: bytes | None = None
    error: dict[str, Any] = field(default_factory=dict)


def begin(*, claim: Claim, proposal: Proposal) -> None:
    with transaction.atomic():
        claim.hold()
        begun = Proposal.objects.filter(pk=proposal.pk, status__in=BEFORE).update(status=ProposalStatus.RECORDING)
    if begun != 1:
        raise WrongState(f"{proposal.name} is not approved any more.")


@transaction.atomic
def finish_recording(*, claim: Claim, recording: Recording, judged: Judged) -> RecipeVersion:
    """Keep the recorded version with its verdict, also where it did not pass: a person may mend it."""
    proposal = recording.proposal
    if proposal is None:
        raise LostLease(f"the proposal of recording {recording.pk} is gone")
    version = save_version(
        site=proposal.site,
        document=judged.document,
        author=claim.job.requested_by,
        origin=Origin.RECORDED,
        examples=judged.examples,
        verdict=claim.clean(judged.verdict),
    )
    Recording.objects.filter(pk=recording.pk).update(version=version)
    after = ProposalStatus.RECORDED if judged.verdict["passed"] else ProposalStatus.FAILED
    Proposal.objects.filter(pk=proposal.pk, status=ProposalStatus.RECORDING).update(status=after)
    keep_reason(claim=claim, proposal=proposal, reason="" if judged.verdict["passed"] else _failed_words(judged))
    _end(claim, judged)
    return version


def keep_reason(*, claim: Claim, proposal: Proposal, reason: str) -> None:
    """Why a recording failed, for the next one; "" where it did not. A person's own word stays."""
    kept = f"{FAILED_HINT}{claim.clean(reason)}"[:HINT_SIZE] if reason else ""
    ours = Proposal.objects.filter(pk=proposal.pk).filter(Q(hint="") | Q(hint__startswith=FAILED_HINT))
    ours.update(hint=kept)


def is_of_a_failure(hint: str) -> bool:
    return hint.startswith(FAILED_HINT)


@transaction.atomic
def finish_verification(*, claim: Claim, version: RecipeVersion, judged: Judged) -> RecipeVersion:
    set_verdict(version=version, verdict=claim.clean(judged.verdict))
    _end(claim, judged)
    return version


def examples_for(version: RecipeVersion, document: Document) -> dict[str, Any]:
    """Values to verify a version with: those it was recorded with, else those its own schema offers."""
    try:
        return check_arguments(document, version.examples or _offered(document.parameters))
    except ArgumentsError as error:
        raise WrongState(f"There are no example values to verify {version} with: {error}.") from error


def _offered(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`examples`, `default` or the first choice of each parameter that has one."""
    offered: dict[str, Any] = {}
    for name, content in (schema.get("properties") or {}).items():
        for values in (
            content.get("examples"),
            [content["default"]] if "default" in content else (),
            content.get("enum"),
        ):
            if values:
                offered[name] = values[0]
                break
    return offered


def _end(claim: Claim, judged: Judged) -> None:
    note = "; ".join(judged.warnings)
    if judged.verdict["passed"]:
        claim.progress("done", 1, 1, note)
        claim.finish(JobStatus.DONE)
        return
    error = {
        **judged.error,
        "error": f"It did not pass its verification. {_failed_words(judged)}",
        "kind": "verify_failed",
    }
    if judged.picture:
        error["screenshot"] = claim.picture(Picture(FAILURE_PICTURE, judged.picture)).pk
    claim.finish(JobStatus.FAILED, error)


def _failed_words(judged: Judged) -> str:
    failed = next((check for check in judged.verdict["checks"] if not check["ok"]), {"name": "", "detail": ""})
    return ": ".join(part for part in (failed["name"], failed["detail"]) if part)
