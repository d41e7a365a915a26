"""What the agent is shown of a page: about forty elements and the words that bear on its task, and how sure that is.

Text that is no control is kept as well as controls; names are never parsed from a rendered form, so no character in
them can lose an element; what is left out is counted, by kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evidence_app.agent.paging import turns_page
from evidence_app.spec.shapes import TaskSpec
from recipes_app.browser.api import Error
from recipes_app.browser.page import settle
from recipes_app.browser.session import BrowserSession
from recipes_app.browser.snapshot import Snapshot, take_snapshot
from recipes_app.browser.snapshot_text import prompt_text
from recipes_app.llm.fencing import fence
from recipes_app.pilot.scene import choices_of, mark_of, other_pages
from recipes_app.pilot.seams import Scene, Turn

ELEMENTS = 40
CHARACTERS = 6000
SETTLE_MS = 4000
LEAST_SEMANTIC = 10
LEADING = ("link", "button")
CONTROLS = frozenset(
    {"link", "button", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "spinbutton", "slider", "tab"}
    | {"menuitem", "option", "listbox"}
)
DRAWN = """() => {
  const count = (name) => document.getElementsByTagName(name).length;
  return { canvas: count("canvas"), svg: count("svg"), total: Math.max(1, count("*")) };
}"""


@dataclass(frozen=True, slots=True)
class Observer:
    """An `Observes`. `words` are the task's own: goal, keywords, names of fields, and what the sample is called."""

    words: str
    elements: int = ELEMENTS
    characters: int = CHARACTERS

    def __call__(self, session: BrowserSession, _turn: Turn) -> Scene:
        settle(session.page, limit_ms=SETTLE_MS)
        return self.look(session)

    def look(self, session: BrowserSession) -> Scene:
        """At the page as it is now, whether it is still loading or not."""
        snapshot = _looked(session)
        leads = [each.index for each in snapshot.elements if each.role in LEADING and turns_page(each.name)]
        text = prompt_text(snapshot, self.characters, goal=self.words, most=self.elements, first=leads)
        text += choices_of(snapshot)
        others = other_pages(session)
        return Scene(
            url=snapshot.url,
            text=fence(text, "the page") + (f"\n{others}" if others else ""),
            mark=mark_of(snapshot),
            elements={element.index: element for element in snapshot.elements},
            more={"confidence": confidence(snapshot, _drawn(session))},
        )


def words_of(spec: TaskSpec, sample: str = "") -> str:
    fields = " ".join(f"{each.name.replace('_', ' ')} {each.description}" for each in spec.output)
    return " ".join([spec.goal, *spec.keywords, fields, *spec.required_artifacts, sample])


def confidence(snapshot: Snapshot, drawn: dict[str, Any]) -> float:
    """How much of the page its structure tells, 0 to 1: drawings, nameless controls and empty pages lower it."""
    if not snapshot.total and not snapshot.text.strip():
        return 0.1
    controls = [each for each in snapshot.elements if each.role in CONTROLS]
    many = max(1, len(controls))
    nameless = sum(1 for each in controls if not each.name) / many
    sure: float = 1 - 0.3 * drawn["canvas"] / drawn["total"] - 0.2 * nameless - 0.02 * min(drawn["svg"] / many, 5)
    told = snapshot.total + len([line for line in snapshot.text.splitlines() if line.strip()])
    if told < LEAST_SEMANTIC:
        sure -= 0.3
    if drawn["canvas"] and told < LEAST_SEMANTIC * 2:
        sure -= 0.2
    return max(0.0, min(1.0, sure))


def _looked(session: BrowserSession) -> Snapshot:
    """A page that is replaced just while it is looked at is looked at again."""
    try:
        return take_snapshot(session.page)
    except Error as error:
        session.raise_if_lost(error)
        settle(session.page, limit_ms=SETTLE_MS)
        return take_snapshot(session.page)


def _drawn(session: BrowserSession) -> dict[str, Any]:
    try:
        found: dict[str, Any] = session.page.evaluate(DRAWN)
    except Error as error:
        session.raise_if_lost(error)
        return {"canvas": 0, "svg": 0, "total": 1}
    return found
