from __future__ import annotations

import re

from examples.practice.forms import Form, choices, submit
from examples.practice.html import Element, h
from examples.practice.pages.notices import not_found_page
from examples.practice.state import CITIES, Message
from examples.practice.web import Page, Request, Response, Route, Values, redirect

EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
MIN_MESSAGE = 10
MAX_MESSAGE = 1000
MAX_QUANTITY = 500
TOPICS = [("", "Please choose"), *choices("Order", "Delivery", "Return", "Repair", "Something else")]
PREFERRED = choices("Email", "Phone", "Post")
INTERESTS = choices("Desks", "Lighting", "Chairs", "Paper", "Pens", "Storage")
FIELD_LABELS = {
    "name": "Name",
    "email": "Email",
    "phone": "Phone",
    "website": "Website",
    "topic": "Topic",
    "preferred": "Preferred contact",
    "quantity": "Order quantity",
    "call_date": "Call me on",
    "call_time": "Best time to call",
    "visit": "Visit a showroom",
    "month": "Month of purchase",
    "week": "Delivery week",
    "colour": "Favourite colour",
    "satisfaction": "Satisfaction",
    "interests": "Interests",
    "city": "City",
    "help_search": "Help topic",
    "message": "Message",
    "subscribe": "Subscribe",
    "terms": "Terms accepted",
}


def contact_page(_request: Request) -> Page:
    return _contact(Form())


def _contact(form: Form, status: int = 200) -> Page:
    alert = h.p("Please correct the marked fields.", class_="alert", role="alert") if form.errors else None
    lead = h.p("We answer within one working day. Fields with * are needed.", class_="lead")
    body = h.form(
        h.div(_who(form), _what(form), _when(form), _more(form), class_="form-grid stacked"),
        submit("Send message"),
        method="post",
        action="/contact",
        enctype="multipart/form-data",
        id="contact-form",
        class_="panel",
    )
    return Page("Contact", [h.h1("Contact us"), lead, *([alert] if alert else []), body], status=status)


def _who(form: Form) -> list[Element]:
    return [
        form.input("name", "Name *", autocomplete="name", required=True),
        form.input("email", "Email *", "email", autocomplete="email", required=True),
        form.input("phone", "Phone", "tel", placeholder="+31 20 555 0100"),
        form.input("website", "Website", "url", placeholder="https://"),
        form.input("city", "City", list="city-list"),
        h.datalist([h.option(value=city) for city in CITIES], id="city-list"),
        form.radios("preferred", "Preferred contact", PREFERRED, default="email"),
    ]


def _what(form: Form) -> list[Element]:
    return [
        form.select("topic", "Topic", TOPICS),
        form.select("interests", "Interests", INTERESTS, multiple=True, size=4),
        form.input("quantity", "Order quantity", "number", min=1, max=MAX_QUANTITY, step=1),
        form.input("satisfaction", "Satisfaction (1 to 5)", "range", min=1, max=5, step=1, value=3),
        form.input("colour", "Favourite colour", "color", value="#1f5c4d"),
        # Only a placeholder and no label: a field as many sites have them.
        h.div(
            h.input(
                type="search",
                name="help_search",
                value=form.values.get("help_search"),
                placeholder="Search help topics",
            ),
            class_="field",
        ),
    ]


def _when(form: Form) -> list[Element]:
    return [
        form.input("call_date", "Call me on", "date"),
        form.input("call_time", "Best time to call", "time"),
        form.input("visit", "Visit a showroom", "datetime-local"),
        form.input("month", "Month of purchase", "month"),
        form.input("week", "Delivery week", "week"),
    ]


def _more(form: Form) -> list[Element]:
    hint = f"At least {MIN_MESSAGE} characters."
    return [
        form.input("attachment", "Attachment", "file", hint="A picture or a PDF."),
        form.textarea("message", "Message *", hint=hint, rows=5, maxlength=MAX_MESSAGE, required=True),
        form.checkbox("subscribe", "Subscribe to the newsletter"),
        form.checkbox("terms", "I accept the terms *", required=True),
    ]


def send_message(request: Request) -> Page | Response:
    errors = _errors(request.form)
    if errors:
        return _contact(Form(values=request.form, errors=errors), status=400)
    message = _store(request)
    return redirect(f"/contact/thanks?ref={message.ref}")


def _errors(values: Values) -> dict[str, str]:
    message = values.get("message")
    checks = {
        "name": "" if values.get("name") else "Please tell us your name.",
        "email": "" if EMAIL.fullmatch(values.get("email")) else "Please enter a valid email address.",
        "message": "" if len(message) >= MIN_MESSAGE else f"Please write at least {MIN_MESSAGE} characters.",
        "quantity": _quantity_error(values),
        "terms": "" if values.get("terms") else "Please accept the terms.",
    }
    if len(message) > MAX_MESSAGE:
        checks["message"] = f"Please write at most {MAX_MESSAGE} characters."
    return {name: text for name, text in checks.items() if text}


def _quantity_error(values: Values) -> str:
    if not values.get("quantity") or 1 <= values.whole("quantity", 0) <= MAX_QUANTITY:
        return ""
    return f"Please enter a whole number from 1 to {MAX_QUANTITY}."


def _store(request: Request) -> Message:
    values = request.form
    upload = request.files.get("attachment")
    message = Message(
        ref=f"MSG-{len(request.state.messages) + 1:04d}",
        name=values.get("name"),
        email=values.get("email"),
        fields={name: ", ".join(values.all(name)) for name in FIELD_LABELS},
        attachment=upload.filename if upload else "",
        attachment_bytes=len(upload.content) if upload else 0,
    )
    request.state.messages.append(message)
    return message


def thanks_page(request: Request) -> Page:
    ref = request.query.get("ref")
    message = next((message for message in request.state.messages if message.ref == ref), None)
    if message is None:
        return not_found_page()
    thanks = f"Thank you, {message.name}. Your message {message.ref} has been received."
    return Page("Message sent", [h.h1("Message sent"), h.p(thanks, role="status", class_="flash"), _summary(message)])


def _summary(message: Message) -> Element:
    lines = [(label, message.fields[name]) for name, label in FIELD_LABELS.items() if message.fields[name]]
    if message.attachment:
        lines.append(("Attachment", f"{message.attachment} ({message.attachment_bytes} bytes)"))
    terms = [[h.dt(label), h.dd(value)] for label, value in [("Reference", message.ref), *lines]]
    return h.dl(terms, class_="summary panel")


ROUTES = [
    Route("GET", "/contact", contact_page),
    Route("POST", "/contact", send_message),
    Route("GET", "/contact/thanks", thanks_page),
]
