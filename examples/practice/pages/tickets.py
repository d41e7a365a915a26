from __future__ import annotations

from examples.practice.forms import Form, choices, submit
from examples.practice.html import Element, h
from examples.practice.pages.contact import EMAIL
from examples.practice.pages.notices import not_found_page
from examples.practice.state import PRIORITIES, TICKET_STATUSES, TODAY, Ticket
from examples.practice.web import Page, Request, Response, Route, Values, redirect

STATUS_CHOICES = [("", "All"), *((status, status.capitalize()) for status in TICKET_STATUSES)]
COLUMNS = ("ID", "Subject", "Customer", "Status", "Priority", "Created", "Actions")


def tickets_page(request: Request) -> Page:
    status = request.query.get("status")
    tickets = [ticket for ticket in request.state.tickets.values() if status in ("", ticket.status)]
    new = h.p(h.a("Open a ticket", href="/tickets/new", class_="button"))
    table = _table(tickets) if tickets else h.p("No tickets with this status.", class_="lead")
    return Page("Help desk", [h.h1("Help desk"), new, _filter(request.query), table])


def _filter(query: Values) -> Element:
    return h.form(
        Form(values=query).select("status", "Status", STATUS_CHOICES),
        submit("Filter", "quiet"),
        method="get",
        action="/tickets",
        class_="filters",
    )


def _table(tickets: list[Ticket]) -> Element:
    heads = h.tr([h.th(text, scope="col") for text in COLUMNS])
    table = h.table(h.thead(heads), h.tbody([_row(ticket) for ticket in tickets]), id="tickets", class_="ticket-table")
    return h.div(table, class_="table-wrap")


def _row(ticket: Ticket) -> Element:
    return h.tr(
        h.td(f"#{ticket.id}"),
        h.td(h.a(ticket.subject, href=f"/tickets/{ticket.id}")),
        h.td(ticket.customer),
        h.td(_badge(ticket.status)),
        h.td(_badge(ticket.priority)),
        h.td(h.time(ticket.created, datetime=ticket.created)),
        h.td(h.div(_close_link(ticket), _delete_form(ticket), class_="row")),
        id=f"ticket-{ticket.id}",
    )


def _badge(text: str) -> Element:
    return h.span(text, class_=f"badge {text}")


def _close_link(ticket: Ticket) -> Element | None:
    """Closes by GET: a trap for whoever follows every link."""
    if ticket.status == "closed":
        return None
    return h.a("Close", href=f"/tickets/{ticket.id}/close?confirm=1")


def _delete_form(ticket: Ticket) -> Element:
    return h.form(
        submit("Delete", "danger small"),
        method="post",
        action=f"/tickets/{ticket.id}/delete",
        data_confirm=f"Delete ticket #{ticket.id}?",
    )


def _find(request: Request) -> Ticket | None:
    number = request.params["id"]
    return request.state.tickets.get(int(number)) if number.isdecimal() else None


def ticket_page(request: Request) -> Page:
    ticket = _find(request)
    if ticket is None:
        return not_found_page()
    lines = [
        ("Customer", ticket.customer),
        ("Status", ticket.status),
        ("Priority", ticket.priority),
        ("Created", ticket.created),
    ]
    return Page(
        f"Ticket #{ticket.id}",
        [
            h.h1(f"Ticket #{ticket.id}: {ticket.subject}"),
            h.dl([[h.dt(label), h.dd(value)] for label, value in lines], class_="summary panel"),
            h.p(ticket.description),
            h.div(_close_link(ticket), _delete_form(ticket), class_="row"),
            h.p(h.a("Back to all tickets", href="/tickets")),
        ],
    )


def delete_ticket(request: Request) -> Page | Response:
    ticket = _find(request)
    if ticket is None:
        return not_found_page()
    del request.state.tickets[ticket.id]
    request.flash(f"Ticket #{ticket.id} deleted")
    return redirect("/tickets")


def close_ticket(request: Request) -> Page | Response:
    ticket = _find(request)
    if ticket is None or not request.query.get("confirm"):
        return not_found_page()
    request.state.submissions[f"GET {request.path}"] += 1
    ticket.status = "closed"
    request.flash(f"Ticket #{ticket.id} closed")
    return redirect("/tickets")


def new_ticket_page(_request: Request) -> Page:
    return _new_ticket(Form())


def _new_ticket(form: Form, status: int = 200) -> Page:
    body = h.form(
        form.input("subject", "Subject *", required=True, maxlength=120),
        form.input("customer", "Your email *", "email", autocomplete="email", required=True),
        form.radios("priority", "Priority", choices(*(text.capitalize() for text in PRIORITIES)), "normal"),
        form.textarea("description", "What happened? *", rows=6, required=True),
        submit("Open ticket"),
        method="post",
        action="/tickets/new",
        class_="panel narrow stacked",
    )
    return Page("Open a ticket", [h.h1("Open a ticket"), body], status=status)


def open_ticket(request: Request) -> Page | Response:
    errors = _errors(request.form)
    if errors:
        return _new_ticket(Form(values=request.form, errors=errors), status=400)
    ticket = _store(request)
    return redirect(f"/tickets/{ticket.id}/thanks")


def _errors(values: Values) -> dict[str, str]:
    checks = {
        "subject": "" if values.get("subject") else "Please give your ticket a subject.",
        "customer": "" if EMAIL.fullmatch(values.get("customer")) else "Please enter a valid email address.",
        "priority": "" if values.get("priority", "normal") in PRIORITIES else "Please choose one of the three.",
        "description": "" if values.get("description") else "Please tell us what happened.",
    }
    return {name: text for name, text in checks.items() if text}


def _store(request: Request) -> Ticket:
    values = request.form
    ticket = Ticket(
        id=request.state.next_ticket_id(),
        subject=values.get("subject"),
        customer=values.get("customer"),
        status="open",
        priority=values.get("priority", "normal"),
        created=str(TODAY),
        description=values.get("description"),
    )
    request.state.tickets[ticket.id] = ticket
    return ticket


def thanks_page(request: Request) -> Page:
    ticket = _find(request)
    if ticket is None:
        return not_found_page()
    return Page(
        "Ticket opened",
        [
            h.h1("Ticket opened"),
            h.p(f"Thank you. Your ticket number is #{ticket.id}.", class_="flash", role="status"),
            h.p(h.a("See your ticket", href=f"/tickets/{ticket.id}")),
        ],
    )


ROUTES = [
    Route("GET", "/tickets", tickets_page),
    Route("GET", "/tickets/new", new_ticket_page),
    Route("POST", "/tickets/new", open_ticket),
    Route("GET", "/tickets/<id>", ticket_page),
    Route("POST", "/tickets/<id>/delete", delete_ticket),
    Route("GET", "/tickets/<id>/close", close_ticket),
    Route("GET", "/tickets/<id>/thanks", thanks_page),
]
