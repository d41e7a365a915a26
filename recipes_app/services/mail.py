"""Letters to people. Without a mail server nothing is sent: the page shows the link to copy, the bell the notice."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection, send_mail

from recipes_app.models import Invitation, Notice, Team

log = logging.getLogger(__name__)
TIMEOUT_S = 20


def send_invitation(*, invitation: Invitation, link: str) -> bool:
    """False when there is no address or no mail server, or it refused."""
    if not settings.EMAIL_IS_CONFIGURED or not invitation.email:
        return False
    team = invitation.team.name
    text = (
        f"{invitation.invited_by} invites you to the team {team} on Agentify.\n\n"
        f"Open this link to join; it works once and until {invitation.expires_at:%Y-%m-%d %H:%M} UTC:\n{link}\n"
    )
    return _send(f"Join {team} on Agentify", text, invitation.email, f"invitation {invitation.pk}")


def send_notices(team: Team, *, limit: int) -> int:
    """Those that want to go by mail, each tried once: the bell keeps them. How many went."""
    rows = Notice.objects.filter(team=team, wants_mail=True).select_related("user").order_by("pk")[:limit]
    return sum(_send_notice(notice) for notice in rows)


def _send_notice(notice: Notice) -> bool:
    mine = Notice.objects.filter(pk=notice.pk, wants_mail=True).update(wants_mail=False) == 1
    if not mine or not settings.EMAIL_IS_CONFIGURED or not notice.user.email or not notice.user.is_active:
        return False
    link = f"{settings.PUBLIC_URL}{notice.path}"
    text = f"{notice.text}\n\nThe next step: {link}\n\nYou get this as a member of {notice.team}.\n"
    subject = " ".join(notice.text.split())[:120]
    return _send(f"[{notice.team}] {subject}", text, notice.user.email, f"notice {notice.pk}")


def _send(subject: str, text: str, to: str, about: str) -> bool:
    try:
        connection = get_connection(timeout=TIMEOUT_S)
        send_mail(subject, text, settings.DEFAULT_FROM_EMAIL, [to], connection=connection)
    except (SMTPException, OSError) as error:
        log.warning("%s could not be mailed: %s", about, error)
        return False
    return True
