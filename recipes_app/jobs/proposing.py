"""Asking a model about the proposals of a mapping. Whatever becomes of it, the survey and the rules' drafts stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any

from recipes_app import model_wiring
from recipes_app.browser.errors import Aborted, BrowserLost, BrowserStuck
from recipes_app.browser.session import ContextOptions
from recipes_app.browser.thread import Desk
from recipes_app.engine.events import Event, Progress
from recipes_app.jobs import running
from recipes_app.llm.base import Used
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import ModelError, Unavailable
from recipes_app.mapping.crawl import CrawlOptions, crawl
from recipes_app.mapping.facts import PageSurvey, Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.model import Proposed, looked_behind, propose_by_model
from recipes_app.models import Mapping
from recipes_app.models.mapping import Method
from recipes_app.services import model_use
from recipes_app.services.runs import Claim

LONGEST_S = 240
LEAST_S = 20
KEPT_S = 15
"""Of a job's time, kept for writing down what there is."""
STOPPED = "It was cancelled while the model was being asked"
TOO_LATE = "The time of this mapping was over before the model had answered"


@dataclass(frozen=True, slots=True)
class Reviewing:
    """What a model is asked about, and how long it may take."""

    method: str
    model: str
    budget_tokens: int | None
    survey: Survey
    drafts: tuple[Draft, ...]
    seconds: float
    context: ContextOptions
    crawl: CrawlOptions


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A survey with what is needed to look at one page more, and when its job began."""

    survey: Survey
    drafts: tuple[Draft, ...]
    context: ContextOptions
    crawl: CrawlOptions
    began: float


def reviewed(claim: Claim, mapping: Mapping, made: Surveyed, hear: Callable[[Event], None]) -> Proposed:
    """The drafts as the mapping's method has them. Stopped or too late, they are the rules' own."""
    survey, drafts = made.survey, made.drafts
    if mapping.method == Method.RULES or not survey.pages:
        return Proposed(drafts)
    left = claim.job.deadline_s - (monotonic() - made.began) - KEPT_S
    asked = Reviewing(
        method=mapping.method,
        model=mapping.model,
        budget_tokens=mapping.budget_tokens,
        survey=survey,
        drafts=drafts,
        seconds=max(LEAST_S, min(LONGEST_S, left)),
        context=made.context,
        crawl=replace(made.crawl, max_pages=1, max_depth=0),
    )
    tab = model_use.Tab(claim)

    def heard(event: Event) -> None:
        tab.write()
        hear(event)

    try:
        return running.drive(claim, partial(_ask, asked, tab.put), hear=heard)
    except Aborted as error:
        if error.reason == "lost_lease":
            raise
        return Proposed(drafts, failure=STOPPED if error.reason == "cancelled" else TOO_LATE, asked=True)
    finally:
        tab.write()


def _ask(asked: Reviewing, on_use: Callable[[Used], None], desk: Desk) -> Proposed:
    """On the browser thread, beside the one that renews the lease; no browser is open meanwhile."""
    desk.emit(Progress("propose", 0, None, f"Asking {Method(asked.method).label} about {len(asked.drafts)} proposals"))
    until = monotonic() + asked.seconds

    def look() -> None:
        desk.raise_if_aborted()
        if monotonic() > until:
            raise Unavailable(f"No answer of use came within {asked.seconds:.0f} seconds", may_retry=False)

    try:
        asks = model_wiring.model_for(
            asked.method, model=asked.model, budget=Budget(tokens=asked.budget_tokens), on_use=on_use, look=look
        )
    except ModelError as error:
        return Proposed(asked.drafts, failure=str(error))
    proposed = propose_by_model(asked.survey, asked.drafts, asks, budget_tokens=asked.budget_tokens)
    return _looked_behind(proposed, asked, desk, until) if any(draft.behind for draft in proposed.drafts) else proposed


def _looked_behind(proposed: Proposed, asked: Reviewing, desk: Desk, until: float) -> Proposed:
    """Pages the model pointed to, looked at as the crawl would; a browser that is lost meanwhile costs only that."""
    try:
        with desk.session(asked.context) as session:

            def look(url: str) -> PageSurvey | None:
                if monotonic() > until:
                    return None
                return next(iter(crawl(session, url, asked.crawl, desk.emit).pages), None)

            return looked_behind(proposed, asked.survey, look)
    except (BrowserLost, BrowserStuck):
        return proposed


def said_of(proposed: Proposed, mapping: Mapping) -> dict[str, Any]:
    """What the row keeps of the model's part; nothing where rules alone were wanted."""
    if mapping.method == Method.RULES:
        return {}
    return {
        "failure": proposed.failure,
        "notes": list(proposed.notes),
        "added": proposed.added,
        "set_aside": proposed.set_aside,
    }


def summary(proposed: Proposed, mapping: Mapping) -> str:
    """One line for the row."""
    waiting = sum(not draft.set_aside for draft in proposed.drafts)
    line, who = f"{waiting} tool{'' if waiting == 1 else 's'} proposed", mapping.get_method_display()
    if mapping.method == Method.RULES:
        return line
    if proposed.failure:
        return f"{line} by rules. {who} did not help: {proposed.failure.rstrip('.')}."
    return f"{line}, {proposed.added} of them added and {proposed.set_aside} more set aside by {who}"
