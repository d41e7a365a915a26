"""The sign-in form that was found when a site was mapped, and what has to be typed into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from recipes_app.engine.parameters import secret_names
from recipes_app.models import Proposal, Site
from recipes_app.models.proposal import ProposalKind, ProposalStatus
from recipes_app.services.errors import WrongState

ONE_TIME = frozenset({"otp", "totp", "one_time_password", "verification_code", "code"})
USERNAME, PASSWORD, OTP = "username", "password", "otp"


def form_of(site: Site) -> Proposal:
    """The newest. WrongState where there is none."""
    forms = Proposal.objects.filter(site=site, kind=ProposalKind.LOGIN).exclude(status=ProposalStatus.REJECTED)
    found = forms.order_by("-pk").first()
    if found is None:
        raise WrongState(
            f"No sign-in form is known of {site.name}: ./agentify map {site.base_url} finds it; or use --manual."
        )
    return found


def needed(schema: Mapping[str, Any]) -> dict[str, str]:
    """Each parameter of the form that has to be given, and as what: username, password or otp."""
    secret = secret_names(schema)
    wanted = schema.get("required") or ()
    return {name: OTP if name in ONE_TIME else PASSWORD if name in secret else USERNAME for name in wanted}


def values_for(
    schema: Mapping[str, Any], given: Mapping[str, str], ask: Callable[[str, str], str], one_time: Callable[[str], str]
) -> dict[str, Any]:
    """What is typed. `given` are fields of the vault; what it lacks `ask(name, kind)` gets from a person."""
    values: dict[str, Any] = {}
    for name, kind in needed(schema).items():
        kept = given.get(name) or given.get(kind, "")
        if kind == OTP and kept:
            values[name] = one_time(kept)
        else:
            values[name] = kept or ask(name, kind)
    return values


def account_in(schema: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """Who is signed in, as it was typed."""
    return next((str(values[name]) for name, kind in needed(schema).items() if kind == USERNAME), "")
