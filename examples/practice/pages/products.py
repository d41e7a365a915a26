from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from examples.practice.art import picture
from examples.practice.forms import Form, hidden, submit
from examples.practice.html import Element, h
from examples.practice.money import euros
from examples.practice.pages.notices import not_found_page
from examples.practice.state import CATEGORIES, Product
from examples.practice.web import Page, Request, Response, Route, Values

PAGE_SIZE = 12
SORTS: dict[str, tuple[str, Callable[[Product], tuple[float, str]]]] = {
    "name": ("Name", lambda product: (0, product.name)),
    "price-asc": ("Price, low to high", lambda product: (product.cents, product.name)),
    "price-desc": ("Price, high to low", lambda product: (-product.cents, product.name)),
    "rating": ("Best rated", lambda product: (-product.rating, product.name)),
}


@dataclass(frozen=True)
class Search:
    """The filters of the product list; prices in cents."""

    text: str
    category: str
    min_cents: int
    max_cents: int
    in_stock: bool
    sort: str

    @classmethod
    def from_query(cls, query: Values) -> Search:
        return cls(
            text=query.get("q").lower(),
            category=query.get("category"),
            min_cents=_cents(query.get("min"), 0),
            max_cents=_cents(query.get("max"), 10**9),
            in_stock=bool(query.get("in_stock")),
            sort=query.get("sort"),
        )

    def run(self, products: list[Product]) -> list[Product]:
        found = [product for product in products if self._matches(product)]
        if self.sort in SORTS:
            found.sort(key=SORTS[self.sort][1])
        return found

    def _matches(self, product: Product) -> bool:
        words = f"{product.name} {product.category} {product.description}".lower()
        return (
            all(word in words for word in self.text.split())
            and self.category in ("", product.category)
            and self.min_cents <= product.cents <= self.max_cents
            and (product.stock > 0 or not self.in_stock)
        )


def _cents(text: str, default: int) -> int:
    try:
        return round(float(text) * 100)
    except (ValueError, OverflowError):
        return default


def products_page(request: Request) -> Page:
    found = Search.from_query(request.query).run(request.state.products)
    last = max(1, -(-len(found) // PAGE_SIZE))
    number = min(max(request.query.whole("page", 1), 1), last)
    shown = found[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    return Page(
        "Products",
        [
            h.h1("Products"),
            _search_form(request.query),
            _result_list(shown, len(found)),
            _pager(request.query, number, last),
        ],
    )


def _search_form(query: Values) -> Element:
    form = Form(values=query)
    categories = [("", "All categories"), *((name, name) for name in CATEGORIES)]
    return h.form(
        form.input("q", "Search products", "search", placeholder="lamp, oak, A5 …"),
        form.select("category", "Category", categories),
        form.input("min", "Price from", "number", min=0, step="any"),
        form.input("max", "Price to", "number", min=0, step="any"),
        form.select("sort", "Sort by", [("", "Recommended"), *((key, text) for key, (text, _) in SORTS.items())]),
        form.checkbox("in_stock", "In stock only"),
        submit("Find"),
        method="get",
        action="/products",
        role="search",
        class_="filters panel",
    )


def _result_list(products: list[Product], total: int) -> Element:
    if not products:
        return h.p("No products match. Try fewer words or another category.", class_="lead", role="status")
    count = "1 product" if total == 1 else f"{total} products"
    cards = h.ul([h.li(card(product)) for product in products], class_="products")
    return h.div(h.p(count, class_="muted", role="status"), cards)


def card(product: Product) -> Element:
    href = f"/products/{product.slug}"
    return h.article(
        h.img(src=f"/images/{product.slug}.svg", alt="", width=240, height=190),
        h.div("♡", class_="heart", data_heart=True),
        h.div(
            h.span(product.category, class_="tag"),
            h.h3(h.a(product.name, href=href)),
            h.p(euros(product.cents), class_="price"),
            _rating(product.rating),
            _stock(product),
            h.a("Details", href=href, class_="more"),
            class_="body",
        ),
        class_="card",
    )


def _rating(rating: float) -> Element:
    return h.p(f"★ {rating:.1f} ", h.small("out of 5"), class_="rating")


def _stock(product: Product) -> Element:
    if product.stock:
        return h.p("In stock", class_="in-stock")
    return h.p("Out of stock", class_="out-of-stock")


def _pager(query: Values, number: int, last: int) -> Element | str:
    if last == 1:
        return ""
    return h.nav(
        h.a("Previous page", href=_page_href(query, number - 1), rel="prev") if number > 1 else None,
        h.ol([h.li(_page_link(query, page, number)) for page in range(1, last + 1)]),
        h.a("Next page", href=_page_href(query, number + 1), rel="next") if number < last else None,
        aria_label="Pages",
        class_="pages",
    )


def _page_link(query: Values, page: int, current: int) -> Element:
    return h.a(str(page), href=_page_href(query, page), aria_current="page" if page == current else None)


def _page_href(query: Values, page: int) -> str:
    kept = {name: values[0] for name, values in query.items.items() if name not in ("page", "redesign")}
    return f"/products?{urlencode({**kept, 'page': page})}"


def product_page(request: Request) -> Page:
    product = request.state.product(request.params["slug"])
    if product is None:
        return not_found_page()
    content = [
        h.p(h.a("Back to all products", href="/products")),
        h.div(h.img(src=f"/images/{product.slug}.svg", alt=product.name), _offer(product), class_="detail panel"),
        _specifications(product),
        _reviews(product),
    ]
    return Page(product.name, content)


def _offer(product: Product) -> Element:
    return h.div(
        h.span(product.category, class_="tag"),
        h.h1(product.name),
        h.p(euros(product.cents), class_="price"),
        _rating(product.rating),
        _stock(product),
        h.p(product.description),
        _add_form(product) if product.stock else h.p("We will have it again soon.", class_="muted"),
    )


def _add_form(product: Product) -> Element:
    return h.form(
        hidden("slug", product.slug),
        Form().input("quantity", "Quantity", "number", min=1, max=99, value=1),
        submit("Add to cart"),
        method="post",
        action="/cart/add",
    )


def _specifications(product: Product) -> Element:
    rows = [h.tr(h.th(name, scope="row"), h.td(value)) for name, value in product.specs.items()]
    return h.section(h.h2("Specifications"), h.table(h.tbody(rows)), class_="narrow")


def _reviews(product: Product) -> Element:
    items = [
        h.li(h.strong(review.author), f" {'★' * review.stars} ", h.span(review.text)) for review in product.reviews
    ]
    return h.section(h.h2("Reviews"), h.ul(items, class_="reviews"))


def product_image(request: Request) -> Page | Response:
    product = request.state.product(request.params["slug"])
    if product is None:
        return not_found_page()
    return Response(body=picture(product).encode(), content_type="image/svg+xml")


ROUTES = [
    Route("GET", "/products", products_page),
    Route("GET", "/products/<slug>", product_page),
    Route("GET", "/images/<slug>.svg", product_image),
]
