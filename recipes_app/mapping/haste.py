"""A site that wants more time: how long it asks to wait."""

from __future__ import annotations

import re
from collections.abc import Iterable

from recipes_app.mapping.propose.words import TOO_FAST, says

USUAL_MS = 6000
MOST_MS = 60_000
UNITS = {"s": 1000, "m": 60_000}
# "wait 10s", "in 30 seconds", "1 minute"
TIME = re.compile(r"\b(\d{1,3})\s?(s|m)(?:ec|in)?\w*\b", re.IGNORECASE)


def pause_after(said: Iterable[str]) -> int:
    """Milliseconds to wait before it may be sent again; 0 where nothing says that it came too fast."""
    hasty = [text for text in said if says(TOO_FAST, text)]
    if not hasty:
        return 0
    told = [int(number) * UNITS[unit.lower()] for text in hasty for number, unit in TIME.findall(text)]
    return min(max([USUAL_MS, *(ms + 1000 for ms in told)]), MOST_MS)
