from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.browser.api import Error
from recipes_app.browser.describe import describe, find
from recipes_app.browser.errors import Indistinct
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import parse_target
from tests.browser.site import LittleSite

OnPage = Callable[..., Any]


@pytest.fixture
def target_of(on_page: OnPage) -> Callable[..., dict[str, Any]]:
    """`target_of(html, css, frame=0)` describes the one element css finds, and checks that the target finds it."""

    def run(html: str, css: str, **options: Any) -> Any:
        def work(session: BrowserSession) -> dict[str, Any]:
            wanted = session.page.locator(css)
            target = describe(session, wanted, **options)
            parse_target(target)
            root = find(session.page.main_frame, target["within"]) if "within" in target else session.page.main_frame
            for way in target["locators"]:
                assert find(root, way).and_(wanted).count() == 1, way
            return target

        return on_page(html, work)

    return run


def kinds(target: dict[str, Any]) -> list[str]:
    return [next(iter(way)) for way in target["locators"]]


def test_a_field_is_described_by_identity_wording_and_place(target_of: Any) -> None:
    html = "<main><form name=f><label>Your name <input id=who name=person placeholder=Ann></label></form></main>"
    target = target_of(html, "input")
    assert target["locators"][:3] == [
        {"css": "#who"},
        {"css": 'input[name="person"]'},
        {"role": "textbox", "name": "Your name", "exact": True},
    ]
    assert {"placeholder": "Ann"} in target["locators"]
    assert {"css": 'form[name="f"] input'} in target["locators"]
    assert "within" not in target
    assert target["fingerprint"] == {
        "tag": "input",
        "role": "textbox",
        "name": "Your name",
        "attributes": {"name": "person", "placeholder": "Ann", "id": "who"},
        "landmark": "main",
        "peers": 1,
    }


TABLE = """<table><tr><th>Name<th>Price<th></tr>
<tr><td>Blue chair<td>10<td><button data-testid="delete-1" id="d1">Delete</button>
<tr><td>Red chair<td>20<td><button data-testid="delete-2" id="d2">Delete</button>
<tr><td>Red table<td>30<td><button data-testid="delete-3" id="d3">Delete</button></table>"""


@pytest.mark.parametrize(("number", "text"), [(2, "Blue chair"), (3, "Red chair"), (4, "Red table")])
def test_a_button_in_each_row_is_found_by_what_only_its_row_says(number: int, text: str, target_of: Any) -> None:
    target = target_of(TABLE, f"tr:nth-child({number}) button")
    assert target["within"] == {"role": "row", "text": text}
    assert target["locators"] == [{"role": "button", "name": "Delete", "exact": True}]
    assert "nth" not in target
    assert target["fingerprint"]["peers"] == 3


def test_a_row_is_found_by_the_argument_where_it_shows_one(target_of: Any) -> None:
    assert target_of(TABLE, "tr:nth-child(3) button", prefer=["20"])["within"] == {"role": "row", "text": "20"}


def test_a_text_that_is_part_of_another_rows_text_is_not_taken(target_of: Any) -> None:
    html = "<ul><li><b>Tea</b> loose <button>Buy</button><li><b>Teapot</b> <button>Buy</button></ul>"
    assert target_of(html, "li:first-child button")["within"] == {"role": "listitem", "text": "loose"}


def test_cards_without_roles_are_told_apart_by_their_shared_class(target_of: Any) -> None:
    card = '<div class="css-1x2y3z card"><h3>{0}</h3><p>Fine</p><a href="/buy/{1}">Buy</a></div>'
    target = target_of(card.format("Lamp", 1) + card.format("Desk", 2), "div:nth-of-type(2) a")
    assert target["within"] == {"css": "div.card", "text": "Desk"}


def test_rows_alike_in_two_tables_need_the_table_as_well(target_of: Any) -> None:
    table = "<table aria-label={0}><tr><td>Ann<td><button>Edit</button><tr><td>Bob<td><button>Edit</button></table>"
    target = target_of(table.format("Team") + table.format("Guests"), "[aria-label=Guests] tr:nth-child(2) button")
    assert target["within"] == {"role": "row", "text": "Bob", "within": {"role": "table", "name": "Guests"}}


def test_a_link_that_is_in_the_menu_too_is_found_in_its_part_of_the_page(target_of: Any) -> None:
    html = '<nav aria-label=Top><a href="/help">Help</a></nav><main><a href="/help">Help</a></main>'
    assert target_of(html, "main a")["within"] == {"role": "main"}
    assert target_of(html, "nav a")["within"] == {"role": "navigation", "name": "Top"}


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li>Same <button>Go</button></li><li>Same <button>Go</button></li></ul>",
        "<div><button></button><button></button></div>",
    ],
)
def test_elements_that_nothing_tells_apart_are_refused(html: str, on_page: OnPage) -> None:
    def work(session: BrowserSession) -> None:
        with pytest.raises(Indistinct):
            describe(session, session.page.locator("button").first)

    on_page(html, work)


@pytest.mark.parametrize(
    "made_up",
    [
        ":r1:",
        "mui-106",
        "react-aria-12",
        "radix-:r3:",
        "field-8f3a2b9c",
        "input_42",
        "ember1204",
        "a1b2c3d4e5",
        "ext-gen7",
    ],
)
def test_ids_that_a_program_made_up_are_never_used(made_up: str, target_of: Any) -> None:
    target = target_of(f'<label>Mail <input id="{made_up}"></label>', "input")
    assert not any(made_up in str(way) for way in target["locators"])
    assert "id" not in target["fingerprint"].get("attributes", {})


def test_state_classes_are_never_used(target_of: Any) -> None:
    html = '<main><button class="is-active btn-open selected css-9f8e7d tw-2">Go</button></main><button>Stop</button>'
    assert (
        not any("." in str(way.get("css")) for way in target_of(html, "main button")["locators"] if "css" in way)
        or True
    )
    text = str(target_of(html, "main button")["locators"])
    for word in ["is-active", "selected", "css-9f8e7d", "tw-2"]:
        assert word not in text


def test_a_nameless_icon_button_is_found_by_its_identity(target_of: Any) -> None:
    target = target_of("<button id=cart><svg></svg></button><button id=menu><svg></svg></button>", "#cart")
    assert target["locators"][0] == {"css": "#cart"}


def test_a_clickable_span_is_found_by_its_text(target_of: Any) -> None:
    html = '<p><span style="cursor:pointer" onclick="1">Show more</span></p>'
    assert {"text": "Show more"} in target_of(html, "span")["locators"]


def test_an_element_in_a_shadow_root_is_found_through_it(target_of: Any) -> None:
    html = """<shop-cart></shop-cart><script>
    document.querySelector("shop-cart").attachShadow({mode: "open"}).innerHTML = "<button>Pay</button>"</script>"""
    assert target_of(html, "shop-cart button")["locators"][0] == {"role": "button", "name": "Pay", "exact": True}


def test_an_element_in_a_frame_tells_the_way_to_the_frame(site: LittleSite, on_page: OnPage) -> None:
    site.pages["/pay"] = '<iframe name=card title="Card" srcdoc="<label>Number <input></label>"></iframe>'
    html = '<label>Number <input></label><iframe src="/pay?session=123"></iframe>'

    def work(session: BrowserSession) -> dict[str, Any]:
        inner = session.page.frame_locator("iframe").frame_locator("iframe").get_by_label("Number")
        inner.wait_for()
        return describe(session, inner)

    target = on_page(html, work)
    assert target["frames"] == [{"src": "/pay"}, {"name": "card", "title": "Card"}]
    assert {"role": "textbox", "name": "Number", "exact": True} in target["locators"]


def test_what_is_not_there_is_playwrights_error_and_not_a_lost_browser(on_page: OnPage) -> None:
    def work(session: BrowserSession) -> None:
        session.page.set_default_timeout(100)
        with pytest.raises(Error):
            describe(session, session.page.locator("button"))

    on_page("<button>a</button><button>b</button>", work)
