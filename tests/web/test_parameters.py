"""A proposal's parameters, edited as rows."""

from typing import Any

from django.urls import reverse

from recipes_app.forms.parameters import kind_of, parameter_set, rows_of
from recipes_app.models import AuditEntry, Proposal
from tests.web.conftest import SignIn
from tests.web.scene import SEARCH, Scene


def rows(proposal: Proposal, **changes: dict[str, Any]) -> dict[str, Any]:
    """What the page would send, but for `changes` to the rows of these names (None: an unticked box)."""
    sent: dict[str, Any] = {"name": proposal.name, "description": proposal.description}
    sent |= {"side_effect": proposal.side_effect, "row-INITIAL_FORMS": 0}
    unbound = parameter_set(proposal.parameters, proposal.examples, proposal.others)
    for index, form in enumerate(unbound):
        start = {**form.initial, "choices": "\n".join(form.initial["choices"])}
        start = {**start, "required": "on" if start["required"] else None, **changes.get(start["was"], {})}
        sent |= {f"row-{index}-{name}": value for name, value in start.items() if value is not None}
    sent["row-TOTAL_FORMS"] = sent["row-INITIAL_FORMS"] = len(unbound.forms)
    return sent


def test_rows_sent_as_they_were_change_nothing(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.search.pk])
    assert "Edit as JSON" in client.get(url).content.decode()
    assert client.post(url, rows(scene.search)).status_code == 302
    scene.search.refresh_from_db()
    assert scene.search.parameters == SEARCH
    assert scene.search.examples == {"q": "lamp"}


def test_a_row_changes_name_type_choices_and_the_plan_follows(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("proposal_edit", args=[scene.search.pk])
    sent = rows(
        scene.search,
        q={"name": "words", "example": "oak", "description": "What to look for."},
        category={"choices": "Desks\nLamps", "required": "on", "example": "Lamps"},
        limit={"kind": "number", "example": "2.5"},
        since={"remove": "on", "name": "not a name"},
        in_stock={"example": "yes"},
        tags={"example": "red, blue"},
    )
    assert signed_in(scene.editor).post(url, sent).status_code == 302
    scene.search.refresh_from_db()
    fields, examples = scene.search.parameters["properties"], scene.search.examples
    assert list(fields) == ["words", "category", "limit", "in_stock", "tags"]
    assert scene.search.parameters["required"] == ["words", "category"]
    assert fields["category"] == {"type": "string", "enum": ["Desks", "Lamps"]}
    assert fields["limit"] == {"type": "number"}
    assert fields["words"] == {"type": "string", "description": "What to look for."}
    assert examples["words"] == "oak"
    assert (examples["limit"], examples["in_stock"], examples["tags"]) == (2.5, True, ["red", "blue"])
    assert scene.search.steps[1]["text"] == "{{words}}"


def test_what_is_wrong_stands_beside_its_row(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.search.pk])
    page = client.post(url, rows(scene.search, limit={"example": "many"}, category={"choices": ""}))
    assert page.status_code == 422
    assert "This does not fit the type." in page.content.decode()
    assert "Give at least one choice." in page.content.decode()
    twice = client.post(url, rows(scene.search, category={"name": "q"})).content.decode()
    assert "Two parameters are called q." in twice
    needed = client.post(url, rows(scene.search, q={"example": ""})).content.decode()
    assert "q is required" in needed or "q: is required" in needed or "The examples do not fit" in needed


def test_a_name_that_is_taken_is_told_beside_the_name(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("proposal_edit", args=[scene.search.pk])
    answer = signed_in(scene.editor).post(url, {**rows(scene.search), "name": "send_message"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["name"]


def test_a_post_relabelled_read_only_needs_its_tick_and_is_not_safe_then(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.send.pk])
    sent = {**rows(scene.send), "side_effect": "read"}
    refused = client.post(url, sent)
    assert list(refused.context["form"].errors) == ["side_effect"]
    assert client.post(url, {**sent, "relabel": "on"}).status_code == 302
    assert AuditEntry.objects.filter(detail__plan="write", detail__label="read").exists()
    board = client.get(reverse("board", args=[scene.mapping.pk]), {"p": scene.send.pk}).content.decode()
    assert "Approve all safe (1)" in board
    assert "its plan sends a form" in board
    assert "Nothing on the site is changed" not in board
    client.post(reverse("proposal_decide", args=[scene.mapping.pk]), {"action": "approve_safe"})
    scene.send.refresh_from_db()
    assert scene.send.status == "proposed"


def test_what_no_row_can_say_stays_as_it_is() -> None:
    schema = {"type": "object", "properties": {"place": {"type": "object", "properties": {"x": {"type": "number"}}}}}
    assert kind_of(schema["properties"]["place"]) == "kept"  # type: ignore[index]
    names = {"was": "place", "name": "where", "kind": "kept", "description": ""}
    data = {"row-TOTAL_FORMS": 1, "row-INITIAL_FORMS": 1, **{f"row-0-{key}": value for key, value in names.items()}}
    given = parameter_set(schema, {"place": {"x": 1}}, {"place": {"x": 2}}, data)
    assert given.is_valid()
    written = rows_of(given, schema, {"place": {"x": 1}}, {"place": {"x": 2}})
    assert written.schema["properties"] == {"where": schema["properties"]["place"]}  # type: ignore[index]
    assert (written.examples, written.renamed) == ({"where": {"x": 1}}, {"place": "where"})
    assert written.others == {"where": {"x": 2}}


def test_a_second_set_of_examples_is_edited_and_held_against_the_schema(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.search.pk])
    assert client.post(url, rows(scene.search, limit={"other": "7"}, q={"other": "desk"})).status_code == 302
    scene.search.refresh_from_db()
    assert scene.search.others == {"q": "desk", "limit": 7}
    page = client.post(url, rows(scene.search, limit={"other": "70"})).content.decode()
    assert "This must be at most 50" in page
    scene.search.refresh_from_db()
    assert scene.search.others == {"q": "desk", "limit": 7}


def test_while_typing_a_problem_goes_beside_its_field(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("proposal_edit", args=[scene.search.pk])
    sent = rows(scene.search, since={"example": "yesterday"})
    answer = client.post(url, sent, headers={"HX-Request": "true"}).content.decode()
    place = answer.index('id="id_row-3-example_error" hx-swap-oob="true"')
    assert "errorlist" in answer[place : place + 120]
    assert answer.count("errorlist") == 1
    fine = client.post(url, rows(scene.search), headers={"HX-Request": "true"}).content.decode()
    assert 'id="id_row-3-example_error" hx-swap-oob="true"></div>' in fine
