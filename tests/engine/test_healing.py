"""The similarity by which a replacement is proposed: pure, so without a browser."""

from dataclasses import replace
from pathlib import Path

from recipes_app.engine.healing import FLOOR, MARGIN, SIGNALS, Around, Traits, search
from recipes_app.engine.shapes import Fingerprint, Locator, Target

OLD = Target(
    locators=(Locator("css", "#email"), Locator("role", "textbox", "Email")),
    fingerprint=Fingerprint("input", "textbox", "Email", {"type": "email", "name": "email", "id": "email"}, "main"),
)
RENAMED = Traits("input", "textbox", "E-mail address", {"type": "email", "name": "email", "id": "x1"}, "main", order=4)
OTHER = Traits("input", "textbox", "Full name", {"type": "text", "name": "name", "id": "x2"}, "main", order=3)


def test_the_field_with_another_label_and_id_is_proposed_with_its_reasons() -> None:
    choice = search(OLD, "type", [OTHER, RENAMED], Around())
    assert choice.best is not None
    assert choice.second is not None
    assert (choice.best.traits, choice.second.traits) == (RENAMED, OTHER)
    assert FLOOR <= choice.best.score < 1
    assert choice.best.score - choice.second.score >= MARGIN
    told = "; ".join(choice.best.reasons)
    assert "field name: the same, weight 20" in told
    assert "(“Email”, now “E-mail address”)" in told


def test_an_identical_element_scores_one() -> None:
    same = Traits("input", "textbox", "Email", {"type": "email", "name": "email", "id": "email"}, "main")
    choice = search(OLD, "type", [same], Around())
    assert choice.best is not None
    assert choice.best.score == 1


def test_nothing_is_proposed_below_the_floor() -> None:
    choice = search(OLD, "type", [OTHER], Around())
    assert choice.best is None
    assert "nothing similar enough" in choice.words
    assert choice.second is not None
    assert choice.second.score < FLOOR


def test_nothing_is_proposed_where_two_are_about_as_similar() -> None:
    choice = search(OLD, "type", [RENAMED, replace(RENAMED, order=9)], Around())
    assert choice.best is None
    assert "two are about as similar" in choice.words


def test_what_the_step_cannot_use_is_no_candidate() -> None:
    button = Traits("button", "button", "Email", {"name": "email"}, "main")
    assert search(OLD, "type", [button], Around()).words == "the page has nothing that this step could use"
    assert search(Target(css="div > div"), "click", [button], Around()).best is None


def test_the_form_and_the_order_of_the_other_steps_decide_between_equals() -> None:
    around = Around(before=(2,), after=(6,), forms=frozenset({1}))
    inside = replace(RENAMED, form=1, order=4)
    outside = replace(RENAMED, form=0, order=9)
    choice = search(OLD, "type", [outside, inside], around)
    assert choice.best is not None
    assert choice.best.traits is inside


def test_every_weight_has_a_reason() -> None:
    assert all(signal.why and signal.weight > 0 for signal in SIGNALS)
    assert len({signal.name for signal in SIGNALS}) == len(SIGNALS)


def test_the_page_about_healing_has_the_weights_that_count() -> None:
    page = (Path(__file__).parents[2] / "docs" / "healing.md").read_text(encoding="utf-8")
    assert all(f"| {signal.name} | {signal.weight} | {signal.why} |" in page for signal in SIGNALS)
    assert f"Below {round(FLOOR * 100)} %" in page
    assert f"less than {round(MARGIN * 100)} % behind" in page
