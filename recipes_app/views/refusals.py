"""What the last mapping of a site was not allowed to reach, for people who may allow it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from recipes_app.models import Mapping, Site
from recipes_app.models.job import JobStatus

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Refusal:
    """A start page that could not be opened: by its name, or (`private`) by the kind of its address."""

    host: str
    private: bool


def refused_hosts(site: Site) -> list[str]:
    """Hosts its pages asked for in vain, less those allowed since."""
    latest = site.mappings.first()
    known = {*site.allowed_hosts, *site.private_hosts}
    return [host for host in (latest.refused_hosts if latest else []) if host not in known]


def start_refusal(site: Site) -> Refusal | None:
    """Of the last mapping; none if it was not refused, or what was refused is allowed by now."""
    latest = site.mappings.select_related("job").first()
    if latest is None or not was_refused(latest):
        return None
    error = latest.job.error or {}
    if "address" in str(error.get("error", "")):  # "10.0.0.5 is a private or reserved address"
        address = address_of(latest.start_url)
        return None if address in site.private_hosts else Refusal(address, private=True)
    host = str(error.get("host") or urlsplit(latest.start_url).hostname or "")
    return Refusal(host, private=False) if host and host not in site.allowed_hosts else None


def address_of(url: str) -> str:
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{host}:{parts.port or DEFAULT_PORTS.get(parts.scheme, 80)}"


def offered_hosts(site: Site, *, private: bool) -> list[str]:
    """What may be allowed by one button."""
    refusal = start_refusal(site)
    own = [refusal.host] if refusal and refusal.private == private else []
    return [*refused_hosts(site), *own]


def was_refused(mapping: Mapping) -> bool:
    return mapping.job.status == JobStatus.FAILED and (mapping.job.error or {}).get("kind") == "blocked_by_policy"
