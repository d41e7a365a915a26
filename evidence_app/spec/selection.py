"""Some of a population, chosen by a seed: whoever has the population and the seed chooses the same again, by hand."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

from evidence_app.spec.samples import SampleInput

METHOD = "Those whose SHA-256 of seed, line feed and sample_id is the lowest, in the order of the population."


def new_seed() -> str:
    return secrets.token_hex(8)


def selected(samples: Sequence[SampleInput], count: int, seed: str) -> tuple[SampleInput, ...]:
    """`count` of them, in their own order. ValueError where there are fewer."""
    if not 0 < count <= len(samples):
        raise ValueError(f"{count} of {len(samples)} cannot be chosen")
    chosen = sorted(range(len(samples)), key=lambda at: rank(seed, samples[at].sample_id))[:count]
    return tuple(samples[at] for at in sorted(chosen))


def rank(seed: str, sample_id: str) -> str:
    return hashlib.sha256(f"{seed}\n{sample_id}".encode()).hexdigest()


def said(count: int, of: int, seed: str) -> dict[str, Any]:
    """As it stands with the run's population."""
    return {"count": count, "of": of, "seed": seed, "method": METHOD}
