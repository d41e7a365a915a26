"""What the person looking at a page may do, for the template to show or leave out its buttons.

Guards are elsewhere: each service and each guarded fetch refuses by itself.
"""

from recipes_app.models import Team, User
from recipes_app.models.team import EDITORS, OWNERS, RUNNERS
from recipes_app.services import access


def allowed(user: User, team: Team) -> dict[str, bool]:
    role = access.role_in(user, team)
    return {"may_run": role in RUNNERS, "may_edit": role in EDITORS, "is_owner": role in OWNERS}
