"""Which clicks turn a page: they earn a few more steps, up to a cap."""

from __future__ import annotations

import re
from dataclasses import dataclass

BONUS = 3
WHOLE = re.compile(
    r"(?:(?:go to |show |load |view |see )?(?:the )?"
    r"(?:next|previous|prev|older|newer|more|load more|show more|view more|see more|more results|next results)"
    r"(?: (?:page|results|entries|items|posts|rows))?"
    r"|[»\u203a→⟩]+|(?:next|older|more) [»\u203a→⟩]+)",
    re.IGNORECASE,
)
TRIM = re.compile(r"^[\W_]+|[\W_]+$")


def turns_page(name: str) -> bool:
    """By the control's whole name: “Next page” does, “Feedback” and “Page 25” do not."""
    plain = " ".join(name.split())
    return bool(WHOLE.fullmatch(plain) or WHOLE.fullmatch(TRIM.sub("", plain)))


@dataclass(slots=True)
class PagingBonus:
    """`cap` bounds all bonuses together."""

    cap: int
    given: int = 0

    def after_click(self, name: str, *, page_changed: bool) -> int:
        """Steps earned by this click: none where the page stayed as it was."""
        if not page_changed or not turns_page(name):
            return 0
        earned = max(0, min(BONUS, self.cap - self.given))
        self.given += earned
        return earned
