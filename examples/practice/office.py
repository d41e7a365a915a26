"""The back office of the shop: people, code and issues, made by arithmetic so that everybody knows what is true."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha1

FIRST = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo", "Ines", "Jon", "Kim", "Lea", "Max", "Nora", "Omar")
LAST = ("Berg", "Costa", "Duarte", "Eriksen", "Fischer", "Grant", "Haddad", "Ito")
TITLES = ("Engineer", "Senior Engineer", "Accountant", "Designer", "Analyst", "Team Lead", "Buyer", "Clerk")
TEAMS = ("Platform", "Finance", "Store design", "Purchasing", "Support")
STATUSES = ("open", "in review", "done")
THINGS = ("Printer", "Login", "Report", "Price list", "Till")
TROUBLES = ("is slow", "fails", "to be changed")
KINDS = ("Bug", "Change", "Access", "Incident")
HIRED = date(2019, 1, 7)
COMMITS_FROM = date(2026, 1, 5)
PEOPLE_COUNT, COMMIT_COUNT, ISSUE_COUNT = 42, 30, 55


@dataclass(frozen=True)
class Person:
    """`left` and `disabled` are empty for who still works here; access has to end within one day of leaving."""

    id: str
    name: str
    title: str
    team: str
    manager: str
    email: str
    hired: date
    left: date | None = None
    disabled: date | None = None

    @property
    def removed_in_time(self) -> bool | None:
        if self.left is None:
            return None
        return self.disabled is not None and self.disabled - self.left <= timedelta(days=1)


@dataclass(frozen=True)
class Commit:
    """`reviewers` may hold the author, which is no review by another."""

    sha: str
    message: str
    author: str
    when: date
    reviewers: tuple[str, ...]
    checks: str
    files: int

    @property
    def reviewed_by_another(self) -> bool:
        return any(name != self.author for name in self.reviewers)


@dataclass(frozen=True)
class Issue:
    key: str
    title: str
    kind: str
    status: str
    assignee: str
    opened: date
    comments: int


def _person(at: int) -> Person:
    name = f"{FIRST[at % len(FIRST)]} {LAST[(at * 3) % len(LAST)]}"
    boss = f"{FIRST[(at * 7 + 1) % len(FIRST)]} {LAST[(at * 7 + 1) * 3 % len(LAST)]}"
    left = date(2026, 1, 10) + timedelta(days=at) if at % 5 == 3 else None
    late = 0 if at % 2 else 6
    return Person(
        id=f"e{1000 + at}",
        name=name,
        title=TITLES[at % len(TITLES)],
        team=TEAMS[at % len(TEAMS)],
        manager=boss,
        email=f"{name.lower().replace(' ', '.')}.{at}@inkwell.example",
        hired=HIRED + timedelta(days=at * 37),
        left=left,
        disabled=None if left is None or at % 15 == 8 else left + timedelta(days=late),
    )


def _commit(at: int) -> Commit:
    author = PEOPLE[at % 12].name
    reviewers = () if at % 7 == 4 else (author,) if at % 7 == 6 else (PEOPLE[(at + 5) % 12].name,)
    what = ("Round totals", "Show stock", "Fix the search", "Log exports", "Move the ledger", "Speed up lists")[at % 6]
    return Commit(
        sha=sha1(f"ledger {at}".encode(), usedforsecurity=False).hexdigest()[:10],
        message=f"{what}: part {at // 6 + 1}",
        author=author,
        when=COMMITS_FROM + timedelta(days=at * 2),
        reviewers=reviewers,
        checks="failed" if at % 11 == 5 else "passed",
        files=1 + at % 9,
    )


def _issue(at: int) -> Issue:
    return Issue(
        key=f"INK-{201 + at}",
        title=f"{THINGS[at % len(THINGS)]} {TROUBLES[at % len(TROUBLES)]}",
        kind=KINDS[at % len(KINDS)],
        status=STATUSES[at % len(STATUSES)],
        assignee=PEOPLE[(at * 5) % PEOPLE_COUNT].name,
        opened=date(2025, 11, 3) + timedelta(days=at),
        comments=at % 6,
    )


PEOPLE: tuple[Person, ...] = tuple(_person(at) for at in range(PEOPLE_COUNT))
COMMITS: tuple[Commit, ...] = tuple(_commit(at) for at in range(COMMIT_COUNT))
ISSUES: tuple[Issue, ...] = tuple(_issue(at) for at in range(ISSUE_COUNT))
