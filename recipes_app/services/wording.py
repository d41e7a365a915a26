"""Words for people that pages, the terminal and the API share."""

import re
from collections.abc import Mapping
from typing import Any

from recipes_app.models import Proposal
from recipes_app.models.recipe import SideEffect


def submits_in_words(proposal: Proposal) -> str:
    """How often approving will really send something to the site, said beforehand."""
    if proposal.is_safe:
        return "Nothing on the site is changed: it is recorded and verified by reading only."
    if proposal.dry_run:
        return "Dry run: it is recorded and verified up to the step that would submit. Nothing is sent."
    if proposal.side_effect == SideEffect.DESTRUCTIVE:
        return f"This will really be done {times(proposal.submits)}: while recording."
    if proposal.side_effect == SideEffect.READ:
        return f"Labelled read-only, but its plan sends a form: really, {times(proposal.submits)}."
    return f"This will really submit {times(proposal.submits)}: to record it, and to verify it with other values."


def times(number: int) -> str:
    return {0: "not at all", 1: "once", 2: "twice"}.get(number, f"{number} times")


def step_in_words(path: str) -> str:
    """`steps[6]` as people count; empty for what is no step."""
    number = re.match(r"^steps\[(\d+)\]", path)
    return f"step {int(number[1]) + 1}" if number else ""


def failure_in_words(error: Mapping[str, Any]) -> str:
    """What went wrong, with the step as people count."""
    text, step = str(error.get("error", "")), step_in_words(str(error.get("failed_step", "")))
    return f"{step}: {text}" if step and text else text
