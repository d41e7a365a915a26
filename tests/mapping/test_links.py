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
