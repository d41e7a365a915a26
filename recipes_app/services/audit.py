"""The log of people's decisions."""

from typing import Any

from recipes_app.models import AuditEntry, Team, User


def record(team: Team | None, actor: User | None, action: str, subject: object, **detail: Any) -> AuditEntry:
    """Write down one decision; `detail` must be plain JSON and hold no secret."""
    return AuditEntry.objects.create(team=team, actor=actor, action=action, subject=str(subject)[:120], detail=detail)
