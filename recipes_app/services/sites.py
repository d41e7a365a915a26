"""Sites, what a run on them may reach, and the request to map one."""

from __future__ import annotations

import ipaddress
import re
from typing import Any
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings as configuration
from django.db import transaction
from django.utils.text import slugify

from recipes_app.models import Mapping, Site, Team, User
from recipes_app.models.job import ACTIVE, JobKind
from recipes_app.models.mapping import Method
from recipes_app.models.team import EDITORS, RUNNERS
from recipes_app.services import access, audit, dispatch, private_hosts
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

SETTABLE = frozenset(
    {"name", "time_zone", "locale", "viewport_width", "viewport_height", "allowed_hosts", "private_hosts", "is_demo"}
)
VIEWPORT_LIMITS = (320, 4000)
MAX_PAGES, MAX_DEPTH = 100, 6
HOST = re.compile(r"^(\*\.)?[^\s/:*]+(:\d+)?$|^\*$")
PRIVATE = re.compile(r"^(\[[0-9a-fA-F:]+\]|[^\s/:*]+):\d+$")


@transaction.atomic
def create_site(*, team: Team, by: User, base_url: str, name: str = "", slug: str = "", **settings: Any) -> Site:
    """`settings` are columns of Site, see SETTABLE. The slug is taken from the host and made free."""
    _require(by, team, EDITORS, "add a site")
    url = normal_url(base_url)
    host = urlsplit(url).hostname or ""
    site = Site(team=team, base_url=url, created_by=by, name=name.strip() or urlsplit(url).netloc)
    site.slug = _free_slug(team, slugify(slug) or slugify(host.removeprefix("www.").replace(".", "-")) or "site")
    _apply(site, by, settings)
    site.save()
    audit.record(team, by, "site.created", f"site {site.slug}", base_url=url)
    return site


@transaction.atomic
def update_site(*, site: Site, by: User, **settings: Any) -> Site:
    _require(by, site.team, EDITORS, "change a site")
    if "base_url" in settings:
        site.base_url = normal_url(settings.pop("base_url"))
    _apply(site, by, settings)
    site.save()
    audit.record(site.team, by, "site.changed", f"site {site.slug}", changed=sorted(settings))
    return site


@transaction.atomic
@transaction.atomic
def open_at_terminal(*, site: Site, by: User, entries: list[str]) -> Site:
    """Let runs on this site reach private addresses, as said by whoever has the machine: for commands only."""
    _require(by, site.team, EDITORS, "change a site")
    new = _checked("private_hosts", entries)
    private_hosts.refuse_metadata(new)
    site.private_hosts = list(dict.fromkeys([*site.private_hosts, *new]))
    site.save(update_fields=["private_hosts"])
    audit.record(site.team, by, "site.private_opened", f"site {site.slug}", entries=new, via="terminal")
    return site


def request_map(
    *, site: Site, by: User, max_pages: int = 10, max_depth: int = 2, method: str = Method.RULES, start_url: str = ""
) -> Mapping:
    """A row and its job, given to a worker on commit. One mapping of a site at a time."""
    _require(by, site.team, RUNNERS, "map a site")
    if Mapping.objects.filter(site=site, job__status__in=ACTIVE).exists():
        raise WrongState(f"{site.name} is being mapped already.")
    if method not in Method.values:
        raise BadInput({"method": f"There is no method {method!r}."})
    job = dispatch.open_job(
        team=site.team,
        by=by,
        kind=JobKind.MAP,
        title=f"Map {site.name}",
        deadline_s=configuration.MAPPING_DEADLINE_S,
    )
    return Mapping.objects.create(
        job=job,
        site=site,
        method=method,
        start_url=normal_url(urljoin(site.base_url, start_url.strip())),
        max_pages=_between(max_pages, 1, MAX_PAGES, "max_pages"),
        max_depth=_between(max_depth, 0, MAX_DEPTH, "max_depth"),
    )


def policy_of(site: Site) -> tuple[list[str], list[str]]:
    """(hosts, private "host:port" entries) that a run on this site may reach, beside the site's own host."""
    private = [*configuration.ALLOWED_PRIVATE_HOSTS, *site.private_hosts]
    hosts = list(site.allowed_hosts)
    if site.is_demo:
        private += [f"{name}:{configuration.PRACTICE_PORT}" for name in ("127.0.0.1", "localhost")]
    return hosts, private


def normal_url(text: str) -> str:
    """An absolute http(s) URL with a path, no user, no fragment; `example.org` becomes `https://example.org/`."""
    text = text.strip()
    if "://" not in text and not text.startswith("/"):
        text = f"{'http' if _looks_local(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise BadInput({"base_url": f"This is not an address of a website: {error}."}) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", text):
        raise BadInput({"base_url": "Give the address of a website, such as https://www.example.org/."})
    if parts.username or parts.password:
        raise BadInput({"base_url": "Leave the user name and password out of the address."})
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = host if port in (None, {"http": 80, "https": 443}[parts.scheme]) else f"{host}:{port}"
    return parts._replace(netloc=netloc, path=parts.path or "/", fragment="").geturl()


def _apply(site: Site, by: User, settings: dict[str, Any]) -> None:
    if unknown := sorted(set(settings) - SETTABLE):
        raise BadInput([f"A site has no setting {', '.join(unknown)}."])
    checked = {name: _checked(name, value) for name, value in settings.items()}
    if "private_hosts" in checked:
        private_hosts.check_change(by, site.team, before=site.private_hosts, after=checked["private_hosts"])
    for name, value in checked.items():
        setattr(site, name, value)


def _checked(name: str, value: Any) -> Any:
    match name:
        case "allowed_hosts":
            return _entries(value, HOST, name, "a host such as cdn.example.org or *.example.org")
        case "private_hosts":
            return _entries(value, PRIVATE, name, "a host and port such as 10.0.0.5:8080")
        case "time_zone":
            return _time_zone(value)
        case "viewport_width" | "viewport_height":
            return _between(value, *VIEWPORT_LIMITS, name)
        case _:
            return value


def _entries(value: list[str], shape: re.Pattern[str], name: str, wanted: str) -> list[str]:
    entries = [entry.strip().lower() for entry in value if entry.strip()]
    for entry in entries:
        if not shape.match(entry):
            raise BadInput({name: f"{entry} is not {wanted}."})
    return entries


def _time_zone(value: str) -> str:
    if value not in available_timezones():
        raise BadInput({"time_zone": f"There is no time zone {value}; try one like Europe/Berlin."})
    return ZoneInfo(value).key


def _between(value: int, least: int, most: int, name: str) -> int:
    if not least <= value <= most:
        raise BadInput({name: f"Must be from {least} to {most}."})
    return value


def _looks_local(text: str) -> bool:
    host = text.split("/", 1)[0].rsplit(":", 1)[0]
    if host == "localhost":
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def _free_slug(team: Team, stem: str) -> str:
    stem = stem[:50]
    taken = set(Site.objects.of(team).filter(slug__startswith=stem).values_list("slug", flat=True))
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return stem if stem not in taken else next(slug for slug in numbered if slug not in taken)


def _require(by: User, team: Team, need: frozenset[Any], what: str) -> None:
    if not access.can(by, team, need):
        raise NotAllowed(f"Your role in {team} does not let you {what}.")
