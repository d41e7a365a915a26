from __future__ import annotations

from examples.practice.forms import submit
from examples.practice.html import Element, h
from examples.practice.state import CITIES, STORES, Store
from examples.practice.web import Page, Request, Response, Route, json_response

MAX_SUGGESTIONS = 8


def stores_page(request: Request) -> Page:
    city = request.query.get("city")
    results = [_results(city)] if city else []
    lead = h.p(f"{len(STORES)} stores in {len(CITIES)} cities. Type the first letters of yours.", class_="lead")
    return Page("Store finder", [h.h1("Store finder"), lead, _form(city), *results], scripts=("stores.js",))


def _form(city: str) -> Element:
    return h.form(_city_field(city), submit("Show stores"), method="get", action="/stores", class_="filters")


def _city_field(city: str) -> Element:
    box = h.input(
        type="text",
        id="city",
        name="city",
        value=city or None,
        role="combobox",
        autocomplete="off",
        aria_autocomplete="list",
        aria_expanded="false",
        aria_controls="city-options",
        data_suggest=True,
    )
    options = h.ul(id="city-options", role="listbox", aria_label="Cities", hidden=True)
    return h.div(h.label("City", for_="city"), box, options, class_="field combobox")


def _results(city: str) -> Element:
    found = [store for store in STORES if store.city.lower() == city.lower()]
    if not found:
        return h.p(f"No stores in {city}.", role="status", class_="lead")
    return h.section(
        h.h2(f"Stores in {found[0].city}"),
        h.ul([h.li(_store(store)) for store in found], class_="tiles stores"),
    )


def _store(store: Store) -> Element:
    return h.article(
        h.h3(store.name),
        h.p(f"{store.address}, {store.city}"),
        h.p(f"{store.phone}, open {store.hours}", class_="muted"),
        class_="panel",
    )


def cities(request: Request) -> Response:
    start = request.query.get("q").lower()
    return json_response([city for city in CITIES if city.lower().startswith(start)][:MAX_SUGGESTIONS])


ROUTES = [Route("GET", "/stores", stores_page), Route("GET", "/api/cities", cities)]
