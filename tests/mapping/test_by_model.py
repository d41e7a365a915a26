"""Tools that only a model can find the way to, recorded on the practice site; what was really sent is counted there."""

from collections.abc import Callable
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import Recipe, dump_recipe, parse_recipe
from recipes_app.mapping.errors import RecordingFailed
from tests.mapping.flights import draft_of, recorded_by
from tests.pilot.flying import Script, call, done, in_row, move

AtDesk = Callable[..., Any]


def sent(practice: PracticeSite) -> dict[str, int]:
    return dict(practice.state.submissions)


def ops(recipe: Recipe) -> list[str]:
    """Without those that close a banner."""
    return [step.op for step in recipe.steps if not step.optional]


def test_a_search_with_a_filter_is_bound_read_and_follows_its_parameters(
    practice: PracticeSite, at_desk: AtDesk
) -> None:
    draft = draft_of(
        "search_products",
        f"{practice.url}/products",
        examples={"query": "lamp", "category": "Lighting"},
        others={"query": "desk", "category": "Desks"},
    )
    made, provider = recorded_by(
        at_desk,
        draft,
        move("scroll", direction="down"),
        move("type_text", on="Search products", text="{{query}}"),
        move("select_option", on="Category", value="Lighting"),
        move("click", on="Find"),
        done(),
    )
    recipe = made.recorded.recipe
    assert made.verdict.passed, made.verdict.checks
    assert (made.how, made.again) == ("model", "")
    assert ops(recipe) == ["goto", "type", "select", "click", "extract_list"]
    assert recipe.steps[1].fields["text"] == "{{query}}"
    assert recipe.steps[2].fields["value"] == "{{category}}"
    assert made.recorded.result.data["products"]
    assert [request.purpose for request in provider.requests] == ["pilot"] * 5 + ["name"]
    assert parse_recipe(dump_recipe(recipe)) == recipe
    assert sent(practice) == {}


def test_a_form_is_held_back_while_the_model_finds_out_and_then_sent_once_and_once_more(
    practice: PracticeSite, at_desk: AtDesk
) -> None:
    ann = {"name": "Ann Lee", "email": "ann@example.com", "preferred": "Post", "topic": "Return", "day": "2026-03-05"}
    bo = {"name": "Bo Ray", "email": "bo@example.com", "preferred": "Phone", "topic": "Order", "day": "2026-04-06"}
    draft = draft_of(
        "send_message",
        f"{practice.url}/contact",
        side_effect="write",
        examples={**ann, "message": "Hello there, all of you", "news": True},
        others={**bo, "message": "Good morning, everybody", "news": False},
    )
    made, _ = recorded_by(
        at_desk,
        draft,
        move("type_text", on='"Name', text="Ann"),
        move("click", on='"Email *"'),
        move("type_text", on='"Name', text="{{name}}"),
        move("type_text", on='"Email *"', text="ann@example.com"),
        move("choose", on='radio "Phone"', value="post"),
        move("select_option", on="Topic", value="Return"),
        move("set_date", on="Call me on", value="2026-03-05"),
        move("type_text", on="Message *", text="{{message}}"),
        move("check", on="Subscribe to the news", value="{{news}}"),
        move("check", on="I accept", value=True),
        move("click", on="Send message"),
        done(),
    )
    recipe = made.recorded.recipe
    assert made.verdict.passed, made.verdict.checks
    assert ops(recipe) == [
        "goto", "type", "type", "choose", "select", "set_date", "type", "check", "check", "click", "extract",
    ]  # fmt: skip
    given = [step.fields.get("text", step.fields.get("value")) for step in recipe.steps[1:9]]
    assert given == [
        "{{name}}", "{{email}}", "{{preferred}}", "{{topic}}", "{{day}}", "{{message}}", "{{news}}", True,
    ]  # fmt: skip
    assert sent(practice) == {"POST /contact": 2}
    assert [message.name for message in practice.state.messages] == ["Ann Lee", "Bo Ray"]
    assert recipe.steps[9].expect is not None


def test_a_list_behind_a_link_needs_no_parameters(practice: PracticeSite, at_desk: AtDesk) -> None:
    draft = draft_of("list_tickets", f"{practice.url}/", kind="list")
    made, provider = recorded_by(at_desk, draft, move("click", on="Help desk"), done())
    assert made.verdict.passed, made.verdict.checks
    assert ops(made.recorded.recipe) == ["goto", "click", "extract_table"]
    assert len(made.recorded.result.data["tickets"]) > 5
    assert [request.purpose for request in provider.requests] == ["pilot", "pilot", "name"]


def test_the_model_may_name_and_type_what_the_rules_found_and_nothing_else(
    practice: PracticeSite, at_desk: AtDesk
) -> None:
    draft = draft_of("list_tickets", f"{practice.url}/", kind="list")
    fields = [
        {"field": "subject", "name": "What it is about", "type": "integer"},
        {"field": "customer", "name": "subject", "type": "string"},
        {"field": "priority", "name": "urgency", "type": "string"},
    ]
    script = Script([move("click", on="Help desk"), done()], data=lambda _request: {"fields": fields})
    made, provider = recorded_by(at_desk, draft, script=script)
    assert made.verdict.passed, made.verdict.checks
    first = made.recorded.result.data["tickets"][0]
    assert first["what_it_is_about"] == "Desk arrived with a scratched top"
    assert {"customer", "urgency", "status", "created"} <= set(first)
    assert "Desk arrived" in provider.requests[2].messages[0].text
    assert first.keys() == (made.verdict.outcome.data["tickets"][0]).keys()
    made, _ = recorded_by(
        at_desk,
        draft,
        script=Script(script.moves, data=lambda _request: {"fields": [{"field": "x", "name": "y", "type": "string"}]}),
    )
    assert made.verdict.passed
    assert "subject" in made.recorded.result.data["tickets"][0]


def test_suggestions_are_waited_for_and_chosen_by_the_value(practice: PracticeSite, at_desk: AtDesk) -> None:
    draft = draft_of("find_stores", f"{practice.url}/stores", examples={"city": "Berlin"}, others={"city": "London"})
    made, _ = recorded_by(
        at_desk,
        draft,
        move("type_text", on='combobox "City"', text="Ber"),
        move("type_text", on='combobox "City"', text="{{city}}"),
        move("click", on='option "Berlin"'),
        move("click", on="Show stores"),
        done(),
    )
    recipe = made.recorded.recipe
    assert made.verdict.passed, made.verdict.checks
    assert ops(recipe) == ["goto", "type", "wait_for", "click", "click", "extract_list"]
    assert "option" in str(dump_recipe(recipe)["steps"][3])
    assert "{{city}}" in str(dump_recipe(recipe)["steps"][3])


def test_a_press_in_a_row_is_bound_to_the_row_and_a_dialog_to_the_press(
    practice: PracticeSite, at_desk: AtDesk
) -> None:
    before = len(practice.state.tickets)
    draft = draft_of(
        "delete_ticket",
        f"{practice.url}/tickets",
        side_effect="destructive",
        examples={"subject": "Lamp flickers when dimmed"},
        others={"subject": "Wrong colour of notebook"},
    )
    made, _ = recorded_by(
        at_desk,
        draft,
        move("click", on="Open a ticket"),
        move("back"),
        in_row("Lamp flickers when dimmed", "Delete"),
        move("dialog", answer="accept"),
        in_row("Lamp flickers when dimmed", "Delete"),
    )
    recipe = made.recorded.recipe
    assert made.verdict.passed, made.verdict.checks
    assert ops(recipe)[:2] == ["goto", "click"]
    pressed: Any = dump_recipe(recipe)["steps"][1]
    assert pressed["target"]["within"]["text"] == "{{subject}}"
    assert pressed["expect"]["dialog"] == {"type": "confirm", "message": "Delete ticket *", "answer": "accept"}
    assert (len(practice.state.tickets), made.verdict.submitted, made.recorded.submitted) == (before - 1, 0, 1)


def test_a_dry_run_sends_nothing_and_knows_the_step(practice: PracticeSite, at_desk: AtDesk) -> None:
    draft = draft_of(
        "subscribe",
        f"{practice.url}/newsletter",
        side_effect="write",
        examples={"email": "a@example.com"},
        others={"email": "b@example.com"},
    )
    made, provider = recorded_by(
        at_desk,
        draft,
        move("type_text", on="textbox", text="{{email}}"),
        move("click", on="Subscribe"),
        dry_run=True,
    )
    assert made.verdict.passed, made.verdict.checks
    assert made.recorded.submit_path == "steps[2]"
    assert len(provider.requests) == 2
    assert sent(practice) == {}


def test_the_models_own_failed_is_believed_and_it_is_asked_once_more_with_the_reason(
    practice: PracticeSite, at_desk: AtDesk
) -> None:
    draft = draft_of("find_the_moon", f"{practice.url}/")
    seen: list[str] = []

    def give_up(request: Any) -> Any:
        seen.append(request.messages[0].text)
        return call("fail", reason="there is no moon here")

    with pytest.raises(RecordingFailed, match="there is no moon here"):
        recorded_by(at_desk, draft, script=give_up)
    assert len(seen) == 2
    assert "there is no moon here" not in seen[0]
    assert "why the last try failed" in seen[1]
    assert "there is no moon here" in seen[1]


def test_a_tool_that_reads_follows_no_link_that_does_something_and_sends_nothing(
    practice: PracticeSite, at_desk: AtDesk
) -> None:
    before = {number: ticket.status for number, ticket in practice.state.tickets.items()}
    draft = draft_of("list_tickets", f"{practice.url}/tickets", kind="list")
    made, provider = recorded_by(
        at_desk,
        draft,
        in_row("Lamp flickers when dimmed", "Close"),
        move("goto", url=f"{practice.url}/tickets/2/close?confirm=1"),
        in_row("Lamp flickers when dimmed", "Delete"),
        move("dialog", answer="accept"),
        done(),
        done(),
    )
    assert made.verdict.passed, made.verdict.checks
    assert {number: ticket.status for number, ticket in practice.state.tickets.items()} == before
    assert "this tool only reads" in provider.requests[1].messages[0].text
