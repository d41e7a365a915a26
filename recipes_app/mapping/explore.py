"""What a page shows only after a button was pressed: forms in dialogs, lists behind tabs, the next parts of a form.

Only buttons whose words open something are pressed, and while they are, no request that could change anything leaves
the page. 1. press   2. look which forms were not there before   3. open the page again for the next button
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from recipes_app.browser.api import Error
from recipes_app.browser.errors import BlockedByPolicy, NavigationFailed
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Step, Target
from recipes_app.mapping.facts import ButtonFacts, FormFacts, ListFacts, PagerFacts, PageSurvey, RowAction, TableFacts
from recipes_app.mapping.panels import menu_button, with_panels
from recipes_app.mapping.pressing import PRESS_MS, carried_out, opens_something, press, settled
from recipes_app.mapping.propose.fields import params_of
from recipes_app.mapping.propose.forms import next_button
from recipes_app.mapping.propose.paging import css_of, scrolling
from recipes_app.mapping.propose.worth import good_lists, good_tables
from recipes_app.mapping.risks import phrase_in

PER_PAGE = 3
PER_SITE = 6
MENUS_PER_SITE = 8
MAX_PARTS = 5
SCROLLS_PER_SITE = 4
ROW_MENUS_PER_SITE = 3
VIEW_HEIGHT = 800


@dataclass(slots=True)
class Explorer:
    """Of one crawl: what was pressed already, by words and kind of page, is not pressed again."""

    session: BrowserSession
    timeout_ms: int
    pressed: set[tuple[str, str]] = field(default_factory=set)
    left: int = PER_SITE
    menus: set[str] = field(default_factory=set)
    found: list[str] = field(default_factory=list)
    scrolls: int = SCROLLS_PER_SITE
    row_menus: int = ROW_MENUS_PER_SITE

    def explore(self, page: PageSurvey) -> PageSurvey:
        """The page with the forms that appear; `found` afterwards holds addresses that buttons led to."""
        self.found.clear()
        for opener in self._worth_pressing(page):
            page = self._behind(opener, page)
        page = self._with_row_menus(self._scrolled(self.menus_of(page)))
        whole = self._parts_of(page)
        gone = {form.earlier[0].place for form in whole}
        return (
            replace(page, forms=(*(form for form in page.forms if form.place not in gone), *whole)) if whole else page
        )

    def menus_of(self, page: PageSurvey) -> PageSurvey:
        """The page with the fields of those forms that show none before a menu is opened."""
        for form in page.forms:
            opener = menu_button(form)
            if opener is None or form.action in self.menus or len(self.menus) >= MENUS_PER_SITE:
                continue
            self.menus.add(form.action)
            whole = self._in_menu(form, opener, page)
            forms = tuple(whole if each is form and whole is not None else each for each in page.forms)
            page = replace(page, forms=forms)
        return page

    def _scrolled(self, page: PageSurvey) -> PageSurvey:
        """The page with what it takes to see more of its list, where that is scrolling to its end."""
        there: list[ListFacts | TableFacts] = [*good_lists(page), *good_tables(page)]
        rows = [facts for facts in there if facts.opener is None and _goes_on(facts)]
        if page.pager is not None or not rows or self.scrolls <= 0:
            return page
        self.scrolls -= 1
        facts = rows[0]
        pager = PagerFacts(None, grows=True, items=css_of(facts), scroller=facts.scroller)
        after = self._after([replace(scrolling(pager), timeout_ms=PRESS_MS)], page)
        if after is None or _total(after, css_of(facts)) <= facts.total:
            return page
        return replace(page, pager=pager)

    def _with_row_menus(self, page: PageSurvey) -> PageSurvey:
        """What the menu of the first row offers, every row's menu offers."""
        tables = tuple(replace(facts, actions=self._with_entries(facts, page)) for facts in page.tables)
        lists = tuple(replace(facts, actions=self._with_entries(facts, page)) for facts in page.lists)
        return replace(page, tables=tables, lists=lists)

    def _with_entries(self, facts: ListFacts | TableFacts, page: PageSurvey) -> tuple[RowAction, ...]:
        opener = next((action for action in facts.actions if action.menu and not phrase_in(action.name)), None)
        if opener is None or facts.chrome or self.row_menus <= 0:
            return facts.actions
        self.row_menus -= 1
        first = Target(role=opener.role, name=opener.name, nth=0)
        after = self._after([Step("click", {"target": first}, timeout_ms=PRESS_MS)], page)
        shown = dict.fromkeys(name for name in (after.menu if after else ()) if name not in page.menu)
        entry = replace(opener, role="menuitem", menu=False, opener=opener.name, href="", confirm=False)
        return (*facts.actions, *(replace(entry, name=name) for name in shown))

    def _in_menu(self, form: FormFacts, opener: ButtonFacts, page: PageSurvey) -> FormFacts | None:
        opened = self._after([press(opener)], page)
        return with_panels(self.session, form, opener, opened) if opened is not None else None

    def _worth_pressing(self, page: PageSurvey) -> Iterator[ButtonFacts]:
        """Those made for opening something first."""
        chosen = 0
        for opener in sorted(page.openers, key=lambda button: not button.opens):
            key = (opener.name, page.shape)
            if chosen >= PER_PAGE or self.left <= 0 or key in self.pressed or not opens_something(opener):
                continue
            self.pressed.add(key)
            self.left -= 1
            chosen += 1
            yield opener

    def _behind(self, opener: ButtonFacts, page: PageSurvey) -> PageSurvey:
        """The page with the forms, lists and tables that only pressing the button shows."""
        after = self._after([press(opener)], page)
        if after is None:
            return page
        if after.final_url.split("#")[0] != page.final_url.split("#")[0]:
            self.found.append(after.final_url)
            return page
        makes = {_make(form) for form in page.forms}
        places = {*(facts.items_css for facts in page.lists), *(facts.css for facts in page.tables)}
        forms = [form for form in after.forms if _make(form) not in makes and form.fields]
        lists = [facts for facts in after.lists if facts.items_css not in places]
        tables = [facts for facts in after.tables if facts.css not in places]
        return replace(
            page,
            forms=(*page.forms, *(replace(form, opener=opener, chrome=False) for form in forms)),
            lists=(*page.lists, *(replace(facts, opener=opener) for facts in lists)),
            tables=(*page.tables, *(replace(facts, opener=opener) for facts in tables)),
        )

    def _parts_of(self, page: PageSurvey) -> list[FormFacts]:
        """Forms of several parts, whole: each part is filled with examples to see the next one."""
        found: list[FormFacts] = []
        for form in page.forms:
            leads_on = next_button(form)
            if leads_on is None or leads_on.type == "submit" or self.left <= 0:
                continue
            self.left -= 1
            whole = self._led_on(form, page)
            found += [whole] if whole is not None else []
        return found

    def _led_on(self, form: FormFacts, page: PageSurvey) -> FormFacts | None:
        parts = [form]
        steps: list[Step] = []
        while len(parts) <= MAX_PARTS and (leads_on := next_button(parts[-1])) is not None:
            steps += [*_filled(parts[-1]), press(leads_on)]
            after = self._after(steps, page)
            known = {field.place for part in parts for field in part.fields}
            new = next((f for f in after.forms if {x.place for x in f.fields} - known), None) if after else None
            if new is None:
                break
            parts.append(replace(new, fields=tuple(field for field in new.fields if field.place not in known)))
        return replace(parts[-1], earlier=tuple(parts[:-1]), place=form.place) if len(parts) > 1 else None

    def _after(self, steps: list[Step], page: PageSurvey) -> PageSurvey | None:
        """The page after these steps; None where they cannot be done."""
        try:
            self.session.goto(page.final_url, timeout_ms=self.timeout_ms)
            settled(self.session)
            return carried_out(self.session, steps)
        except (NavigationFailed, BlockedByPolicy):
            return None
        except Error as error:
            self.session.raise_if_lost(error)
            return None


def _filled(form: FormFacts) -> list[Step]:
    """The steps that fill a part, with the first of its parameters' examples in place of the parameters."""
    steps: list[Step] = []
    for param in params_of(form):
        asked = f"{{{{{param.name}}}}}"
        given = {key: param.values.first if value == asked else value for key, value in param.step.fields.items()}
        if param.values.first is not None and (param.required or param.is_text):
            steps.append(replace(param.step, fields=given, timeout_ms=PRESS_MS))
    return steps


def _goes_on(facts: ListFacts | TableFacts) -> bool:
    """It leads out of what is seen of the page, or of the part of it that scrolls."""
    return bool(facts.scroller) or facts.box.y + facts.box.height > VIEW_HEIGHT


def _total(page: PageSurvey, css: str) -> int:
    rows: list[ListFacts | TableFacts] = [*page.lists, *page.tables]
    return next((facts.total for facts in rows if css_of(facts) == css), 0)


def _make(form: FormFacts) -> tuple[object, ...]:
    return (form.action, tuple((f.attribute_name or f.name, f.type) for f in form.fields))
