"""What settings about evidence must not say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks

from evidence_app.ledger.stamps import read_roots
from evidence_app.store.outside import check_place
from evidence_app.store.s3 import read_address

EVIDENCE = "evidence"
LEAST_BETWEEN_S = 60


@checks.register(EVIDENCE)
def places_make_sense(**_options: Any) -> list[checks.CheckMessage]:
    said = [
        *_wrong("EVIDENCE_STORE", [settings.EVIDENCE_STORE] if settings.EVIDENCE_STORE else [], read_address),
        *_wrong("LEDGER_COPIES", settings.LEDGER_COPIES, check_place),
        *_wrong("TIMESTAMP_AUTHORITIES", settings.TIMESTAMP_AUTHORITIES, _check_authority),
        *_wrong("TIMESTAMP_ROOTS", [settings.TIMESTAMP_ROOTS] if settings.TIMESTAMP_ROOTS else [], _check_roots),
    ]
    if settings.TIMESTAMP_EVERY_S < LEAST_BETWEEN_S:
        said.append(f"The setting TIMESTAMP_EVERY_S makes no sense: {LEAST_BETWEEN_S} is the least.")
    return [checks.Error(line, id="agentify.E020") for line in said]


def _wrong(name: str, values: list[str], check: Callable[[str], object]) -> Iterator[str]:
    for value in values:
        try:
            check(value)
        except (ValueError, OSError) as error:
            yield f"The setting {name} makes no sense: {value}: {error}."


def _check_authority(url: str) -> None:
    if not url.startswith(("http://", "https://")):
        raise ValueError("an authority is asked over http or https")
    check_place(url)


def _check_roots(path: str) -> None:
    read_roots(Path(path).read_bytes())
