"""What can go wrong while a tool is recorded.

MappingError
└── RecordingFailed   the site or the plan is at fault; `outcome` is the failed step's, where one failed
    ├── NothingFound    a search that found nothing, or too little
    ├── TooFast         the site took the sender for a robot because of its haste
    └── Unreadable      something came back, but nothing that the rules can read
"""

from __future__ import annotations

from recipes_app.engine.runner import Outcome


class MappingError(Exception):
    """Base of everything this package raises on purpose."""


class RecordingFailed(MappingError):
    """The tool could not be recorded; the message is one line for a person. `submitted`: how often it was sent."""

    def __init__(self, message: str, outcome: Outcome | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.outcome = outcome
        self.submitted = 0


class NothingFound(RecordingFailed):
    """Other values may find something."""


class TooFast(RecordingFailed):
    """It may be accepted after a pause."""


class Unreadable(RecordingFailed):
    """What came back is no list, no table and no page about one thing: a script may read it."""
