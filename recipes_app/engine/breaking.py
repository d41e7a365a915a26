"""What ends a run before its last step."""

from __future__ import annotations

from recipes_app.engine.errors import StepFailure
from recipes_app.engine.shapes import Step


class Stopped(Exception):
    """A dry run came to the step it must not do."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)


class Broken(Exception):
    """A step that was not optional failed."""

    def __init__(self, path: str, step: Step, failure: StepFailure) -> None:
        self.path, self.step, self.failure = path, step, failure
        super().__init__(failure.message)
