"""The op check: a state is set, not toggled."""

from __future__ import annotations

from recipes_app.browser.api import Error
from recipes_app.browser.api import Locator as Nodes
from recipes_app.engine.act import Act
from recipes_app.engine.conditions import comes_true
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.pressing import press_at_once, wish_to_press
from recipes_app.engine.scripts import script

BOX = "css=input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch]"
SETTLE_MS = 1000


def check(act: Act) -> None:
    wanted = as_state(act)
    found = act.find(visible=False, wish=wish_to_press("checked", "usable"))
    state = found.facts.get("checked")
    if state is not None and state == wanted:
        return
    # Pressed once and no more, even where the page shows it late.
    pressed = press_at_once(act, found, ("checked",)) if state is not None and found.facts.get("usable") else None
    if pressed is not None and pressed.facts.get("checked") is wanted:
        return
    act.left = None
    box = box_of(act, found)
    if pressed is None and state_of(box, act) != wanted:
        toggle(act, Found(box, found.matched, found.frame))
    if not comes_true(act.session, lambda: state_of(box, act) == wanted, min(SETTLE_MS, act.left_ms)):
        raise act.fail("value_not_kept", f"{act.words} did not become {'set' if wanted else 'unset'}")


def as_state(act: Act) -> bool:
    value = act.get("value", True)
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in {"true", "false"}:
        return word == "true"
    raise act.fail("bad_arguments", f"check needs true or false, not “{act.scene.clean(word[:40])}”")


def box_of(act: Act, found: Found) -> Nodes:
    """The box itself, or the only one inside what was found, such as a label around it."""
    if state_of(found.locator, act) is not None:
        return found.locator
    inner = found.locator.locator(BOX)
    if inner.count() == 1:
        return inner
    labelled = found.frame.locator(BOX).and_(found.frame.get_by_label(found.locator.inner_text().strip(), exact=True))
    if labelled.count() == 1:
        return labelled
    raise act.fail("drifted", f"{act.words} is nothing that can be ticked")


def state_of(box: Nodes, act: Act) -> bool | None:
    state: bool | None = box.evaluate(script("checked.js"), timeout=act.left_ms)
    return state


def toggle(act: Act, box: Found) -> None:
    """A styled box is often invisible itself; then its label is what people click."""
    clickable = label_of(box) or box
    act.reach(clickable)
    act.send()
    clickable.locator.click(timeout=act.left_ms, no_wait_after=True)


def label_of(box: Found) -> Found | None:
    if is_usable(box.locator):
        return None
    number = box.locator.evaluate(
        "(e) => e.labels && e.labels.length ? [...document.querySelectorAll('label')].indexOf(e.labels[0]) : -1"
    )
    return Found(box.frame.locator("css=label").nth(int(number)), box.matched, box.frame) if number >= 0 else None


def is_usable(box: Nodes) -> bool:
    try:
        return bool(
            box.evaluate(
                "(e) => { const b = e.getBoundingClientRect(); const s = getComputedStyle(e);"
                " return b.width > 1 && b.height > 1 && s.visibility === 'visible' && Number(s.opacity) > 0.01"
                " && s.pointerEvents !== 'none' && s.clipPath === 'none' && s.clip === 'auto'; }"
            )
        )
    except Error:
        # It was redrawn meanwhile; the click that follows looks again.
        return True
