"""The quality checks of a capture, each as a line with what is expected of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    found: str
    ok: bool


def checks_of(statement: Mapping[str, Any]) -> list[Check]:
    quality = statement.get("quality") or {}
    flaws = [str(flaw) for flaw in (statement.get("flaws") or quality.get("flaws") or ())]
    remarks = [Check("To know", str(remark), ok=True) for remark in quality.get("remarks") or ()]
    return [*_measured(quality), *(Check("Flaw", flaw, ok=False) for flaw in flaws), *remarks]


def _measured(quality: Mapping[str, Any]) -> Iterator[Check]:
    if covered := quality.get("height_covered"):
        height = quality.get("dom_height") or covered
        yield Check("Height", f"{covered} of {height} px", ok=covered >= height)
    if tiles := quality.get("tiles"):
        yield Check("Tiles", f"made one picture of {tiles}", ok=True)
    if isinstance(images := quality.get("images"), Mapping):
        loaded, total, broken = (images.get(name, 0) for name in ("loaded", "total", "broken"))
        lacking = f", {broken} of them the site does not have" if broken else ""
        yield Check("Images", f"{loaded} of {total} loaded{lacking}", ok=loaded + broken == total)
    if "fonts_ready" in quality:
        yield Check("Fonts", "ready" if quality["fonts_ready"] else "not ready", ok=bool(quality["fonts_ready"]))
    if overlays := [each for each in quality.get("overlays") or () if "dismissed" not in each]:
        yield Check("Overlays", f"{len(overlays)} lay over the page", ok=False)
    if note := quality.get("note"):
        yield Check("Note", str(note), ok=False)
