"""The sign-in form that was found when a site was mapped, and what has to be typed into it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from recipes_app.engine.parameters import secret_names
from recipes_app.models import Proposal, Site
from recipes_app.models.proposal import ProposalKind, ProposalStatus
from recipes_app.services.errors import WrongState

ONE_TIME = frozenset({"otp", "totp", "2fa", "mfa", "authenticator"})
# With "code" or "password" beside them; a bare "code" is one, too. A zip code is none, nor is a coupon's.
OF_ONE_TIME = frozenset({"one", "time", "verification", "authentication", "two", "factor"})
# “Remember me”, “Stay signed in”, “Keep me logged in”.
STAYING = re.compile(r"\bremember\b|\b(stay|keep)\b.*\b(signed|logged)\b", re.IGNORECASE)
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
    return {name: OTP if is_one_time(name) else PASSWORD if name in secret else USERNAME for name in wanted}


def is_one_time(name: str) -> bool:
    """By the parameter's name: a code that is good once."""
    words = set(name.lower().split("_"))
    return name == "code" or bool(words & ONE_TIME) or bool(words & OF_ONE_TIME and words & {"code", "password"})


def ticks(schema: Mapping[str, Any]) -> dict[str, bool]:
    """What else is filled in: what is kept is meant to last, so “remember me” is ticked where it is offered."""
    found = schema.get("properties") or {}
    return {name: True for name, said in found.items() if said.get("type") == "boolean" and _stays(name, said)}


def _stays(name: str, said: Mapping[str, Any]) -> bool:
    return any(STAYING.search(str(words).replace("_", " ")) for words in (name, said.get("description", "")))


def values_for(
    schema: Mapping[str, Any], given: Mapping[str, str], ask: Callable[[str, str], str], one_time: Callable[[str], str]
) -> dict[str, Any]:
    """What is typed. `given` are fields of the vault; what it lacks `ask(name, kind)` gets from a person."""
    values: dict[str, Any] = {**ticks(schema)}
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
