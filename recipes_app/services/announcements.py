"""What is told to people and programs when something happened: the bell, letters, and signed messages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse

from recipes_app.models import Call, Job, Mapping, Proposal, Recipe, RecipeVersion
from recipes_app.models.health import HealthCheck, HealthState
from recipes_app.models.job import JobKind, JobStatus
from recipes_app.models.team import EDITORS
from recipes_app.services import notices, webhooks

HEALTH_EVENTS = {
    HealthState.OK: "tool.recovered",
    HealthState.DRIFTING: "tool.drifting",
    HealthState.FAILING: "tool.failing",
}


def job_ended(job: Job) -> None:
    """Called in the transaction that ends the job."""
    if job.kind == JobKind.MAP and (mapping := Mapping.objects.filter(job=job).select_related("site").first()):
        mapping_finished(mapping)
    elif job.kind == JobKind.CALL and job.status in (JobStatus.FAILED, JobStatus.ERRORED, JobStatus.INTERRUPTED):
        call_failed(job)


def mapping_finished(mapping: Mapping) -> None:
    job, site = mapping.job, mapping.site
    path, waiting = reverse("board", args=[mapping.pk]), mapping.proposals.waiting().count()
    about = {"site": site.slug, "mapping": job.public_id, "board": address(path)}
    webhooks.emit(
        team=site.team,
        event="mapping.finished",
        status=job.status,
        pages=mapping.pages.count(),
        proposals=mapping.proposals.count(),
        error=job.error_text,
        **about,
    )
    if not waiting:
        return
    webhooks.emit(team=site.team, event="proposals.waiting", waiting=waiting, **about)
    notices.tell(
        team=site.team,
        people=notices.people_of(site.team, EDITORS),
        news=notices.News(
            event="proposals.waiting",
            text=f"{waiting} proposal{'' if waiting == 1 else 's'} for {site.name} to decide.",
            path=path,
            mark=board_mark(mapping),
        ),
    )


def call_failed(job: Job) -> None:
    call = Call.objects.filter(job=job).select_related("recipe__site").first()
    if call is None or call.via == "canary":
        return
    error = job.error or {}
    webhooks.emit(
        team=job.team,
        event="call.failed",
        site=call.recipe.site.slug,
        tool=call.recipe.name,
        call=job.public_id,
        status=job.status,
        error=str(error.get("error", ""))[:1000],
        kind=str(error.get("kind", "")),
        url=address(reverse("call_detail", args=[job.public_id])),
    )


def version_published(version: RecipeVersion) -> None:
    webhooks.emit(
        team=version.recipe.site.team,
        event="tool.published",
        version=version.number,
        digest=version.digest,
        side_effect=version.effect,
        by=str(version.published_by or ""),
        **tool_of(version.recipe),
    )


def health_changed(check: HealthCheck, *, before: str, path: str = "") -> None:
    """`path`: where the next step is, if not on the tool's page."""
    recipe, team = check.recipe, check.recipe.site.team
    event = HEALTH_EVENTS[HealthState(check.state)]
    path = path or f"{reverse('tool_detail', args=[recipe.pk])}#health"
    more = {"state": check.state, "before": before, "kind": check.kind, "detail": check.detail}
    webhooks.emit(team=team, event=event, next=address(path), **more, **tool_of(recipe))
    notices.settled(team, tool_mark(recipe))
    notices.tell(
        team=team,
        people=notices.people_of(team, EDITORS),
        news=notices.News(
            event=event,
            text=health_words(check),
            path=path,
            mark=tool_mark(recipe),
            by_mail=True,
        ),
    )


def health_words(check: HealthCheck) -> str:
    name = f"{check.recipe.name} ({check.recipe.site.name})"
    match check.state:
        case HealthState.OK:
            return f"{name} works again."
        case HealthState.DRIFTING:
            return f"{name} still works, but by less than was recorded: {check.detail}"
        case _:
            return f"{name} does not work any more: {check.detail}"


def site_unreachable(check: HealthCheck) -> None:
    site = check.recipe.site
    notices.tell(
        team=site.team,
        people=notices.people_of(site.team, EDITORS),
        news=notices.News(
            event="site.unreachable",
            text=f"{site.name} cannot be reached, so the health of its tools is not known: {check.detail}",
            path=f"{reverse('site_detail', args=[site.pk])}#health",
            mark=f"site:{site.pk}",
            by_mail=True,
        ),
    )


def second_wanted(proposal: Proposal) -> None:
    """Another editor is waited for."""
    first = proposal.first_approved_by
    notices.tell(
        team=proposal.site.team,
        people=notices.people_of(proposal.site.team, EDITORS, but=first),
        news=notices.News(
            event="proposal.second",
            text=f"{first} approved {proposal.name} ({proposal.site.name}): destructive, so a second editor decides.",
            path=f"{reverse('board', args=[proposal.mapping_id])}?p={proposal.pk}",
            mark=second_mark(proposal),
            by_mail=True,
        ),
    )


def decided(proposal: Proposal) -> None:
    team = proposal.site.team
    notices.settled(team, second_mark(proposal))
    if not proposal.mapping.proposals.waiting().exists():
        notices.settled(team, board_mark(proposal.mapping))


def address(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}"


def tool_of(recipe: Recipe) -> dict[str, Any]:
    path = reverse("tool_detail", args=[recipe.pk])
    return {"site": recipe.site.slug, "tool": recipe.name, "url": address(path)}


def board_mark(mapping: Mapping) -> str:
    return f"board:{mapping.pk}"


def second_mark(proposal: Proposal) -> str:
    return f"second:{proposal.pk}"


def tool_mark(recipe: Recipe) -> str:
    return f"tool:{recipe.pk}"
