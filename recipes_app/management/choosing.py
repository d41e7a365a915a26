"""Which proposals to keep, asked in the terminal."""

import re
from collections.abc import Callable, Sequence

from recipes_app.management.command import Refused
from recipes_app.models import Proposal
from recipes_app.models.proposal import ProposalKind

QUESTION = "Which ones? all, none, or numbers such as 1,3 [all]: "


def choose(proposals: Sequence[Proposal], *, ask: Callable[[str], str], say: Callable[[str], None]) -> list[Proposal]:
    for number, proposal in enumerate(proposals, 1):
        say(f"{number:>3}  {line_of(proposal)}")
    while True:
        try:
            answer = ask(QUESTION)
        except EOFError as error:
            raise Refused("nobody answered; with --auto-approve or --board nobody is asked here.") from error
        numbers = read_choice(answer, len(proposals))
        if numbers is not None:
            return [proposals[number - 1] for number in numbers]
        say(f"{answer.strip()!r} is none of: all, none, or numbers from 1 to {len(proposals)}.")


def read_choice(answer: str, count: int) -> list[int] | None:
    """Numbers from 1, in order and each once; None for what is no answer."""
    text = answer.strip().lower()
    if text in ("", "a", "all", "y", "yes"):
        return list(range(1, count + 1))
    if text in ("n", "no", "none"):
        return []
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    if not parts or not all(part.isdecimal() and 1 <= int(part) <= count for part in parts):
        return None
    return sorted({int(part) for part in parts})


def approvable(proposals: Sequence[Proposal]) -> list[Proposal]:
    """What nobody needs to be asked about: a login needs a person's own credentials."""
    return [proposal for proposal in proposals if proposal.kind != ProposalKind.LOGIN]


def line_of(proposal: Proposal) -> str:
    names = ", ".join(proposal.parameters.get("properties", {}))
    effect = proposal.get_side_effect_display().lower()
    if proposal.dry_run:
        effect += ", recorded without submitting"
    elif proposal.submits:
        effect += f", submits {proposal.submits} times while it is recorded"
    return f"{proposal.name}({names})  [{effect}]  {proposal.description}"
