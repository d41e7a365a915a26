"""The bell: one line for one person, until it is read or the thing is settled."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from recipes_app.engine.plain_json import clean_text
from recipes_app.models import Notice, Role, Team, User
from recipes_app.services.errors import NotAllowed


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """`path`: the page that holds the next step. `mark`: what it is about, so that it is not said twice."""

    event: str
    text: str
    path: str
    mark: str = ""
    by_mail: bool = False


def tell(*, team: Team, people: Iterable[User], news: News) -> list[Notice]:
    """One for each person, but for those who have the same thing unread before them."""
    told = Notice.objects.filter(team=team, event=news.event, mark=news.mark, read_at=None)
    known = set(told.values_list("user", flat=True)) if news.mark else set()
    line = {"team": team, "event": news.event, "text": clean_text(news.text)[:300], "path": news.path[:300]}
    by_mail = news.by_mail and settings.EMAIL_IS_CONFIGURED
    rows = [
        Notice(user=person, wants_mail=by_mail and bool(person.email), mark=news.mark[:120], **line)
        for person in people
        if person.pk not in known
    ]
    return Notice.objects.bulk_create(rows)


def people_of(team: Team, roles: Collection[Role], *, but: User | None = None) -> list[User]:
    rows = User.objects.filter(memberships__team=team, memberships__role__in=roles, is_active=True)
    return list(rows.exclude(pk=but.pk) if but else rows)


def unread(user: User, team: Team) -> QuerySet[Notice]:
    return Notice.objects.filter(user=user, team=team, read_at=None)


def read(*, notices: QuerySet[Notice], by: User) -> int:
    """Mark these as read; how many were not yet."""
    if notices.exclude(user=by).exists():
        raise NotAllowed("These notices are somebody else's.")
    return notices.filter(read_at=None).update(read_at=timezone.now(), wants_mail=False)


def settled(team: Team, mark: str) -> int:
    """What this was about needs nobody any more."""
    rows = Notice.objects.filter(team=team, mark=mark, read_at=None)
    return rows.update(read_at=timezone.now(), wants_mail=False)
