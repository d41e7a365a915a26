"""The log of people's decisions."""

from typing import Any

from recipes_app.engine.plain_json import clean, clean_text
from recipes_app.models import AuditEntry, Team, User


def record(team: Team | None, actor: User | None, action: str, subject: object, **detail: Any) -> AuditEntry:
    """Write down one decision; `detail` must be plain JSON and hold no secret."""
    return AuditEntry.objects.create(
        team=team, actor=actor, action=action, subject=clean_text(str(subject))[:120], detail=clean(detail)
    )
