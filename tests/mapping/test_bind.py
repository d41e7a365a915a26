"""Placeholders are put where the values are, and nowhere else."""

import pytest

from recipes_app.engine.document import Fingerprint, Locator, Target
from recipes_app.mapping.bind import bind, bind_target, mentions
from recipes_app.mapping.traces import Trace, lasting_piece, url_glob


@pytest.mark.parametrize(
    ("text", "arguments", "bound"),
    [
        ("15213", {"n": 5, "zip": "15213"}, "{{zip}}"),
        ("115213", {"n": "5", "zip": "15213"}, "115213"),
        ("Anna", {"title": "na", "name": "Anna"}, "{{name}}"),
        ("Annabel", {"name": "Anna"}, "Annabel"),
        ("hello", {"q": "hello", "p": "q"}, "{{q}}"),
        ("Results for desk lamp", {"a": "lamp", "b": "desk lamp"}, "Results for {{b}}"),
        ("Subscribed anna@x.test", {"name": "anna", "email": "anna@x.test"}, "Subscribed {{email}}"),
        ("anna@x.test", {"name": "anna"}, "anna@x.test"),
        ("Thanks, Ben.", {"name": "Ben"}, "Thanks, {{name}}."),
        ("5 items", {"n": 5}, "5 items"),
        ("5", {"n": 5}, "{{n}}"),
        ("true", {"flag": True}, "true"),
    ],
)
def test_binding(text: str, arguments: dict[str, object], bound: str) -> None:
    assert bind(text, arguments) == bound


def test_a_target_forgets_what_stood_near_it_when_that_was_a_value() -> None:
    mark = Fingerprint(tag="button", name="Delete", near="Late parcel open", attributes={"title": "Late parcel"})
    target = Target(
        locators=(Locator("role", "button", "Delete"),), within=Target(role="row", text="Late parcel"), fingerprint=mark
    )
    bound = bind_target(target, {"ticket": "Late parcel"})
    assert bound.within == Target(role="row", text="{{ticket}}")
    assert bound.fingerprint == Fingerprint(tag="button", name="Delete")


def trace(text: str, kind: str = "notice") -> Trace:
    return Trace(0, kind, text, "", "", (), False, "p")


def test_what_is_kept_as_proof_has_no_value_and_no_number() -> None:
    arguments = {"name": "Anna", "file": "data:text/plain;name=a%20b.txt;base64,eA=="}
    assert lasting_piece([trace("Reserved for Anna: 3 places")], arguments, frozenset()) == "Reserved for"
    assert lasting_piece([trace("Oak Desk added to your cart")], {}, frozenset({"Oak Desk"})) == "added to your cart"
    assert lasting_piece([trace("Order 17")], {}, frozenset()) == ""
    assert lasting_piece([trace("Reserved")], {}, frozenset({"Reserve"})) == "Reserved"
    assert mentions("Stored x.txt", {"file": "data:text/plain;name=x.txt;base64,eA=="})


def test_addresses_keep_what_does_not_vary() -> None:
    assert url_glob("http://a/new", "http://a/t/16/thanks", {}) == "http://a/t/*/thanks"
    assert url_glob("http://a/find", "http://a/find?q=lamp", {"q": "lamp"}) == "http://a/find?*"
    assert url_glob("http://a/find?q=a", "http://a/find?q=b", {}) is None
