"""Sites, what a run on them may reach, and the request to map one."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
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
from recipes_app.services import access, audit, dispatch, private_hosts, taken
from recipes_app.services.errors import BadInput, NotAllowed, WrongState

SETTABLE = frozenset(
    {
        "name",
        "time_zone",
        "locale",
        "viewport_width",
        "viewport_height",
        "allowed_hosts",
        "private_hosts",
        "is_demo",
        "canary_hours",
    }
)
VIEWPORT_LIMITS = (320, 4000)
BUDGET_LIMITS = (1000, 10_000_000)
MAX_PAGES, MAX_DEPTH, MAX_URL, MAX_CANARY_HOURS = 100, 6, 490, 24 * 30
HOST = re.compile(r"^(\*\.)?[^\s/:*]+(:\d+)?$|^\*$")
PRIVATE = re.compile(r"^(\[[0-9a-fA-F:]+\]|[^\s/:*]+):\d+$")


@dataclass(frozen=True, slots=True)
class Asking:
    """Who proposes tools. `model` empty and `budget_tokens` None: as the installation has it."""

    method: str = Method.RULES
    model: str = ""
    budget_tokens: int | None = None


BY_RULES = Asking()


@transaction.atomic
def create_site(*, team: Team, by: User, base_url: str, name: str = "", slug: str = "", **settings: Any) -> Site:
    """`settings` are columns of Site, see SETTABLE. The slug is taken from the host and made free."""
    _require(by, team, RUNNERS, "add a site")
    url = normal_url(base_url)
    host = urlsplit(url).hostname or ""
    settings.setdefault("is_demo", is_practice(url))
    site = Site(team=team, base_url=url, created_by=by, name=(name.strip() or urlsplit(url).netloc)[:120])
    site.slug = _free_slug(team, slugify(slug) or slugify(host.removeprefix("www.").replace(".", "-")) or "site")
    _apply(site, by, settings)
    with taken.or_say("Somebody has just added a site of that name; try once more."):
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
def open_at_terminal(*, site: Site, by: User, entries: list[str]) -> Site:
    """Let runs on this site reach private addresses, as said by whoever has the machine: for commands only."""
    _require(by, site.team, EDITORS, "change a site")
    new = _checked("private_hosts", entries)
    private_hosts.refuse_metadata(new)
    site.private_hosts = list(dict.fromkeys([*site.private_hosts, *new]))
    site.save(update_fields=["private_hosts"])
    audit.record(site.team, by, "site.private_opened", f"site {site.slug}", entries=new, via="terminal")
    return site


@transaction.atomic
def request_map(
    *,
    site: Site,
    by: User,
    max_pages: int = 10,
    max_depth: int = 2,
    start_url: str = "",
    asking: Asking = BY_RULES,
) -> Mapping:
    """A row and its job, given to a worker on commit. One mapping of a site at a time."""
    _require(by, site.team, RUNNERS, "map a site")
    if Mapping.objects.filter(site=site, job__status__in=ACTIVE).exists():
        raise WrongState(f"{site.name} is being mapped already.")
    if asking.method not in Method.values:
        raise BadInput({"method": f"There is no method {asking.method!r}."})
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
        method=asking.method,
        model="" if asking.method == Method.RULES else asking.model,
        budget_tokens=_budget(asking.budget_tokens),
        start_url=start_of(site, start_url),
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


def practice_url() -> str:
    """The first page of the practice shop, if it runs on this machine; else nothing."""
    return f"http://127.0.0.1:{configuration.PRACTICE_PORT}/" if configuration.PRACTICE_RUNS else ""


def is_practice(url: str) -> bool:
    parts = urlsplit(url)
    local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost")
    return configuration.PRACTICE_RUNS and local and parts.port == configuration.PRACTICE_PORT


def practice_site(team: Team) -> Site | None:
    """The team's site for the practice shop that runs now."""
    return next((site for site in Site.objects.of(team).filter(is_demo=True) if is_practice(site.base_url)), None)


@transaction.atomic
def map_practice(*, team: Team, by: User, asking: Asking = BY_RULES) -> Mapping:
    """Start mapping the practice shop; its site is made for the team where it has none."""
    _require(by, team, RUNNERS, "map a site")
    if not (url := practice_url()):
        raise WrongState("The practice shop does not run here. ./agentify up starts it.")
    named = {"name": "Practice shop", "slug": "practice"}
    site = practice_site(team) or create_site(team=team, by=by, base_url=url, **named)
    return site.mappings.filter(job__status__in=ACTIVE).first() or request_map(site=site, by=by, asking=asking)


def normal_url(text: str) -> str:
    """An absolute http(s) URL with a path, no user, no fragment; `example.org` becomes `https://example.org/`."""
    text = text.strip()
    if "://" not in text and not text.startswith("/"):
        _require_full(text)
        text = f"{'http' if _looks_local(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise BadInput({"base_url": f"This is not an address of a website: {error}."}) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"[\s\x00-\x20\ud800-\udfff]", text):
        raise BadInput({"base_url": "Give the address of a website, such as https://www.example.org/."})
    if parts.username or parts.password:
        raise BadInput({"base_url": "Leave the user name and password out of the address."})
    if len(text) > MAX_URL or not _is_host(parts.hostname):
        raise BadInput({"base_url": "This is not an address of a website."})
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = host if port in (None, {"http": 80, "https": 443}[parts.scheme]) else f"{host}:{port}"
    return parts._replace(netloc=netloc, path=parts.path or "/", fragment="").geturl()


def _require_full(text: str) -> None:
    """`foo` alone may be a slip as well as a machine's name; `http://foo/` and `foo:8080` are said on purpose."""
    host = text.split("/", 1)[0]
    if host and not ({".", ":"} & set(host) or host.lower() == "localhost"):
        raise BadInput({"base_url": f"Give the full address, such as https://{host}.example.org/ or http://{host}/."})


def _is_host(host: str) -> bool:
    """Names as browsers take them: labels of letters, digits, hyphens and underscores; or an IPv6 address."""
    labels = host.removesuffix(".").split(".")
    return ":" in host or all(label and label.replace("-", "").replace("_", "").isalnum() for label in labels)


def start_of(site: Site, text: str) -> str:
    """A page of the site: on its own host, or one its runs may reach."""
    try:
        url = normal_url(urljoin(site.base_url, text.strip()))
    except BadInput as error:
        raise BadInput({"start_url": error.by_path.get("base_url", str(error))}) from error
    except ValueError as error:
        raise BadInput({"start_url": f"This is not an address of a website: {error}."}) from error
    host = _bare_host(url)
    if host != _bare_host(site.base_url) and not any(_fits(entry, host, url) for entry in site.allowed_hosts):
        raise BadInput({"start_url": f"{host} is another site. Start at a page of {site.host}, or add a site for it."})
    return url


def _bare_host(url: str) -> str:
    """Host and port, where www. makes no difference."""
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _fits(entry: str, host: str, url: str) -> bool:
    if entry == "*":
        return True
    wanted = {host, urlsplit(url).netloc.lower(), urlsplit(url).hostname or ""}
    return entry in wanted or (entry.startswith("*.") and any(each.endswith(entry[1:]) for each in wanted))


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
        case "canary_hours":
            return _between(value, 0, MAX_CANARY_HOURS, name)
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


def _budget(tokens: int | None) -> int | None:
    return None if tokens is None else _between(tokens, *BUDGET_LIMITS, "budget_tokens")


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
