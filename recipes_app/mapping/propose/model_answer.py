"""What a model answers about the drafts: the schema it is asked for, and the answer read into plain values.

The schema holds for services that take strict ones only: every member is required, and null where nothing is said.
There is no place in it for a step, a selector or an address.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from recipes_app.engine.naming import normalise
from recipes_app.mapping.propose.draft import KINDS

EFFECTS = ("read", "write", "destructive")
VERDICTS = ("keep", "merge", "drop")
TYPES = ("string", "integer", "number", "boolean")
MAX_TEXT = 400
MAX_CHANGES = 200
MAX_ADDED = 12


def _object(members: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(members), "required": list(members), "additionalProperties": False}


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string"}
MAYBE = {"type": ["string", "null"]}
SCHEMA: dict[str, Any] = _object(
    {
        "drafts": _array(
            _object(
                {
                    "draft": TEXT,
                    "verdict": {"type": "string", "enum": list(VERDICTS)},
                    "into": MAYBE,
                    "name": MAYBE,
                    "description": MAYBE,
                    "side_effect": {"type": ["string", "null"], "enum": [*EFFECTS, None]},
                    "parameters": _array(
                        _object({"name": TEXT, "description": MAYBE, "example": MAYBE, "other": MAYBE})
                    ),
                    "why": MAYBE,
                }
            )
        ),
        "add": _array(
            _object(
                {
                    "name": TEXT,
                    "description": TEXT,
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "side_effect": {"type": "string", "enum": list(EFFECTS)},
                    "page": {"type": "integer"},
                    "part": TEXT,
                    "parameters": _array(
                        _object(
                            {
                                "name": TEXT,
                                "type": {"type": "string", "enum": list(TYPES)},
                                "description": TEXT,
                                "required": {"type": "boolean"},
                                "example": TEXT,
                                "other": TEXT,
                            }
                        )
                    ),
                    "why": TEXT,
                }
            )
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Hint:
    """About one parameter of a draft. None where nothing better was said."""

    name: str
    description: str | None
    example: str | None
    other: str | None


@dataclass(frozen=True, slots=True)
class Change:
    draft: str
    verdict: str
    into: str | None
    name: str | None
    description: str | None
    side_effect: str | None
    hints: tuple[Hint, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: str
    description: str
    required: bool
    example: str
    other: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool that the rules did not draft."""

    name: str
    description: str
    kind: str
    side_effect: str
    page: int
    part: str
    fields: tuple[Field, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Review:
    changes: tuple[Change, ...]
    wanted: tuple[Wanted, ...]


def review_from(data: Mapping[str, Any]) -> Review:
    """`data` fits SCHEMA. Of two answers about one draft the first counts."""
    changes: dict[str, Change] = {}
    for entry in data["drafts"][:MAX_CHANGES]:
        changes.setdefault(entry["draft"].strip(), _change(entry))
    return Review(tuple(changes.values()), tuple(map(_wanted, data["add"][:MAX_ADDED])))


def _change(entry: Mapping[str, Any]) -> Change:
    return Change(
        draft=entry["draft"].strip(),
        verdict=entry["verdict"],
        into=_plain(entry["into"]),
        name=_plain(entry["name"]),
        description=_plain(entry["description"]),
        side_effect=entry["side_effect"],
        hints=tuple(
            Hint(h["name"], *(_plain(h[key]) for key in ("description", "example", "other")))
            for h in entry["parameters"]
        ),
        why=_plain(entry["why"]) or "",
    )


def _wanted(entry: Mapping[str, Any]) -> Wanted:
    return Wanted(
        name=_plain(entry["name"]) or "",
        description=_plain(entry["description"]) or "",
        kind=entry["kind"],
        side_effect=entry["side_effect"],
        page=entry["page"],
        part=normalise(entry["part"]).lower(),
        fields=tuple(_fields(entry["parameters"])),
        why=_plain(entry["why"]) or "",
    )


def _fields(entries: Iterable[Mapping[str, Any]]) -> Iterable[Field]:
    for entry in entries:
        yield Field(
            name=entry["name"],
            type=entry["type"],
            description=_plain(entry["description"]) or "",
            required=entry["required"],
            example=_plain(entry["example"]) or "",
            other=_plain(entry["other"]) or "",
        )


def _plain(text: str | None) -> str | None:
    """One line without control or invisible characters; None for nothing."""
    if text is None:
        return None
    shown = "".join(letter for letter in normalise(text) if letter.isprintable())
    return shown[:MAX_TEXT].strip() or None
