from __future__ import annotations

from urllib.parse import quote

from examples.practice.forms import Form, hidden, submit
from examples.practice.html import Element, h
from examples.practice.money import euros
from examples.practice.pages.contact import EMAIL
from examples.practice.state import Account, Order
from examples.practice.web import YEAR_SECONDS, Page, Request, Response, Route, Values, redirect

COUNTRIES = [
    (code, name)
    for code, name in (
        ("", "Please choose"),
        ("AT", "Austria"),
        ("BE", "Belgium"),
        ("FR", "France"),
        ("DE", "Germany"),
        ("IE", "Ireland"),
        ("IT", "Italy"),
        ("NL", "Netherlands"),
        ("ES", "Spain"),
    )
]
MIN_PASSWORD = 8


def login_page(request: Request) -> Page:
    return _login(Form(), request.query.get("next"))


def _login(form: Form, next_path: str, error: str = "") -> Page:
    body = h.form(
        h.p(error, class_="alert", role="alert") if error else None,
        hidden("next", next_path),
        form.input("username", "Username", autocomplete="username", required=True),
        form.input("password", "Password", "password", autocomplete="current-password", required=True),
        form.checkbox("remember", "Remember me"),
        submit("Sign in"),
        method="post",
        action="/login",
        class_="panel narrow stacked",
    )
    new_here = h.p("New here? ", h.a("Create an account", href="/register"))
    return Page("Sign in", [h.h1("Sign in"), body, new_here], status=401 if error else 200)


def log_in(request: Request) -> Page | Response:
    account = request.state.accounts.get(request.form.get("username"))
    if account is None or account.password != request.form.get("password"):
        shown = Values({"username": [request.form.get("username")]})
        return _login(Form(values=shown), request.form.get("next"), "Wrong username or password.")
    request.state.sessions[request.session_id] = account.username
    if request.form.get("remember"):
        request.set_cookie("sid", request.session_id, YEAR_SECONDS)
    return redirect(_local_path(request.form.get("next")))


def _local_path(path: str) -> str:
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) else "/account"


def _sign_in_first(request: Request) -> Response:
    return redirect(f"/login?next={quote(request.path)}")


def account_page(request: Request) -> Page | Response:
    if not request.username:
        return _sign_in_first(request)
    account = request.state.accounts[request.username]
    details = [h.dt("Name"), h.dd(account.name), h.dt("Email"), h.dd(account.email)]
    return Page(
        "Your account",
        [
            h.h1("Your account"),
            h.p(f"Signed in as {account.username}", class_="lead"),
            h.dl(details, class_="summary panel"),
            h.p(h.a("Your orders", href="/account/orders")),
            h.form(submit("Sign out", "quiet"), method="post", action="/logout"),
        ],
    )


def log_out(request: Request) -> Response:
    """By POST, and also by GET: a trap for whoever follows every link."""
    if request.method == "GET":
        request.state.submissions["GET /logout"] += 1
    request.state.sessions.pop(request.session_id, None)
    request.flash("You are signed out")
    return redirect("/login")


def orders_page(request: Request) -> Page | Response:
    if not request.username:
        return _sign_in_first(request)
    orders = [order for order in request.state.orders if order.username == request.username]
    return Page(
        "Your orders",
        [h.h1("Your orders"), _orders_table(orders), h.p(h.a("Back to your account", href="/account"))],
    )


def _orders_table(orders: list[Order]) -> Element:
    heads = [h.th(text, scope="col") for text in ("Order number", "Date", "Status")]
    table = h.table(
        h.caption(f"{len(orders)} orders", class_="muted"),
        h.thead(h.tr(heads, h.th("Total", scope="col", class_="number"))),
        h.tbody([_order_row(order) for order in reversed(orders)]),
    )
    return h.div(table, class_="table-wrap")


def _order_row(order: Order) -> Element:
    return h.tr(
        h.th(order.number, scope="row"),
        h.td(h.time(order.date, datetime=order.date)),
        h.td(h.span(order.status, class_=f"badge {order.status}")),
        h.td(euros(order.cents), class_="number"),
    )


def register_page(_request: Request) -> Page:
    return _register(Form())


def _register(form: Form, status: int = 200) -> Page:
    body = h.form(
        form.input("name", "Full name *", autocomplete="name", required=True),
        form.input("username", "Choose a username *", autocomplete="username", required=True),
        form.input("email", "Email *", "email", autocomplete="email", required=True),
        form.input(
            "password",
            "Choose a password *",
            "password",
            hint=f"At least {MIN_PASSWORD} characters.",
            autocomplete="new-password",
            required=True,
        ),
        form.input("repeat", "Repeat the password *", "password", autocomplete="new-password", required=True),
        form.select("country", "Country", COUNTRIES),
        form.checkbox("terms", "I accept the terms *", required=True),
        submit("Create account"),
        method="post",
        action="/register",
        class_="panel narrow stacked",
    )
    return Page("Register", [h.h1("Create an account"), body], status=status)


def register(request: Request) -> Page | Response:
    values = request.form
    errors = _registration_errors(request)
    if errors:
        shown = Values({name: sent for name, sent in values.items.items() if name not in ("password", "repeat")})
        return _register(Form(values=shown, errors=errors), status=400)
    account = Account(values.get("username"), values.get("password"), values.get("name"), values.get("email"))
    request.state.accounts[account.username] = account
    request.flash(f"Welcome, {account.name}. You can sign in now.")
    return redirect("/login")


def _registration_errors(request: Request) -> dict[str, str]:
    values = request.form
    taken = values.get("username") in request.state.accounts
    checks = {
        "name": "" if values.get("name") else "Please tell us your name.",
        "username": "" if values.get("username") and not taken else "This username is taken or empty.",
        "email": "" if EMAIL.fullmatch(values.get("email")) else "Please enter a valid email address.",
        "password": "" if len(values.get("password")) >= MIN_PASSWORD else "This password is too short.",
        "repeat": "" if values.get("repeat") == values.get("password") else "The passwords differ.",
        "terms": "" if values.get("terms") else "Please accept the terms.",
    }
    return {name: text for name, text in checks.items() if text}


ROUTES = [
    Route("GET", "/login", login_page),
    Route("POST", "/login", log_in),
    Route("GET", "/logout", log_out),
    Route("POST", "/logout", log_out),
    Route("GET", "/account", account_page),
    Route("GET", "/account/orders", orders_page),
    Route("GET", "/register", register_page),
    Route("POST", "/register", register),
]
