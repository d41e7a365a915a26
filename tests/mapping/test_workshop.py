"""Controls that are harder than a form with a button, on the practice site: mapped, recorded, verified and called."""

from collections.abc import Callable
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import Recipe
from recipes_app.engine.runner import Outcome, run
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.rules import propose
from recipes_app.mapping.propose.why import with_reasons
from recipes_app.mapping.record import record
from recipes_app.mapping.unique import made_new
from recipes_app.mapping.verify import verify
from tests.mapping.conftest import OpenSession
from tests.mapping.test_markup_kinds import quiet

Tools = Callable[[str], dict[str, Draft]]
Tried = Callable[[Draft], Recipe]
Calling = Callable[..., Outcome]


@pytest.fixture
def tools(practice: PracticeSite, survey_of: Callable[..., Survey]) -> Tools:
    def run_on(path: str) -> dict[str, Draft]:
        survey = survey_of(f"{practice.url}{path}", max_pages=1)
        return {draft.name: draft for draft in propose(survey)}

    return run_on


@pytest.fixture
def verified(practice: PracticeSite, at_desk: Callable[..., Any]) -> Tried:
    def run_on(draft: Draft) -> Recipe:
        def work(open_session: OpenSession) -> Recipe:
            first, second = made_new(draft.parameters, draft.examples), made_new(draft.parameters, draft.others)
            with open_session() as session:
                made = record(draft, first, session, quiet)
            verdict = verify(made.recipe, arguments=first, others=second, open_session=open_session, emit=quiet)
            assert verdict.passed, verdict.checks
            return made.recipe

        recipe: Recipe = at_desk(work, url=practice.url)
        return recipe

    return run_on


@pytest.fixture
def call(practice: PracticeSite, at_desk: Callable[..., Any]) -> Calling:
    def run_on(recipe: Recipe, **arguments: Any) -> Outcome:
        def work(open_session: OpenSession) -> Outcome:
            with open_session() as session:
                return run(recipe, arguments, session, emit=quiet)

        outcome: Outcome = at_desk(work, url=practice.url)
        assert outcome.ok, outcome.error
        return outcome

    return run_on


def test_a_form_in_parts_is_one_tool(practice: PracticeSite, tools: Tools, verified: Tried, call: Calling) -> None:
    draft = tools("/workshop/engraving")["order_engraving"]
    assert list(draft.parameters["properties"]) == ["engraving", "lettering", "email"]
    recipe = verified(draft)
    call(recipe, engraving="For Mia", lettering="Gothic", email="mia@example.com")
    last = practice.state.engravings[-1]
    assert (last.text, last.script, last.email) == ("For Mia", "gothic", "mia@example.com")


def test_a_choice_that_sends_itself_is_a_filter(tools: Tools, verified: Tried, call: Calling) -> None:
    recipe = verified(tools("/workshop/spares")["filter_spares"])
    rows = call(recipe, material="Steel").data["spares"]
    assert rows
    assert {row["material"] for row in rows} == {"Steel"}


def test_a_list_on_several_pages_is_read_page_by_page(tools: Tools, verified: Tried, call: Calling) -> None:
    recipe = verified(tools("/workshop/spares")["list_spares"])
    first, whole = call(recipe, pages=1).data, call(recipe, pages=9).data
    assert (len(first["spares"]), first["complete"]) == (6, False)
    assert ([row["code"] for row in whole["spares"]], whole["complete"]) == ([f"SP-{n:03}" for n in range(1, 21)], True)


def test_a_list_that_a_button_makes_longer_is_read_to_its_end(tools: Tools, verified: Tried, call: Calling) -> None:
    recipe = verified(tools("/workshop/journal")["list_journals"])
    data = call(recipe, pages=10).data
    assert [row["name"].split(":")[0] for row in data["journals"]] == [f"Day {n}" for n in range(1, 21)]
    assert data["complete"]


def test_lists_behind_tabs_are_tools_of_their_own(tools: Tools, verified: Tried, call: Calling) -> None:
    found = tools("/workshop/guides")
    assert {"list_guides", "list_wood_guides", "list_light_guides"} <= set(found)
    data = call(verified(found["list_wood_guides"])).data
    assert data["wood_guides"][0] == {"name": "Oiling a desk", "text": "Takes 1 hour"}


@pytest.mark.parametrize("design", ["", "1", "2"])
def test_a_form_in_a_dialog_is_opened_first(
    design: str, practice: PracticeSite, tools: Tools, verified: Tried, call: Calling
) -> None:
    found = tools(f"/workshop/guests?redesign={design}")
    draft = next(draft for draft in found.values() if {"name"} < set(draft.parameters["properties"]))
    assert [step.op for step in draft.steps[:2]] == ["goto", "click"]
    words = next(name for name in draft.parameters["properties"] if name != "name")
    outcome = call(verified(draft), name="Ida", **{words: "A fine lamp."})
    assert practice.state.guests[-1].words == "A fine lamp."
    assert outcome.data["message"] == "Thank you, Ida"


def test_fields_without_a_form_and_a_box_that_is_no_select(tools: Tools, verified: Tried, call: Calling) -> None:
    draft = tools("/workshop/frames")["check_price"]
    assert draft.parameters["properties"]["wood"]["enum"] == ["Ash", "Oak", "Pine"]
    data = call(verified(draft), wood="Pine", width_in_cm=50).data
    assert data["prices"] == [{"frame": "Pine, 50 cm", "price": {"amount": "40.00", "currency": "EUR"}}]


def test_a_list_with_the_pages_behind_it(
    practice: PracticeSite, survey_of: Callable[..., Survey], verified: Tried, call: Calling
) -> None:
    found = {draft.name: draft for draft in propose(survey_of(f"{practice.url}/products", max_pages=3))}
    data = call(verified(found["list_products_with_details"]), limit=3).data
    names = [entry["product"][0]["name"] for entry in data["products"]]
    assert names == [product.name for product in practice.state.products[:3]]


def test_whether_a_product_is_in_stock_is_true_or_false(
    practice: PracticeSite, survey_of: Callable[..., Survey], verified: Tried, call: Calling
) -> None:
    found = {draft.name: draft for draft in propose(survey_of(f"{practice.url}/products", max_pages=1))}
    rows = call(verified(found["list_products"]), pages=9).data["products"]
    stock = {product.name: product.stock > 0 for product in practice.state.products}
    assert {row["name"]: row["in_stock"] for row in rows} == stock
    assert set(stock.values()) == {True, False}


def test_what_is_not_proposed_has_a_reason(practice: PracticeSite, survey_of: Callable[..., Survey]) -> None:
    survey = survey_of(f"{practice.url}/tickets", max_pages=1)
    page = with_reasons(survey, propose(survey)).pages[0]
    said = {reason["what"]: reason["why"] for reason in page.why_not}
    assert said["form “Help desk” and the button “Delete” (15 times)"] == "it belongs to one row of a table"
    assert all(reason["what"] and reason["why"] for reason in page.why_not)
