"""The practice shop renames its labels; lost elements are looked for, decided, and verified before they are used."""

from collections.abc import Callable
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.jobs import agents, calls, running
from recipes_app.models import AuditEntry, Call, Healing, Recipe, RecipeVersion, Role, Site, User
from recipes_app.models.recipe import VersionStatus
from recipes_app.services import calls as call_service
from recipes_app.services import healings, recipes
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.health import health_of
from tests.people import make_published, make_user

STATUS = {
    "type": "object",
    "properties": {"status": {"type": "string", "enum": ["Open", "Closed"]}},
    "required": ["status"],
}
FILTER: dict[str, Any] = {
    "name": "filter_tickets",
    "description": "Filter the tickets.",
    "parameters": STATUS,
    "side_effect": "read",
    "steps": [
        {"op": "goto", "url": "/tickets"},
        {"op": "select", "target": {"role": "combobox", "name": "Status"}, "value": "{{status}}", "timeout_ms": 1500},
        {"op": "click", "target": {"role": "button", "name": "Filter"}, "timeout_ms": 1500},
        {"op": "extract_table", "target": {"css": "#tickets"}, "key": "tickets"},
    ],
}
OPENING: dict[str, Any] = {
    "name": "open_ticket",
    "description": "Open a ticket.",
    "parameters": {"type": "object", "properties": {"subject": {"type": "string"}}, "required": ["subject"]},
    "side_effect": "write",
    "steps": [
        {"op": "goto", "url": "/tickets/new"},
        {"op": "type", "target": {"role": "textbox", "name": "Subject *"}, "text": "{{subject}}", "timeout_ms": 1500},
        {"op": "click", "target": {"role": "button", "name": "Open ticket"}, "timeout_ms": 1500},
        {"op": "extract", "target": {"role": "status"}, "key": "message", "timeout_ms": 1500},
    ],
}


def at_redesign(document: dict[str, Any], design: str) -> dict[str, Any]:
    first, *rest = document["steps"]
    return {**document, "steps": [{**first, "url": f"{first['url']}?redesign={design}"}, *rest]}


@pytest.fixture
def tool(site: Site, owner: User, place: running.Place) -> Callable[..., Recipe]:
    def make(document: dict[str, Any], examples: dict[str, Any]) -> Recipe:
        recipe = make_published(site, document, owner)
        RecipeVersion.objects.filter(recipe=recipe).update(examples=examples)
        return Recipe.objects.get(pk=recipe.pk)

    return make


def call_it(recipe: Recipe, arguments: dict[str, Any], by: User) -> Call:
    call = call_service.request_call(recipe=recipe, arguments=arguments, by=by)
    calls.run_call(call.job.pk)
    return Call.objects.select_related("job", "recipe").get(pk=call.pk)


def look_for(recipe: Recipe, path: str, by: User, call: Call | None = None) -> Healing:
    assert recipe.live_version is not None
    healing = healings.request_healing(version=recipe.live_version, path=path, by=by, call=call)
    agents.heal_recipe(healing.job.pk)
    return Healing.objects.select_related("job", "version__recipe__site__team").get(pk=healing.pk)


def test_a_call_that_lost_its_element_fails_and_a_replacement_is_proposed(
    tool: Callable[..., Recipe], owner: User, practice: PracticeSite
) -> None:
    recipe = tool(at_redesign(FILTER, "4"), {"status": "Open"})
    failed = call_it(recipe, {"status": "Open"}, owner)
    assert (failed.job.status, (failed.job.error or {})["kind"]) == ("failed", "missing")
    assert healings.can_be_healed(failed)
    health = health_of(recipe)
    assert health is not None
    assert [(drift.path, drift.failed, drift.call) for drift in health.drifts] == [("steps[1]", 1, failed)]
    healing = look_for(recipe, "steps[1]", owner, failed)
    assert (healing.job.status, healing.status, healing.call) == ("done", "proposed", failed)
    assert "combobox “State”" in healing.found
    assert recipe.versions.count() == 1


def test_where_nothing_is_similar_enough_it_says_so(tool: Callable[..., Recipe], owner: User) -> None:
    document = {**FILTER, "steps": [FILTER["steps"][0], {**FILTER["steps"][1]}]}
    document["steps"][1]["target"] = {"role": "combobox", "name": "Assigned colleague"}
    healing = look_for(tool(document, {"status": "Open"}), "steps[1]", owner)
    assert (healing.status, healing.new_target, healing.job.status) == ("nothing", None, "done")
    assert healing.message.startswith("Nothing similar enough: the closest, combobox “Status”")
    assert healing.after is not None


def test_a_long_target_whose_words_and_id_are_gone_is_proposed_accepted_and_verified(
    tool: Callable[..., Recipe], owner: User, practice: PracticeSite
) -> None:
    recorded = {
        "locators": [{"css": "#state-of-old"}, {"role": "combobox", "name": "Status"}],
        "fingerprint": {
            "tag": "select", "role": "combobox", "name": "Status", "attributes": {"name": "status"}, "landmark": "main",
        },
    }  # fmt: skip
    document = at_redesign(FILTER, "4")
    document["steps"][1] = {**document["steps"][1], "target": recorded}
    document["steps"][2] = {**document["steps"][2], "target": {"role": "button", "name": "Apply"}}
    recipe = tool(document, {"status": "Open"})
    healing = look_for(recipe, "steps[1]", owner)
    assert (healing.job.error, healing.message, healing.status) == (None, "", "proposed")
    assert healing.new_target is not None
    assert {"css": 'select[name="status"]'} in healing.new_target["locators"]
    assert 0.6 <= (healing.score or 0) < 1
    assert healing.after is not None
    version = healings.accept(healing=healing, by=owner)
    assert (version.origin, version.author, version.status) == ("healed", owner, VersionStatus.VERIFYING)
    with pytest.raises(WrongState):
        recipes.publish(version=version, by=owner)
    [recording] = version.recordings.all()
    agents.record_recipe(recording.job.pk)
    version.refresh_from_db()
    assert version.status == VersionStatus.PASSED, version.verdict
    recipes.publish(version=version, by=owner)
    recipe.refresh_from_db()
    assert call_it(recipe, {"status": "Open"}, owner).job.status == "done"
    assert AuditEntry.objects.filter(action="healing.accepted").count() == 1


def test_looking_for_a_button_that_writes_sends_nothing(
    tool: Callable[..., Recipe], owner: User, practice: PracticeSite
) -> None:
    document = at_redesign(OPENING, "4")
    document["steps"][1] = {**document["steps"][1], "target": {"css": "input[name=subject]"}}
    recipe = tool(document, {"subject": "Broken lamp"})
    healing = look_for(recipe, "steps[2]", owner)
    assert healing.status in {"proposed", "nothing"}
    assert sum(practice.state.submissions.values()) == 0
    after = look_for(recipe, "steps[3]", owner)
    assert (after.status, after.new_target) == ("nothing", None)
    assert "not done only to look" in after.message
    assert sum(practice.state.submissions.values()) == 0


def test_a_step_that_works_by_less_than_was_recorded_makes_the_tool_drift(
    tool: Callable[..., Recipe], owner: User
) -> None:
    document = at_redesign(FILTER, "1")
    document["steps"][1] = {
        **document["steps"][1],
        "target": {"locators": [{"css": "#status"}, {"role": "combobox", "name": "Status"}, {"css": "form select"}]},
    }
    document["steps"] = document["steps"][:3]
    recipe = tool(document, {"status": "Open"})
    done = call_it(recipe, {"status": "Open"}, owner)
    assert done.job.status == "done"
    health = health_of(recipe)
    assert health is not None
    [drift] = health.drifts
    assert (health.calls, health.worked, drift.path, drift.lost, drift.drifted) == (1, 1, "steps[1]", "#status", 1)
    healing = look_for(recipe, "steps[1]", owner)
    assert (healing.status, healing.score) == ("proposed", 1.0)
    assert healing.new_target is not None
    assert {"css": "#status"} not in healing.new_target["locators"]
    assert {"css": 'select[name="status"]'} in healing.new_target["locators"]


def test_an_element_that_is_there_again_needs_no_healing(tool: Callable[..., Recipe], owner: User) -> None:
    healing = look_for(tool(FILTER, {"status": "Open"}), "steps[1]", owner)
    assert (healing.status, healing.new_target) == ("nothing", None)
    assert "Call the tool again" in healing.message


def test_a_proposal_is_rejected_with_a_reason_and_decided_once(
    tool: Callable[..., Recipe], owner: User, place: running.Place
) -> None:
    recipe = tool(FILTER, {"status": "Open"})
    healing = look_for(recipe, "steps[1]", owner)
    Healing.objects.filter(pk=healing.pk).update(status="proposed", new_target={"role": "combobox", "name": "State"})
    healing.refresh_from_db()
    operator = make_user("otto", recipe.site.team, Role.OPERATOR)
    with pytest.raises(NotAllowed):
        healings.accept(healing=healing, by=operator)
    with pytest.raises(BadInput):
        healings.reject(healing=healing, by=owner, reason=" ")
    healings.reject(healing=healing, by=owner, reason="That is the other one.")
    assert (healing.status, healing.decided_by, healing.decision_reason) == (
        "rejected", owner, "That is the other one.",
    )  # fmt: skip
    with pytest.raises(WrongState):
        healings.accept(healing=healing, by=owner)
    assert RecipeVersion.objects.filter(recipe=recipe).count() == 1
    with pytest.raises(NotAllowed):
        healings.request_healing(version=healing.version, path="steps[1]", by=operator)
