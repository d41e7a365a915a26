"""Evidence in the rail: its place, what runs, what waits for a person; and whose a page of it is."""

from django.template.defaultfilters import pluralize

from evidence_app.models import Run
from evidence_app.models.run import RunStatus
from evidence_app.services.runs import UNDER_WAY
from recipes_app.models import Team
from recipes_app.views.rail import Badge, Place

NAME = "Evidence"
WHOSE = [
    ("evidence/runs/<str:public_id>/", "evidence_runs__public_id"),
    ("evidence/tasks/<int:pk>/", "task_specs"),
    ("evidence/samples/<int:pk>/", "evidence_runs__samples"),
    ("evidence/schedules/<int:pk>/", "schedules"),
]


def badges(team: Team) -> list[Badge]:
    runs = Run.objects.filter(team=team)
    drafts = runs.filter(status=RunStatus.DRAFT).count()
    active = runs.filter(status__in=(*UNDER_WAY, RunStatus.PLANNING)).count()
    return [
        Badge(NAME, drafts, f"draft{pluralize(drafts)} to confirm", urgent=True, kind="-drafts"),
        Badge(NAME, active, f"run{pluralize(active)} under way"),
    ]


PLACE = Place(NAME, "evidence_home", "evidence", ("/evidence/",), badges)
