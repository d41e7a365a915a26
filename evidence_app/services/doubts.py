"""What of a sample a person has to look at before they sign for it, and what is asked of them where they do."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q

from evidence_app.models import Attempt, Conclusion, Field
from evidence_app.models.evidence import Grounding
from evidence_app.models.review import Answer
from recipes_app.services.errors import BadInput

# Reasons that say of a sample what its values say each for itself.
OF_VALUES = frozenset({"not_grounded", "wrong_type"})
NOTHING = Q(value=None) | Q(value="")
DOUBTED = Q(grounding=Grounding.NOT_FOUND) | ~Q(problem="") | NOTHING
YES = frozenset({"yes", "true", "pass", "passed", "meets", "compliant"})
NO = frozenset({"no", "false", "fail", "failed", "exception"})


def count(attempt: Attempt) -> int:
    """Each cause once, whether a value tells of it or a reason of the whole sample."""
    of_all = [each for each in attempt.reasons if each.get("code") not in OF_VALUES]
    return attempt.fields.filter(DOUBTED).count() + len(of_all)


def not_on_page(attempt: Attempt) -> list[str]:
    """The paths of the values that stand on no page that was captured."""
    return list(attempt.fields.filter(grounding=Grounding.NOT_FOUND).values_list("path", flat=True))


def unfounded(attempts: Iterable[int]) -> set[int]:
    """Which of these attempts have such a value."""
    rows = Field.objects.filter(attempt__in=attempts, grounding=Grounding.NOT_FOUND).order_by()
    return set(rows.values_list("attempt_id", flat=True).distinct())


def require_words(attempt: Attempt, words: str) -> None:
    """BadInput where a value stands on no page, and nothing says why it holds all the same."""
    if words.strip() or not (paths := not_on_page(attempt)):
        return
    raise BadInput({"words": f"{counted(paths)}: {', '.join(paths[:5])}. Say why you approve all the same."})


def counted(paths: list[str]) -> str:
    return "1 value is not on the page" if len(paths) == 1 else f"{len(paths)} values are not on the page"


def says_otherwise(attempt: Attempt, conclusion: Conclusion) -> bool:
    """Whether the agent's judgment is plainly the opposite of a person's conclusion."""
    said = str((attempt.judgment or {}).get("answer", "")).strip().casefold()
    return (conclusion.answer == Answer.MEETS and said in NO) or (conclusion.answer == Answer.EXCEPTION and said in YES)
