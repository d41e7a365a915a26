"""How a capture came, in words, from its statement: what the site answered, over which line, from where, and when."""

from __future__ import annotations

import json
from typing import Any

from evidence_app.bundle.content import Files, one_line
from evidence_app.bundle.story import Story
from evidence_app.store.blobs import StoreError

MAX_STATEMENT = 4_000_000
UNKNOWN = "unknown"


def came(story: Story, files: Files) -> dict[str, str]:
    """By the SHA-256 of the statement, of each picture that has one."""
    wanted = {each.statement for sample in story.samples for each in sample.pictures if each.statement}
    return {sha256: in_words(_read(files, sha256)) for sha256 in sorted(wanted)}


def in_words(statement: dict[str, Any]) -> str:
    """Blank where nothing of it is known."""
    parts = [_answer(statement), _line(statement), _peer(statement), _when(statement)]
    return "; ".join(one_line(part) for part in parts if part)


def _read(files: Files, sha256: str) -> dict[str, Any]:
    """Empty for what is no statement; a file that is missing is said where the pack is written."""
    try:
        with files.open(sha256) as file:
            read = json.loads(file.read(MAX_STATEMENT))
    except (StoreError, ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _answer(statement: dict[str, Any]) -> str:
    status = statement.get("http_status", UNKNOWN)
    return f"HTTP {status}" if status != UNKNOWN else ""


def _line(statement: dict[str, Any]) -> str:
    tls = statement.get("tls", UNKNOWN)
    if tls is None:
        return "not encrypted"
    if not isinstance(tls, dict):
        return ""
    valid = f", valid to {tls['valid_to']}" if tls.get("valid_to") not in (None, UNKNOWN) else ""
    return f"{tls.get('protocol', 'TLS')}, certificate for {tls.get('subject')} by {tls.get('issuer')}{valid}"


def _peer(statement: dict[str, Any]) -> str:
    peer = statement.get("peer_address", UNKNOWN)
    return f"answered by {peer}" if peer != UNKNOWN else ""


def _when(statement: dict[str, Any]) -> str:
    taken, clock = str(statement.get("taken_at", "")), statement.get("clock")
    if not taken:
        return ""
    ahead = clock.get("offset_s", UNKNOWN) if isinstance(clock, dict) else UNKNOWN
    against = f", clock {ahead:+} s against the site's" if isinstance(ahead, int | float) else ""
    return f"taken {taken.replace('T', ' ').replace('Z', ' UTC')}{against}"
