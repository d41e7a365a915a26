"""A model's review of the rules' drafts, written shortly."""

from typing import Any


def said(draft: str, **more: Any) -> dict[str, Any]:
    nothing = {"verdict": "keep", "into": None, "name": None, "description": None, "side_effect": None, "why": None}
    return {"draft": draft, "parameters": [], **nothing, **more}


def added(name: str, **more: Any) -> dict[str, Any]:
    usual = {"kind": "list", "side_effect": "read", "page": 1, "part": "page", "parameters": [], "why": "it is missing"}
    return {"name": name, "description": f"It does {name}.", **usual, **more, "added": True}


def review(*parts: dict[str, Any]) -> dict[str, Any]:
    """Of `said` and `added` in any order."""
    plain = [{key: value for key, value in part.items() if key != "added"} for part in parts if "added" in part]
    return {"drafts": [part for part in parts if "added" not in part], "add": plain}
