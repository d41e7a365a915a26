"""Recordings through the page and the command line, and scripts out again."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from recipes_app.engine.document import DocumentError
from recipes_app.formats.recordings import CODEGEN, RECORDER, REGISTRY, SIDE, parse, read_recording
from recipes_app.models import AuditEntry, RecipeVersion
from recipes_app.models.recipe import Origin, VersionStatus
from recipes_app.services import interchange
from recipes_app.services.errors import BadInput, NotAllowed, WrongState
from recipes_app.services.interchange import Wish
from tests.commands.conftest import Agentify, agentify, folder
from tests.formats.test_codegen import action, by, lines
from tests.formats.test_recorder import recording
from tests.formats.test_side import project
from tests.web.conftest import SignIn, scene, signed_in
from tests.web.scene import Scene

__all__ = ["agentify", "folder", "scene", "signed_in"]

RECORDED = recording(
    {"type": "navigate", "url": "http://127.0.0.1:1/products"},
    {"type": "change", "value": "lamp", "selectors": [["aria/Search products"], ["#q"]]},
    {"type": "customStep", "name": "magic"},
    {"type": "navigate", "url": "https://elsewhere.example/"},
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (json.dumps({"tools": [], "site": "s"}), REGISTRY),
        (json.dumps({"anything": 1}), REGISTRY),
        ("[]", REGISTRY),
        (json.dumps(RECORDED, indent=2), RECORDER),
        (json.dumps(project("https://a.example")), SIDE),
        (lines(action("openPage", url="https://a.example/")), CODEGEN),
        ("\ufeff" + lines(action("click", by("label", "x"))).replace("\n", "\r\n"), CODEGEN),
        (json.dumps(action("click", by("label", "x"))), CODEGEN),
    ],
)
def test_the_format_is_told_by_the_content(text: str, kind: str) -> None:
    assert parse(text)[0] == kind
    assert parse(text.encode())[0] == kind


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe\x00",
        b"{",
        b"[" * 100_000,
        b'{"steps": ' + b"[" * 50_000,
        b'{"a": 1, "a": 2}',
        b'{"n": NaN}',
        b'{"n": ' + b"9" * 10_000 + b"}",
        b"x" * 9_000_000,
        b'{"browserName": "x"}\n{',
        b'{"browserName": "x"}\n[1]\n' * 3000,
    ],
)
def test_hostile_files_are_one_clear_error(text: bytes) -> None:
    with pytest.raises(DocumentError) as refused:
        read_recording(*reversed(parse(text)))
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("kind", [RECORDER, SIDE, CODEGEN])
def test_deep_and_strange_values_are_one_clear_error(kind: str) -> None:
    deep: Any = "x"
    for _ in range(20_000):
        deep = [deep]
    for strange in (deep, {"title": deep, "steps": deep, "tests": deep}, {"steps": [{"type": deep}]}, None, 3.5, "\0"):
        with pytest.raises(DocumentError):
            read_recording(strange, kind)


def test_a_recording_becomes_a_draft_with_its_report(scene: Scene, signed_in: SignIn) -> None:
    file = SimpleUploadedFile("search.json", json.dumps(RECORDED).encode())
    given = {"file": file, "site": scene.site.pk, "name": "find_again", "parametrize": "on"}
    page = signed_in(scene.editor).post(reverse("registry_import"), given).content.decode()
    assert "The recipe is incomplete" in page
    assert "customStep has no counterpart" in page
    assert "elsewhere.example, which the settings of Shop do not allow yet" in page
    version = RecipeVersion.objects.get(recipe__name="find_again")
    assert (version.status, version.origin, version.author) == (VersionStatus.DRAFT, Origin.IMPORTED, scene.editor)
    assert version.examples == {"search_products": "lamp"}
    assert AuditEntry.objects.filter(action="recording.imported", detail__complete=False).exists()
    detail = signed_in(scene.editor).get(reverse("version_detail", args=[version.recipe.pk, 1]))
    assert "Search products" in detail.content.decode()


def test_the_page_says_what_is_missing_or_wrong(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.editor), reverse("registry_import")
    no_site = client.post(url, {"text": json.dumps(RECORDED)})
    assert no_site.status_code == 422
    assert "Choose the site" in no_site.content.decode()
    bad_name = client.post(url, {"text": json.dumps(RECORDED), "site": scene.site.pk, "name": "Find It"})
    assert "Small letters" in bad_name.content.decode()
    wrong = client.post(url, {"text": json.dumps({"title": "x", "steps": [{}]}), "site": scene.site.pk})
    assert wrong.status_code == 422
    assert "steps[0].type" in wrong.content.decode()
    assert signed_in(scene.viewer).post(url, {"text": json.dumps(RECORDED)}).status_code == 403
    assert RecipeVersion.objects.count() == 1


def test_the_service_holds_roles_and_takes_the_same_recording_once(scene: Scene) -> None:
    wish = Wish(RECORDER, "again")
    first, _ = interchange.import_recording(site=scene.site, by=scene.editor, data=RECORDED, wish=wish)
    second, _ = interchange.import_recording(site=scene.site, by=scene.owner, data=RECORDED, wish=wish)
    assert first == second
    for person in (scene.viewer, scene.operator, scene.stranger):
        with pytest.raises(NotAllowed):
            interchange.import_recording(site=scene.site, by=person, data=RECORDED, wish=wish)
    with pytest.raises(BadInput):
        interchange.import_recording(site=scene.site, by=scene.editor, data=RECORDED, wish=Wish("tape"))
    with pytest.raises(WrongState):
        interchange.export_script(recipe=first.recipe)


def test_a_tool_is_downloaded_as_a_script(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.viewer)
    assert "Download find_products.py" in client.get(reverse("tool_export", args=[scene.recipe.pk])).content.decode()
    script = client.get(reverse("script_export", args=[scene.recipe.pk]))
    assert script.headers["Content-Disposition"] == 'attachment; filename="find_products.py"'
    compile(script.content.decode(), "find_products.py", "exec")
    draft, _ = interchange.import_recording(site=scene.site, by=scene.editor, data=RECORDED, wish=Wish(RECORDER, "new"))
    assert "once a version is published" in client.get(reverse("tool_export", args=[draft.recipe.pk])).content.decode()
    refused = client.get(reverse("script_export", args=[draft.recipe.pk]), follow=True)
    assert "is not published" in refused.content.decode()


def test_the_command_line_takes_recordings_and_gives_scripts(agentify: Agentify, scene: Scene, folder: Path) -> None:
    (folder / "rec.json").write_text(json.dumps(RECORDED))
    (folder / "gen.jsonl").write_text(lines(action("openPage", url="http://127.0.0.1:1/")))
    given = ("import", "rec.json", "--site", "shop", "--as", "ed", "--as-tool", "from_tape", "--parametrize")
    ended = agentify(*given)
    assert (ended.status, ended.out) == (0, "shop  from_tape  version 1  draft\n")
    assert "steps[3]: customStep has no counterpart" in ended.err
    row = agentify(*given, "--json").data[0]
    assert (row["complete"], row["tool"]) == (False, "from_tape")
    assert any(remark["path"] == "steps[3]" for remark in row["report"])
    assert agentify("import", "gen.jsonl", "--site", "shop", "--as", "ed").out.startswith("shop  recorded_flow")
    assert "names no site" in agentify("import", "rec.json", "--as", "ed").err
    script = agentify("export", "--site", "shop", "--format", "playwright", "--tool", "find_products", "--as", "ed")
    compile(script.out, "script", "exec")
    out = agentify("export", "shop", "--format", "playwright", "--tool", "find_products", "--out", "f.py", "--as", "ed")
    assert (out.status, (folder / "f.py").read_text()) == (0, script.out)
    for wrong, said in (
        (("--format", "playwright"), "name the --tool"),
        (("--tool", "find_products"), "--tool is for --format playwright"),
        (("--format", "playwright", "--tool", "from_tape"), "no published tool from_tape"),
    ):
        refused = agentify("export", "--site", "shop", "--as", "ed", *wrong)
        assert (refused.status, said in refused.err) == (2, True)
