"""Letters to people. Without a mail server nothing is sent: the page shows the link to copy."""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail

from recipes_app.models import Invitation

log = logging.getLogger(__name__)


def send_invitation(*, invitation: Invitation, link: str) -> bool:
    """False when there is no address or no mail server, or it refused."""
    if not settings.EMAIL_IS_CONFIGURED or not invitation.email:
        return False
    team = invitation.team.name
    text = (
        f"{invitation.invited_by} invites you to the team {team} on Agentify.\n\n"
        f"Open this link to join; it works once and until {invitation.expires_at:%Y-%m-%d %H:%M} UTC:\n{link}\n"
    )
    try:
        send_mail(f"Join {team} on Agentify", text, settings.DEFAULT_FROM_EMAIL, [invitation.email])
    except (SMTPException, OSError) as error:
        log.warning("invitation %s could not be mailed: %s", invitation.pk, error)
        return False
    return True
