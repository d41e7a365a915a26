"""Who may let runs reach private addresses: whoever answers for the network Agentify stands in.

Anybody with an account can own a team, so owning one is not enough unless OWNERS_MAY_OPEN_PRIVATE_HOSTS says so.
"""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings

from recipes_app.browser.policy import METADATA_WORDS, host_of, is_metadata, normal_entry
from recipes_app.models import Team, User
from recipes_app.models.team import OWNERS
from recipes_app.services import access
from recipes_app.services.errors import BadInput, NotAllowed


def may_open(by: User, team: Team) -> bool:
    if by.is_active and by.is_superuser:
        return True
    return bool(settings.OWNERS_MAY_OPEN_PRIVATE_HOSTS) and access.can(by, team, OWNERS)


def who_may() -> str:
    """For sentences such as `Only … can let runs reach private addresses.`"""
    either = "an owner of the team or " if settings.OWNERS_MAY_OPEN_PRIVATE_HOSTS else ""
    return f"{either}an administrator of this installation"


def check_change(by: User, team: Team, *, before: Collection[str], after: Collection[str]) -> None:
    """Taking an entry away is an owner's; an entry that opens something needs somebody who may."""
    refuse_metadata(after)
    known = {normal_entry(entry) for entry in (*before, *settings.ALLOWED_PRIVATE_HOSTS)}
    opened = {normal_entry(entry) for entry in after} - known
    if opened and not may_open(by, team):
        raise NotAllowed(f"Only {who_may()} can let runs reach private addresses.")
    if sorted(before) != sorted(after) and not (may_open(by, team) or access.can(by, team, OWNERS)):
        raise NotAllowed("Only an owner of the team can change its private addresses.")


def refuse_metadata(entries: Collection[str]) -> None:
    wrong = next((entry for entry in entries if is_metadata(host_of(entry))), None)
    if wrong is not None:
        raise BadInput({"private_hosts": f"{wrong} is {METADATA_WORDS}."})
