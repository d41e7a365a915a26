"""Saved logins of a site: looked at and forgotten. What signs in is never sent or asked for here."""

from datetime import datetime

from django.http import Http404
from ninja import Field, Router, Schema, Status

from recipes_app.api.auth import TokenRequest, need, site_of
from recipes_app.api.schemas import REFUSALS, Refusal
from recipes_app.models import Session, Site
from recipes_app.services import sessions, signing_in

router = Router(tags=["sessions"])


class SessionOut(Schema):
    name: str = Field(description="What a call, a mapping or a task names as its session.")
    account: str = Field(description="Whose it is, as it was typed; empty where nobody said.")
    status: str = Field(description="valid, or expired: the site has signed it out.")
    mode: str = Field(description="shared, or exclusive: one job at a time.")
    signs_in_again: bool = Field(description="By itself, with what the vault has.")
    saved_at: datetime | None
    last_used_at: datetime | None


def session_out(session: Session) -> SessionOut:
    return SessionOut(
        name=session.name,
        account=session.account_label,
        status=session.status,
        mode=session.mode,
        signs_in_again=bool(session.vault_path),
        saved_at=session.saved_at,
        last_used_at=session.last_used_at,
    )


@router.get("/{slug}/sessions", response={200: list[SessionOut], REFUSALS: Refusal})
def list_sessions(request: TokenRequest, slug: str) -> list[SessionOut]:
    """The site's saved logins, without what they hold. Scope: read or call."""
    site = site_of(need(request, "read", "call"), slug)
    return [session_out(session) for session in signing_in.sessions_of(site)]


@router.delete("/{slug}/sessions/{name}", response={204: None, REFUSALS: Refusal})
def forget_session(request: TokenRequest, slug: str, name: str) -> Status[None]:
    """Forget a saved login. On the site itself it may still be good: sign out there. Scope: manage."""
    token = need(request, "manage")
    sessions.remove(session=_session_of(site_of(token, slug), name), by=token.owner)
    return Status(204, None)


def _session_of(site: Site, name: str) -> Session:
    session = Session.objects.filter(site=site, name=name).select_related("site__team").first()
    if session is None:
        raise Http404(f"The site {site.slug} has no session {name}.")
    return session
