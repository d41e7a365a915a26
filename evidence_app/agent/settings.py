"""How the agent goes about it. Names and defaults follow the settings of the installation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CHARACTERS_PER_TOKEN = 4
SHARE_OF_WINDOW = 0.08
LEAST_TOKENS, MOST_TOKENS = 8_000, 24_000


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`reflection`: what has to be thought before each call. `window`: the model's context, tokens.

    `vision_below`: confidence in what the page's structure tells, under which a picture is looked at, at most every
    `vision_every` steps. `actions`: how many calls of one answer are done; 1 is no batching.
    """

    reflection: Literal["light", "full"] = "light"
    window: int = 200_000
    distil: bool = True
    finalize: bool = True
    actions: int = 1
    vision_below: float = 0.6
    vision_every: int = 3
    summary_every: int = 10
    paging_cap: int = 60

    @property
    def prompt_characters(self) -> int:
        """Of one whole question: 8 % of the window, at least 8,000 and at most 24,000 tokens.

        Source: Liu et al., Lost in the Middle, 2023: what stands in the middle of a long prompt is overlooked.
        """
        tokens = min(MOST_TOKENS, max(LEAST_TOKENS, int(self.window * SHARE_OF_WINDOW)))
        return tokens * CHARACTERS_PER_TOKEN
