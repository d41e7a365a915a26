"""Recordings of Chrome DevTools' Recorder, replayed on the practice site."""

from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import DocumentError, dump_recipe
from recipes_app.formats.imported import Imported
from recipes_app.formats.recorder_json import read
from tests.formats.conftest import Replay

VIEW = {"type": "setViewport", "width": 1280, "height": 800, "deviceScaleFactor": 1, "isMobile": False,
        "hasTouch": False, "isLandscape": False}  # fmt: skip


def recording(*steps: dict[str, Any], title: str = "Search the shop") -> dict[str, Any]:
    return {"title": title, "steps": [VIEW, *steps]}


def messages(imported: Imported) -> str:
    return "\n".join(f"{remark.path}: {remark.message}" for remark in imported.report)


def search(url: str) -> dict[str, Any]:
    """As Recorder 1 writes it: every alternative of each element, offsets, asserted navigations."""
    page = [{"type": "navigation", "url": f"{url}/products", "title": "Products | Inkwell & Oak"}]
    return recording(
        {"type": "navigate", "url": f"{url}/products", "assertedEvents": page},
        {
            "type": "click",
            "target": "main",
            "selectors": [["aria/Search products"], ["#q"], ['xpath///*[@id="q"]'], ["pierce/#q"]],
            "offsetY": 12,
            "offsetX": 80,
        },
        {
            "type": "change",
            "value": "lamp",
            "selectors": [["aria/Search products"], ["#q"], ['xpath///*[@id="q"]'], ["pierce/#q"]],
            "target": "main",
        },
        {
            "type": "change",
            "value": "Lighting",
            "selectors": [["aria/Category"], ["#category"], ['xpath///*[@id="category"]'], ["pierce/#category"]],
            "target": "main",
        },
        {
            "type": "click",
            "target": "main",
            "selectors": [
                ['aria/Find[role="button"]'],
                ["#main > form > button"],
                ['xpath///*[@id="main"]/form/button'],
                ["text/Find"],
            ],
            "offsetY": 21,
            "offsetX": 30,
            "assertedEvents": [{"type": "navigation", "url": f"{url}/products?q=lamp&category=Lighting", "title": ""}],
        },
        {"type": "waitForElement", "selectors": [".products"], "count": 1, "visible": True},
        {"type": "waitForExpression", "expression": "document.body.innerText.includes('Desk Lamp Arc')"},
    )


def test_a_search_is_replayed(practice: PracticeSite, replay: Replay) -> None:
    imported = read(search(practice.url))
    assert imported.complete
    assert (imported.recipe.name, imported.recipe.side_effect) == ("search_the_shop", "write")
    outcome = replay(imported.recipe)
    assert outcome.ok, outcome.error
    assert "q=lamp&category=Lighting" in outcome.url
    assert "setViewport" in messages(imported)
    assert "the middle is clicked" in messages(imported)


def test_typed_values_become_parameters_on_request(practice: PracticeSite, replay: Replay) -> None:
    imported = read(search(practice.url), parametrize=True, name="find_it")
    assert imported.recipe.name == "find_it"
    assert imported.examples == {"search_products": "lamp", "category": "Lighting"}
    assert imported.recipe.parameters["properties"]["search_products"]["examples"] == ["lamp"]
    outcome = replay(imported.recipe, search_products="Desk Lamp", category="Lighting")
    assert outcome.ok, outcome.error
    assert "q=Desk+Lamp" in outcome.url


def test_a_password_is_never_kept(practice: PracticeSite, replay: Replay) -> None:
    account = next(iter(practice.state.accounts.values()))
    given = recording(
        {"type": "navigate", "url": f"{practice.url}/login?hint={account.password}"},
        {"type": "change", "value": account.username, "selectors": [["aria/Username"], ["#username"]]},
        {"type": "change", "value": account.password, "selectors": [["aria/Password"], ["#password"]]},
        {"type": "keyDown", "key": "Enter", "target": "main"},
        {"type": "keyUp", "key": "Enter", "target": "main"},
        {"type": "waitForElement", "selectors": ["text/Your account"]},
        title=f"Log in with {account.password}",
    )
    imported = read(given)
    assert account.password not in repr(dump_recipe(imported.recipe)) + messages(imported) + repr(imported.examples)
    assert imported.recipe.parameters["properties"]["password"]["format"] == "password"
    outcome = replay(imported.recipe, password=account.password)
    assert outcome.ok, outcome.error
    assert outcome.url.endswith("/account")


def test_frames_by_number_are_searched_by_what_is_in_them(practice: PracticeSite, replay: Replay) -> None:
    given = recording(
        {"type": "navigate", "url": f"{practice.url}/newsletter"},
        {"type": "change", "value": "a@example.test", "frame": [0], "selectors": [["aria/Email"], ["#email"]]},
        {"type": "change", "value": "monthly", "frame": [0], "selectors": [["aria/How often"], ["#frequency"]]},
        {"type": "click", "frame": [0], "selectors": [["aria/Subscribe"], ["button"]], "offsetX": 1, "offsetY": 1},
        {"type": "waitForElement", "frame": [0], "selectors": [["text/Subscribed a@example.test"]]},
    )
    imported = read(given)
    outcome = replay(imported.recipe)
    assert outcome.ok, outcome.error
    assert practice.state.newsletter[0].frequency == "monthly"
    assert "looked for in every frame" in messages(imported)


def test_a_page_that_opens_is_followed_and_left(practice: PracticeSite, replay: Replay) -> None:
    popup = f"{practice.url}/products/oak-writing-desk"
    given = recording(
        {"type": "navigate", "url": f"{practice.url}/popup"},
        {
            "type": "click",
            "selectors": [["aria/Open the Oak Writing Desk in a new window"]],
            "offsetX": 1,
            "offsetY": 1,
        },
        {"type": "change", "target": popup, "value": "2", "selectors": [["aria/Quantity"], ["#quantity"]]},
        {"type": "close", "target": popup},
        {"type": "click", "target": "main", "selectors": [["aria/Cart"]], "offsetX": 1, "offsetY": 1},
    )
    imported = read(given)
    steps = dump_recipe(imported.recipe)["steps"]
    assert steps[1]["expect"] == {"page_opened": True}
    assert {"op": "switch_page", "to": "main"} in steps
    outcome = replay(imported.recipe)
    assert outcome.ok, outcome.error
    assert outcome.url.endswith("/cart")


def test_keys_modifiers_and_pointers_are_said() -> None:
    given = recording(
        {"type": "navigate", "url": "https://shop.example/"},
        {"type": "keyDown", "key": "Shift"},
        {"type": "click", "selectors": ["#a"], "button": "secondary", "offsetX": 1, "offsetY": 1},
        {"type": "keyUp", "key": "Shift"},
        {"type": "keyDown", "key": "Control"},
        {"type": "keyDown", "key": "a"},
        {"type": "keyUp", "key": "a"},
        {"type": "keyUp", "key": "Control"},
        {"type": "keyDown", "key": "Meta"},
        {"type": "keyUp", "key": "Meta"},
        {"type": "doubleClick", "selectors": [["canvas#board"]], "offsetX": 10.5, "offsetY": 4},
        {"type": "hover", "selectors": [["#host", "#inner"]]},
        {"type": "scroll", "x": 0, "y": 900},
        {"type": "scroll", "x": 0, "y": 100},
        {"type": "scroll", "x": 0, "y": 0, "selectors": ["#list"]},
        {"type": "waitForElement", "selectors": ["#spinner"], "visible": False, "timeout": 9000},
        {"type": "waitForExpression", "expression": "document.querySelector('#x') === null"},
    )
    steps = dump_recipe(read(given).recipe)["steps"][1:]
    absent = {"kind": "element_absent", "target": {"css": "#spinner"}}
    assert steps == [
        {"op": "click", "target": {"css": "#a"}, "button": "right", "modifiers": ["Shift"]},
        {"op": "press", "key": "Control+a"},
        {"op": "press", "key": "Meta"},
        {"op": "double_click", "target": {"css": "canvas#board"}, "offset": {"x": 10.5, "y": 4}},
        {"op": "hover", "target": {"css": "#host #inner"}},
        {"op": "scroll", "direction": "down"},
        {"op": "scroll", "direction": "up"},
        {"op": "scroll", "direction": "top", "target": {"css": "#list"}},
        {"op": "wait_for", "condition": absent, "timeout_ms": 9000},
        {"op": "wait_for", "condition": {"kind": "element_absent", "target": {"css": "#x"}}},
    ]


@pytest.mark.parametrize(
    ("selectors", "target"),
    [
        ([['aria/Save[role="button"]'], ["#save"]],
         {"locators": [{"css": "#save"}, {"role": "button", "name": "Save"}]}),
        ([["aria/Save"], ["#save"]], {"name": "Save", "css": "#save"}),
        ([['aria/Save[role="button"]'], ["#mui-106"]], {"role": "button", "name": "Save"}),
        ([['aria/[role="generic"]'], ["#\\:r1\\:"], ["text/Save  it"]], {"text": "Save it"}),
        ([["aria/Save"], ["div:nth-of-type(2) > a"]], {"name": "Save", "css": "div:nth-of-type(2) > a"}),
        ([['xpath///*[@data-testid="go"]'], ["text/Go"]], {"text": "Go", "css": '[data-testid="go"]'}),
        ([["xpath///button[contains(., 'Go')]"]],
         {"locators": [{"role": "button", "name": "Go", "exact": False}]}),
    ],
)  # fmt: skip
def test_the_strongest_descriptions_are_kept(selectors: list[Any], target: dict[str, Any]) -> None:
    given = recording({"type": "navigate", "url": "https://a.example/"}, {"type": "hover", "selectors": selectors})
    assert dump_recipe(read(given).recipe)["steps"][1]["target"] == target


def test_nothing_is_dropped_in_silence() -> None:
    given = recording(
        {"type": "navigate", "url": "chrome://newtab/"},
        {"type": "navigate", "url": "https://a.example/"},
        {"type": "click", "selectors": [["#mui-1"], ["#react-aria-77"]], "offsetX": 1, "offsetY": 1},
        {"type": "click", "selectors": [["div > span:nth-of-type(3)"]], "offsetX": 1, "offsetY": 1},
        {"type": "customStep", "name": "magic", "parameters": {}},
        {"type": "click", "selectors": ["#x"], "button": "back", "offsetX": 1, "offsetY": 1},
        {"type": "waitForExpression", "expression": "window.ready === true"},
        {"type": "waitForElement", "selectors": ["#x"], "count": 3, "operator": ">=", "attributes": {"a": "b"}},
        {"type": "change", "selectors": ["#x"], "value": "{{not_mine}}"},
    )
    imported = read(given)
    said = messages(imported)
    assert not imported.complete
    for index in range(1, 9):
        assert f"steps[{index}]" in said or index == 2
    assert "the recipe is incomplete: 4 steps" in said
    assert imported.recipe.parameters["properties"]["x"]["examples"] == ["{{not_mine}}"]


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ([], ""),
        ({"title": "x"}, "steps"),
        ({"title": 3, "steps": []}, "title"),
        ({"title": "x", "steps": []}, ""),
        ({"title": "x", "steps": [{}]}, "steps[0].type"),
        ({"title": "x", "steps": [3]}, "steps[0]"),
        ({"title": "x", "steps": [{"type": "navigate", "url": 3}]}, "steps[0].url"),
        ({"title": "x", "steps": [{"type": "click", "selectors": [[3]]}]}, "steps[0].selectors[0]"),
        ({"title": "x", "steps": [{"type": "click", "selectors": [[]]}]}, "steps[0].selectors[0]"),
        ({"title": "x", "steps": [{"type": "click", "selectors": {"a": 1}}]}, "steps[0].selectors"),
        ({"title": "x", "steps": [{"type": "click", "frame": 3}]}, "steps[0].frame"),
        ({"title": "x", "steps": [{"type": "change", "selectors": ["#a"]}]}, "steps[0].value"),
        ({"title": "x", "steps": [{"type": "scroll", "y": "1e999"}]}, "steps[0].y"),
        ({"title": "x", "steps": [{"type": "waitForElement", "count": [1]}]}, "steps[0].count"),
        ({"title": "x", "steps": [VIEW] * 5000}, "steps"),
        ({"title": "x", "steps": [{"type": "navigate", "url": "http://a/"}] * 1500}, "steps[1000]"),
    ],
)
def test_a_wrong_recording_is_refused_with_its_place(data: Any, path: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read(data)
    assert refused.value.path == path
