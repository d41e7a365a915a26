"""From what a discovery collected to samples: as many out as in, each with an id and a whole address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from evidence_app.spec.samples import SampleInput, SamplesRefused, from_items

LISTS = ("items", "members", "samples", "urls", "results")
IDS = ("sample_id", "id", "username", "name", "title")
ADDRESSES = ("url", "href", "link")


def samples_from(extracted: Mapping[str, Any], base_url: str) -> tuple[SampleInput, ...]:
    """SamplesRefused names the items that are alike, blank, or no address; nothing is dropped or renamed silently."""
    items = _list_of(extracted)
    return from_items([_row(item, base_url) for item in items])


def _list_of(extracted: Mapping[str, Any]) -> list[Any]:
    for name in LISTS:
        if isinstance(extracted.get(name), list) and extracted[name]:
            return list(extracted[name])
    others = [value for value in extracted.values() if isinstance(value, list) and value]
    if len(others) == 1:
        return list(others[0])
    raise SamplesRefused(["the discovery brought no list of items"])


def _row(item: Any, base_url: str) -> dict[str, Any]:
    if not isinstance(item, Mapping):
        text = str(item).strip()
        url = urljoin(base_url, text) if "/" in text else ""
        return {"sample_id": _from_address(url) if url else text, "url": url}
    address = next((str(item[name]).strip() for name in ADDRESSES if item.get(name)), "")
    url = urljoin(base_url, address) if address else ""
    given = next((str(item[name]).strip() for name in IDS if item.get(name) not in (None, "")), "")
    extra = {name: value for name, value in item.items() if name not in (*ADDRESSES, "sample_id", "id")}
    return {"sample_id": given or _from_address(url), "url": url, **extra}


def _from_address(url: str) -> str:
    """The last part of the path, with the question where the page is one of many by it."""
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rpartition("/")[2]
    return re.sub(r"\s+", " ", f"{last}?{parts.query}" if parts.query else last).strip()
