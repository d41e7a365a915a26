"""Private addresses: a run reaches none that a person at the terminal did not allow."""

import socket
import sys
from collections.abc import Callable

from django.db import DatabaseError

from recipes_app.browser.policy import host_and_port, join_port, kind_of_address, normal_entry
from recipes_app.management.acting import find_user
from recipes_app.management.plain import Refused
from recipes_app.models import Site, User
from recipes_app.services import access
from recipes_app.services.errors import BadInput
from recipes_app.services.sites import is_practice, normal_url, open_at_terminal, policy_of


def web_address(text: str) -> str:
    try:
        return normal_url(text)
    except BadInput as error:
        raise Refused("; ".join(error.by_path.values()) or str(error)) from error


def private_entry(url: str, site: Site | None = None) -> str | None:
    """The `host:port` that somebody has to allow before `url` can be opened, or None."""
    host, port = host_and_port(url)
    entry = join_port(host, port)
    if entry in allowed_entries(site or Site(base_url=url, is_demo=is_practice(url))):
        return None
    return entry if any(kind_of_address(address) for address in addresses_of(host, port)) else None


def allowed_entries(site: Site) -> set[str]:
    return {normal_entry(each) for each in policy_of(site)[1]}


def passing_site(url: str, username: str) -> Site:
    """A site that is not kept, for a run without a row: it may reach what the known site of that address may."""
    if private_entry(url) is None:
        return Site(base_url=url, is_demo=is_practice(url))
    known = known_site(url, username)
    if known is None:
        return Site(base_url=url)
    return Site(base_url=url, private_hosts=policy_of(known)[1], allowed_hosts=known.allowed_hosts)


def known_site(url: str, username: str) -> Site | None:
    """One of this person's sites on that host and port; none where there is no database to ask."""
    try:
        if not Site.objects.exists():
            return None
        mine = Site.objects.filter(team__in=access.teams_of(find_user(username)))
        at = host_and_port(url)
        return next((site for site in mine.order_by("pk") if host_and_port(site.base_url) == at), None)
    except DatabaseError:
        return None


def open_private(site: Site, user: User, *, allowed: bool, ask: Callable[[str], str]) -> None:
    """Where the site's own address is private, it is allowed for good once a person said so."""
    if entry := private_entry(site.base_url, site):
        if site.is_demo and not allowed:
            raise Refused(
                f"the practice shop does not run at {entry}: end what holds that port, then ./agentify up again."
            )
        allow_private(entry, allowed=allowed, ask=ask)
        open_at_terminal(site=site, by=user, entries=[entry])


def addresses_of(host: str, port: int) -> set[str]:
    """Empty where the name is unknown: opening it will say so."""
    try:
        return {str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        return set()


def allow_passing(site: Site, *, allowed: bool, ask: Callable[[str], str]) -> None:
    """As open_private, for this one run."""
    if entry := private_entry(site.base_url, site):
        allow_private(entry, allowed=allowed, ask=ask)
        site.private_hosts = [*site.private_hosts, entry]


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
