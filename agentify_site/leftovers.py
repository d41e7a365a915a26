"""What an earlier demo left behind, and whether people have worked in it since."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from recipes_app.models import AuditEntry, Job, Team
from recipes_app.models.job import JobKind
from recipes_app.services import removal

FINISHED = "demo.finished"
OF_THE_DEMO = ("team.created", "site.created", "proposal.approved", "version.published", FINISHED)


@dataclass(frozen=True, slots=True)
class Leftovers:
    """`decisions` and `jobs` are those of people, after the demo had done its own."""

    sites: tuple[str, ...]
    decisions: int
    jobs: int

    @property
    def of_people(self) -> bool:
        return bool(self.decisions or self.jobs)

    def __str__(self) -> str:
        theirs = f"since then {counted(self.decisions, 'decision')} and {counted(self.jobs, 'run')} by people"
        return "; ".join([*self.sites, theirs] if self.of_people else self.sites)


def find_leftovers() -> Leftovers | None:
    teams = list(removal.demo_teams())
    if not teams:
        return None
    last = AuditEntry.objects.filter(team__in=teams, action=FINISHED).order_by("pk").last()
    return Leftovers(
        tuple(described(teams)), decisions_of_people(teams, last).count(), jobs_of_people(teams, last).count()
    )


def described(teams: Iterable[Team]) -> Iterable[str]:
    for site in removal.demo_sites().filter(team__in=teams).select_related("team"):
        goes = removal.what_goes(site)
        counts = ", ".join(counted(goes[name], name.removesuffix("s")) for name in ("tools", "proposals", "calls"))
        yield f"the site {site.name} of {site.team} with {counts}"


def decisions_of_people(teams: Iterable[Team], last: AuditEntry | None) -> QuerySet[AuditEntry]:
    """All there are since the demo ended; of one that never ended, those a demo does not make."""
    entries = AuditEntry.objects.filter(team__in=teams)
    return entries.filter(pk__gt=last.pk) if last else entries.exclude(action__in=OF_THE_DEMO)


def jobs_of_people(teams: Iterable[Team], last: AuditEntry | None) -> QuerySet[Job]:
    jobs = Job.objects.filter(team__in=teams)
    return jobs.filter(created_at__gt=last.at) if last else jobs.filter(Q(kind=JobKind.CALL) & ~Q(call__via="demo"))


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
