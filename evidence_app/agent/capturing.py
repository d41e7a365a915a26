"""What one capture brings, and the seam by which the agent takes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from evidence_app.agent.layout import Layout
from evidence_app.spec.shapes import CaptureSpec

if TYPE_CHECKING:
    from recipes_app.browser.session import BrowserSession


@dataclass(frozen=True, slots=True)
class CapturedFile:
    """Its bytes are in `data`, or in the file at `path` until the listener is done. Sizes of pictures in pixels."""

    kind: str  # of evidence_app.models.evidence.ArtifactKind
    media_type: str
    data: bytes = b""
    path: str = ""
    name: str = ""  # of a download, as the site called it
    width: int = 0
    height: int = 0
    sha256: str = ""  # where it was hashed as it arrived
    transform: Mapping[str, Any] = field(default_factory=dict)  # of one that was made of others; of a tile, its place


@dataclass(frozen=True, slots=True)
class Capture:
    """`flaws` say what of the page is not in it, `remarks` what else is to be known; `quality` has every check,
    `statement` what is known of how it came."""

    label: str
    url: str
    files: tuple[CapturedFile, ...]
    layout: Layout | None = None
    quality: Mapping[str, Any] = field(default_factory=dict)
    statement: Mapping[str, Any] = field(default_factory=dict)
    flaws: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class Captures(Protocol):
    """Never raises for what a page does; BrowserLost and Aborted pass."""

    def __call__(self, session: BrowserSession, label: str, spec: CaptureSpec, /) -> Capture: ...


class Lays(Protocol):
    """The words of the page in use with their places, without a picture: cheap, taken when values are saved."""

    def __call__(self, session: BrowserSession, /) -> Layout: ...
