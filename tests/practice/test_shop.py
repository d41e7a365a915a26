import csv
import hashlib
import json

import pytest

from examples.practice import PracticeSite
from examples.practice.state import CATEGORIES
from tests.practice.client import Seen, Visitor

GOOD_MESSAGE = {
    "name": "Mia Holm",
    "email": "mia@example.com",
    "topic": "repair",
    "message": "My lamp is broken, what now?",
    "terms": "yes",
}


def names(seen: Seen) -> list[str]:
    return seen.page.texts("h3")


def test_the_catalogue_has_enough_in_every_category(shop: PracticeSite) -> None:
    assert len(shop.state.products) >= 36
    assert {product.category for product in shop.state.products} == set(CATEGORIES)
    assert len({product.slug for product in shop.state.products}) == len(shop.state.products)


def test_filters_narrow_the_list(visitor: Visitor) -> None:
    found = names(visitor.get("/products?q=lamp&category=Lighting&min=40&max=70"))
    assert found == ["Desk Lamp Arc", "Reading Lamp Tulip"]
    assert "Pendant Lamp Dome" not in names(visitor.get("/products?q=lamp&in_stock=yes"))


def test_sorting_by_price(visitor: Visitor) -> None:
    assert names(visitor.get("/products?sort=price-asc"))[0] == "Sticky Notes Pastel"
    assert names(visitor.get("/products?sort=price-desc"))[0] == "Standing Desk Lift"


def test_pages_hold_twelve_and_keep_the_filters(visitor: Visitor) -> None:
    first, last = visitor.get("/products?sort=name"), visitor.get("/products?sort=name&page=4")
    assert len(names(first)) == 12
    assert len(names(last)) == 7
    assert "Next page" in first.text
    assert "Previous page" not in first.text
    assert "Next page" not in last.text
    assert "/products?sort=name&page=2" in first.page.values("href", "a")


def test_nothing_found_is_said(visitor: Visitor) -> None:
    assert "No products match" in visitor.get("/products?q=zeppelin").text


def test_cart_adds_updates_removes_and_is_private(shop: PracticeSite, visitor: Visitor) -> None:
    cart = visitor.follow(visitor.post("/cart/add", slug="desk-lamp-arc", quantity="2"))
    assert "€ 129.80" in cart.text
    assert "Desk Lamp Arc added to your cart" in cart.text
    assert "added to your cart" not in visitor.get("/cart").text
    assert "€ 194.70" in visitor.follow(visitor.post("/cart/update", slug="desk-lamp-arc", quantity="3")).text
    with Visitor(shop.url) as stranger:
        assert "Your cart is empty" in stranger.get("/cart").text
    assert "Your cart is empty" in visitor.follow(visitor.post("/cart/remove", slug="desk-lamp-arc")).text
    assert shop.state.submissions["POST /cart/add"] == 1


def test_an_order_needs_a_signed_in_customer(shop: PracticeSite, visitor: Visitor) -> None:
    visitor.post("/cart/add", slug="desk-lamp-arc")
    assert visitor.post("/cart/order").location == "/login?next=/cart"
    visitor.sign_in("anna")
    orders = visitor.follow(visitor.post("/cart/order"))
    assert shop.state.orders[-1].number in orders.text


def test_a_message_is_received_with_its_attachment(shop: PracticeSite, visitor: Visitor) -> None:
    sent = visitor.post_file("/contact", "attachment", "lamp.png", b"\x89PNG\r\n\r\n--\x00", **GOOD_MESSAGE)
    assert sent.location == "/contact/thanks?ref=MSG-0001"
    thanks = visitor.follow(sent)
    assert "Thank you, Mia Holm. Your message MSG-0001 has been received." in thanks.text
    assert "lamp.png (11 bytes)" in thanks.text
    assert shop.state.messages[0].fields["topic"] == "repair"


@pytest.mark.parametrize("missing", ["name", "email", "message", "terms"])
def test_an_incomplete_message_comes_back_with_its_values(shop: PracticeSite, visitor: Visitor, missing: str) -> None:
    fields = {name: value for name, value in GOOD_MESSAGE.items() if name != missing}
    seen = visitor.post("/contact", **fields)
    assert seen.status == 400
    assert f"{missing}-error" in seen.page.values("id")
    assert "My lamp is broken" in seen.text or missing == "message"
    assert shop.state.messages == []


def test_contact_has_every_kind_of_native_field(visitor: Visitor) -> None:
    kinds = set(visitor.get("/contact").page.values("type", "input"))
    dates = {"date", "time", "datetime-local", "month", "week"}
    others = {"text", "email", "tel", "url", "radio", "checkbox", "number", "color", "range", "file", "search"}
    assert dates | others <= kinds


def test_signing_in_and_out(visitor: Visitor) -> None:
    assert visitor.get("/account/orders").location == "/login?next=/account/orders"
    wrong = visitor.post("/login", username="anna", password="guess")
    assert wrong.status == 401
    assert "Wrong username or password" in wrong.text
    assert "Signed in as anna" in visitor.follow(visitor.sign_in("anna")).text
    assert visitor.get("/account/orders").text.count("<tr>") >= 9
    visitor.get("/logout")
    assert visitor.get("/account").status == 303


def test_next_never_leaves_the_shop(visitor: Visitor) -> None:
    seen = visitor.post("/login", username="ben", password="secret-ben", next="//evil.example/")
    assert seen.location == "/account"


def test_next_cannot_add_headers(visitor: Visitor) -> None:
    seen = visitor.post("/login", username="ben", password="secret-ben", next="/a\r\nX-Evil: 1")
    assert "X-Evil" not in seen.headers


def test_registering_and_signing_in(visitor: Visitor) -> None:
    account = {"name": "Zoe", "username": "zoe", "email": "z@example.com", "terms": "yes"}
    differing = visitor.post("/register", **account, password="secret-zoe", repeat="another1")
    assert differing.status == 400
    assert "secret-zoe" not in differing.text
    visitor.follow(visitor.post("/register", **account, password="secret-zoe", repeat="secret-zoe"))
    assert visitor.sign_in("zoe").location == "/account"


def test_deleting_a_ticket(shop: PracticeSite, visitor: Visitor) -> None:
    before = visitor.get("/tickets")
    assert len(before.page.values("id", "tr")) == 15
    after = visitor.follow(visitor.post("/tickets/12/delete"))
    assert "Ticket #12 deleted" in after.text
    assert len(after.page.values("id", "tr")) == 14
    assert visitor.post("/tickets/12/delete").status == 404
    assert shop.state.submissions["POST /tickets/12/delete"] == 2


def test_the_close_link_is_a_trap(shop: PracticeSite, visitor: Visitor) -> None:
    visitor.get("/tickets/1/close?confirm=1")
    assert shop.state.tickets[1].status == "closed"
    assert shop.state.submissions == {"GET /tickets/1/close": 1}


def test_tickets_by_status(visitor: Visitor) -> None:
    assert len(visitor.get("/tickets?status=waiting").page.values("id", "tr")) == 4


def test_opening_a_ticket_gives_it_the_next_number(visitor: Visitor) -> None:
    visitor.post("/tickets/15/delete")
    fields = {"subject": "Ink", "customer": "a@example.com", "priority": "high", "description": "Empty."}
    assert "Your ticket number is #16" in visitor.follow(visitor.post("/tickets/new", **fields)).text


def test_cities_are_suggested_by_their_first_letters(visitor: Visitor) -> None:
    assert json.loads(visitor.get("/api/cities?q=ber").body) == ["Berlin", "Bern"]


def test_stores_of_a_city(visitor: Visitor) -> None:
    assert len(names(visitor.get("/stores?city=berlin"))) == 3
    assert "No stores in Atlantis" in visitor.get("/stores?city=Atlantis").text


def test_an_upload_is_stored_byte_for_byte(shop: PracticeSite, visitor: Visitor) -> None:
    content = bytes(range(256)) + b"\r\n"
    seen = visitor.post_file("/upload", "file", "logo.bin", content, description="Logo")
    assert f"Stored logo.bin, 258 bytes, sha256 {hashlib.sha256(content).hexdigest()}" in seen.text
    assert shop.state.files[0].description == "Logo"
    assert visitor.post_file("/upload", "file", "", b"").status == 400


def test_downloads_are_real_files(shop: PracticeSite, visitor: Visitor) -> None:
    prices = visitor.get("/downloads/price-list.csv")
    assert prices.headers["Content-Disposition"] == 'attachment; filename="price-list.csv"'
    assert len(list(csv.DictReader(prices.text.splitlines()))) == len(shop.state.products)
    pdf = visitor.get("/downloads/leaflet.pdf").body
    assert pdf.startswith(b"%PDF-1.4")
    assert pdf[int(pdf.split()[-2]) :].startswith(b"xref")


def test_reserving_an_offer(shop: PracticeSite, visitor: Visitor) -> None:
    fragment = visitor.get("/late/content")
    offers = fragment.page.texts("li")
    assert len(offers) == 5
    assert "Reserved for Mia" in visitor.post("/late/reserve", offer=offers[0], name="Mia").text
    assert shop.state.reservations[0].offer == offers[0]
