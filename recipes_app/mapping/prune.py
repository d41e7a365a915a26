"""What of a flight a recipe needs: no ways gone twice, no looking around, nothing whose effect was undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from recipes_app.browser.dialogs import SeenDialog
from recipes_app.browser.snapshot import Element
from recipes_app.engine.document import Step, dump_target
from recipes_app.engine.shapes import Target

LOOKING = frozenset({"scroll", "wait", "wait_for", "screenshot"})
SETTING = frozenset({"type", "select", "choose", "check", "set_date", "upload"})
MOVING = frozenset({"goto", "back", "reload", "click", "switch_page", "hover"})


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a flight that worked, and where it led. `mark` is how the page looked before it."""

    step: Step
    before: str
    after: str
    element: Element | None = None
    dialogs: tuple[SeenDialog, ...] = ()
    held: bool = False
    mark: str = ""

    @property
    def target(self) -> str:
        target = self.step.fields.get("target")
        return str(dump_target(target)) if isinstance(target, Target) else ""

    @property
    def leaves(self) -> bool:
        return self.before.partition("#")[0] != self.after.partition("#")[0]


Moves = tuple[Move, ...]


def pruned(moves: Sequence[Move]) -> Moves:
    """Each rule by itself leads to the same page; whether all together do is seen when the recipe is replayed."""
    kept = tuple(moves)
    for rule in RULES:
        kept = rule(kept)
    return kept


def without_looking(moves: Moves) -> Moves:
    return tuple(move for move in moves if move.step.op not in LOOKING)


def without_detours(moves: Moves) -> Moves:
    """From a page and back to it by nothing but moving around: the way is not needed."""
    kept = list(moves)
    at = 0
    while at < len(kept):
        back = _way_back(kept, at)
        if back is None:
            at += 1
        else:
            del kept[at + 1 : back + 1]
    return tuple(kept)


def _way_back(moves: Sequence[Move], at: int) -> int | None:
    """The last later move that ended where this one did, having been elsewhere, with nothing done in between."""
    found, elsewhere = None, False
    for later in range(at + 1, len(moves)):
        move = moves[later]
        if move.step.op not in MOVING or move.held or move.step.expect is not None:
            break
        elsewhere = elsewhere or move.after != moves[at].after
        if elsewhere and move.after == moves[at].after:
            found = later
    return found


def without_overtaken(moves: Moves) -> Moves:
    """A page opened and left at once by address; a field set twice on one page: the later one counts."""
    kept: list[Move] = []
    for move, following in pairwise([*moves, None]):
        if move is None:
            break
        goes_on = following is not None and following.step.op == "goto"
        if goes_on and move.step.op in {"goto", "back", "reload"}:
            continue
        kept.append(move)
    return tuple(move for at, move in enumerate(kept) if not _is_set_again(kept, at))


def _is_set_again(moves: Sequence[Move], at: int) -> bool:
    """With no press in between that may have used the first value."""
    move = moves[at]
    if move.step.op not in SETTING or move.step.fields.get("press_enter"):
        return False
    for later in moves[at + 1 :]:
        if later.step.op not in SETTING or later.leaves:
            return False
        if later.step.op == move.step.op and later.target == move.target:
            return True
    return False


def without_focusing(moves: Moves) -> Moves:
    """A click into the very field that is then filled in."""
    kept: list[Move] = []
    for move, following in pairwise([*moves, None]):
        focuses = (
            move is not None
            and following is not None
            and move.step.op == "click"
            and following.step.op in {"type", "set_date", "select"}
            and move.target == following.target
            and not move.leaves
        )
        if move is not None and not focuses:
            kept.append(move)
    return tuple(kept)


def without_opening_and_closing(moves: Moves) -> Moves:
    """A press that changed nothing, and two presses of which the second takes the first back."""
    kept: list[Move] = []
    for at, move in enumerate(moves):
        following = moves[at + 1] if at + 1 < len(moves) else None
        if following is not None and _changed_nothing(move, following):
            continue
        undone = (
            kept
            and move.step.op == "click" == kept[-1].step.op
            and move.target == kept[-1].target
            and following is not None
            and following.mark == kept[-1].mark != ""
        )
        if undone:
            kept.pop()
            continue
        kept.append(move)
    return tuple(kept)


def _changed_nothing(move: Move, following: Move) -> bool:
    if move.step.op != "click" or move.held or move.leaves:
        return False
    return following.mark == move.mark != ""


RULES: tuple[Callable[[Moves], Moves], ...] = (
    without_looking,
    without_detours,
    without_opening_and_closing,
    without_overtaken,
    without_focusing,
)
