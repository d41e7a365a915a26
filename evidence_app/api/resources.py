"""Runs and their artifacts, for programs that read them over MCP."""

from __future__ import annotations

from evidence_app.api.runs import run_out
from evidence_app.api.samples import artifact_out
from evidence_app.models import Artifact, Run
from evidence_app.models.review import ShownAs
from evidence_app.services import sending, showing
from recipes_app.mcp.seams import Content, Refused, Shown
from recipes_app.models import Team, User

RUNS, ARTIFACTS = "agentify://runs/", "agentify://artifacts/"
NEWEST = 20
LARGEST_BYTES = 8_000_000


def listed(team: Team) -> list[Shown]:
    """The newest runs."""
    rows = Run.objects.filter(team=team).order_by("-pk")[:NEWEST]
    return [Shown(RUNS + run.public_id, f"Run {run.title}"[:200], f"A run that is {run.status}.") for run in rows]


def read(team: Team, user: User, uri: str) -> Content | None:
    """None for what is no resource of evidence. Who takes an artifact is written down."""
    if uri.startswith(RUNS):
        return _run(team, uri.removeprefix(RUNS))
    if uri.startswith(ARTIFACTS):
        return _artifact(team, user, uri.removeprefix(ARTIFACTS))
    return None


def _run(team: Team, public_id: str) -> Content:
    run = Run.objects.filter(team=team, public_id=public_id).select_related("version__spec", "requested_by").first()
    if run is None:
        raise Refused(f"there is no run {public_id}")
    rows = Artifact.objects.filter(attempt__sample__run=run).select_related("attempt__sample").order_by("pk")
    brought = ",".join(artifact_out(row, row.attempt, row.attempt.sample.number).model_dump_json() for row in rows)
    return Content("application/json", f'{{"run":{run_out(run).model_dump_json()},"artifacts":[{brought}]}}'.encode())


def _artifact(team: Team, user: User, number: str) -> Content:
    rows = Artifact.objects.filter(attempt__sample__run__team=team)
    row = rows.filter(pk=int(number)).first() if number.isascii() and number.isdigit() and len(number) < 19 else None
    if row is None:
        raise Refused(f"there is no artifact {number}")
    if row.size > LARGEST_BYTES:
        raise Refused(f"{row.name} has {row.size:,} bytes; fetch it at /api/v1/artifacts/{row.pk}")
    response = sending.saved(row)
    try:
        data = response.getvalue()
    finally:
        response.close()
    showing.note(row=row, user=user, how=ShownAs.SAVED)
    return Content(row.media_type or "application/octet-stream", data)
