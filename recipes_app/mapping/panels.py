"""Forms whose fields stand in menus: a button shows the menu, each of its entries a panel with a field or two.

1. press the button   2. keep the fields that are there now   3. for each entry: press it, keep what its panel shows,
and go back to the menu where the panel stands in its place
"""

from __future__ import annotations

from dataclasses import replace

from recipes_app.browser.session import BrowserSession
from recipes_app.mapping.facts import ButtonFacts, FieldFacts, FormFacts, PageSurvey, Panel
from recipes_app.mapping.pressing import carried_out, done, opens_something, press
from recipes_app.mapping.risks import phrase_in, words_of
from recipes_app.mapping.vocabulary import words

MAX_PANELS = 8
BACK = words("signs", "going_back")


def menu_button(form: FormFacts) -> ButtonFacts | None:
    """What opens the menu of a form that shows nothing else and is sent by reading."""
    openers = [button for button in form.buttons if button.opens and button.type != "submit" and not button.disabled]
    if form.fields or form.method == "post" or len(openers) != len(form.buttons):
        return None
    return next((button for button in openers if opens_something(button)), None)


def with_panels(
    session: BrowserSession, closed: FormFacts, opener: ButtonFacts, opened: PageSurvey
) -> FormFacts | None:
    """The form with the fields of its menu, which the page shows now; None where the menu has none."""
    menu = _same(closed, opened)
    if menu is None:
        return None
    panels = _panels(session, closed, menu)
    fields = (*menu.fields, *(field for panel in panels for field in panel.fields))
    return replace(menu, fields=fields, panels=tuple(panels), opener=opener, chrome=False) if fields else None


def _panels(session: BrowserSession, closed: FormFacts, menu: FormFacts) -> list[Panel]:
    before = {button.place for button in closed.buttons}
    known = {field.place for field in menu.fields}
    entries = [button for button in menu.buttons if button.expands and button.place not in before]
    found: list[Panel] = []
    for entry in entries[:MAX_PANELS]:
        if phrase_in(entry.name):
            continue
        shown = _same(closed, carried_out(session, [press(entry)]))
        if shown is None:
            break
        new = tuple(_called(field, entry) for field in shown.fields if field.place not in known)
        back = _back(shown, menu)
        known |= {field.place for field in new}
        found += [Panel(entry, new, back)] if new else []
        if back is not None and not done(session, [press(back)]):
            break
    return found


def _called(field: FieldFacts, entry: ButtonFacts) -> FieldFacts:
    """Choices are grouped by what the menu calls them, where nothing else does."""
    return replace(field, group=field.group or entry.name) if field.type in {"radio", "checkbox"} else field


def _same(form: FormFacts, page: PageSurvey | None) -> FormFacts | None:
    return next((each for each in page.forms if each.place == form.place), None) if page is not None else None


def _back(shown: FormFacts, menu: FormFacts) -> ButtonFacts | None:
    old = {button.place for button in menu.buttons}
    return next((b for b in shown.buttons if b.place not in old and set(words_of(b.name)) & BACK), None)
