"""URLs of a crawl: which page a link means, whether it is the same site, what shape it has."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from recipes_app.mapping.vocabulary import words

_NUMBER = re.compile(r"\d")
_HEX = re.compile(r"^[0-9a-f]{8,}$|^[0-9a-f]{8}-[0-9a-f-]{20,}$", re.IGNORECASE)
_LONG_SLUG_WORDS = 4
_LONG_WORD = 24
# Keys that choose how much of a list is shown and in which order: the page stays the same page.
VIEW_KEYS = words("links", "view_keys")


def page_url(href: str) -> str | None:
    """The page a resolved link means: http(s) only, without its fragment; None for anything else."""
    try:
        parts = urlsplit(href)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if port and port != {"http": 80, "https": 443}[parts.scheme]:
        host = f"{host}:{port}"
    return urlunsplit((parts.scheme, host, parts.path or "/", parts.query, ""))


def same_site(url: str, start_url: str, allowed_hosts: frozenset[str] = frozenset()) -> bool:
    """The start's own host (with or without www.), or one that an editor allowed ("*.host" covers its children)."""
    there, here = urlsplit(url), urlsplit(start_url)
    host, home = there.hostname or "", here.hostname or ""
    if _bare(host) == _bare(home):
        return there.port == here.port or {there.port, here.port} <= {None, 80, 443}
    return any(
        host == allowed or (allowed.startswith("*.") and host.endswith(allowed[1:])) for allowed in allowed_hosts
    )


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def parent_path(url: str) -> str:
    return urlsplit(url).path.rstrip("/").rpartition("/")[0] + "/"


def shape_of(url: str) -> str:
    """The URL with what varies left out, so that all pages of one kind have one shape: /item/{}/edit?page="""
    parts = urlsplit(url)
    segments = [_general(unquote(segment)) for segment in parts.path.split("/") if segment]
    pairs = [
        pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0].lower().strip("@_:") not in VIEW_KEYS
    ]
    query = sorted({f"{key}={_general(value)}" for key, value in pairs})
    path = "/" + "/".join(segments)
    return f"{path}?{'&'.join(query)}" if query else path


def _general(segment: str) -> str:
    stem = segment.rsplit(".", 1)[0]
    varies = (
        _NUMBER.search(stem)
        or _HEX.match(stem)
        or len(re.split(r"[-_ +]", stem)) > _LONG_SLUG_WORDS
        or len(stem) > _LONG_WORD
    )
    return "{}" if varies else segment.lower()


def path_words(url: str) -> list[str]:
    """The words of the path and of the query's keys, never of the host."""
    parts = urlsplit(url)
    keys = " ".join(key for key, _ in parse_qsl(parts.query, keep_blank_values=True))
    return [word for word in re.split(r"[^\w]+|_", unquote(parts.path + " " + keys).lower()) if word]


def depth_of(url: str) -> int:
    return len([segment for segment in urlsplit(url).path.split("/") if segment])
