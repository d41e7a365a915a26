"""The HTTP API: who is let in, what is refused and how, and what comes back."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from recipes_app.api.calls import wait_of
from recipes_app.models import Call, Job, Membership, Recipe, RecipeVersion, Role, Site, User
from recipes_app.models.job import JobStatus
from tests.api.conftest import BASE, SEARCH, Program, program
from tests.people import make_team, make_user

pytestmark = pytest.mark.django_db


def end(call_id: str, **columns: Any) -> None:
    """As a worker would."""
    Job.objects.filter(public_id=call_id).update(status=JobStatus.DONE)
    Call.objects.filter(job__public_id=call_id).update(result={"ok": True, "data": {"n": 1}, "llm_calls": 0}, **columns)


@pytest.mark.parametrize("secret", ["", "agt_wrong", "wrong"])
def test_without_a_valid_token_there_is_only_401(shop: Site, secret: str) -> None:
    for path in ("/sites", "/sites/shop", "/sites/shop/tools", "/calls/x", "/sites/shop/registry"):
        answer = Program(secret).get(path)
        assert answer.status_code == 401
        assert answer.json()["kind"] == "auth_required"
        assert answer["WWW-Authenticate"] == "Bearer"
    assert Program(secret).post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).status_code == 401
    assert not Call.objects.exists()


def test_a_signed_in_browser_is_no_token(client: Client, shop: Site, editor: User) -> None:
    client.force_login(editor)
    assert client.get(f"{BASE}/sites").status_code == 401


def test_sites_and_tools_are_listed(script: Program) -> None:
    assert script.get("/sites").json() == [
        {"slug": "shop", "name": "Shop", "base_url": "http://127.0.0.1:1/", "tools": ["order", "search"]}
    ]
    assert script.get("/sites/shop").json()["slug"] == "shop"
    assert [tool["name"] for tool in script.get("/sites/shop/tools").json()] == ["order", "search"]
    tool = script.get("/sites/shop/tools/search").json()
    assert (tool["parameters"], tool["side_effect"], tool["version"]) == (SEARCH["parameters"], "read", 1)


def test_another_teams_rows_do_not_exist(shop: Site, script: Program) -> None:
    mine = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).json()["id"]
    other = program(make_user("olga", make_team("Red"), Role.OWNER))
    assert other.get("/sites").json() == []
    for path in ("/sites/shop", "/sites/shop/tools", "/sites/shop/tools/search", "/sites/shop/registry"):
        assert other.get(path).status_code == 404
    assert other.get(f"/calls/{mine}").status_code == 404
    assert other.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).status_code == 404
    assert other.post("/sites/shop/registry", {"format": 2}).status_code == 404


def test_a_superusers_token_stays_in_its_team_too(shop: Site) -> None:
    root = make_user("root", make_team("Red"), Role.OWNER, is_superuser=True)
    assert program(root).get("/sites/shop").status_code == 404


def test_each_operation_needs_its_scope(shop: Site, editor: User) -> None:
    reader, caller, manager = (program(editor, scope) for scope in ("read", "call", "manage"))
    call = ("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}})
    assert reader.post(*call).status_code == 403
    assert manager.post(*call).status_code == 403
    made = caller.post(*call)
    assert made.status_code == 202
    assert caller.get(f"/calls/{made.json()['id']}").status_code == 200
    assert caller.get("/sites/shop/registry").status_code == 403
    assert reader.post("/sites/shop/registry", {}).status_code == 403
    answer = manager.get("/sites/shop/tools")
    assert (answer.status_code, answer.json()["kind"]) == (403, "not_allowed")
    assert "scope read or call" in answer.json()["error"]


def test_a_role_lost_later_counts_at_once(shop: Site, editor: User, script: Program) -> None:
    Membership.objects.filter(user=editor).update(role=Role.VIEWER)
    for tool in ("order", "search"):
        assert script.post(f"/sites/shop/tools/{tool}/calls", {"arguments": {"q": "a"}}).status_code == 403
    Membership.objects.filter(user=editor).delete()
    assert script.get("/sites").status_code == 401


def test_a_call_is_accepted_and_can_be_looked_at(script: Program) -> None:
    answer = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "desk"}})
    assert answer.status_code == 202
    made = answer.json()
    assert answer["Location"] == made["url"] == f"{BASE}/calls/{made['id']}"
    assert (made["status"], made["result"], made["arguments"]) == ("queued", None, {"q": "desk"})
    end(made["id"])
    seen = script.get(f"/calls/{made['id']}").json()
    assert (seen["status"], seen["result"]["data"], seen["result"]["llm_calls"]) == ("done", {"n": 1}, 0)
    call = Call.objects.get()
    assert (call.via, call.token is not None) == ("api", True)


def test_wrong_arguments_are_all_said_before_anything_is_queued(script: Program) -> None:
    answer = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": 3, "colour": "red"}})
    assert answer.status_code == 422
    body = answer.json()
    assert body["kind"] == "bad_arguments"
    assert len(body["problems"]) == 2
    assert any("colour" in problem for problem in body["problems"])
    assert not Job.objects.exists()


@pytest.mark.parametrize("body", ["{", '{"arguments": ', "[" * 100_000])
def test_what_is_no_json_is_400(script: Program, body: str) -> None:
    answer = script.post("/sites/shop/tools/search/calls", body)
    assert answer.status_code == 400
    assert answer.json()["kind"] == "bad_request"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([], 'expected {"arguments": {…}}'),
        ({"arguments": []}, "arguments: must be an object"),
        ({"args": {"q": "a"}}, 'args is not known here; expected {"arguments": {…}}'),
        ({"q": "a", "page": 1}, 'page, q are not known here; expected {"arguments": {…}}'),
        ({}, 'q is required expected {"arguments": {…}}'),
        ("null", "expected"),
        ("", "is required"),
    ],
)
def test_json_of_another_shape_is_422_with_the_place(script: Program, body: object, said: str) -> None:
    answer = script.post("/sites/shop/tools/search/calls", body)
    assert answer.status_code == 422
    assert said in " ".join(answer.json()["problems"])
    assert not Job.objects.exists()


def test_secret_arguments_come_back_masked(script: Program) -> None:
    answer = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a", "pin": "canary-1234"}})
    made = answer.json()
    assert "canary-1234" not in answer.content.decode()
    assert "canary-1234" not in script.get(f"/calls/{made['id']}").content.decode()
    assert "canary-1234" not in str(list(Call.objects.values())) + str(list(Job.objects.values()))


def test_the_same_idempotency_key_calls_once(script: Program, editor: User) -> None:
    where, body = "/sites/shop/tools/order/calls", {"arguments": {"q": "a"}}
    first = script.post(where, body, Idempotency_Key="order-1")
    again = script.post(where, body, Idempotency_Key="order-1")
    assert first.json()["id"] == again.json()["id"]
    assert script.post(where, body, Idempotency_Key="order-2").json()["id"] != first.json()["id"]
    assert program(editor).post(where, body, Idempotency_Key="order-1").json()["id"] != first.json()["id"]
    other = script.post(where, {"arguments": {"q": "b"}}, Idempotency_Key="order-1")
    assert (other.status_code, other.json()["kind"]) == (409, "wrong_state")
    assert script.post(where, body, Idempotency_Key="x" * 121).status_code == 422


def test_an_unpublished_tool_does_not_exist(script: Program) -> None:
    Recipe.objects.filter(name="search").update(live_version=None)
    assert script.get("/sites/shop/tools/search").status_code == 404
    assert script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).status_code == 404
    assert [tool["name"] for tool in script.get("/sites/shop/tools").json()] == ["order"]


def test_waiting_that_is_not_long_enough_ends_in_202(script: Program) -> None:
    answer = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}, Prefer="wait=1")
    assert answer.status_code == 202
    assert answer["Preference-Applied"] == "wait=1"


def test_waiting_gives_the_result_as_soon_as_the_call_has_ended(script: Program) -> None:
    looks = []

    def ending_at_the_third_look(execute: Any, sql: str, *rest: Any) -> Any:
        if "IN (%s, %s, %s, %s, %s)" in sql:
            looks.append(sql)
            if len(looks) == 3:
                end(Job.objects.get().public_id)
        return execute(sql, *rest)

    with connection.execute_wrapper(ending_at_the_third_look):
        answer = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}, Prefer="wait=30")
    assert answer.status_code == 200
    assert answer.json()["result"]["data"] == {"n": 1}
    assert len(looks) == 3


def test_a_failed_call_is_200_too_and_says_what_failed(script: Program) -> None:
    where, body = "/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}
    made = script.post(where, body, Idempotency_Key="one").json()
    error = {"error": "Nothing there.", "kind": "missing"}
    Job.objects.filter(public_id=made["id"]).update(status=JobStatus.FAILED, error=error)
    answer = script.post(where, body, Idempotency_Key="one", Prefer="wait=5")
    assert (answer.status_code, answer.json()["status"], answer.json()["error"]) == (200, "failed", error)


def test_the_calls_of_a_tool_are_listed_page_by_page(script: Program) -> None:
    where = "/sites/shop/tools/search/calls"
    made = [script.post(where, {"arguments": {"q": str(number)}}).json()["id"] for number in range(5)]
    script.post("/sites/shop/tools/order/calls", {"arguments": {"q": "x"}})
    seen: list[str] = []
    cursor = ""
    for size in (2, 2, 1):
        page = script.get(f"{where}?limit=2&cursor={cursor}").json()
        assert len(page["calls"]) == size
        seen += [call["id"] for call in page["calls"]]
        cursor = page["next"]
    assert seen == made[::-1]
    assert not cursor
    script.post(where, {"arguments": {"q": "later"}})
    assert script.get(f"{where}?limit=2&cursor={made[3]}").json()["calls"][0]["id"] == made[2]
    Recipe.objects.update(live_version=None)
    assert len(script.get(where).json()["calls"]) == 6


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "cursor=%00", "cursor=nope", "cursor=abc", "limit=1&cursor=' OR 1=1"]
)
def test_a_page_that_is_none_is_422(script: Program, query: str) -> None:
    answer = script.get(f"/sites/shop/tools/search/calls?{query}")
    assert (answer.status_code, answer.json()["kind"]) == (422, "bad_arguments")


def test_a_call_of_another_tool_is_no_cursor(script: Program) -> None:
    other = script.post("/sites/shop/tools/order/calls", {"arguments": {"q": "x"}}).json()["id"]
    assert script.get(f"/sites/shop/tools/search/calls?cursor={other}").status_code == 422


def test_a_call_is_cancelled_once(script: Program) -> None:
    made = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).json()
    answer = script.post(f"/calls/{made['id']}/cancel")
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    again = script.post(f"/calls/{made['id']}/cancel")
    assert (again.status_code, again.json()["kind"]) == (409, "wrong_state")


def test_a_running_call_is_told_to_stop(script: Program) -> None:
    made = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).json()
    Job.objects.update(status=JobStatus.RUNNING)
    answer = script.post(f"/calls/{made['id']}/cancel")
    assert (answer.status_code, answer.json()["status"]) == (202, "running")
    assert Job.objects.get().cancel_requested_at is not None


def test_who_may_not_cancel_does_not(script: Program, shop: Site, editor: User) -> None:
    made = script.post("/sites/shop/tools/search/calls", {"arguments": {"q": "a"}}).json()
    where = f"/calls/{made['id']}/cancel"
    assert program(editor, "read").post(where).status_code == 403
    assert program(make_user("vi", shop.team, Role.VIEWER), "read").post(where).status_code == 403
    assert program(make_user("stranger", make_team("Red"), Role.OWNER)).post(where).status_code == 404
    assert Job.objects.get().status == JobStatus.QUEUED


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", 0),
        ("wait=5", 5),
        ("respond-async, wait=10", 10),
        ("Wait = 7", 7),
        ('wait="9"', 9),
        ("wait=600", 60),
        ("wait=-3", 0),
        ("wait=abc", 0),
        ("nowait=5", 0),
    ],
)
def test_the_prefer_header_is_read_as_its_rfc_says(header: str, seconds: int) -> None:
    assert wait_of(header) == seconds


def test_a_registry_goes_out_and_comes_in_again_as_drafts(script: Program, shop: Site, editor: User) -> None:
    registry = script.get("/sites/shop/registry").json()
    assert [tool["name"] for tool in registry["tools"]] == ["order", "search"]
    answer = script.post("/sites/shop/registry", registry)
    assert answer.status_code == 201
    assert RecipeVersion.objects.count() == 2
    registry["tools"][0]["description"] = "Changed."
    assert script.post("/sites/shop/registry", registry).json()[0] == {"tool": "order", "version": 2, "status": "draft"}
    assert Recipe.objects.get(name="order").live_version.number == 1


def test_a_wrong_registry_is_refused_whole_with_its_place(script: Program) -> None:
    registry = script.get("/sites/shop/registry").json()
    registry["tools"][1]["steps"][0]["op"] = "gotoo"
    registry["tools"][0]["description"] = "Changed."
    answer = script.post("/sites/shop/registry", registry)
    assert answer.status_code == 422
    assert "tools[1].steps[0].op" in answer.json()["error"]
    assert RecipeVersion.objects.count() == 2
    assert script.post("/sites/shop/registry", "{").status_code == 400


def test_whose_role_does_not_import_gets_403(shop: Site) -> None:
    operator = make_user("oz", shop.team, Role.OPERATOR)
    answer = program(operator, "manage").post("/sites/shop/registry", {"format": 2})
    assert (answer.status_code, answer.json()["kind"]) == (403, "not_allowed")


def test_unknown_paths_answer_in_json_too(script: Program) -> None:
    for path in ("/nothing", "/sites/shop/nothing", "/sites/shop/tools/nothing", "/calls/nothing"):
        answer = script.get(path)
        assert answer.status_code == 404
        assert answer.json()["kind"] == "not_found"
    assert script.client.delete(f"{BASE}/sites").status_code == 405


def test_the_openapi_document_names_every_operation(client: Client) -> None:
    schema = client.get(f"{BASE}/openapi.json").json()
    own = {
        f"{BASE}{path}"
        for path in (
            "/sites",
            "/sites/{slug}",
            "/sites/{slug}/registry",
            "/sites/{slug}/tools",
            "/sites/{slug}/tools/{name}",
            "/sites/{slug}/tools/{name}/calls",
            "/calls/{public_id}",
            "/calls/{public_id}/cancel",
            "/calls/{public_id}/files/{number}",
            "/sites/{slug}/mappings",
            "/sites/{slug}/mappings/estimate",
            "/mappings/{public_id}",
            "/mappings/{public_id}/cancel",
            "/mappings/{public_id}/proposals",
            "/mappings/{public_id}/decisions",
            "/webhooks",
            "/webhooks/{number}",
            "/webhooks/{number}/deliveries",
            "/webhooks/{number}/deliveries/{public_id}/again",
        )
    }
    assert own <= set(schema["paths"])  # other applications add theirs
    create = schema["paths"][f"{BASE}/sites/{{slug}}/tools/{{name}}/calls"]["post"]
    headers = {each["name"] for each in create["parameters"] if each["in"] == "header"}
    assert headers == {"Prefer", "Idempotency-Key"}
    assert {"200", "202", "401", "403", "404", "409", "422"} <= set(create["responses"])
    assert create["security"] == [{"Bearer": []}]


def test_the_docs_page_loads_nothing_from_elsewhere(client: Client) -> None:
    page = client.get(reverse("api:openapi-view")).content.decode()
    assert f"{BASE}/sites/{{slug}}/tools/{{name}}/calls" in page
    assert "//cdn" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")
