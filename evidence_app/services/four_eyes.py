"""Nobody signs what they had a hand in: the list of a run, and the one loud way past it.

The database refuses whoever is on the list by itself; what stands here fills it, and says why beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F

from evidence_app.models import BreakGlass, Run, RunBarred, TaskSpecVersion
from evidence_app.models.review import Bar
from evidence_app.services import ledger, review_news
from recipes_app.models import RecipeVersion, Team, User
from recipes_app.models.team import OWNERS, SIGNERS
from recipes_app.services import access, audit, notices
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

MIN_WORDS = 20
PLAINLY = {Bar.STARTED: "started it"}  # confirmed it, or took it up again: what is known is that they set it going


def bar(run: Run, by: User | None = None, why: Bar = Bar.SHAPED, *, is_new: bool = False) -> int:
    """Everybody who has had a hand in it so far, and `by`; how many were added. In the transaction that makes the run
    (`is_new`: nobody else can know of it yet), and at the end of everything that changes what it collects, its task or
    its tools. A list only grows."""
    wanted = {*_known(run), *([(by.pk, why)] if by is not None else [])}
    missing = sorted(wanted if is_new else wanted - _listed(run))
    if missing and not is_new:
        # Two workers that begin at once find the same to be missing: one of them waits here, and looks again.
        Run.objects.select_for_update(of=("self",)).filter(pk=run.pk).first()
        missing = sorted(wanted - _listed(run))
    if missing:
        rows = RunBarred.objects.bulk_create([RunBarred(run=run, user_id=user, why=why) for user, why in missing])
        people = {user.pk: user for user in User.objects.filter(pk__in=[user for user, _ in missing])}
        facts = [{**person(people[row.user_id]), "why": row.why} for row in rows]
        ledger.append("run.barred", {"team": run.team_id, "run": run.public_id, "people": facts}, run=run)
    return len(missing)


def _listed(run: Run) -> set[tuple[int, Bar]]:
    return _listed_in(run.pk)


def _listed_in(run: int) -> set[tuple[int, Bar]]:
    return {(user, Bar(why)) for user, why in RunBarred.objects.filter(run=run).values_list("user", "why")}


def _known(run: Run) -> Iterable[tuple[int, Bar]]:
    yield run.requested_by_id, Bar.RAN
    if run.schedule is not None:
        yield run.schedule.owner_id, Bar.SCHEDULED
    if run.token is not None:
        yield run.token.owner_id, Bar.TOKEN
    yield from ((author, Bar.TASK) for author in _authors_of_task(run))
    yield from ((author, Bar.TOOL) for author in _authors_of_tools(run))
    if run.discovery_id is not None:  # what it found are the samples
        yield from _listed_in(run.discovery_id)


def _authors_of_task(run: Run) -> Iterable[int]:
    """Of its version and of all before: the next one says again most of what they said."""
    if run.version is None:
        return []
    rows = TaskSpecVersion.objects.filter(spec=run.version.spec_id, number__lte=run.version.number)
    return rows.order_by().values_list("author", flat=True).distinct()


def _authors_of_tools(run: Run) -> Iterable[int]:
    if run.site_id is None:
        return []
    live = F("recipe__live_version__number")
    rows = RecipeVersion.objects.filter(recipe__site=run.site_id, number__lte=live)
    return rows.order_by().values_list("author", flat=True).distinct()


def reasons(run: Run, user: User) -> list[str]:
    """Why this person is barred from it, in words; none where they are not."""
    rows = RunBarred.objects.filter(run=run, user=user).order_by("pk")
    return [PLAINLY.get(Bar(row.why), str(row.get_why_display())) for row in rows]


def listed(words: list[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def barred_from(user: User, runs: Iterable[int]) -> set[int]:
    """Which of these runs this person may not sign, whatever their role."""
    broken = BreakGlass.objects.filter(user=user, run__in=runs).values("run")
    return set(RunBarred.objects.filter(user=user, run__in=runs).exclude(run__in=broken).values_list("run", flat=True))


def is_broken(run: Run, user: User) -> bool:
    return BreakGlass.objects.filter(run=run, user=user).exists()


def why_not(run: Run, user: User) -> str:
    """One sentence where this person may not sign the run; empty where they may."""
    if not access.can(user, run.team, SIGNERS):
        return f"You cannot sign this: reviewers and owners of {run.team} do."
    found = reasons(run, user)
    if found and not is_broken(run, user):
        return f"You cannot sign this: you {listed(found)}."
    return ""


def require_signer(run: Run, user: User) -> None:
    if why := why_not(run, user):
        raise NotAllowed(f"{why} {can_said(run)}")


def who_can(run: Run) -> list[User]:
    barred = RunBarred.objects.filter(run=run).values_list("user", flat=True)
    broken = set(BreakGlass.objects.filter(run=run).values_list("user", flat=True))
    barred_still = set(barred) - broken
    return [each for each in notices.people_of(run.team, SIGNERS) if each.pk not in barred_still]


def can_said(run: Run) -> str:
    names = sorted({each.get_full_name() or each.get_username() for each in who_can(run)})
    if not names:
        return f"Nobody of {run.team} can: an owner invites a reviewer who had no hand in it."
    return f"{', '.join(names[:5])}{' and others' if len(names) > 5 else ''} can."


@transaction.atomic
def break_glass(*, run: Run, user: User, by: User, words: str) -> BreakGlass:
    """Lets a barred person sign, against the rule. Never quiet: it stands in the ledger, and every owner is told."""
    _check_glass(run, user, by, words)
    row = BreakGlass.objects.create(run=run, user=user, by=by, words=words.strip())
    audit.record(run.team, by, "four_eyes.broken", f"run {run.public_id}", person=user.get_username(), words=row.words)
    review_news.glass_broken(row)
    facts = {"person": person(user), "by": person(by), "words": row.words, "barred_for": reasons(run, user)}
    ledger.append("four_eyes.broken", {"team": run.team_id, "run": run.public_id, **facts}, run=run)
    return row


def _check_glass(run: Run, user: User, by: User, words: str) -> None:
    team: Team = run.team
    if not access.can(by, team, OWNERS):
        raise NotAllowed(f"An owner of {team} breaks the rule of four eyes, and answers for it.")
    if not access.can(user, team, SIGNERS):
        raise BadInput({"person": f"{user} is no reviewer or owner of {team}."})
    if len(words.strip()) < MIN_WORDS:
        raise BadInput({"words": f"Say why, in at least {MIN_WORDS} characters: it stands in the ledger for good."})
    if not reasons(run, user):
        raise WrongState(f"{user} is not barred from {run.title}.")
    if is_broken(run, user):
        raise WrongState(f"{user} may sign {run.title} already.")


def person(user: User) -> dict[str, object]:
    return {"id": user.pk, "name": user.get_username(), "email": user.email}
