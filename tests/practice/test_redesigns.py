import pytest

from examples.practice import PracticeSite
from examples.practice.synonyms import SYNONYMS
from tests.practice.client import Outline, Visitor
from tests.practice.test_pages import PAGES

FORM_PAGES = ["/products", "/contact", "/tickets", "/login", "/upload", "/newsletter/frame"]


def field_names(page: Outline) -> list[str]:
    return page.values("name", "input", "select", "textarea")


def classes(page: Outline) -> set[str]:
    return {name for value in page.values("class") for name in value.split()}


def test_a_design_stays_until_it_is_cleared(visitor: Visitor) -> None:
    plain = visitor.get("/contact").text
    visitor.get("/faq?redesign=4")
    assert visitor.get("/contact").text != plain
    visitor.get("/faq?redesign=0")
    assert visitor.get("/contact").text == plain


@pytest.mark.parametrize("path", FORM_PAGES)
def test_first_redesign_renames_ids_and_classes_only(visitor: Visitor, path: str) -> None:
    before, after = visitor.get(path).page, visitor.get(f"{path}?redesign=1").page
    assert not set(before.values("id")) & set(after.values("id"))
    assert not classes(before) & classes(after)
    assert field_names(before) == field_names(after)
    assert before.texts("label", "button") == after.texts("label", "button")


def test_first_redesign_keeps_the_looks(visitor: Visitor) -> None:
    page = visitor.get("/products?redesign=1").page
    css = visitor.get(page.values("href", "link")[1]).text
    used = classes(page)
    assert sum(f".{name}" in css for name in used) >= len(used) - 3


@pytest.mark.parametrize("path", FORM_PAGES)
def test_second_redesign_changes_the_order_and_nothing_else(visitor: Visitor, path: str) -> None:
    before, after = visitor.get(path).page, visitor.get(f"{path}?redesign=2").page
    assert sorted(field_names(before)) == sorted(field_names(after))
    assert sorted(before.texts("label", "button", "a")) == sorted(after.texts("label", "button", "a"))
    assert len(after.elements) > len(before.elements)


def test_second_redesign_reverses_menu_cards_and_fields(visitor: Visitor) -> None:
    before, after = visitor.get("/products").page, visitor.get("/products?redesign=2").page
    assert after.texts("h3") == before.texts("h3")[::-1]
    assert after.texts("label") == before.texts("label")[::-1]


@pytest.mark.parametrize("path", FORM_PAGES)
def test_third_redesign_puts_a_decoy_before_every_form(visitor: Visitor, path: str) -> None:
    before, after = visitor.get(path).page, visitor.get(f"{path}?redesign=3").page
    assert after.texts("button") == [text for name in before.texts("button") for text in (name, name)]
    for label in before.texts("label"):
        assert after.texts("label").count(label) == 2 * before.texts("label").count(label)
    actions = after.values("action", "form")
    assert all(action.startswith("/decoy?") for action in actions[::2])
    assert actions[1::2] == before.values("action", "form")


def test_a_pressed_decoy_is_counted_and_does_nothing(shop: PracticeSite, visitor: Visitor) -> None:
    decoy = visitor.get("/tickets?redesign=3").page.values("action", "form")[2]
    assert visitor.post(decoy).status == 200
    assert shop.state.submissions == {"DECOY Delete": 1}
    assert len(shop.state.tickets) == 15


@pytest.mark.parametrize("path", [*PAGES, "/newsletter/frame"])
def test_fourth_redesign_renames_every_label_and_button(visitor: Visitor, path: str) -> None:
    before, after = visitor.get(path).page, visitor.get(f"{path}{'&' if '?' in path else '?'}redesign=4").page
    old = before.texts("label", "button", "legend")
    new = after.texts("label", "button", "legend")
    assert [text for text, renamed in zip(old, new, strict=True) if text == renamed] == []
    assert before.values("id") == after.values("id")
    assert field_names(before) == field_names(after)


def test_synonyms_are_different_words() -> None:
    assert [name for name, other in SYNONYMS.items() if name == other] == []
