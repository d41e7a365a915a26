"""The workshop: controls that are harder than a form with a button.

A form in three parts, a filter that sends itself, pages and "Show more", tabs, a form in a dialog, and a price
calculator without any form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from examples.practice.forms import Form, choices, submit
from examples.practice.html import Element, Node, h
from examples.practice.pages.contact import EMAIL
from examples.practice.pages.notices import notice
from examples.practice.state import Engraving, Guest
from examples.practice.web import Fragment, Page, Request, Response, Route, redirect

SCRIPTS = ("workshop.js",)
PER_PAGE = 6
PER_LOAD = 5
MATERIALS = ("Brass", "Oak", "Steel")
PLACES = (
    ("Engraving", "/workshop/engraving"),
    ("Spare parts", "/workshop/spares"),
    ("Workshop journal", "/workshop/journal"),
    ("Guides", "/workshop/guides"),
    ("Guest book", "/workshop/guests"),
    ("Price of a frame", "/workshop/frames"),
)
WOODS = ("Ash", "Oak", "Pine")


@dataclass(frozen=True)
class Part:
    code: str
    name: str
    material: str
    cents: int


def _parts() -> Iterator[Part]:
    kinds = [(kind, size) for size in (4, 6, 8, 10, 12) for kind in ("Hinge", "Knob", "Screw", "Bracket")]
    for number, (kind, size) in enumerate(kinds, start=1):
        yield Part(f"SP-{number:03}", f"{kind} {size} mm", MATERIALS[number % len(MATERIALS)], number * 35 + 190)


PARTS = tuple(_parts())
DEEDS = ("Repaired", "Oiled", "Restored", "Measured")
THINGS = ("a fountain pen", "an oak drawer", "a desk lamp", "a brass ruler", "a letter scale")
GUIDES = {
    "Pens": (("Cleaning a nib", "10 minutes"), ("Filling a converter", "5 minutes"), ("Grinding a nib", "2 hours")),
    "Wood": (("Oiling a desk", "1 hour"), ("Removing a ring", "20 minutes"), ("Waxing a drawer", "15 minutes")),
    "Light": (("Changing a socket", "30 minutes"), ("Choosing a bulb", "5 minutes"), ("Bending an arm", "1 hour")),
}


def workshop_page(_request: Request) -> Page:
    links = h.ul([h.li(h.a(text, href=href)) for text, href in PLACES], class_="plain")
    return Page("Workshop", [h.h1("Workshop"), h.p("Made and mended by hand.", class_="lead"), links])


def engraving_page(_request: Request) -> Page:
    return _engraving(Form())


def _engraving(form: Form, status: int = 200) -> Page:
    parts = (
        ("What to engrave", (form.input("text", "Engraving", required=True, maxlength=40),), True),
        ("How it looks", (form.select("script", "Lettering", choices("Roman", "Italic", "Gothic")),), True),
        ("Who gets it", (form.input("email", "Email", "email", required=True), submit("Order engraving")), False),
    )
    body = h.form(
        [_part(number, *part) for number, part in enumerate(parts)],
        method="post",
        action="/workshop/engraving",
        class_="panel narrow stacked",
        data_parts=True,
    )
    return Page("Engraving", [h.h1("Engraving"), body], status=status, scripts=SCRIPTS)


def _part(number: int, title: str, fields: Sequence[Node], goes_on: bool) -> Element:
    following = h.button("Next", type="button", data_next=True) if goes_on else None
    return h.section(h.h2(title), list(fields), following, hidden=number > 0, class_="stacked", data_part=str(number))


def engrave(request: Request) -> Page:
    order = Engraving(**{name: request.form.get(name) for name in ("text", "script", "email")})
    if not order.text or not EMAIL.fullmatch(order.email):
        errors = {"email": "Please enter a valid email address."}
        return _engraving(Form(values=request.form, errors=errors), status=400)
    request.state.engravings.append(order)
    return notice("Ordered", f"We engrave “{order.text}” in {order.script} and write to {order.email}.")


def spares_page(request: Request) -> Page:
    material = request.query.get("material")
    found = [part for part in PARTS if material in {"", part.material.lower()}]
    page = max(1, request.query.whole("page", 1))
    shown = found[(page - 1) * PER_PAGE : page * PER_PAGE]
    options = [("", "All materials"), *choices(*MATERIALS)]
    field = Form(values=request.query).select("material", "Material", options, data_sends=True)
    body = h.form(field, method="get", action="/workshop/spares", class_="filters")
    more = page * PER_PAGE < len(found)
    pager = _pager(f"/workshop/spares?material={material}&page={page + 1}") if more else None
    content: list[Node] = [h.h1("Spare parts"), body, h.p(f"{len(found)} spare parts", role="status"), _spares(shown)]
    content += [pager] if pager else []
    return Page("Spare parts", content, scripts=SCRIPTS)


def _pager(href: str) -> Element:
    return h.nav(h.a("Next page", href=href, rel="next"), aria_label="Pages", class_="pagination")


def _spares(parts: Sequence[Part]) -> Element:
    rows = [
        h.tr(h.td(part.code), h.td(part.name), h.td(part.material), h.td(f"€ {part.cents / 100:.2f}")) for part in parts
    ]
    head = h.tr([h.th(title, scope="col") for title in ("Code", "Part", "Material", "Price")])
    return h.table(h.thead(head), h.tbody(rows))


def journal_page(_request: Request) -> Page:
    entries = h.ol(_entries(0), class_="plain journal", data_journal=True)
    button = h.button("Show more", type="button", class_="quiet", data_more=str(PER_LOAD))
    return Page("Workshop journal", [h.h1("Workshop journal"), entries, button], scripts=SCRIPTS)


def journal_entries(request: Request) -> Fragment:
    return Fragment(h.ol(_entries(max(0, request.query.whole("from", 0)))))


def _entries(first: int) -> list[Element]:
    last = min(first + PER_LOAD, len(DEEDS) * len(THINGS))
    return [_entry(number) for number in range(first, last)]


def _entry(number: int) -> Element:
    text = f"{DEEDS[number % len(DEEDS)]} {THINGS[number % len(THINGS)]}"
    return h.li(h.h3(f"Day {number + 1}: {text}"), h.p(f"It took {20 + number * 7} minutes."), class_="entry")


def guides_page(_request: Request) -> Page:
    tabs = [_tab(number, title) for number, title in enumerate(GUIDES)]
    panels = [_panel(number, title) for number, title in enumerate(GUIDES)]
    return Page("Guides", [h.h1("Guides"), h.div(tabs, role="tablist", class_="row"), h.div(panels)], scripts=SCRIPTS)


def _tab(number: int, title: str) -> Element:
    selected = "false" if number else "true"
    return h.button(title, type="button", role="tab", aria_selected=selected, aria_controls=f"guides-{title.lower()}")


def _panel(number: int, title: str) -> Element:
    items = [h.li(h.h3(name), h.p(f"Takes {time}")) for name, time in GUIDES[title]]
    panel = {"role": "tabpanel", "id": f"guides-{title.lower()}", "aria_label": title, "hidden": number > 0}
    return h.div(h.ul(items, class_="plain"), **panel)


def guests_page(request: Request) -> Page:
    form = Form()
    fields = h.form(
        h.h2("Write in the guest book"),
        form.input("name", "Your name", required=True),
        form.textarea("words", "Your words", required=True),
        submit("Sign the guest book"),
        method="post",
        action="/workshop/guests",
        class_="stacked",
    )
    opener = h.button("Write something", type="button", aria_haspopup="dialog", data_opens="guest-dialog")
    said = [h.li(h.strong(guest.name), h.p(guest.words)) for guest in request.state.guests]
    written = h.ul(said, class_="plain") if said else h.p("Nobody wrote anything yet.")
    dialog = h.dialog(fields, id="guest-dialog", class_="panel")
    return Page("Guest book", [h.h1("Guest book"), opener, dialog, written], scripts=SCRIPTS)


def sign_guests(request: Request) -> Response | Page:
    guest = Guest(request.form.get("name"), request.form.get("words"))
    if not guest.name or not guest.words:
        return notice("Not written", "Please tell us your name and a few words.", 400)
    request.state.guests.append(guest)
    request.flash(f"Thank you, {guest.name}")
    return redirect("/workshop/guests")


def frames_page(_request: Request) -> Page:
    """No form at all: an ARIA combobox, a number and a button; the answer is written below them."""
    number = h.input(type="number", id="width", min="10", max="200", value="30")
    width = h.div(h.label("Width in cm", for_="width"), number, class_="field")
    button = h.button("Calculate price", type="button", data_price=True)
    head = h.tr(h.th("Frame", scope="col"), h.th("Price", scope="col"))
    answer = h.table(h.thead(head), h.tbody(data_answer=True))
    asked = h.div(_wood(), width, button, class_="panel narrow stacked")
    return Page("Price of a frame", [h.h1("Price of a frame"), asked, answer], scripts=SCRIPTS)


def _wood() -> Element:
    box = h.div(
        WOODS[0],
        role="combobox",
        tabindex="0",
        aria_labelledby="wood-label",
        aria_expanded="false",
        aria_controls="woods",
        aria_haspopup="listbox",
        data_choice=True,
    )
    options = [h.li(wood, role="option", id=f"wood-{wood.lower()}", aria_selected="false") for wood in WOODS]
    offered = h.ul(options, id="woods", role="listbox", aria_label="Woods", hidden=True)
    return h.div(h.span("Wood", id="wood-label"), box, offered, class_="field combobox")


ROUTES = [
    Route("GET", "/workshop", workshop_page),
    Route("GET", "/workshop/engraving", engraving_page),
    Route("POST", "/workshop/engraving", engrave),
    Route("GET", "/workshop/spares", spares_page),
    Route("GET", "/workshop/journal", journal_page),
    Route("GET", "/workshop/journal/entries", journal_entries),
    Route("GET", "/workshop/guides", guides_page),
    Route("GET", "/workshop/guests", guests_page),
    Route("POST", "/workshop/guests", sign_guests),
    Route("GET", "/workshop/frames", frames_page),
]
