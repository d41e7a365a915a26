"""What can go wrong, branched by what the caller can do about it.

EngineError
├── DocumentError      the file is wrong: correct the field at `path`
├── ArgumentsError     the caller's arguments are wrong: `problems` lists every one
└── StepFailure        the page did not do what the recipe says: `kind` is one of ERROR_KINDS
"""

from __future__ import annotations

ERROR_KINDS: tuple[str, ...] = (
    "missing",
    "ambiguous",
    "drifted",
    "covered",
    "value_not_kept",
    "option_not_offered",
    "verify_failed",
    "timeout",
    "navigation",
    "dialog",
    "auth_required",
    "auth_expired",
    "challenged",
    "blocked_by_policy",
    "bad_arguments",
    "bad_return",
)


class EngineError(Exception):
    """Base of everything the engine raises on purpose."""


class DocumentError(EngineError):
    """A recipe or registry file was refused; `path` names the wrong field."""

    def __init__(self, path: str, message: str) -> None:
        self.path = path
        self.message = message
        super().__init__(f"{path}: {message}" if path else message)


class ArgumentsError(EngineError):
    """The arguments of a call were refused; `problems` holds one plain sentence each."""

    def __init__(self, problems: list[str] | tuple[str, ...]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


class StepFailure(EngineError):
    """A step could not be done. `message` is one line for a person, `status` what a page answered."""

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        looked_for: str | None = None,
        candidates: tuple[str, ...] | list[str] = (),
        status: int | None = None,
    ) -> None:
        if kind not in ERROR_KINDS:
            raise ValueError(f"unknown failure kind {kind!r}")
        self.kind = kind
        self.message = " ".join(message.split())
        self.looked_for = looked_for
        self.candidates = tuple(candidates)
        self.status = status
        super().__init__(self.message)
