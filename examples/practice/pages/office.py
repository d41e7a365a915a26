"""The back office: a people directory, a code host, an issue tracker and access requests. Audits are practised here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TypeVar
from urllib.parse import quote

from examples.practice.forms import Form, choices, submit
from examples.practice.html import Element, h
from examples.practice.office import COMMITS, ISSUES, PEOPLE, STATUSES, Commit, Issue, Person
from examples.practice.pages.notices import not_found_page
from examples.practice.state import TODAY
from examples.practice.web import Answer, Page, Request, Response, Route, redirect

PER_PAGE = 10
SYSTEMS = ("Ledger", "Tills", "Payroll", "Stock")
Row = TypeVar("Row")


def office_page(_request: Request) -> Page:
    links = [("People", "/office/people"), ("Code", "/office/code"), ("Issues", "/office/issues")]
    links += [("Request access", "/office/access/new"), ("Access requests", "/office/access")]
    return Page("Back office", [h.h1("Back office"), h.ul([h.li(h.a(name, href=href)) for name, href in links])])


# --- people


def people_page(request: Request) -> Page:
    shown, pager = _paged(PEOPLE, request, "/office/people")
    cards = [h.li(h.a(person.name, href=f"/office/people/{person.id}"), h.span(f" {person.title}")) for person in shown]
    lead = h.p(f"{len(PEOPLE)} people.", class_="lead")
    return Page("People", [h.h1("People"), lead, h.ul(cards, class_="people"), pager])


def person_page(request: Request) -> Page:
    person = next((each for each in PEOPLE if each.id == request.params["id"]), None)
    if person is None:
        return not_found_page()
    return Page(person.name, [h.h1(person.name), _facts(person), h.p(h.a("All people", href="/office/people"))])


def _facts(person: Person) -> Element:
    facts = [
        ("Employee", person.id),
        ("Title", person.title),
        ("Team", person.team),
        ("Manager", person.manager),
        ("E-mail", person.email),
        ("Hired", _day(person.hired)),
        ("Status", "Left the company" if person.left else "Works here"),
    ]
    if person.left:
        facts += [("Last day", _day(person.left)), ("Account disabled", _day(person.disabled) or "Not yet")]
    return _list_of(facts)


# --- code


def code_page(request: Request) -> Page:
    shown, pager = _paged(COMMITS, request, "/office/code")
    head = h.tr([h.th(text, scope="col") for text in ("Commit", "Message", "Author", "Date")])
    table = h.table(h.thead(head), h.tbody([_commit_row(commit) for commit in shown]))
    return Page("ledger: commits", [h.h1("ledger: commits"), h.div(table, class_="table-wrap"), pager])


def _commit_row(commit: Commit) -> Element:
    link = h.a(commit.sha, href=f"/office/code/{commit.sha}")
    return h.tr(h.td(link), h.td(commit.message), h.td(commit.author), h.td(commit.when.isoformat()))


def commit_page(request: Request) -> Page:
    commit = next((each for each in COMMITS if each.sha == request.params["sha"]), None)
    if commit is None:
        return not_found_page()
    reviews = [h.li(f"Approved by {name}") for name in commit.reviewers] or [h.li("No reviews")]
    facts = [
        ("Commit", commit.sha),
        ("Author", commit.author),
        ("Date", _day(commit.when)),
        ("Checks", commit.checks),
        ("Files changed", str(commit.files)),
    ]
    return Page(
        commit.message, [h.h1(commit.message), _list_of(facts), h.h2("Reviews"), h.ul(reviews, class_="reviews")]
    )


# --- issues


def issues_page(request: Request) -> Page:
    status = request.query.get("status")
    found = [issue for issue in ISSUES if status in ("", issue.status)]
    shown, pager = _paged(found, request, "/office/issues", f"status={status}&")
    form = Form(values=request.query).select("status", "Status", [("", "All"), *((each, each) for each in STATUSES)])
    head = h.tr([h.th(text, scope="col") for text in ("Key", "Title", "Kind", "Status", "Assignee")])
    table = h.table(h.thead(head), h.tbody([_issue_row(issue) for issue in shown]))
    filters = h.form(form, submit("Filter", "quiet"), method="get", action="/office/issues", class_="filters")
    lead = h.p(f"{len(found)} issues.", class_="lead")
    return Page("Issues", [h.h1("Issues"), lead, filters, h.div(table, class_="table-wrap"), pager])


def _issue_row(issue: Issue) -> Element:
    link = h.a(issue.key, href=f"/office/issues/{issue.key}")
    return h.tr(h.td(link), h.td(issue.title), h.td(issue.kind), h.td(issue.status), h.td(issue.assignee))


def issue_page(request: Request) -> Page:
    issue = next((each for each in ISSUES if each.key == request.params["key"]), None)
    if issue is None:
        return not_found_page()
    facts = [
        ("Key", issue.key),
        ("Kind", issue.kind),
        ("Status", issue.status),
        ("Assignee", issue.assignee),
        ("Opened", _day(issue.opened)),
        ("Comments", str(issue.comments)),
    ]
    return Page(issue.title, [h.h1(f"{issue.key}: {issue.title}"), _list_of(facts)])


# --- access requests


def access_form(request: Request) -> Page:
    return _access_page(Form(values=request.query))


def _access_page(form: Form, status: int = 200) -> Page:
    fields = h.form(
        form.input("person", "Employee number"),
        form.select("system", "System", [("", "Choose a system"), *choices(*SYSTEMS)]),
        form.radios("level", "Level", choices("Read", "Write"), "read"),
        form.input("until", "Until", "date"),
        form.textarea("reason", "Reason"),
        form.checkbox("manager_agrees", "The manager agrees"),
        submit("Send request"),
        method="post",
        action="/office/access",
    )
    sent = h.p(h.a("Access requests", href="/office/access"))
    return Page("Request access", [h.h1("Request access"), fields, sent], status=status)


def access_list(request: Request) -> Page:
    """The newest first: whoever does not know whether their request arrived finds it here, by employee."""
    person = request.query.get("person")
    made = [(number, entry) for number, entry in enumerate(request.state.access, 1) if person in ("", entry["person"])]
    shown, pager = _paged(made[::-1], request, "/office/access", f"person={quote(person)}&")
    form = Form(values=request.query).input("person", "Employee number")
    filters = h.form(form, submit("Filter", "quiet"), method="get", action="/office/access", class_="filters")
    head = h.tr([h.th(text, scope="col") for text in ("Request", "Employee", "System", "Until", "Reason")])
    table = h.table(h.thead(head), h.tbody([_access_row(number, entry) for number, entry in shown]))
    lead = h.p(f"{len(made)} requests.", class_="lead")
    return Page("Access requests", [h.h1("Access requests"), lead, filters, h.div(table, class_="table-wrap"), pager])


def _access_row(number: int, entry: dict[str, str]) -> Element:
    link = h.a(f"AR-{number}", href=f"/office/access/{number}")
    return h.tr(h.td(link), [h.td(entry[name]) for name in ("person", "system", "until", "reason")])


def access_send(request: Request) -> Answer:
    values = request.form
    errors = {}
    if values.get("person") not in {person.id for person in PEOPLE}:
        errors["person"] = "No such employee."
    if values.get("system") not in {system.lower() for system in SYSTEMS}:
        errors["system"] = "Choose a system."
    if not values.get("reason"):
        errors["reason"] = "Say why."
    if not values.get("manager_agrees"):
        errors["manager_agrees"] = "The manager has to agree."
    if errors:
        return _access_page(Form(values=values, errors=errors), 422)
    request.state.submissions["access"] += 1
    names = ("person", "system", "level", "until", "reason")
    request.state.access.append({name: values.get(name) for name in names})
    return redirect(f"/office/access/{len(request.state.access)}")


def access_page(request: Request) -> Page:
    entry = _access_of(request)
    if entry is None:
        return not_found_page()
    number = request.params["number"]
    facts = [("Request", f"AR-{number}"), ("State", "received"), *((name.capitalize(), entry[name]) for name in entry)]
    receipt = h.p(h.a("Download the receipt", href=f"/office/access/{number}/receipt.csv"))
    return Page(f"Access request AR-{number}", [h.h1(f"Access request AR-{number}"), _list_of(facts), receipt])


def receipt(request: Request) -> Answer:
    entry = _access_of(request)
    if entry is None:
        return not_found_page()
    number = request.params["number"]
    cells = [f"AR-{number}", *(entry[name] for name in ("person", "system", "level", "until"))]
    lines = ["request,person,system,level,until", ",".join(cells)]
    headers = {"Content-Disposition": f'attachment; filename="AR-{number}.csv"'}
    return Response("\n".join([*lines, ""]).encode(), content_type="text/csv; charset=utf-8", headers=headers)


def _access_of(request: Request) -> dict[str, str] | None:
    number = request.params["number"]
    made = request.state.access
    return made[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(made) else None


# --- parts of pages


def _paged(every: Sequence[Row], request: Request, path: str, query: str = "") -> tuple[Sequence[Row], Element]:
    last = max(1, -(-len(every) // PER_PAGE))
    page = min(max(1, request.query.whole("page", 1)), last)
    links = []
    if page > 1:
        links.append(h.a("Previous page", href=f"{path}?{query}page={page - 1}", rel="prev"))
    links.append(h.span(f"Page {page} of {last}"))
    if page < last:
        links.append(h.a("Next page", href=f"{path}?{query}page={page + 1}", rel="next"))
    shown = every[(page - 1) * PER_PAGE : page * PER_PAGE]
    return shown, h.nav(links, class_="pager", aria_label="Pages")


def _list_of(facts: Sequence[tuple[str, str]]) -> Element:
    return h.dl([[h.dt(name), h.dd(value)] for name, value in facts], class_="facts")


def _day(day: date | None) -> str:
    return f"{day.day} {day:%B %Y}" if day and day <= TODAY.replace(year=TODAY.year + 1) else ""


ROUTES = [
    Route("GET", "/office", office_page),
    Route("GET", "/office/people", people_page),
    Route("GET", "/office/people/<id>", person_page),
    Route("GET", "/office/code", code_page),
    Route("GET", "/office/code/<sha>", commit_page),
    Route("GET", "/office/issues", issues_page),
    Route("GET", "/office/issues/<key>", issue_page),
    Route("GET", "/office/access/new", access_form),
    Route("GET", "/office/access", access_list),
    Route("POST", "/office/access", access_send),
    Route("GET", "/office/access/<number>", access_page),
    Route("GET", "/office/access/<number>/receipt.csv", receipt),
]
