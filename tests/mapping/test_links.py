"""What a link means, and whether a crawl may follow it."""

from typing import Any

import pytest

from recipes_app.mapping.facts import LinkFacts
from recipes_app.mapping.frontier import rank_link
from recipes_app.mapping.risks import why_risky, why_risky_url
from recipes_app.mapping.robots import read_robots
from recipes_app.mapping.urls import page_url, same_site, shape_of


def link(url: str, text: str = "", **more: Any) -> LinkFacts:
    given: dict[str, Any] = {"landmark": "main", "chrome": False, "place": "", "rel": "", "visible": True}
    return LinkFacts(url=url, text=text, **{**given, "download": False, "data_method": "", "confirm": False, **more})


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/logout",
        "http://a.test/item/3/delete",
        "http://a.test/item/3/remove.php",
        "http://a.test/cart?add-to-cart=7",
        "http://a.test/t/8/close?confirm=1",
        "http://a.test/index.php?action=delete&id=4",
        "http://a.test/konto/abmelden",
        "http://a.test/deconnexion",
        "http://a.test/cuenta/cerrar-sesion",
        "http://a.test/newsletter/unsubscribe/abc",
        "http://a.test/post/5/upvote",
        "http://a.test/setLang?to=de",
    ],
)
def test_addresses_that_change_something_are_risky(url: str) -> None:
    assert why_risky_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/articles/how-to-delete-your-account-for-good",
        "http://a.test/search?q=delete",
        "http://logout.test/products",
        "http://a.test/login?next=/logout",
        "http://a.test/close-up-photography-of-birds",
        "http://a.test/products/eraser",
    ],
)
def test_addresses_that_only_mention_it_are_not(url: str) -> None:
    assert why_risky_url(url) is None


@pytest.mark.parametrize(
    "text", ["Log out", "Abmelden", "Supprimer", "Delete", "削除", "Выйти", "Add to cart", "Ta bort"]
)
def test_the_words_of_a_link_count_in_several_languages(text: str) -> None:
    assert why_risky(link("http://a.test/x", text))


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("/act/cart?add=5", "+"),
        ("/cart/17", "+"),
        ("/basket/add/5", "Add"),
        ("/basket/5/add", "x"),
        ("/act/promote/3", "Promote"),
        ("/act/redeem/3", "Redeem"),
        ("/act/report/3", "Report"),
        ("/r/3", "Book now"),
        ("/rooms/3/reserve", "Choose"),
        ("/x?item=lamp", "Order"),
        ("/x/9", "Reserve"),
        ("/machines", "Reboot"),
        ("/machines/restart", "Go"),
        ("/flights", "Check in"),
        ("/check-in", "Go"),
        ("/u/3/d", "Delete the selected user account now"),
        ("/u/3/d", "x"),
        ("/d?id=3", "x"),
        ("/list?a=delete_all_items_now_please", "Tidy"),
        ("/index.php?do=book&room=4", "Yes"),
        ("/zimmer/4", "Jetzt buchen"),
        ("/p/4", "Commander"),
        ("/p/4", "Заказать"),
        ("/p/4", "予約する"),
        ("/gutschein", "Einlösen"),
        ("/server", "重启"),
        ("/p/4", "♥"),
    ],
)
def test_links_that_do_something_to_one_thing_are_risky(url: str, text: str) -> None:
    assert why_risky(link("http://a.test" + url, text))


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("/orders", "Orders"),
        ("/orders/12", "Order 12"),
        ("/account/orders", "Order history"),
        ("/reports", "Reports"),
        ("/reports/2024", "Report 2024"),
        ("/report/2024", "The annual report"),
        ("/books", "Books"),
        ("/book/41", "A book of hours"),
        ("/book/41", "The order of things"),
        ("/addresses", "Addresses"),
        ("/add-ons", "Add-ons"),
        ("/add-ons/7", "Add-ons for cars"),
        ("/booking", "Book now"),
        ("/book", "Book"),
        ("/reserve", "Reserve a table"),
        ("/report", "Report a problem"),
        ("/tickets/new", "New ticket"),
        ("/list?order=asc", "Order"),
        ("/list?sort=price&page=2", "+"),
        ("/list?page=2", "2"),
        ("/promotions", "Promotions"),
        ("/restaurants/5", "Redeemer's Arms"),
        ("/news/delete-your-old-accounts-today", "Delete your old accounts today, experts say"),
        ("/news/77", "How to delete your account for good"),
        ("/documents/d/55", "Draft"),
        ("/c/dvd", "DVD"),
        ("/starters", "Starters"),
        ("/share-prices/4", "Share prices"),
        ("/products?category=add-ons", "All"),
    ],
)
def test_links_to_content_and_to_forms_are_followed(url: str, text: str) -> None:
    assert why_risky(link("http://a.test" + url, text)) is None


def test_a_link_with_a_method_or_a_confirmation_is_risky() -> None:
    assert why_risky(link("http://a.test/x", "Go", data_method="delete"))
    assert why_risky(link("http://a.test/x", "Go", confirm=True))
    assert why_risky(link("http://a.test/x", "Go", data_method="get")) is None


def test_only_the_path_and_the_words_rank_a_link() -> None:
    about = link("http://bookshop-search.test/imprint", "Imprint")
    contact = link("http://bookshop-search.test/contact", "Contact")
    assert rank_link(contact) > rank_link(about)
    assert rank_link(link("http://search.test/x", "x")) == rank_link(link("http://plain.test/x", "x"))


def test_pages_of_one_kind_have_one_shape() -> None:
    assert shape_of("http://a.test/item/12-blue-chair/") == shape_of("http://a.test/item/7-oak-desk/")
    assert shape_of("http://a.test/list?page=2&q=lamp") == shape_of("http://a.test/list?page=9&q=lamp")
    assert shape_of("http://a.test/about") != shape_of("http://a.test/contact")


def test_links_are_pages_of_the_web_without_fragments() -> None:
    assert page_url("HTTP://A.test:80/x?y=1#z") == "http://a.test/x?y=1"
    assert page_url("JavaScript:alert(1)") is None
    assert page_url("mailto:a@b.c") is None
    assert page_url("http://a.test:99999/") is None


def test_the_same_site_is_its_host_with_or_without_www_and_what_was_allowed() -> None:
    assert same_site("https://www.shop.test/a", "https://shop.test/")
    assert same_site("https://img.shop.test/a", "https://shop.test/", frozenset({"*.shop.test"}))
    assert not same_site("https://notshop.test/a", "https://shop.test/")
    assert not same_site("http://127.0.0.1:8001/", "http://127.0.0.1:8000/")


def test_robots_rules_for_everybody_and_for_us() -> None:
    robots = read_robots("User-agent: *\nDisallow: /private\nCrawl-delay: 3\n")
    assert not robots.allows("http://a.test/private/x")
    assert robots.allows("http://a.test/public")
    assert robots.delay_s == 3
    assert read_robots("").allows("http://a.test/anything")


@pytest.mark.parametrize(
    "line",
    [
        "Crawl-delay: ²",
        "Crawl-delay: " + "9" * 5000,
        "Request-rate: ²/³",
        "Disallow: http://[x",
        "Disallow: /" + "z" * 100_000,
        "Disallow: http://a.test:99999999/%5B%",
        "\x00:\ud800",
    ],
)
def test_a_line_that_cannot_be_read_is_passed_over(line: str) -> None:
    robots = read_robots(f"User-agent: *\n{line}\nDisallow: /private\n")
    assert not robots.allows("http://a.test/private/x")
    assert robots.allows("http://a.test/public")
    assert robots.allows("http://[x")
    assert 0 <= robots.delay_s <= 10


@pytest.mark.parametrize(
    ("text", "path", "followed"),
    [
        ("Refund not received", "/tickets/12", True),
        ("Why was my refund late", "/topic/12/why-was-my-refund-late", True),
        ("Refund", "/orders/12", False),
        ("Delete this ticket now", "/tickets/12", False),
        ("Refund not received", "/refund/12?now=1", False),
        ("Log out was wrong", "/tickets/12", False),
    ],
)
def test_the_title_of_a_thing_is_no_command(text: str, path: str, followed: bool) -> None:
    assert (why_risky(link(f"http://a.test{path}", text)) is None) is followed
