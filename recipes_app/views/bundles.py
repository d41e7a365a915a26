"""Many jobs of one thing, shown as one line: a thousand samples of a run do not hide everything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recipes_app.models import Job, Team
from recipes_app.models.job import JobQuerySet


@dataclass(frozen=True, slots=True)
class Bundle:
    """`counts`: (state in words, how many of its jobs). `ended` of `total` are over."""

    name: str
    url: str
    counts: tuple[tuple[str, int], ...]
    ended: int
    total: int

    @property
    def is_active(self) -> bool:
        return self.ended < self.total


# kind of job -> a team's bundles of it: those under way and at most so many others, newest first. Filled by
# applications above this one.
BUNDLED: dict[str, Callable[[Team, int], list[Bundle]]] = {}


def one_by_one(team: Team) -> JobQuerySet:
    """Jobs that stand for themselves."""
    return Job.objects.of(team).on_stage().exclude(kind__in=list(BUNDLED))


def in_bundles(team: Team) -> JobQuerySet:
    return Job.objects.of(team).on_stage().filter(kind__in=list(BUNDLED))


def bundles(team: Team, most: int) -> list[Bundle]:
    return [bundle for made in BUNDLED.values() for bundle in made(team, most)]
