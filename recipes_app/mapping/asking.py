"""What a page asks before it sends something: “Do you really want to …?”."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Expect, Step, Target
from recipes_app.engine.substitution import substitute
from recipes_app.engine.target import resolve
from recipes_app.mapping.effects import dialog_rule

FIND_MS = 5000
POLL_MS = 100
ASK_MS = 700


def question(step: Step, arguments: Mapping[str, Any], session: BrowserSession) -> Expect | None:
    """What is asked before this step submits: pressed with the context cut off, so that nothing can be sent."""
    target, seen = step.fields.get("target"), session.dialogs.log
    if step.op != "click" or not isinstance(target, Target):
        return None
    known, waited = len(seen), 0
    pressed = resolve(session, substitute(target, arguments), FIND_MS).locator
    session.cut_off()
    try:
        pressed.click(timeout=FIND_MS, no_wait_after=True)
        while len(seen) == known and waited < ASK_MS:
            session.page.wait_for_timeout(POLL_MS)
            waited += POLL_MS
    except Error as error:
        # A page that could not be left shows so; whether it asked before is in the log.
        session.raise_if_lost(error)
    asked = [replace(each, allowed=True) for each in seen[known:] if each.type == "confirm"]
    rule = dialog_rule(asked, arguments)
    return Expect(dialog=rule) if rule else None
