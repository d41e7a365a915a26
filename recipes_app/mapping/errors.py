"""What can go wrong while a tool is recorded.

MappingError
└── RecordingFailed   the site or the plan is at fault; `outcome` is the failed step's, where one failed
"""

from __future__ import annotations

from recipes_app.engine.runner import Outcome


class MappingError(Exception):
    """Base of everything this package raises on purpose."""


class RecordingFailed(MappingError):
    """The tool could not be recorded; the message is one line for a person."""

    def __init__(self, message: str, outcome: Outcome | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.outcome = outcome
