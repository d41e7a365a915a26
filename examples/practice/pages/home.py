from __future__ import annotations

from examples.practice.html import Element, h
from examples.practice.layout import FOOTER, MENU
from examples.practice.pages.products import card
from examples.practice.web import Page, Request, Route

FEATURED = ("notebook-dotted-a5", "desk-lamp-arc", "oak-writing-desk", "fountain-pen-starter")
ABOUT = {
    "/products": "43 things for the desk",
    "/stores": "36 stores in Europe",
    "/late": "Fresh every morning",
    "/newsletter": "One letter, no noise",
    "/tickets": "Questions and repairs",
    "/faq": "Ten quick answers",
    "/contact": "Write to us",
    "/downloads": "Price list and leaflet",
    "/upload": "Send us a file",
    "/login": "For your orders",
    "/cart": "What you have chosen",
    "/lab": "Strange and slow pages",
}


def home_page(request: Request) -> Page:
    chosen = [product for product in request.state.products if product.slug in FEATURED]
    featured = h.section(
        h.h2("Featured products", id="featured"),
        h.ul([h.li(card(product)) for product in chosen], class_="products"),
        aria_labelledby="featured",
    )
    return Page("Stationery and desks", [_welcome(), featured, _everything()], cookie_banner=True)


def _welcome() -> Element:
    return h.section(
        h.h1("Good tools for quiet work"),
        h.p("Desks, lamps, chairs, paper and pens, chosen slowly and repaired for ever.", class_="lead"),
        h.div(
            h.a("Browse products", href="/products", class_="button"),
            h.a("Find a store", href="/stores", class_="button quiet"),
            class_="row",
        ),
        class_="hero",
    )


def _everything() -> Element:
    links = [*MENU[1:], ("Sign in", "/login"), ("Cart", "/cart"), *FOOTER]
    return h.section(
        h.h2("Everything in the shop"),
        h.ul([_tile(text, href) for text, href in links], class_="tiles"),
    )


def _tile(text: str, href: str) -> Element:
    about = ABOUT.get(href)
    return h.li(h.a(text, h.small(about) if about else None, href=href))


ROUTES = [Route("GET", "/", home_page)]
