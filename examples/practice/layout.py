"""The frame around every page: head, header with navigation, footer and the cookie banner."""

from __future__ import annotations

from examples.practice.html import Element, Node, h, render, render_document
from examples.practice.redesign import redesign
from examples.practice.web import Fragment, Page, Request, Response

SHOP = "Inkwell & Oak"
MENU = (
    ("Home", "/"),
    ("Products", "/products"),
    ("Stores", "/stores"),
    ("Offers", "/late"),
    ("Newsletter", "/newsletter"),
    ("Help desk", "/tickets"),
    ("FAQ", "/faq"),
    ("Contact", "/contact"),
    ("Downloads", "/downloads"),
    ("Upload", "/upload"),
)
FOOTER = (
    ("Register", "/register"),
    ("Open a ticket", "/tickets/new"),
    ("Pop-ups", "/popup"),
    ("Dialogs", "/dialogs"),
    ("Odd corners", "/lab"),
    ("Staff", "/admin-only"),
)


def page_response(page: Page, request: Request) -> Response:
    """Must be called once per request: showing a flash message uses it up."""
    document = _bare_document(page, request) if page.bare else _full_document(page, request)
    body = render_document(redesign(request.design, document))
    return Response(body=body, status=page.status)


def fragment_response(fragment: Fragment, request: Request) -> Response:
    changed = redesign(request.design, h.div(fragment.content))
    return Response(body=render(changed).encode())


def _full_document(page: Page, request: Request) -> Element:
    return _document(
        page,
        request,
        h.body(
            h.a("Skip to content", href="#main", class_="skip"),
            _header(request),
            h.main(_flash(request), page.content, id="main"),
            _footer(),
            _cookie_banner() if page.cookie_banner and "consent" not in request.cookies else None,
            _scripts(("site.js", *page.scripts)),
        ),
    )


def _bare_document(page: Page, request: Request) -> Element:
    return _document(page, request, h.body(h.main(page.content), class_="bare"))


def _document(page: Page, request: Request, body: Element) -> Element:
    skin = f"?skin={request.design}" if request.design else ""
    return h.html(
        h.head(
            h.meta(charset="utf-8"),
            h.title(f"{page.title} | {SHOP}"),
            h.meta(name="viewport", content="width=device-width, initial-scale=1"),
            h.link(rel="icon", href="/static/icon.svg"),
            h.link(rel="stylesheet", href=f"/static/style.css{skin}"),
        ),
        body,
        lang="en",
    )


def _scripts(names: tuple[str, ...]) -> list[Element]:
    return [h.script(src=f"/static/{name}", defer=True) for name in names]


def _header(request: Request) -> Element:
    return h.header(
        h.div(
            h.a("Inkwell ", h.span("&"), " Oak", href="/", class_="brand"),
            h.nav(_menu(request), aria_label="Main"),
            class_="inner",
        ),
        class_="site-header",
    )


def _menu(request: Request) -> Element:
    links = [*MENU, *_personal_links(request)]
    return h.ul([h.li(_menu_link(text, href, request.path)) for text, href in links], class_="menu")


def _personal_links(request: Request) -> list[tuple[str, str]]:
    cart = ("Cart", "/cart")
    if request.username:
        return [cart, ("Account", "/account"), ("Log out", "/logout")]
    return [cart, ("Sign in", "/login")]


def _menu_link(text: str, href: str, path: str) -> Element:
    return h.a(text, href=href, aria_current="page" if href == path else None)


def _footer() -> Element:
    links: list[Node] = [h.li(h.a(text, href=href)) for text, href in FOOTER]
    return h.footer(
        h.div(
            h.p(f"{SHOP}. Desks, light and paper since 1987."),
            h.nav(h.ul(links), aria_label="Footer"),
            class_="inner",
        ),
        class_="site-footer",
    )


def _flash(request: Request) -> Element | None:
    text = request.take_flash()
    return h.p(text, class_="flash", role="status") if text else None


def _cookie_banner() -> Element:
    return h.div(
        h.div(
            h.h2("We use cookies", id="cookie-title"),
            h.p("Some keep your cart, others help us to understand what you like. You decide."),
            h.div(
                h.button("Reject all", type="button", class_="quiet", data_consent="rejected"),
                h.button("Accept all", type="button", data_consent="accepted"),
                class_="row",
            ),
            role="dialog",
            aria_modal="true",
            aria_labelledby="cookie-title",
        ),
        class_="overlay",
        data_cookie_banner=True,
    )
