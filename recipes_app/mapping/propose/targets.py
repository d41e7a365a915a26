"""From what the survey saw to the engine's targets: several ways to one element, for the recorder to choose from."""

from __future__ import annotations

from recipes_app.engine.document import Fingerprint, FrameRef, Locator, Target
from recipes_app.mapping.facts import ButtonFacts, FieldFacts, FrameFacts

POSITIONAL = ("nth-of-type", "nth-child")


def frame_refs(frames: tuple[FrameFacts, ...]) -> tuple[FrameRef, ...]:
    return tuple(FrameRef(name=f.name or None, title=f.title or None, src=f.src or None) for f in frames)


def field_target(field: FieldFacts, frames: tuple[FrameFacts, ...]) -> Target:
    wording = Locator("role", field.role, field.name) if field.role and field.name else None
    label = Locator("label", field.label) if field.label else None
    return _target((wording, None if wording else label), field, frames)


def button_target(button: ButtonFacts, frames: tuple[FrameFacts, ...]) -> Target:
    wording = Locator("role", button.role, button.name) if button.name else None
    return _target((wording,), button, frames)


def css_target(css: str, frames: tuple[FrameFacts, ...]) -> Target:
    return Target(css=css, frames=frame_refs(frames))


def _target(
    wording: tuple[Locator | None, ...], seen: FieldFacts | ButtonFacts, frames: tuple[FrameFacts, ...]
) -> Target:
    ways = (
        Locator("test_id", seen.test_id) if seen.test_id else None,
        Locator("css", seen.identity) if seen.identity else None,
        *wording,
        Locator("css", seen.place),
    )
    mark = Fingerprint(tag=seen.tag, role=seen.role or None, name=seen.name or None)
    return Target(locators=tuple(way for way in ways if way), frames=frame_refs(frames), fingerprint=mark)
