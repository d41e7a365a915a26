"""What the core tells the edge while it works. Every event is JSON-able by `as_dict()`."""

from __future__ import annotations

import base64
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `kind` is the class name in `as_dict()`."""

    @property
    def needs_ack(self) -> bool:
        return False

    def as_dict(self) -> dict[str, Any]:
        return {"kind": type(self).__name__, **{key: plain(value) for key, value in asdict(self).items()}}


def plain(value: Any) -> Any:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value


@dataclass(frozen=True, slots=True)
class About(Event):
    """A step is about to act. When it may write, the sender waits until this was committed."""

    path: str
    op: str
    sentence: str
    may_write: bool

    @property
    def needs_ack(self) -> bool:
        return self.may_write


@dataclass(frozen=True, slots=True)
class Did(Event):
    """A step ended well. `matched` says which locator found the element, `status` is done or skipped."""

    path: str
    op: str
    ms: int
    matched: str = ""
    status: str = "done"
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Warned(Event):
    path: str
    op: str
    message: str


@dataclass(frozen=True, slots=True)
class StepFailed(Event):
    path: str
    op: str
    kind: str
    message: str

    def as_dict(self) -> dict[str, Any]:
        # The event's own name would collide with the failure kind.
        return {
            "kind": "StepFailed",
            "path": self.path,
            "op": self.op,
            "failure": self.kind,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Picture(Event):
    label: str
    data: bytes
    media_type: str = "image/png"
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class Downloaded(Event):
    """A file that arrived. `path` is there to be read or copied until the listener is done with this event."""

    key: str
    name: str
    path: str
    size: int
    sha256: str
    media_type: str
    url: str

    @property
    def needs_ack(self) -> bool:
        return True

    def as_dict(self) -> dict[str, Any]:
        # Where it lies on this machine is nobody's business.
        return {key: value for key, value in Event.as_dict(self).items() if key != "path"}


@dataclass(frozen=True, slots=True)
class Sent(Event):
    """A request that could change the site has left a page, whatever the tool is said to do."""

    request: str


@dataclass(frozen=True, slots=True)
class Note(Event):
    message: str


@dataclass(frozen=True, slots=True)
class Progress(Event):
    """The one progress event of every long job."""

    phase: str
    done: int
    total: int | None = None
    note: str = ""
