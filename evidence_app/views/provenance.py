"""Where a picture came from, in plain words for somebody who knows nothing of this application."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from evidence_app.models import Artifact
from evidence_app.services.places import Place

UNKNOWN = (None, "", "unknown")
CANNOT = (
    "What this cannot prove: that the website told the truth, and that nobody changed this installation's own database "
    "and files together."
)


@dataclass(frozen=True, slots=True)
class Account:
    """One capture in sentences; `flaws` are what of the page is not in it, `remarks` what else is to be known."""

    artifact: Artifact
    sentences: tuple[str, ...]
    flaws: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def account_of(row: Artifact) -> Account:
    """`row` is a statement."""
    said: Mapping[str, Any] = row.statement or {}
    quality = said.get("quality") or {}
    flaws, remarks = (tuple(map(str, quality.get(name) or ())) for name in ("flaws", "remarks"))
    return Account(row, tuple(each for each in _sentences(row, said) if each), flaws, remarks)


def with_place(account: Account, place: Place | None) -> Account:
    """Said before what cannot be proved."""
    *said, last = account.sentences
    return replace(account, sentences=(*said, place_said(place), last))


def place_said(place: Place | None) -> str:
    if place is None:
        return "The ledger has no entry of this capture."
    entry = f"It is entry {place.seq:,} of the ledger"
    if place.head is None:
        return f"{entry}, which waits to be signed."
    outside = [
        f"{count} {what}{'' if count == 1 else 's'} outside"
        for count, what in ((place.copies, "place"), (place.stamps, "time stamping service"))
        if count
    ]
    known = f"; heads over it are known to {' and '.join(outside)}" if outside else "; no head over it left this place"
    signed = f"that was signed on {place.head.at:%-d %b %Y %H:%M} UTC"
    return f"{entry}, under the head over {place.head.size:,} {signed}{known}."


def _sentences(row: Artifact, said: Mapping[str, Any]) -> Iterator[str]:
    taken = _moment(said.get("taken_at")) or f"{row.taken_at:%-d %b %Y %H:%M:%S} UTC"
    yield f"“{row.label}” was taken on {taken} from {said.get('final_url') or row.source_url}."
    yield _way(said)
    yield _answer(said)
    yield _connection(said)
    yield _clock(said.get("clock"))
    account = said.get("account")
    yield f"Signed in as {account}." if account else "Nobody was signed in by this application."
    made = " with ".join(str(said[name]) for name in ("application", "browser") if said.get(name) not in UNKNOWN)
    yield f"Taken by {made}." if made else ""
    yield f"It followed the task with the fingerprint {said['task_spec']}." if said.get("task_spec") else ""
    yield f"This statement names the SHA-256 of each file of the capture; its own begins with {row.sha256[:12]}."
    yield CANNOT


def _way(said: Mapping[str, Any]) -> str:
    asked, through = said.get("requested_url"), said.get("redirects") or []
    if asked in UNKNOWN or (asked == said.get("final_url") and not through):
        return ""
    passed = f" by way of {', '.join(str(each.get('url')) for each in through[1:])}" if len(through) > 1 else ""
    return f"It was asked for as {asked}; the site led on from there{passed}."


def _answer(said: Mapping[str, Any]) -> str:
    status, peer = said.get("http_status"), said.get("peer_address")
    parts = []
    if status not in UNKNOWN:
        parts.append(f"the site answered with HTTP status {status}")
    if peer not in UNKNOWN:
        parts.append(f"the answer came from {peer}")
    words = "; ".join(parts)
    return f"{words[0].upper()}{words[1:]}." if words else "Which computer answered is not known."


def _connection(said: Mapping[str, Any]) -> str:
    if "tls" not in said:
        return ""
    tls = said["tls"]
    if tls is None:
        return "The connection was not encrypted: anybody between could have changed the page."
    if not isinstance(tls, Mapping):
        return "Whose certificate the site showed is not known."
    return (
        f"The connection was encrypted ({tls.get('protocol')}); the certificate of {tls.get('subject')} was issued by "
        f"{tls.get('issuer')}, valid until {tls.get('valid_to')}."
    )


def _clock(clock: Any) -> str:
    if not isinstance(clock, Mapping) or clock.get("offset_s") in UNKNOWN:
        return "How this computer's clock stood to the site's is not known."
    offset = clock["offset_s"]
    if not isinstance(offset, int | float) or abs(offset) <= 1:
        return f"This computer's clock agreed with {clock.get('source')}."
    way = "ahead of" if offset > 0 else "behind"
    return f"This computer's clock was {abs(offset)} s {way} {clock.get('source')}."


def _moment(text: Any) -> str:
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return ""
    return f"{moment:%-d %b %Y %H:%M:%S} UTC"
