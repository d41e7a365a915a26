"""What can go wrong when a model is asked, branched by what the caller can do about it.

ModelError
├── NotConfigured      no key, or no such provider: ask by rules, or set the key
├── Unavailable        the service did not answer, after all retries: later, or the fallback model
├── Rejected           the service does not take the request as it was made: a setting, or too long
├── BadAnswer          an answer that stayed unusable after one repair round
├── Refused            the model declined
└── BudgetSpent        the run's tokens or money are used up: end with what there is
"""

from __future__ import annotations


class ModelError(Exception):
    """`str()` of it is one line for a person; `kind` is its name for programs."""

    kind = "model"


class NotConfigured(ModelError):
    kind = "not_configured"


class Unavailable(ModelError):
    """`status` is the last HTTP status, None where there was no answer at all; `retry_after_s` the wait it wished.

    `may_retry` is False where the service said that asking again will not help.
    """

    kind = "model_unavailable"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        may_retry: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s
        self.may_retry = may_retry


class Rejected(ModelError):
    """`status` is the HTTP status it was rejected with, None where it was not even sent."""

    kind = "rejected_by_service"

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class BadAnswer(ModelError):
    kind = "bad_answer"


class Refused(ModelError):
    kind = "refused_by_model"


class BudgetSpent(ModelError):
    kind = "budget_spent"
