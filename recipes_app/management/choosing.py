"""Which proposals to keep, asked in the terminal."""

import re
from collections.abc import Callable, Sequence

from recipes_app.management.plain import Refused
from recipes_app.models import Proposal
from recipes_app.models.proposal import ProposalKind
from recipes_app.models.recipe import SideEffect
from recipes_app.services.wording import submits_in_words

LOGIN = "./agentify login signs in with a person's own credentials"
DESTROYS = "it destroys something, so it is only taken by its number or name"


def choose(proposals: Sequence[Proposal], *, ask: Callable[[str], str], say: Callable[[str], None]) -> list[Proposal]:
    """What only reads is there for the Enter key, what changes the site is not; what destroys, nor for `all`."""
    for number, proposal in enumerate(proposals, 1):
        say(f"{number:>3}  {line_of(proposal)}")
        if not proposal.is_safe:
            say(f"     {submits_in_words(proposal)}")
    while True:
        try:
            answer = ask(question(proposals))
        except EOFError as error:
            raise Refused("nobody answered; with --auto-approve or --board nobody is asked here.") from error
        chosen = read_choice(answer, proposals)
        if chosen is not None:
            say_left_out(answer, proposals, say)
            return chosen
        say(f"{answer.strip()!r} is none of: all, none, names, or numbers from 1 to {len(proposals)}.")


def question(proposals: Sequence[Proposal]) -> str:
    safe = reading(proposals)
    offer = f"Enter takes the {len(safe)} that only read" if safe else "Enter takes none, as none only reads"
    return f"Which ones? {offer}; or all, none, numbers or names such as 1,3: "


def read_choice(answer: str, proposals: Sequence[Proposal]) -> list[Proposal] | None:
    """In the order of the list, each once; None for what is no answer."""
    text = answer.strip().lower()
    if text in ("", "r", "read"):
        return reading(proposals)
    if text in ("a", "all"):
        return [each for each in approvable(proposals) if not destroys(each)]
    if text in ("n", "no", "none"):
        return []
    return named(text, proposals)


def named(text: str, proposals: Sequence[Proposal]) -> list[Proposal] | None:
    by_word = {str(number): each for number, each in enumerate(proposals, 1)}
    by_word |= {each.name.lower(): each for each in proposals}
    words = [word for word in re.split(r"[,\s]+", text) if word]
    if not words or any(word not in by_word for word in words):
        return None
    names = {by_word[word].name for word in words}
    return [each for each in proposals if each.name in names]


def reading(proposals: Sequence[Proposal]) -> list[Proposal]:
    return [each for each in approvable(proposals) if each.is_safe]


def destroys(proposal: Proposal) -> bool:
    """By its label or by its plan, also where recording it would stop before."""
    return SideEffect.DESTRUCTIVE in (proposal.side_effect, proposal.plan_effect)


def approvable(proposals: Sequence[Proposal]) -> list[Proposal]:
    """What nobody needs to be asked about: a login needs a person's own credentials."""
    return [proposal for proposal in proposals if proposal.kind != ProposalKind.LOGIN]


def say_left_out(answer: str, proposals: Sequence[Proposal], say: Callable[[str], None]) -> None:
    """`all` is not quite all, which nobody should have to find out later."""
    if answer.strip().lower() not in ("a", "all"):
        return
    for proposal in proposals:
        if proposal.kind == ProposalKind.LOGIN:
            say(f"left out {proposal.name}: {LOGIN}.")
        elif destroys(proposal):
            say(f"left out {proposal.name}: {DESTROYS}.")


def line_of(proposal: Proposal) -> str:
    names = ", ".join(proposal.parameters.get("properties", {}))
    effect = proposal.get_side_effect_display().lower()
    return f"{proposal.name}({names})  [{effect}]  {proposal.description}"
