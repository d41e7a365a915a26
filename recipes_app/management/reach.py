"""Private addresses: a run reaches none that a person at the terminal did not allow."""

import socket
import sys
from collections.abc import Callable

from django.conf import settings

from recipes_app.browser.policy import host_and_port, join_port, kind_of_address, normal_entry
from recipes_app.management.plain import Refused
from recipes_app.models import Site, User
from recipes_app.services.errors import BadInput
from recipes_app.services.sites import normal_url, policy_of, update_site


def web_address(text: str) -> str:
    try:
        return normal_url(text)
    except BadInput as error:
        raise Refused("; ".join(error.by_path.values()) or str(error)) from error


def private_entry(url: str, site: Site | None = None) -> str | None:
    """The `host:port` that somebody has to allow before `url` can be opened, or None."""
    host, port = host_and_port(url)
    allowed = policy_of(site)[1] if site else list(settings.ALLOWED_PRIVATE_HOSTS)
    entry = join_port(host, port)
    if entry in {normal_entry(each) for each in allowed}:
        return None
    return entry if any(kind_of_address(address) for address in addresses_of(host, port)) else None


def open_private(site: Site, user: User, *, allowed: bool, ask: Callable[[str], str]) -> None:
    """Where the site's own address is private, it is allowed for good once a person said so."""
    if entry := private_entry(site.base_url, site):
        allow_private(entry, allowed=allowed, ask=ask)
        update_site(site=site, by=user, private_hosts=[*site.private_hosts, entry])


def addresses_of(host: str, port: int) -> set[str]:
    """Empty where the name is unknown: opening it will say so."""
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return set()


def allow_private(entry: str, *, allowed: bool, ask: Callable[[str], str]) -> None:
    """Refused unless the person said so with a flag or says so now."""
    if allowed:
        return
    question = f"{entry} is a private address. Let runs on this site reach it? [y/N] "
    if sys.stdin.isatty() and ask(question).strip().lower() in ("y", "yes"):
        return
    raise Refused(
        f"{entry} is a private address, which runs do not reach. If it is yours, add --allow-private, "
        f"or set ALLOWED_PRIVATE_HOSTS={entry}."
    )
