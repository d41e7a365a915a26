"""Take sites, and whole demo teams, out of the database with all that belongs to them, pictures included."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import ProtectedError, Q

from recipes_app.models import AuditEntry, Job, JobPicture, Site, Team, User
from recipes_app.models.job import ACTIVE
from recipes_app.services import audit
from recipes_app.services.errors import WrongState

DEMO_DOMAIN = "demo.invalid"  # the address of every account a demo made ends so; no real one can


def demo_users() -> Iterable[User]:
    return User.objects.filter(email__endswith=f"@{DEMO_DOMAIN}")


def demo_teams() -> Iterable[Team]:
    return Team.objects.filter(sites__is_demo=True).distinct()


@transaction.atomic
def remove_site(*, site: Site) -> None:
    """The site, its tools, proposals, calls and jobs. WrongState while one of its jobs runs."""
    jobs = Job.objects.filter(
        Q(mapping__site=site)
        | Q(recording__proposal__site=site)
        | Q(recording__version__recipe__site=site)
        | Q(call__recipe__site=site)
    )
    if jobs.filter(status__in=ACTIVE).exists():
        raise WrongState(f"{site.name} has jobs that run or wait: cancel them, or let them end, first.")
    numbers = list(jobs.values_list("pk", flat=True))
    _forget_pictures(numbers)
    audit.record(site.team, None, "site.removed", f"site {site.slug}")
    site.delete()
    Job.objects.filter(pk__in=numbers).delete()


@transaction.atomic
def remove_demo() -> int:
    """Every demo team with its sites, jobs and log, and the demo's accounts; returns how many teams there were.

    An account that was used outside the demo is kept, switched off: what it did elsewhere names it.
    """
    teams = list(demo_teams())
    for team in teams:
        _remove_team(team)
    for user in demo_users():
        AuditEntry.objects.filter(team=None, actor=user).delete()
        try:
            with transaction.atomic():
                user.delete()
        except ProtectedError:
            User.objects.filter(pk=user.pk).update(is_active=False)
    return len(teams)


def _remove_team(team: Team) -> None:
    if not all(site.is_demo for site in team.sites.all()):
        for site in team.sites.filter(is_demo=True):
            remove_site(site=site)
        return
    jobs = Job.objects.filter(team=team)
    jobs.filter(status__in=ACTIVE).update(status="cancelled")
    _forget_pictures(jobs.values_list("pk", flat=True))
    for site in team.sites.all():
        site.delete()
    AuditEntry.objects.filter(team=team).delete()
    jobs.delete()
    team.delete()


def _forget_pictures(jobs: Iterable[int]) -> None:
    """The files go once the rows are gone for good; the same bytes may be shared with another job's picture."""
    gone = JobPicture.objects.filter(job__in=jobs)
    files = set(gone.values_list("file", flat=True))
    kept = set(JobPicture.objects.filter(file__in=files).exclude(pk__in=gone).values_list("file", flat=True))
    for name in files - kept:
        transaction.on_commit(partial(default_storage.delete, name))
