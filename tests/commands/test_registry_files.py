"""list, export, import: and what each refuses, in one line, with exit status 2."""

import json
from pathlib import Path
from typing import Any

import pytest

from recipes_app.models import Call, Job, Recipe, RecipeVersion, Role, Site, Team, User
from tests.commands.conftest import Agentify
from tests.people import make_published, make_site, make_team, make_user

pytestmark = pytest.mark.django_db
SEARCH: dict[str, Any] = {
    "name": "search",
    "description": "Search the shop.",
    "parameters": {
        "type": "object",
        "properties": {"q": {"type": "string"}, "page": {"type": "integer"}},
        "required": ["q"],
    },
    "side_effect": "read",
    "steps": [{"op": "goto", "url": "http://shop.test/?q={{q}}"}],
}
REGISTRY: dict[str, Any] = {
    "format": 2,
    "site": "shop",
    "base_url": "http://shop.test/",
    "mapped_at": "2026-01-01T00:00:00Z",
    "tools": [SEARCH],
}


@pytest.fixture
def owner() -> User:
    return make_user("olga", make_team(), Role.OWNER)


@pytest.fixture
def shop(owner: User) -> Site:
    site = make_site(Team.objects.get(), owner, "http://127.0.0.1:1/")
    make_published(site, SEARCH, owner)
    return site


@pytest.fixture
def registry(folder: Path) -> Path:
    file = folder / "shop.tools.json"
    file.write_text(json.dumps(REGISTRY))
    return file


def test_sites_and_tools_are_listed(agentify: Agentify, shop: Site) -> None:
    assert agentify("list").out.splitlines() == [
        "site  team  address              tools",
        "shop  blue  http://127.0.0.1:1/  1",
    ]
    assert agentify("list", "shop").out.splitlines() == [
        "tool    effect  arguments   what it does",
        "search  read    (q*, page)  Search the shop.",
    ]
    tools = agentify("list", "--site", "shop", "--json").data
    assert (tools[0]["name"], tools[0]["parameters"]) == ("search", SEARCH["parameters"])


def test_an_empty_installation_says_what_to_do(agentify: Agentify) -> None:
    ended = agentify("list")
    assert (ended.status, ended.out) == (0, "")
    assert "./agentify map URL" in ended.err


def test_what_a_site_calls_itself_cannot_steer_the_terminal(agentify: Agentify, shop: Site) -> None:
    RecipeVersion.objects.update(description="Search\x1b[2J\x9b31m it")
    assert "\x1b" not in agentify("list", "--site", "shop").out
    assert "\x9b" not in agentify("list", "--site", "shop").out


def test_export_and_import_are_each_others_inverse(agentify: Agentify, shop: Site, folder: Path) -> None:
    assert agentify("export", "--site", "shop", "--out", "out/shop.tools.json").status == 0
    written = json.loads((folder / "out" / "shop.tools.json").read_text())
    assert written == agentify("export", "--site", "shop").data
    assert [tool["name"] for tool in written["tools"]] == ["search"]
    assert agentify("import", "out/shop.tools.json", "--site", "shop").status == 0
    assert RecipeVersion.objects.count() == 1
    assert list((folder / "out").iterdir()) == [folder / "out" / "shop.tools.json"]


def test_tools_are_exported_for_other_programs(agentify: Agentify, shop: Site, folder: Path) -> None:
    names = [tool["name"] for tool in agentify("export", "shop").data["tools"]]
    assert [tool["function"]["name"] for tool in agentify("export", "shop", "--format", "openai-chat").data] == names
    assert [tool["name"] for tool in agentify("export", "shop", "--format", "anthropic").data] == names
    ended = agentify("export", "shop", "--format", "python", "--out", "shop_tools.py")
    assert (ended.status, ended.lines) == (0, ["agentify: the tools of shop written to shop_tools.py."])
    assert f"def {names[0]}(" in (folder / "shop_tools.py").read_text()


def test_import_makes_drafts_on_an_empty_installation(agentify: Agentify, registry: Path) -> None:
    ended = agentify("import", str(registry), "--json")
    assert ended.data == [{"site": "shop", "tool": "search", "version": 1, "status": "draft"}]
    assert (Site.objects.get().slug, Recipe.objects.get().live_version) == ("shop", None)
    assert "there is no" not in agentify("list", "--site", "shop").err


def test_import_accepts_for_a_stated_reason_and_twice_changes_nothing(agentify: Agentify, registry: Path) -> None:
    for _ in range(2):
        ended = agentify("import", str(registry), "--accept", "written by me")
        assert (ended.status, ended.out) == (0, "shop  search  version 1  published\n")
    version = RecipeVersion.objects.get()
    assert Recipe.objects.get().live_version == version
    assert version.verdict
    assert version.verdict["checks"][0]["detail"] == "written by me"


@pytest.mark.parametrize("flag", ["--site", "--name"])
def test_import_makes_the_site_it_is_told_to_import_into_and_says_so(
    agentify: Agentify, shop: Site, registry: Path, flag: str
) -> None:
    ended = agentify("import", str(registry), flag, "copy", "--json")
    assert ended.data == [{"site": "copy", "tool": "search", "version": 1, "status": "draft"}]
    assert ended.lines[0] == "agentify: made the site copy of http://shop.test/, in the team Blue."
    again = agentify("import", str(registry), flag, "copy")
    assert "made the site" not in again.err
    assert Site.objects.count() == 2


def test_a_wrong_file_makes_no_site(agentify: Agentify, owner: User, folder: Path) -> None:
    wrong = {**REGISTRY, "tools": [{**SEARCH, "steps": [{"op": "clik"}]}]}
    contents: list[Any] = [wrong, {**REGISTRY, "base_url": "javascript:1"}, []]
    for content in contents:
        (folder / "wrong.json").write_text(json.dumps(content))
        ended = agentify("import", "wrong.json", "--site", "copy")
        assert (ended.status, len(ended.lines), Site.objects.count()) == (2, 1, 0)


def test_a_wrong_file_is_refused_whole_with_its_place(agentify: Agentify, folder: Path, owner: User) -> None:
    wrong = {**REGISTRY, "tools": [SEARCH, {**SEARCH, "name": "other", "steps": [{"op": "clik"}]}]}
    (folder / "wrong.json").write_text(json.dumps(wrong))
    ended = agentify("import", "wrong.json")
    assert ended.status == 2
    assert "tools[1].steps[0].op" in ended.err
    assert not Recipe.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "--site", "../../evil"), "'../../evil' is no name of a site"),
        (("list", "--site", "nope"), "there is no site nope; known: shop."),
        (("list", "--as", "nobody"), "there is no user nobody."),
        (("export", "--site", "../../evil"), "is no name of a site"),
        (("export", "--site", "nope"), "there is no site nope"),
        (("export", "--site", "shop", "--out", "/dev/null/x.json"), "could not be written"),
        (("import", "missing.json"), "missing.json: No such file or directory"),
        (("import", "."), "Is a directory"),
        (("import", "/dev/null"), "is no JSON"),
        (("import", "x.json", "--site", "../x"), "x.json: No such file"),
        (("call", "--site", "shop", "--tool", "nope"), "shop has no published tool nope; known: search."),
        (("call", "--site", "nope", "--tool", "search"), "there is no site nope"),
        (("call", "--site", "../../evil", "--tool", "search"), "is no name of a site"),
        (("call", "--site", "shop", "--tool", "search", "--args", "{"), "--args is no JSON"),
        (("call", "--site", "shop", "--tool", "search", "--args", "[1]"), "--args must be a JSON object"),
        (("call", "--site", "shop", "--tool", "search", "--args", '{"q": 1}'), "q "),
        (("call", "--site", "shop", "--tool", "search"), "q is required"),
        (("call", "--tool", "search"), "name the site: give SITE TOOL, or --site SITE --tool TOOL."),
        (("call", "shop"), "name the tool: give SITE TOOL, or"),
        (("call", "shop", "search", "x"), "x is one word too many: give SITE TOOL"),
        (("call", "shop", "search", "--site", "shop"), "search is one word too many beside --site shop"),
        (
            ("call", "--site", "shop", "--file", "x.json", "search"),
            "--site shop and --file x.json: give one of the two",
        ),
        (("call", "--file", "missing.json"), "name the tool"),
        (("export",), "name the site: give SITE, or --site SITE."),
        (("list", "shop", "shop"), "shop is one word too many"),
        (("map",), "name the url: give URL, or --url URL."),
        (("crawl", "http://shop.test", "--url", "http://shop.test"), "is one word too many beside --url"),
        (("call", "--file", "missing.json", "--tool", "search"), "No such file"),
        (("map", "--url", "ftp://shop.test"), "Give the address of a website"),
        (("map", "--url", "http://shop.test", "--name", "../../evil"), "is no name of a site"),
        (("map", "--url", "http://shop.test", "--name", "shop"), "shop is the site of http://127.0.0.1:1/"),
        (("map", "--url", "http://127.0.0.1:2"), "127.0.0.1:2 is a private address"),
        (("crawl", "--url", "http://127.0.0.1:2"), "add --allow-private"),
        (("crawl", "--url", "javascript:alert(1)"), "is not an address of a website"),
    ],
)
def test_what_cannot_be_tried_is_said_in_one_line(
    agentify: Agentify, shop: Site, arguments: tuple[str, ...], said: str
) -> None:
    ended = agentify(*arguments)
    assert ended.status == 2
    assert said in ended.err
    assert ended.out == ""
    assert len(ended.lines) == 1
    assert ended.err.startswith("agentify: ")
    assert not Job.objects.exists()
    assert not Call.objects.exists()
    assert Site.objects.count() == 1


def test_every_problem_of_the_arguments_is_said(agentify: Agentify, shop: Site) -> None:
    ended = agentify("call", "--site", "shop", "--tool", "search", "--args", '{"page": "x", "colour": 1}')
    for part in ("q is required", "page", "colour"):
        assert part in ended.err


def test_a_viewer_does_not_import(agentify: Agentify, shop: Site, registry: Path) -> None:
    make_user("vera", Team.objects.get(), Role.VIEWER)
    ended = agentify("import", str(registry), "--as", "vera", "--site", "shop")
    assert (ended.status, RecipeVersion.objects.count()) == (2, 1)
    assert "does not let you import" in ended.err


def test_a_file_that_is_neither_registry_nor_recording_is_named(agentify: Agentify, folder: Path, owner: User) -> None:
    file = folder / "odd.json"
    file.write_text('{"x": 1}')
    ended = agentify("import", str(file))
    assert ended.status == 2
    assert str(file) in ended.err
