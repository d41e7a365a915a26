from __future__ import annotations

from examples.practice.forms import Form, hidden, submit
from examples.practice.html import Element, h
from examples.practice.money import euros
from examples.practice.pages.notices import not_found_page
from examples.practice.state import TODAY, Order, Product
from examples.practice.web import Page, Request, Response, Route, redirect


def cart_page(request: Request) -> Page:
    lines = _lines(request)
    if not lines:
        empty = h.p("Your cart is empty. ", h.a("Find something nice", href="/products"), class_="lead")
        return Page("Cart", [h.h1("Cart"), empty])
    return Page("Cart", [h.h1("Cart"), _table(lines), _order_form()])


def _lines(request: Request) -> list[tuple[Product, int]]:
    cart = request.cart
    return [(product, cart[product.slug]) for product in request.state.products if product.slug in cart]


def _total(lines: list[tuple[Product, int]]) -> int:
    return sum(product.cents * quantity for product, quantity in lines)


def _table(lines: list[tuple[Product, int]]) -> Element:
    heads = [h.th(text, scope="col") for text in ("Item", "Unit price", "Quantity", "Total", "")]
    total = h.tr(h.th("Grand total", scope="row", colspan=3), h.td(euros(_total(lines)), class_="number"), h.td())
    table = h.table(h.thead(h.tr(heads)), h.tbody([_row(*line) for line in lines]), h.tfoot(total), class_="cart-table")
    return h.div(table, class_="table-wrap")


def _row(product: Product, quantity: int) -> Element:
    return h.tr(
        h.td(h.a(product.name, href=f"/products/{product.slug}")),
        h.td(euros(product.cents), class_="number"),
        h.td(_quantity_form(product, quantity)),
        h.td(euros(product.cents * quantity), class_="number"),
        h.td(_remove_form(product)),
    )


def _quantity_form(product: Product, quantity: int) -> Element:
    box = h.input(
        type="number",
        name="quantity",
        min=0,
        max=99,
        value=str(quantity),
        aria_label=f"Quantity of {product.name}",
    )
    return h.form(
        hidden("slug", product.slug),
        box,
        submit("Update", "quiet small"),
        method="post",
        action="/cart/update",
        class_="row",
    )


def _remove_form(product: Product) -> Element:
    return h.form(hidden("slug", product.slug), submit("Remove", "danger small"), method="post", action="/cart/remove")


def _order_form() -> Element:
    form = Form()
    return h.form(
        form.input("note", "Note for the courier"),
        submit("Place order"),
        method="post",
        action="/cart/order",
        class_="narrow",
    )


def add_to_cart(request: Request) -> Page | Response:
    product = request.state.product(request.form.get("slug"))
    if product is None:
        return not_found_page()
    cart = request.state.carts.setdefault(request.session_id, {})
    quantity = min(max(request.form.whole("quantity", 1), 1), 99)
    cart[product.slug] = min(cart.get(product.slug, 0) + quantity, 99)
    request.flash(f"{product.name} added to your cart")
    return redirect("/cart")


def update_cart(request: Request) -> Response:
    slug = request.form.get("slug")
    quantity = min(request.form.whole("quantity", 1), 99)
    if slug in request.cart and quantity > 0:
        request.cart[slug] = quantity
    elif quantity <= 0:
        request.cart.pop(slug, None)
    return redirect("/cart")


def remove_from_cart(request: Request) -> Response:
    if request.cart.pop(request.form.get("slug"), None):
        request.flash("Removed from your cart")
    return redirect("/cart")


def place_order(request: Request) -> Response:
    lines = _lines(request)
    if not lines:
        return redirect("/cart")
    if not request.username:
        return redirect("/login?next=/cart")
    number = f"IO-{5000 + len(request.state.orders)}"
    order = Order(number, request.username, str(TODAY), "paid", _total(lines))
    request.state.orders.append(order)
    request.cart.clear()
    request.flash(f"Thank you. Your order {number} has been placed.")
    return redirect("/account/orders")


ROUTES = [
    Route("GET", "/cart", cart_page),
    Route("POST", "/cart/add", add_to_cart),
    Route("POST", "/cart/update", update_cart),
    Route("POST", "/cart/remove", remove_from_cart),
    Route("POST", "/cart/order", place_order),
]
