"""Published tools for the programs of others: each form is judged by whoever takes it, and the module really calls."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from anthropic.types import ToolParam
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import TypeAdapter
from pytest_django.live_server_helper import LiveServer

from recipes_app import queues
from recipes_app.formats import exports
from recipes_app.formats.published import PublishedSite, PublishedTool
from recipes_app.models import Call, Job, Membership, Role, Site, User
from recipes_app.models.job import JobStatus
from recipes_app.services import tokens
from tests.people import make_published, make_site, make_team, make_user

STEPS = [{"op": "goto", "url": "/"}]
ROW = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": ["number", "null"]}}}
SEARCH: dict[str, Any] = {
    "name": "search",
    "description": 'Search the "shop" \\ by words.',
    "side_effect": "read",
    "parameters": {
        "type": "object",
        "properties": {
            "class": {"type": "string", "enum": ["Desks", "Chairs"], "description": 'Which """ class'},
            "q": {"type": "string"},
            "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
            "since": {"type": "string", "format": "date", "default": "2026-01-01"},
        },
        "required": ["q"],
        "$defs": {"tag": {"type": "string", "maxLength": 20}},
    },
    "returns": {"type": "object", "properties": {"rows": {"type": "array", "items": ROW}}},
    "steps": STEPS,
}
DELETE: dict[str, Any] = {
    "name": "import",
    "side_effect": "destructive",
    "steps": [{"op": "click", "target": {"css": "#x"}}],
}


def tool(document: dict[str, Any]) -> PublishedTool:
    parameters = document.get("parameters", {"type": "object"})
    about = document.get("description", "")
    return PublishedTool("shop", document["name"], about, document["side_effect"], parameters, document.get("returns"))


SHOP = PublishedSite("shop", "Shop", "https://shop.example/", "http://here", (tool(SEARCH), tool(DELETE)))


def written(form: str) -> Any:
    return json.loads(exports.FORMS[form].write(SHOP))


@pytest.mark.parametrize(
    ("form", "theirs"),
    [
        ("openai-chat", ChatCompletionFunctionToolParam),
        ("openai-responses", FunctionToolParam),
        ("anthropic", ToolParam),
    ],
)
def test_the_vendors_own_types_take_what_is_written_and_lose_nothing(form: str, theirs: Any) -> None:
    given = written(form)
    taken = [TypeAdapter(theirs).dump_python(TypeAdapter(theirs).validate_python(each)) for each in given]
    assert json.loads(json.dumps(taken)) == given
    flat = [each.get("function", each) for each in given]
    assert [each["name"] for each in flat] == ["search", "import"]
    for each in flat:
        Draft202012Validator.check_schema(each.get("parameters", each.get("input_schema")))
    assert "removes something" in flat[1]["description"]


def test_a_description_fits_what_services_allow() -> None:
    long = PublishedSite("s", "S", "", "", (tool({**SEARCH, "description": "word " * 500}),))
    said = json.loads(exports.FORMS["openai-chat"].write(long))[0]["function"]["description"]
    assert len(said) <= 1024
    assert said.endswith("It only reads.")


def test_the_openapi_document_is_valid_and_each_tool_a_typed_operation() -> None:
    document = written("openapi")
    OpenAPIV31SpecValidator(document).validate()
    operation = document["paths"]["/sites/shop/tools/search/calls"]["post"]
    assert (operation["operationId"], operation["x-side-effect"]) == ("search", "read")
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    check = Draft202012Validator({**body, "components": document["components"]})
    assert check.is_valid({"arguments": {"q": "lamp", "tags": ["a"]}})
    assert not check.is_valid({})
    assert not check.is_valid({"arguments": {"q": "lamp", "tags": ["a" * 21]}})  # by way of its $ref
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    name = answer["$ref"].rsplit("/", 1)[1]
    assert document["components"]["schemas"][name]["properties"]["result"]["properties"]["data"]["anyOf"][0] == {
        "$ref": "#/components/schemas/search.data"
    }


def test_the_module_is_typed_strictly_and_names_no_python_word(tmp_path: Path) -> None:
    text = exports.FORMS["python"].write(SHOP)
    (tmp_path / "shop_tools.py").write_text(text)
    use = "rows = shop_tools.search(q='lamp', class_='Desks')['rows']\nprice: float | None = rows[0]['price']\n"
    (tmp_path / "use.py").write_text(f"import shop_tools\n{use}")
    (tmp_path / "wrong.py").write_text(
        "import shop_tools\nshop_tools.search(q=3)\nshop_tools.search(q='', class_='Hats')\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "use.py", "wrong.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert [line.split(":")[0] for line in said.splitlines() if "error" in line][:-1] == ["wrong.py", "wrong.py"], said
    assert "def import_() -> dict[str, Any]:" in text


# --- through the page, the API, the command and the module itself


@pytest.fixture
def editor(transactional_db: None) -> User:
    return make_user("ed", make_team(), Role.EDITOR)


@pytest.fixture
def shop(editor: User) -> Site:
    site = make_site(Membership.objects.get(user=editor).team, editor)
    make_published(site, SEARCH, editor)
    return site


@pytest.fixture
def client_module(
    shop: Site, editor: User, live_server: LiveServer, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ModuleType:
    """As the page hands it out, with a worker that ends each call as it comes."""
    client.force_login(editor)
    answer = client.get(reverse("sdk_export", args=[shop.pk, "python"]))
    assert answer["Content-Disposition"] == 'attachment; filename="shop_tools.py"'
    (tmp_path / "shop_tools.py").write_bytes(answer.content)
    spec = importlib.util.spec_from_file_location("shop_tools", tmp_path / "shop_tools.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    secret = tokens.make_token(team=shop.team, owner=editor, name="script", scopes=["call"])[1]
    module.configure(url=live_server.url, token=secret)
    monkeypatch.setattr(queues, "room", lambda name: 1)
    monkeypatch.setattr(queues, "put", lambda name, entry: end(entry.row_id))
    return module


def end(pk: int) -> None:
    """As a worker would: what was asked for comes back, and nothing is found for `none`."""
    call = Call.objects.get(job=pk)
    if call.arguments["q"] == "none":
        failure = {"error": "There is no such list.", "kind": "missing", "partial": {"seen": 1}}
        Job.objects.filter(pk=pk).update(status=JobStatus.FAILED, error=failure)
    else:
        Call.objects.filter(job=pk).update(result={"ok": True, "data": {"rows": [call.arguments]}, "llm_calls": 0})
        Job.objects.filter(pk=pk).update(status=JobStatus.DONE)


def test_a_function_of_the_module_calls_its_tool(client_module: ModuleType) -> None:
    data = client_module.search(q="lamp", class_="Desks", tags=["a"])
    assert data == {"rows": [{"q": "lamp", "class": "Desks", "tags": ["a"], "since": "2026-01-01"}]}
    with pytest.raises(client_module.ToolError, match="no such list") as failed:
        client_module.search(q="none")
    assert (failed.value.kind, failed.value.payload["partial"]) == ("missing", {"seen": 1})
    with pytest.raises(client_module.ToolError) as refused:
        client_module.search(q=3)
    assert refused.value.kind == "bad_arguments"
    client_module.configure(token="agt_wrong")
    with pytest.raises(client_module.ToolError, match="valid token"):
        client_module.search(q="lamp")


def test_page_and_api_hand_out_the_same_bytes_to_the_team_only(shop: Site, editor: User, client: Client) -> None:
    client.force_login(editor)
    page = client.get(reverse("site_export", args=[shop.pk])).content.decode()
    secret = tokens.make_token(team=shop.team, owner=editor, name="script", scopes=["read"])[1]
    for form, about in exports.FORMS.items():
        assert f"--format {form}" in page
        assert about.title in page
        from_page = client.get(reverse("sdk_export", args=[shop.pk, form])).content
        url = f"/api/v1/sites/shop/export/{form}"
        assert Client().get(url, headers={"Authorization": f"Bearer {secret}"}).content == from_page
        assert Client().get(url).status_code == 401
    assert client.get(reverse("sdk_export", args=[shop.pk, "cobol"])).status_code == 404
    refused = Client().get("/api/v1/sites/shop/export/cobol", headers={"Authorization": f"Bearer {secret}"})
    assert (refused.status_code, "openai-chat" in refused.json()["error"]) == (422, True)
    client.force_login(make_user("stranger", make_team("Red"), Role.OWNER))
    assert client.get(reverse("site_export", args=[shop.pk])).status_code == 404
    assert client.get(reverse("sdk_export", args=[shop.pk, "openapi"])).status_code == 404
