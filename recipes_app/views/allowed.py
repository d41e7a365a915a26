"""What the person looking at a page may do, for the template to show or leave out its buttons.

Guards are elsewhere: each service and each guarded fetch refuses by itself.
"""

from django.conf import settings

from recipes_app.models import Team, User
from recipes_app.models.team import EDITORS, OWNERS, RUNNERS
from recipes_app.services import access, private_hosts


def allowed(user: User, team: Team) -> dict[str, bool]:
    role = access.role_in(user, team)
    return {
        "may_run": role in RUNNERS,
        "may_edit": role in EDITORS,
        "is_owner": role in OWNERS,
        "may_open_private": private_hosts.may_open(user, team),
        "owners_open_private": settings.OWNERS_MAY_OPEN_PRIVATE_HOSTS,
    }
