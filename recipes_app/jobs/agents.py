"""Jobs of the queue `agents`: mapping a site, recording and verifying its tools."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from django.db import transaction

from recipes_app import wiring
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.events import Event, Picture, Progress
from recipes_app.jobs import proposing, running
from recipes_app.jobs.healing import heal_recipe
from recipes_app.jobs.logging_in import sign_in_to
from recipes_app.jobs.recording import record_recipe
from recipes_app.jobs.signed_in import borrow
from recipes_app.mapping.crawl import CrawlOptions, PageSeen, crawl
from recipes_app.mapping.facts import NOWHERE, PageSurvey, Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.model import Proposed
from recipes_app.mapping.propose.rules import propose
from recipes_app.mapping.propose.why import with_reasons
from recipes_app.models import Mapping
from recipes_app.models.job import JobStatus
from recipes_app.services import proposals, surveys
from recipes_app.services.runs import Claim

__all__ = ["heal_recipe", "map_site", "record_recipe", "sign_in_to"]


def map_site(job_id: int) -> None:
    running.run(job_id, _map)


def _map(claim: Claim) -> None:
    mapping = Mapping.objects.select_related("site", "job").get(job=claim.job)
    surveys.start_over(mapping=mapping, claim=claim)
    keeper, plan, began = _Keeper(claim, mapping), _plan(claim, mapping), monotonic()
    survey, drafts = running.drive(claim, partial(_survey, plan), hear=keeper.hear)
    made = proposing.Surveyed(survey, drafts, plan.context, plan.crawl, began)
    _keep(claim, mapping, survey, proposing.reviewed(claim, mapping, made, keeper.hear))


@transaction.atomic
def _keep(claim: Claim, mapping: Mapping, survey: Survey, proposed: Proposed) -> None:
    _keep_limits(mapping, survey)
    surveys.keep_reasons(mapping=mapping, reasons={page.final_url: list(page.why_not) for page in survey.pages})
    proposals.save_drafts(mapping=mapping, drafts=[_plain(draft) for draft in proposed.drafts])
    surveys.keep_said(mapping=mapping, said=proposing.said_of(proposed, mapping))
    claim.progress("done", len(survey.pages), len(survey.pages), proposing.summary(proposed, mapping))
    if proposed.failure == proposing.STOPPED:
        claim.finish(
            JobStatus.CANCELLED, {"error": f"{proposed.failure}; what the rules propose is kept.", "kind": "cancelled"}
        )
    elif survey.pages:
        claim.finish(JobStatus.DONE)
    else:
        claim.finish(JobStatus.FAILED, _nothing_seen(survey))


@dataclass(frozen=True, slots=True)
class _Plan:
    start_url: str
    context: ContextOptions
    crawl: CrawlOptions


def _plan(claim: Claim, mapping: Mapping) -> _Plan:
    site = mapping.site
    limits = CrawlOptions(
        max_pages=mapping.max_pages,
        max_depth=mapping.max_depth,
        allowed_hosts=frozenset(site.allowed_hosts) - {wiring.ANY_PUBLIC_HOST},
    )
    return _Plan(mapping.start_url, borrow(claim, site).context(wiring.context_options(site)), limits)


def _survey(plan: _Plan, desk: Desk) -> tuple[Survey, tuple[Draft, ...]]:
    """On the browser thread; proposing is arithmetic, and too much of it for the thread that renews the lease."""
    with desk.session(plan.context) as session:
        survey = crawl(session, plan.start_url, plan.crawl, desk.emit)
    desk.emit(Progress("propose", 0, None, "Proposing tools"))
    drafts = propose(survey)
    return with_reasons(survey, drafts), drafts


@dataclass(frozen=True, slots=True)
class _Keeper:
    """Writes down each page of the survey as it is seen."""

    claim: Claim
    mapping: Mapping

    def hear(self, event: Event) -> None:
        if isinstance(event, PageSeen):
            surveys.keep_page(claim=self.claim, mapping=self.mapping, seen=_seen(event.page))


def _seen(page: PageSurvey) -> surveys.Seen:
    width, height = page.picture_size
    picture = Picture(page.title or page.final_url, page.picture, "image/png", width, height) if page.picture else None
    return surveys.Seen(
        url=page.final_url,
        title=page.title,
        depth=page.depth,
        status=page.status,
        shape=page.shape,
        counts={
            "forms": len(page.forms),
            "lists": len(page.lists),
            "tables": len(page.tables),
            "links": page.links_total,
            "elements": page.elements_total,
        },
        picture=picture,
    )


def _keep_limits(mapping: Mapping, survey: Survey) -> None:
    surveys.keep_limits(
        mapping=mapping,
        skipped=[{"url": each.url, "why": each.why} for each in survey.skipped],
        refused_hosts=[host for page in survey.pages for host in page.refused_hosts],
    )


def _nothing_seen(survey: Survey) -> dict[str, Any]:
    first = next(iter(survey.skipped), None)
    reason = f"{first.url} {first.why}" if first else "there was nothing to open"
    kind = "blocked_by_policy" if first and first.why.startswith("not allowed") else "navigation"
    return {"error": f"No page could be surveyed: {reason}", "kind": kind}


def _plain(draft: Draft) -> MappingOf[str, Any]:
    box = draft.box
    place = None if box == NOWHERE else [box.x, box.y, box.width, box.height]
    return {**draft.as_dict(), "box": place}
