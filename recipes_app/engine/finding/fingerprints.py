"""Whether a node still looks like the one that was recorded."""

from __future__ import annotations

from typing import Any

from recipes_app.engine.naming import normalise
from recipes_app.engine.shapes import Fingerprint


def resembles(features: dict[str, Any] | None, fingerprint: Fingerprint) -> bool:
    """Role, landmark and neighbourhood must be as recorded; of name and attributes at least half.

    None: the node could not be read; the next look decides.
    """
    return features is not None and (
        same_kind(features, fingerprint)
        and same_surroundings(features, fingerprint)
        and same_marks(features, fingerprint)
    )


def same_kind(features: dict[str, Any], fingerprint: Fingerprint) -> bool:
    if fingerprint.role is not None:
        return bool(features["role"] == fingerprint.role)
    return fingerprint.tag is None or bool(features["tag"] == fingerprint.tag.lower())


def same_surroundings(features: dict[str, Any], fingerprint: Fingerprint) -> bool:
    if fingerprint.landmark and not set(features["landmarks"]) & set(fingerprint.landmark.split()):
        return False
    return not fingerprint.near or normalise(fingerprint.near) in normalise(features["near"])


def same_marks(features: dict[str, Any], fingerprint: Fingerprint) -> bool:
    marks = [features["attributes"].get(name) == value for name, value in fingerprint.attributes.items()]
    if fingerprint.name is not None:
        marks += [normalise(features["name"]) == normalise(fingerprint.name)] * max(1, len(marks))
    return not marks or sum(marks) * 2 >= len(marks)
