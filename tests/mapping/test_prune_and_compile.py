"""Which of a flight's steps a recipe keeps, and which of their words are values."""

from typing import Any

import pytest

from recipes_app.browser.dialogs import SeenDialog
from recipes_app.browser.snapshot import Element
from recipes_app.engine.document import Fingerprint, Locator, Step, Target
from recipes_app.engine.shapes import Expect
from recipes_app.mapping.compile import bound_address, compiled, lasting
from recipes_app.mapping.prune import Move, pruned

HOME, FORM, OTHER = "http://a/", "http://a/form", "http://a/other"


def target(name: str, role: str = "button") -> Target:
    return Target(locators=(Locator("role", role, name),))


def element(role: str, name: str) -> Element:
    return Element(
        index=0,
        role=role,
        name=name,
        tag="a",
        type="",
        value=None,
        states=(),
        href="",
        box=(0, 0, 1, 1),
        frame=(),
        landmark="",
        attributes={},
        css="",
        by_role=True,
        number=0,
    )


def step(op: str, name: str = "", before: str = FORM, after: str = "", **more: Any) -> Move:
    fields: dict[str, Any] = {
        key: more.pop(key) for key in ("text", "value", "url", "to", "answer", "key") if key in more
    }
    role = more.pop("role", "button")
    if name:
        fields["target"] = target(name, role)
        more.setdefault("element", element(role, name))
    expect = more.pop("expect", None)
    return Move(Step(op, fields, expect=expect), before, after or before, **more)


def kept(*moves: Move) -> list[str]:
    return [f"{move.step.op} {getattr(move.element, 'name', '')}".strip() for move in pruned(moves)]


def test_looking_around_is_left_out() -> None:
    assert kept(step("goto", url=FORM), step("scroll"), step("click", "Go"), step("wait_for")) == ["goto", "click Go"]


def test_ways_gone_and_gone_back_are_left_out_but_never_across_something_done() -> None:
    start = step("goto", before="", after=HOME, url=HOME)
    there, back = step("click", "Shop", HOME, OTHER), step("back", before=OTHER, after=HOME)
    assert kept(start, there, back, step("click", "Form", HOME, FORM)) == ["goto", "click Form"]
    typed = step("type", "Name", OTHER, text="x", role="textbox")
    assert kept(start, there, typed, back, step("click", "Form", HOME, FORM)) == [
        "goto", "click Shop", "type Name", "back", "click Form",
    ]  # fmt: skip
    new = step("click", "Shop", HOME, OTHER, expect=Expect(page_opened=True))
    assert kept(start, new, step("switch_page", before=OTHER, after=HOME, to="main")) == [
        "goto", "click Shop", "switch_page",
    ]  # fmt: skip


def test_of_a_field_set_twice_the_last_value_counts() -> None:
    one, two = step("type", "Name", text="a", role="textbox"), step("type", "Name", text="b", role="textbox")
    moves = pruned((one, step("type", "City", text="c", role="textbox"), two))
    assert [move.step.fields["text"] for move in moves] == ["c", "b"]
    assert len(pruned((one, step("click", "Save"), two))) == 3


def test_a_click_into_a_field_before_it_is_filled_and_one_that_changed_nothing_are_left_out() -> None:
    typing = step("type", "Name", text="a", role="textbox")
    assert kept(step("click", "Name", role="textbox"), typing) == ["type Name"]
    dead = step("click", "Dead", mark="m")
    assert kept(dead, step("click", "Live", mark="m"), step("click", "Last", mark="n")) == ["click Live", "click Last"]


def test_what_was_opened_and_closed_again_is_left_out() -> None:
    opening, closing = step("click", "More", mark="shut"), step("click", "More", mark="open")
    assert kept(opening, closing, step("click", "Go", mark="shut")) == ["click Go"]


@pytest.mark.parametrize(
    ("url", "bound"),
    [
        ("http://a/find?q=desk+lamp&p=1", "http://a/find?q={{query}}&p=1"),
        ("http://a/find?q=desk%20lamp", "http://a/find?q={{query}}"),
        ("http://a/items/5/notes", "http://a/items/{{id}}/notes"),
        ("http://a/items/15/notes?n=55", "http://a/items/15/notes?n=55"),
        ("/find?q={{query}}", "/find?q={{query}}"),
        ("http://a/lamp", "http://a/lamp"),
    ],
)
def test_addresses_are_bound_by_whole_segments_and_values(url: str, bound: str) -> None:
    assert bound_address(url, {"query": "desk lamp", "id": 5}) == bound


def test_values_are_bound_exactly_and_what_is_bound_already_is_left_alone() -> None:
    steps, _ = compiled(
        [
            step("type", "Zip", text="15213", role="textbox"),
            step("type", "Note", text="{{title}} and na", role="textbox"),
            step("choose", "Size", value="large", role="radio"),
            step("select", "Kind", value="work", role="combobox"),
            step("check", "Send me news", value=True, role="checkbox"),
            step("check", "I agree", value=True, role="checkbox"),
        ],
        {"n": "5", "zip": "15213", "title": "na", "t": "title", "size": "Large", "kind": "Work", "news": True},
    )
    assert [each.fields.get("text", each.fields.get("value")) for each in steps] == [
        "{{zip}}", "{{title}} and na", "{{size}}", "{{kind}}", "{{news}}", True,
    ]  # fmt: skip


def test_only_what_is_named_by_a_value_is_found_by_it_and_then_by_nothing_else() -> None:
    mark = Fingerprint(tag="a", role="link", name="Oak", attributes={"href": "/oak"})
    ways = (Locator("role", "link", "Oak"), Locator("css", "#oak"))
    bound = lasting(Target(locators=ways, fingerprint=mark), element("link", "Oak"), {"name": "Oak"})
    assert bound.locators == (Locator("role", "link", "{{name}}"),)
    assert bound.fingerprint == Fingerprint(tag="a", role="link", name="{{name}}")
    button = Target(locators=(Locator("role", "button", "Search"),))
    assert lasting(button, element("button", "Search"), {"q": "Search"}) == button
    row = Target(locators=(Locator("role", "button", "Delete"),), within=Target(role="row", text="Oak"))
    assert lasting(row, element("button", "Delete"), {"name": "Oak", "what": "Delete"}).within == Target(
        role="row", text="{{name}}"
    )
    assert lasting(row, element("button", "Delete"), {"name": "Oak", "what": "Delete"}).locators == row.locators


def test_a_dialog_belongs_to_the_step_that_brings_it() -> None:
    asked = (SeenDialog("confirm", "Delete Oak and 3 more?", "accept", True),)
    steps, submits = compiled(
        [step("dialog", answer="accept"), step("click", "Delete", dialogs=asked, held=True)], {"name": "Oak"}
    )
    assert [each.op for each in steps] == ["click"]
    assert submits == 0
    assert steps[0].expect is not None
    assert steps[0].expect.dialog is not None
    assert (steps[0].expect.dialog.message, steps[0].expect.dialog.answer) == ("Delete {{name}} and * more?", "accept")


def test_a_suggestion_that_says_more_than_was_typed_is_the_first_one() -> None:
    typed = step("type", "City", text="{{city}}", role="combobox")
    steps, _ = compiled([typed, step("click", "Berlin, Germany", role="option")], {"city": "Berlin"})
    assert [each.op for each in steps] == ["type", "wait_for", "click"]
    assert steps[2].fields["target"] == Target(role="option")
    assert steps[0].fields["keys"] is True
