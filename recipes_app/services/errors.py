"""What a service refuses, in words for a person; and what stops a worker that has lost its job.

ServiceError
├── NotAllowed     the person may not do this
├── WrongState     the row is not (or no longer) in a state that allows it
└── BadInput       something given is wrong: `problems`, one line each
LostLease          this worker no longer holds the job: it must stop and write nothing more
"""

from collections.abc import Iterable, Mapping


class ServiceError(Exception):
    """`str(error)` is one line for a person."""


class NotAllowed(ServiceError):
    pass


class WrongState(ServiceError):
    pass


class BadInput(ServiceError):
    """`problems` are lines for a person; `by_path` keeps the place of each where it is known."""

    def __init__(self, problems: Iterable[str] | Mapping[str, str]) -> None:
        self.by_path: dict[str, str] = dict(problems) if isinstance(problems, Mapping) else {}
        lines = [f"{path}: {text}" if path else text for path, text in self.by_path.items()]
        self.problems: list[str] = lines or [str(problem) for problem in problems]
        super().__init__("; ".join(self.problems))


class LostLease(Exception):
    """Another claim, the sweeper or a person has moved the job's row on."""
