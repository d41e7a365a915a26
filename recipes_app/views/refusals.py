"""What the last mapping of a site was not allowed to reach, for people who may allow it."""

from urllib.parse import urlsplit

from recipes_app.models import Mapping, Site
from recipes_app.models.job import JobStatus

DEFAULT_PORTS = {"http": 80, "https": 443}


def refused_hosts(site: Site) -> list[str]:
    """Hosts its pages asked for in vain, less those allowed since."""
    latest = site.mappings.first()
    known = {*site.allowed_hosts, *site.private_hosts}
    return [host for host in (latest.refused_hosts if latest else []) if host not in known]


def own_address(site: Site) -> str:
    """`host:port` of a start page that was refused for being a private address; empty if none was, or it is allowed."""
    latest = site.mappings.select_related("job").first()
    if latest is None or not was_refused(latest):
        return ""
    parts = urlsplit(latest.start_url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    address = f"{host}:{parts.port or DEFAULT_PORTS.get(parts.scheme, 80)}"
    return "" if address in site.private_hosts else address


def was_refused(mapping: Mapping) -> bool:
    return mapping.job.status == JobStatus.FAILED and (mapping.job.error or {}).get("kind") == "blocked_by_policy"
