"""FAQ, newsletter (in a frame), offers (late), dialogs and the page that opens a window."""

from __future__ import annotations

from examples.practice.forms import Form, choices, submit
from examples.practice.html import Element, h
from examples.practice.pages.contact import EMAIL
from examples.practice.pages.notices import notice
from examples.practice.state import FAQ, Reservation, Subscription
from examples.practice.web import Fragment, Page, Request, Route

FREQUENCIES = choices("Weekly", "Monthly", "Quarterly")
OFFERS = (
    "Desk Lamp Arc with a spare bulb, € 59.00",
    "Three dotted notebooks, € 32.00",
    "Fountain Pen Starter with ink, € 31.00",
    "Seat cushions, two for € 60.00",
    "Archive boxes, ten for € 70.00",
)


def faq_page(_request: Request) -> Page:
    items = [h.details(h.summary(question), h.p(answer)) for question, answer in FAQ]
    more = h.p("Something else? ", h.a("Write to us", href="/contact"))
    return Page("FAQ", [h.h1("Questions and answers"), h.section(items, class_="narrow"), more])


def newsletter_page(_request: Request) -> Page:
    frame = h.iframe(src="/newsletter/frame", title="Newsletter subscription")
    lead = h.p("New papers, repaired pens and one good letter a month.", class_="lead")
    return Page("Newsletter", [h.h1("Newsletter"), lead, frame])


def newsletter_frame(_request: Request) -> Page:
    return _newsletter_form(Form())


def _newsletter_form(form: Form, status: int = 200) -> Page:
    body = h.form(
        form.input("email", "Email", "email", required=True),
        form.select("frequency", "How often", FREQUENCIES),
        submit("Subscribe"),
        method="post",
        action="/newsletter/frame",
        class_="stacked",
    )
    return Page("Subscribe", [h.h2("Stay in touch"), body], bare=True, status=status)


def subscribe(request: Request) -> Page:
    email = request.form.get("email")
    if not EMAIL.fullmatch(email):
        errors = {"email": "Please enter a valid email address."}
        return _newsletter_form(Form(values=request.form, errors=errors), status=400)
    request.state.newsletter.append(Subscription(email, request.form.get("frequency", "weekly")))
    return Page("Subscribed", [h.p(f"Subscribed {email}", role="status", class_="flash")], bare=True)


def late_page(_request: Request) -> Page:
    place = h.div(h.p("Loading…"), data_late=True, aria_live="polite", aria_busy="true")
    return Page("Offers", [h.h1("Offers"), place], scripts=("late.js",))


def late_content(_request: Request) -> Fragment:
    items = h.ul([h.li(offer) for offer in OFFERS], class_="plain offers")
    return Fragment(h.div(h.section(h.h2("Today's offers"), items), _reserve_form()))


def _reserve_form() -> Element:
    form = Form()
    return h.form(
        form.select("offer", "Offer", [(offer, offer) for offer in OFFERS]),
        form.input("name", "Your name", required=True),
        submit("Reserve"),
        method="post",
        action="/late/reserve",
        class_="panel narrow stacked",
    )


def reserve(request: Request) -> Page:
    offer, name = request.form.get("offer"), request.form.get("name")
    if offer not in OFFERS or not name:
        return notice("Not reserved", "Please choose an offer and tell us your name.", 400)
    request.state.reservations.append(Reservation(offer, name))
    return notice("Reserved", f"Reserved for {name}: {offer}.")


def dialogs_page(_request: Request) -> Page:
    buttons = [
        h.button(text, type="button", class_="quiet", data_dialog=kind)
        for kind, text in (("alert", "Save basket"), ("confirm", "Empty basket"), ("prompt", "Say hello"))
    ]
    outcome = h.p("Nothing pressed yet", id="outcome", role="status", class_="lead", data_outcome=True)
    return Page("Dialogs", [h.h1("Dialogs"), outcome, h.div(buttons, class_="row")], scripts=("dialogs.js",))


def popup_page(_request: Request) -> Page:
    link = h.a("Open the Oak Writing Desk in a new window", href="/products/oak-writing-desk", target="_blank")
    return Page("Pop-ups", [h.h1("Pop-ups"), h.p(link)])


ROUTES = [
    Route("GET", "/faq", faq_page),
    Route("GET", "/newsletter", newsletter_page),
    Route("GET", "/newsletter/frame", newsletter_frame),
    Route("POST", "/newsletter/frame", subscribe),
    Route("GET", "/late", late_page),
    Route("GET", "/late/content", late_content),
    Route("POST", "/late/reserve", reserve),
    Route("GET", "/dialogs", dialogs_page),
    Route("GET", "/popup", popup_page),
]
