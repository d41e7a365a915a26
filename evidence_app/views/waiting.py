"""Evidence and review in the rail: their places, what runs, what waits for a person; and whose a page of them is."""

from django.template.defaultfilters import pluralize

from evidence_app.models import Exhibit, Removal, Run
from evidence_app.models.retention import Asked
from evidence_app.models.review import WAITING
from evidence_app.models.run import RunStatus
from evidence_app.services import exhibits
from evidence_app.services.runs import UNDER_WAY
from recipes_app.models import Team
from recipes_app.views.rail import Badge, Place

NAME = "Evidence"
WHOSE = [
    ("evidence/runs/<str:public_id>/", "evidence_runs__public_id"),
    ("evidence/tasks/<int:pk>/", "task_specs"),
    ("evidence/samples/<int:pk>/", "evidence_runs__samples"),
    ("evidence/schedules/<int:pk>/", "schedules"),
    ("evidence/files/<int:pk>/redact/", "evidence_runs__samples__attempts__artifacts"),
    ("evidence/review/<int:pk>/", "evidence_runs__samples"),
]


def badges(team: Team) -> list[Badge]:
    runs = Run.objects.filter(team=team)
    drafts = runs.filter(status=RunStatus.DRAFT).count()
    active = runs.filter(status__in=(*UNDER_WAY, RunStatus.PLANNING)).count()
    removals = Removal.objects.filter(run__team=team, status=Asked.WAITING).count()
    return [
        Badge(NAME, drafts, f"draft{pluralize(drafts)} to confirm", urgent=True, kind="-drafts"),
        Badge(NAME, active, f"run{pluralize(active)} under way"),
        Badge(NAME, removals, f"deletion{pluralize(removals)} to decide", urgent=True, kind="-removals"),
    ]


def waits_for_review(team: Team) -> list[Badge]:
    count = exhibits.count_of(Exhibit.objects.filter(team=team, state__in=WAITING))
    return [Badge("Review", count, f"sample{pluralize(count)} to review", urgent=True)]


PLACES = [
    Place(NAME, "evidence_home", "evidence", ("/evidence/",), badges),
    Place("Review", "review_queue", "read", ("/evidence/review/",), waits_for_review),
]
