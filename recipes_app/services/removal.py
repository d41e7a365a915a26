"""Take sites, and whole demo teams, out of the database with all that belongs to them, pictures and files included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, ProtectedError, Q, QuerySet

from recipes_app.models import AuditEntry, Call, Job, JobFile, JobPicture, RecipeVersion, Site, Team, User
from recipes_app.models.job import ACTIVE, JobStatus
from recipes_app.models.team import OWNERS
from recipes_app.services import access, audit, dispatch, downloads
from recipes_app.services.errors import NotAllowed, WrongState

DEMO_DOMAIN = "demo.invalid"  # the address of every account a demo made ends so; no real one can


class Kept(WrongState):
    """Evidence was collected with it."""


def demo_users() -> QuerySet[User]:
    return User.objects.filter(email__endswith=f"@{DEMO_DOMAIN}")


def demo_teams() -> Iterable[Team]:
    """Teams in which a demo made something; a practice shop that people added to their own team is theirs."""
    return Team.objects.filter(sites__in=demo_sites()).distinct()


def demo_sites() -> QuerySet[Site]:
    return Site.objects.filter(is_demo=True, created_by__in=demo_users())


def jobs_of(site: Site) -> QuerySet[Job]:
    return Job.objects.filter(
        Q(mapping__site=site)
        | Q(recording__proposal__site=site)
        | Q(recording__version__recipe__site=site)
        | Q(call__recipe__site=site)
    )


@transaction.atomic
def remove_site(*, site: Site, by: User | None = None, stop: bool = False) -> None:
    """The site, its tools, proposals, calls and jobs, for an owner of its team (`by`) or at the terminal (None).

    WrongState while one of its jobs runs; with `stop` those are cancelled first. Kept where evidence names it.
    """
    if by is not None and not access.can(by, site.team, OWNERS):
        raise NotAllowed("Only an owner of the team can remove a site.")
    active = list(jobs_of(site).filter(status__in=ACTIVE))
    if active and not stop:
        raise WrongState(f"{site.name} has jobs that run or wait: cancel them, or let them end, first.")
    for job in active:
        _take_away(job)
    numbers = list(jobs_of(site).values_list("pk", flat=True))
    _forget_files(numbers)
    audit.record(site.team, by, "site.removed", f"site {site.slug}", base_url=site.base_url, cancelled=len(active))
    try:
        site.delete()
    except ProtectedError as error:
        raise Kept(f"{site.name} is kept: {_named(error)}, and their history is never removed.") from error
    Job.objects.filter(pk__in=numbers).delete()


def _named(error: ProtectedError) -> str:
    """What still names the row: "3 runs name it"."""
    counts = Counter(row._meta for row in error.protected_objects)
    told = [f"{count} {meta.verbose_name_plural if count > 1 else meta.verbose_name}" for meta, count in counts.items()]
    return f"{' and '.join(told)} name{'s' if sum(counts.values()) == 1 else ''} it"


def what_goes(site: Site) -> dict[str, int]:
    """How much is removed along with the site."""
    jobs = jobs_of(site)
    return {
        "tools": site.recipes.count(),
        "versions": RecipeVersion.objects.filter(recipe__site=site).count(),
        "mappings": site.mappings.count(),
        "proposals": site.proposals.count(),
        "calls": Call.objects.filter(recipe__site=site).count(),
        "pictures": JobPicture.objects.filter(job__in=jobs).count(),
        "files": JobFile.objects.filter(job__in=jobs).count(),
        "running": jobs.filter(status__in=ACTIVE).count(),
    }


def _take_away(job: Job) -> None:
    """Its worker, if it has one, finds that it no longer holds the job, and stops."""
    Job.objects.filter(pk=job.pk).update(status=JobStatus.CANCELLED, fence=F("fence") + 1)
    transaction.on_commit(partial(dispatch.wake, job))


@transaction.atomic
def remove_demo(*, accounts: bool = True) -> int:
    """Every demo team with its sites, jobs and log, and the demo's accounts; returns how many teams went.

    An account that was used outside the demo is kept, switched off: what it did elsewhere names it. A team that
    collected evidence is kept whole: the history of evidence is never removed.
    """
    gone = sum(_team_went(team) for team in list(demo_teams()))
    for user in demo_users() if accounts else ():
        AuditEntry.objects.filter(team=None, actor=user).delete()
        try:
            with transaction.atomic():
                user.delete()
        except ProtectedError:
            User.objects.filter(pk=user.pk).update(is_active=False)
    return gone


def _team_went(team: Team) -> bool:
    try:
        with transaction.atomic():
            _remove_team(team)
    except (ProtectedError, Kept):
        return False
    return True


def _remove_team(team: Team) -> None:
    real = team.sites.exclude(pk__in=demo_sites()).exists() or team.memberships.exclude(user__in=demo_users()).exists()
    if real:
        for site in team.sites.filter(pk__in=demo_sites()):
            remove_site(site=site)
        return
    jobs = Job.objects.filter(team=team)
    jobs.filter(status__in=ACTIVE).update(status="cancelled")
    _forget_files(list(jobs.values_list("pk", flat=True)))
    for site in team.sites.all():
        site.delete()
    AuditEntry.objects.filter(team=team).delete()
    jobs.delete()
    team.delete()


def _forget_files(jobs: Collection[int]) -> None:
    """The files go once the rows are gone for good; the same bytes may be shared with another job's picture."""
    downloads.forget(jobs)
    gone = JobPicture.objects.filter(job__in=jobs)
    files = set(gone.values_list("file", flat=True))
    kept = set(JobPicture.objects.filter(file__in=files).exclude(pk__in=gone).values_list("file", flat=True))
    for name in files - kept:
        transaction.on_commit(partial(default_storage.delete, name), robust=True)
