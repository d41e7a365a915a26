"""Projects of Selenium IDE, replayed on the practice site."""

from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import DocumentError, dump_recipe
from recipes_app.formats.imported import Imported
from recipes_app.formats.side import read
from tests.formats.conftest import Replay

Command = tuple[str, str, str] | dict[str, Any]


def project(url: str, *commands: Command, **others: list[Command]) -> dict[str, Any]:
    tests = [{"id": name, "name": name, "commands": list(map(command, given))} for name, given in others.items()]
    return {
        "id": "5c1f",
        "version": "2.0",
        "name": "Practice",
        "url": url,
        "urls": [f"{url}/"],
        "plugins": [],
        "suites": [],
        "tests": [{"id": "t1", "name": "Buy a lamp", "commands": list(map(command, commands))}, *tests],
    }


def command(given: Command) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    name, target, value = given
    return {"id": "c", "comment": "", "command": name, "target": target, "targets": [], "value": value}


def steps_of(*commands: Command, **more: Any) -> list[dict[str, Any]]:
    imported = read(project("https://a.example", ("open", "/", ""), *commands, **more))
    steps: list[dict[str, Any]] = dump_recipe(imported.recipe)["steps"][1:]
    return steps


def messages(imported: Imported) -> str:
    return "\n".join(f"{remark.path}: {remark.message}" for remark in imported.report)


def test_a_whole_flow_is_replayed(practice: PracticeSite, replay: Replay) -> None:
    search = {
        "id": "c",
        "comment": "",
        "command": "sendKeys",
        "target": "id=q",
        "targets": [["id=q", "id"], ["name=q", "name"], ["css=#q", "css:finder"], ["xpath=//input[@id='q']", "xpath"]],
        "value": "${word}${KEY_ENTER}",
    }
    imported = read(
        project(
            practice.url,
            ("open", "/products", ""),
            ("setWindowSize", "1280x800", ""),
            ("store", "desk lamp arc", "word"),
            search,
            ("waitForElementVisible", "linkText=Desk Lamp Arc", "5000"),
            ("assertText", "css=.products h3", "Desk Lamp Arc"),
            ("verifyElementPresent", "css=.never-there", ""),
            ("select", "id=sort", "label=Best rated"),
            ("check", "name=in_stock", ""),
            ("assertChecked", "id=in_stock", ""),
            ("assertValue", "id=q", "${word}"),
            ("assertSelectedValue", "id=sort", "rating"),
            ("assertSelectedLabel", "id=sort", "Best rated"),
            ("click", "xpath=//button[contains(.,'Find')]", ""),
            ("storeText", "css=[role=status]", "count"),
            ("storeAttribute", "css=.products h3 a@href", "link"),
            ("storeXpathCount", "xpath=//ul[@class='products']/li", "number"),
            ("assertTitle", "Products | Inkwell & Oak", ""),
            ("click", "linkText=Desk Lamp Arc", ""),
            ("type", "id=quantity", "2"),
            ("click", "css=form[action$=add] button", ""),
            ("echo", "done", ""),
            ("pause", "10", ""),
        )
    )
    outcome = replay(imported.recipe)
    assert outcome.ok, outcome.error
    assert imported.complete
    assert outcome.url.endswith("/cart")
    assert outcome.data["count"] == "1 product"
    assert outcome.data["link"] == "/products/desk-lamp-arc"
    assert outcome.data["number"] == 1
    assert outcome.data["page_title"] == "Products | Inkwell & Oak"
    assert any("steps[5]" in warning or "never-there" in warning for warning in outcome.warnings)
    for word in ("setWindowSize", "echo", "is not checked"):
        assert word in messages(imported)


def test_dialogs_windows_and_frames_are_replayed(practice: PracticeSite, replay: Replay) -> None:
    opens = {**command(("click", "partialLinkText=Oak Writing Desk in a new", "")), "opensWindow": True,
             "windowHandleName": "win9", "windowTimeout": 2000}  # fmt: skip
    imported = read(
        project(
            practice.url,
            ("open", "/dialogs", ""),
            ("answerOnNextPrompt", "Ada", ""),
            ("click", "css=[data-dialog=prompt]", ""),
            ("assertText", "id=outcome", "Hello, Ada"),
            ("click", "css=[data-dialog=confirm]", ""),
            ("assertConfirmation", "Empty the basket?", ""),
            ("webdriverChooseCancelOnVisibleConfirmation", "", ""),
            ("assertText", "id=outcome", "Cancelled"),
            ("open", "/newsletter", ""),
            ("selectFrame", "css=iframe[title='Newsletter subscription']", ""),
            ("type", "id=email", "a@example.test"),
            ("click", "css=button[type=submit]", ""),
            ("selectFrame", "relative=parent", ""),
            ("open", "/newsletter", ""),
            ("selectFrame", "index=0", ""),
            ("type", "id=email", "b@example.test"),
            ("click", "css=button[type=submit]", ""),
            ("waitForText", "css=.flash", "Subscribed b@example.test"),
            ("selectFrame", "relative=top", ""),
            ("open", "/popup", ""),
            opens,
            ("storeWindowHandle", "root", ""),
            ("selectWindow", "handle=${win9}", ""),
            ("storeText", "css=.detail h1", "title"),
            ("close", "", ""),
            ("selectWindow", "handle=${root}", ""),
            ("click", "linkText=Cart", ""),
        )
    )
    outcome = replay(imported.recipe)
    assert outcome.ok, (outcome.error, dump_recipe(imported.recipe)["steps"])
    assert [sent.email for sent in practice.state.newsletter] == ["a@example.test", "b@example.test"]
    assert outcome.data["title"] == "Oak Writing Desk"
    assert outcome.url.endswith("/cart")


def test_control_flow_that_maps_is_replayed(practice: PracticeSite, replay: Replay) -> None:
    imported = read(
        project(
            practice.url,
            ("run", "start", ""),
            ("times", "2", ""),
            ("click", "linkText=Next page", ""),
            ("end", "", ""),
            ("if", "document.querySelector('.nothing') !== null", ""),
            ("click", "linkText=Cart", ""),
            ("elseIf", "window.location.href.includes('page=3')", ""),
            ("storeText", "css=[aria-current=page][href*='page=']", "page"),
            ("else", "", ""),
            ("click", "linkText=FAQ", ""),
            ("end", "", ""),
            ("//click", "linkText=FAQ", ""),
            start=[("open", "/products", "")],
        )
    )
    outcome = replay(imported.recipe)
    assert outcome.ok, outcome.error
    assert outcome.data == {"page": "3"}
    assert "switched off in the recording" in messages(imported)


def test_one_test_of_several_is_chosen_by_name() -> None:
    both = project("https://a.example", ("open", "/one", ""), Second_One=[("open", "/two", "")])
    first, second = read(both), read(both, name="second_one")
    assert (first.recipe.name, second.recipe.name) == ("buy_a_lamp", "second_one")
    assert dump_recipe(second.recipe)["steps"][0]["url"] == "https://a.example/two"
    assert "tests[1]: the test “Second_One”" in messages(first)


def test_keys_are_pressed_between_the_texts() -> None:
    steps = steps_of(
        ("type", "id=a", "x"),
        ("sendKeys", "id=a", "yz${KEY_TAB}"),
        ("sendKeys", "id=b", "${KEY_CTRL}ab"),
        ("sendKeys", "id=c", "${KEY_SHIFT}${KEY_LEFT}"),
    )
    assert steps == [
        {"op": "type", "target": {"css": '[id="a"]'}, "text": "xyz"},
        {"op": "press", "target": {"css": '[id="a"]'}, "key": "Tab"},
        {"op": "press", "target": {"css": '[id="b"]'}, "key": "Control+a"},
        {"op": "type", "target": {"css": '[id="b"]'}, "text": "b"},
        {"op": "press", "target": {"css": '[id="c"]'}, "key": "Shift+ArrowLeft"},
    ]


def test_parameters_secrets_and_files() -> None:
    given = project(
        "https://a.example",
        ("open", "/", ""),
        ("type", "name=userName", "ada"),
        ("type", "name=pw", "s3cret-word"),
        ("type", "css=input[type=password]", "s3cret-word"),
        ("type", "css=input[type=file]", "C:\\Users\\ada\\plan.pdf"),
        ("assertText", "id=said", "Hello s3cret-word"),
    )
    given["tests"][0]["commands"][2]["target"] = "css=input[name=pw][type='password']"
    imported = read(given, parametrize=True)
    assert imported.examples == {"user_name": "ada"}
    assert "s3cret-word" not in repr(dump_recipe(imported.recipe)) + repr(imported)
    kinds = {name: schema.get("format") for name, schema in imported.recipe.parameters["properties"].items()}
    assert kinds == {"user_name": None, "password": "password", "file": "x-file"}


@pytest.mark.parametrize(
    "lost",
    [
        ("click", "id=mui-7", ""),
        ("click", "", ""),
        ("click", "xpath=/html/body/div[2]/span", ""),
        ("click", "id=${later}", ""),
        ("select", "id=a", "index=2"),
        ("select", "id=a", "label=regexp:x.*"),
        ("submit", "css=form", ""),
        ("runScript", "window.scrollTo(0,0)", ""),
        ("executeScript", "document.title = 'x'", "a"),
        ("selectWindow", "handle=${nowhere}", ""),
        ("run", "no such test", ""),
        ("sendKeys", "id=a", "${KEY_POWER}"),
        ("magic", "", ""),
        ("answerOnNextPrompt", "${unknown}", ""),
    ],
)
def test_what_acts_and_cannot_be_said_makes_it_incomplete(lost: Command) -> None:
    imported = read(project("https://a.example", ("open", "/", ""), lost))
    assert not imported.complete
    assert "tests[0].commands[1]" in messages(imported)
    assert "the recipe is incomplete" in messages(imported)


def test_loops_with_conditions_and_read_values_are_reported() -> None:
    imported = read(
        project(
            "https://a.example",
            ("open", "/", ""),
            ("while", "${x} < 3", ""),
            ("click", "id=a", ""),
            ("end", "", ""),
            ("if", "${x} == 3", ""),
            ("click", "id=b", ""),
            ("end", "", ""),
            ("storeText", "id=total", "total"),
            ("type", "id=c", "${total}"),
            ("assert", "total", "5"),
        )
    )
    said = messages(imported)
    assert [step.op for step in imported.recipe.steps] == ["goto", "extract"]
    assert "commands[1]: while: a loop with a condition cannot be said; its 1 commands" in said
    assert "commands[4]: the condition cannot be said" in said
    assert "commands[8]: type needs ${total}, which a run reads" in said
    assert "commands[9]" in said


def test_a_test_that_runs_itself_ends() -> None:
    imported = read(project("https://a.example", ("open", "/", ""), ("run", "loop", ""), loop=[("run", "loop", "")]))
    assert "too deeply" in messages(imported)


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("x", ""),
        ({}, "tests"),
        ({"tests": []}, "tests"),
        ({"tests": [3]}, "tests[0]"),
        ({"tests": [{"name": "t"}]}, "tests[0].commands"),
        ({"tests": [{"name": {}, "commands": []}]}, "tests[0].name"),
        ({"tests": [{"name": "t", "commands": []}]}, ""),
        ({"tests": [{"name": "t", "commands": [1]}]}, "tests[0].commands[0]"),
        ({"tests": [{"name": "t", "commands": [{"command": 1}]}]}, "tests[0].commands[0].command"),
        (project("u", {"command": "click", "target": ["x"]}), "tests[0].commands[0].target"),
        (project("u", {"command": "click", "target": "id=a", "targets": [[1]]}), "tests[0].commands[0].targets[0][0]"),
        (project("u", *([("open", "http://a/", "")] * 1500)), "steps[1000]"),
    ],
)
def test_a_wrong_project_is_refused_with_its_place(data: Any, path: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read(data)
    assert refused.value.path == path


def test_blocks_nested_without_end_are_read() -> None:
    deep: list[Command] = [("if", "document.querySelector('a')", "")] * 400
    imported = read(project("https://a.example", ("open", "/", ""), *deep))
    assert not imported.complete
