"""What the server needs of the house it opens: blocking functions, called on threads of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from recipes_app.formats.published import PublishedTool


class Refused(Exception):
    """What was asked cannot be tried; one line for whoever asked."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A call as it stands now. `failure` is its error: {"error", "kind", "failed_step", "op", "url", "partial", …}."""

    ended: bool
    note: str = ""
    done: int = 0
    total: int = 0
    data: dict[str, Any] = field(default_factory=dict)
    failure: dict[str, Any] | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    uri: str
    name: str
    description: str
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Content:
    """Text where the media type says JSON or text, else bytes."""

    media_type: str
    data: bytes


class House(Protocol):
    """`who` is the token a request came with, or nothing where whoever started the server asks."""

    name: str
    about: str

    def allows(self, who: str) -> list[str]:
        """The scopes of this token here; none where it is not valid."""

    def state(self) -> str:
        """Another text as soon as other tools, or other versions of them, are published."""

    def tools(self, who: str) -> tuple[PublishedTool, ...]: ...

    def begin(self, who: str, tool: str, arguments: dict[str, Any]) -> str:
        """The id of the call; Refused says what is wrong with it."""

    def look(self, call: str) -> Standing: ...

    def cancel(self, who: str, call: str) -> None: ...

    def resources(self, who: str) -> list[Shown]: ...

    def read(self, who: str, uri: str) -> Content:
        """Refused where there is no such thing for whoever asks."""
