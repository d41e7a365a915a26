"""Native dialogs: dismissed and logged unless a rule allows them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Protocol

from playwright.sync_api import Dialog, Error


class DialogRule(Protocol):
    """Which dialog is meant, and what to say to it. None or "" for type or message means any."""

    @property
    def type(self) -> str | None: ...
    @property
    def message(self) -> str | None: ...
    @property
    def answer(self) -> str: ...
    @property
    def text(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class AllowDialog:
    """A plain DialogRule."""

    type: str | None = None
    message: str | None = None
    answer: str = "accept"
    text: str | None = None


@dataclass(frozen=True, slots=True)
class SeenDialog:
    """allowed is False where no rule spoke for it: it was dismissed."""

    type: str
    message: str
    answer: str
    allowed: bool
    default_text: str = ""


@dataclass(eq=False)
class Dialogs:
    """The log of one session's dialogs and the rules in force.

    No slots: Playwright leaves an attribute on the owner of a listener. A listener that raises breaks its connection.
    """

    log: list[SeenDialog] = field(default_factory=list)
    rules: list[DialogRule] = field(default_factory=list)
    # Where a person acts, they answer: whether it is accepted, and what is entered.
    person: Callable[[Dialog], tuple[bool, str | None]] | None = None

    def allow_dialog(self, rule: DialogRule) -> None:
        """Holds for every later dialog of the session; the newest fitting rule wins."""
        self.rules.append(rule)

    @contextmanager
    def allowing(self, rule: DialogRule) -> Iterator[None]:
        """Holds for the block only."""
        self.rules.append(rule)
        try:
            yield
        finally:
            self.rules.remove(rule)

    def answer(self, dialog: Dialog) -> None:
        """The one listener on every page of the session."""
        if self.person is not None:
            self._as_the_person_says(dialog, self.person)
            return
        rule = next((rule for rule in reversed(self.rules) if fits(rule, dialog.type, dialog.message)), None)
        answer = rule.answer if rule else "dismiss"
        self.log.append(SeenDialog(dialog.type, dialog.message, answer, rule is not None, dialog.default_value))
        try:
            if rule and answer == "accept":
                dialog.accept(rule.text if rule.text is not None else dialog.default_value)
            else:
                dialog.dismiss()
        except Error:
            # The page went away with its dialog open; nothing is left to answer.
            return

    def _as_the_person_says(self, dialog: Dialog, person: Callable[[Dialog], tuple[bool, str | None]]) -> None:
        try:
            accepted, text = person(dialog)
            answer = "accept" if accepted else "dismiss"
            self.log.append(SeenDialog(dialog.type, dialog.message, answer, True, dialog.default_value))
            if accepted:
                dialog.accept(dialog.default_value if text is None else text)
            else:
                dialog.dismiss()
        except Error:
            # The page, or the whole browser, went away with its dialog open.
            return


def fits(rule: DialogRule, kind: str, message: str) -> bool:
    return (not rule.type or rule.type == kind) and (not rule.message or message_fits(rule.message, message))


def message_fits(wanted: str, message: str) -> bool:
    """The whole text, or a pattern: "Delete * for good?"; how it is spaced does not count."""
    plain, pattern = _folded(message), _folded(wanted)
    return plain == pattern or fnmatchcase(plain, pattern)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
