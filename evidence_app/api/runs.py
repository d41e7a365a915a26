"""Runs: asked for, looked at, confirmed, stopped, taken up again; and all of their samples as one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpResponse
from django.urls import reverse
from ninja import Header, Query, Router, Status

from evidence_app.api.found import run_of, task_of, version_of
from evidence_app.api.schemas import RunIn, RunLine, RunOut, RunResumed, RunsOut, RunsPage, SpentOut
from evidence_app.models import Run, Sample
from evidence_app.models.run import RunStatus
from evidence_app.services import drafts, plans, runs, sending, tables
from evidence_app.services.specs import spec_of
from evidence_app.spec.samples import SampleInput, SamplesRefused, from_items
from recipes_app.api.auth import TokenRequest, need
from recipes_app.api.schemas import REFUSALS, OnceHeaders, Refusal
from recipes_app.models import ApiToken
from recipes_app.services import model_use
from recipes_app.services.errors import BadInput, WrongState
from recipes_app.services.once import once

router = Router(tags=["runs"])
BASE = "/api/v1/runs"
WAYS = ("samples", "start_url", "sentence")


@router.post("", response={202: RunOut, REFUSALS: Refusal})
def start_run(
    request: TokenRequest, response: HttpResponse, given: RunIn, headers: Header[OnceHeaders]
) -> Status[RunOut]:
    """Collect evidence; 202 and where to look. A task over `samples` begins at once, or waits to be confirmed with
    `draft`; with `start_url` its samples are found first, with `sentence` a model plans task and samples: both become
    drafts. What is wrong with samples is said with their numbers, and nothing runs. With the same `Idempotency-Key`
    no run is begun twice. Scope: call."""
    token = need(request, "call")
    way = way_of(given)

    def make() -> str:
        return _made(given, token, way).public_id

    key = headers.idempotency_key
    made = once(token=token, key=key, place="runs", asked=given.model_dump(), make=make)
    out = run_out(run_of(token, made))
    response.headers["Location"] = out.url
    return Status(202, out)


def _made(given: RunIn, token: ApiToken, way: str) -> Run:
    how = how_of(given, token)
    if way != "sentence":
        return over_samples(given, token, how)
    how = {name: how[name] for name in ("via", "token", "control", "period", "budget_tokens", "budget_micros")}
    return plans.request_plan(team=token.team, by=token.owner, sentence=given.sentence, **how)


@router.get("", response={200: RunsOut, REFUSALS: Refusal})
def list_runs(request: TokenRequest, page: Query[RunsPage]) -> RunsOut:
    """Runs of the team, newest first. Scope: read or call."""
    token = need(request, "read", "call")
    rows = Run.objects.filter(team=token.team).select_related("version__spec").order_by("-pk")
    if page.status:
        if page.status not in RunStatus.values:
            raise BadInput({"status": f"one of {', '.join(RunStatus.values)}"})
        rows = rows.filter(status=page.status)
    if page.task:
        rows = rows.filter(version__spec=task_of(token, page.task))
    if page.cursor:
        last = Run.objects.filter(team=token.team, public_id=page.cursor).first()
        if last is None:
            raise BadInput(["cursor: there is no such run"])
        rows = rows.filter(pk__lt=last.pk)
    found = list(rows[: page.limit + 1])
    shown = found[: page.limit]
    more = len(found) > page.limit
    return RunsOut(runs=lines_of(shown), next=shown[-1].public_id if more else None)


@router.get("/{public_id}", response={200: RunOut, REFUSALS: Refusal})
def show_run(request: TokenRequest, public_id: str) -> RunOut:
    """One run of the team as it stands now: its counts and what it cost. Scope: read or call."""
    return run_out(run_of(need(request, "read", "call"), public_id))


@router.post("/{public_id}/confirm", response={200: RunOut, REFUSALS: Refusal})
def confirm_run(request: TokenRequest, public_id: str) -> RunOut:
    """A draft begins. Scope: call."""
    token = need(request, "call")
    runs.confirm(run=run_of(token, public_id), by=token.owner)
    return run_out(run_of(token, public_id))


@router.post("/{public_id}/discard", response={200: RunOut, REFUSALS: Refusal})
def discard_run(request: TokenRequest, public_id: str) -> RunOut:
    """A draft never begins; its samples are forgotten. Scope: call."""
    token = need(request, "call")
    drafts.discard(run=run_of(token, public_id), by=token.owner)
    return run_out(run_of(token, public_id))


@router.post("/{public_id}/cancel", response={200: RunOut, 202: RunOut, REFUSALS: Refusal})
def cancel_run(request: TokenRequest, public_id: str) -> Status[RunOut]:
    """Stop a run: 200 once it has ended, 202 while workers still have to see it. What was collected stays.
    Scope: call."""
    token = need(request, "call")
    runs.cancel(run=run_of(token, public_id), by=token.owner)
    run = run_of(token, public_id)
    return Status(202 if run.status in runs.UNDER_WAY else 200, run_out(run))


@router.post("/{public_id}/resume", response={200: RunResumed, REFUSALS: Refusal})
def resume_run(request: TokenRequest, public_id: str) -> RunResumed:
    """Samples that are not done are tried again, as new attempts beside the old. Scope: call."""
    token = need(request, "call")
    again = runs.resume(run=run_of(token, public_id), by=token.owner)
    return RunResumed(**run_out(run_of(token, public_id)).model_dump(), again=again)


@router.get("/{public_id}/combined.csv", response={REFUSALS: Refusal})
def show_table(request: TokenRequest, public_id: str) -> HttpResponse:
    """All samples as one table, a row for each; cells that begin like a formula have an apostrophe in front.
    Scope: read or call."""
    run = run_of(need(request, "read", "call"), public_id)
    if run.version is None:
        raise Http404(f"The run {public_id} is still being planned.")
    text = tables.combined_csv(run, spec_of(run.version))
    return sending.saved_text(text, "text/csv; charset=utf-8", f"{run.folder}_combined.csv")


def way_of(given: RunIn) -> str:
    named = [name for name in WAYS if getattr(given, name) not in ("", None)]
    if len(named) != 1 or bool(given.task) == (named[0] == "sentence"):
        raise BadInput([f"expected {RunIn.shape}"])
    return named[0]


def how_of(given: RunIn, token: ApiToken) -> dict[str, Any]:
    micros = None if given.budget_usd is None else round(given.budget_usd * model_use.MICROS)
    named = ("title", "control", "period", "retries", "budget_tokens")
    how = {name: getattr(given, name) for name in named if name in given.model_fields_set}
    return {"control": "", "period": "", "budget_tokens": None, **how,
            "via": "api", "token": token, "budget_micros": micros}  # fmt: skip


def over_samples(given: RunIn, token: ApiToken, how: dict[str, Any]) -> Run:
    version = version_of(token, given.task, given.version)
    if version.spec.archived_at is not None:
        raise WrongState(f"{given.task} is archived; save it again to run it.")
    spec = spec_of(version)
    how["control"], how["period"] = how["control"] or spec.control, how["period"] or spec.period
    if given.samples is None:
        found: Any = {name: value for name, value in how.items() if name not in ("title", "retries")}
        return plans.request_discovery(version=version, start_url=given.start_url, by=token.owner, **found)
    samples = samples_in(given.samples, spec.input_schema)
    how["population"] = {"source": "the API", "rows": len(samples)}
    return runs.request_run(version=version, samples=samples, by=token.owner, draft=given.draft, **how)


def samples_in(items: list[Any], schema: Mapping[str, Any]) -> tuple[SampleInput, ...]:
    """BadInput names what is wrong with each, by its number."""
    try:
        return from_items(items, input_schema=schema)
    except SamplesRefused as error:
        raise BadInput(list(error.problems)) from error


def lines_of(rows: list[Run]) -> list[RunLine]:
    """One query for the counts of all."""
    by_run: dict[int, dict[str, int]] = {row.pk: {} for row in rows}
    counted = Sample.objects.filter(run__in=by_run).order_by().values_list("run_id", "status")
    for run, status, count in counted.annotate(Count("pk")):
        by_run[run][status] = count
    return [RunLine(**_line(row, by_run[row.pk])) for row in rows]


def run_out(run: Run) -> RunOut:
    micros = run.budget_micros
    return RunOut(
        **_line(run, runs.counts_of(run).by_status),
        requested_by=run.requested_by.get_username(),
        warnings=list(run.warnings),
        population=run.population,
        discovery=run.discovery.public_id if run.discovery else None,
        retries=run.retries,
        budget_tokens=run.budget_tokens,
        budget_usd=None if micros is None else micros / model_use.MICROS,
        cost=spent_out(runs.cost_of(run)),
        folder=run.folder,
        page=reverse("run_detail", args=[run.public_id]),
    )


def spent_out(total: model_use.Total) -> SpentOut:
    return SpentOut(
        requests=total.requests,
        input_tokens=total.input_tokens,
        cached_tokens=total.cached_tokens,
        output_tokens=total.output_tokens,
        cost_usd=total.dollars,
    )


def _line(run: Run, by_status: dict[str, int]) -> dict[str, Any]:
    return {
        "id": run.public_id,
        "title": run.title,
        "task": run.version.spec.task_id if run.version else None,
        "task_version": run.version.number if run.version else None,
        "status": run.status,
        "control": run.control,
        "period": run.period,
        "via": run.via,
        "samples": sum(by_status.values()),
        "by_status": by_status,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "error": run.error,
        "url": f"{BASE}/{run.public_id}",
    }
