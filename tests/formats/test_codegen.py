"""What `playwright codegen --target jsonl` writes, replayed on the practice site."""

import json
from pathlib import Path
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import DocumentError, dump_recipe
from recipes_app.formats.codegen_jsonl import read
from recipes_app.formats.imported import Imported
from tests.formats.conftest import Replay

HEADER = {"browserName": "chromium", "launchOptions": {"headless": False}, "contextOptions": {}}
MAIN = {"pageGuid": "page@1", "pageAlias": "page", "framePath": []}


def role(role: str, name: str | None = None, **more: Any) -> dict[str, Any]:
    options: dict[str, Any] = {"attrs": []} | ({"name": name} if name else {}) | more
    return {"kind": "role", "body": role, "options": options}


def chain(*parts: dict[str, Any]) -> dict[str, Any]:
    first = json.loads(json.dumps(parts[0]))
    tail = first
    for part in parts[1:]:
        tail["next"] = part
        tail = part
    whole: dict[str, Any] = first
    return whole


def by(kind: str, body: str, **options: Any) -> dict[str, Any]:
    return {"kind": kind, "body": body, "options": options}


def action(name: str, locator: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    entry = {"name": name, "signals": [], **MAIN, **fields}
    return entry | ({"locator": locator, "selector": fields.get("selector", "unused")} if locator else {})


def lines(*actions: dict[str, Any]) -> str:
    return "\n".join(json.dumps(entry) for entry in (HEADER, *actions, action("closePage"))) + "\n"


def messages(imported: Imported) -> str:
    return "\n".join(f"{remark.path}: {remark.message}" for remark in imported.report)


def test_a_form_of_every_control_is_replayed(practice: PracticeSite, replay: Replay) -> None:
    url = f"{practice.url}/contact"
    text = lines(
        action("openPage", url="about:blank"),
        action("navigate", url=url),
        action("fill", role("textbox", "Name *"), text="Ada"),
        action("fill", role("textbox", "Email *"), text="ada@example.test"),
        action("fill", by("placeholder", "+31 20"), text="+31 20 555 0100"),
        action("select", by("label", "Topic"), options=["order"]),
        action("select", by("label", "Interests"), options=["desks", "pens"]),
        action("fill", by("label", "Call me on"), text="2026-12-24"),
        action("check", role("radio", "Phone"), modifiers=0),
        action("fill", by("label", "Message *"), text="One lamp for {{nobody}}, please."),
        action("check", by("label", "I accept the terms *")),
        action("check", by("label", "Subscribe to the newsletter")),
        action("uncheck", by("label", "Subscribe to the newsletter")),
        action("assertChecked", role("checkbox", "I accept the terms *"), checked=True),
        action("assertChecked", by("default", "#subscribe"), checked=False),
        action("assertValue", role("textbox", "Name *"), value="Ada"),
        action("assertVisible", role("heading", "Contact us", exact=True)),
        action("click", role("button", "Send message"), button="left", modifiers=0, clickCount=1,
               signals=[{"name": "navigation", "url": f"{practice.url}/contact/thanks?ref=MSG-0001"}]),
        action("assertText", by("default", "p[role=status]"), text="has been received", substring=True),
        action("assertText", role("heading", "Message sent"), text="Message sent", substring=False),
    )  # fmt: skip
    imported = read(text)
    assert imported.complete
    assert list(imported.examples.values()) == ["One lamp for {{nobody}}, please."]
    outcome = replay(imported.recipe, **imported.examples)
    assert outcome.ok, outcome.error
    sent = practice.state.messages[0].fields
    assert (sent["topic"], sent["preferred"], sent["call_date"]) == ("order", "phone", "2026-12-24")
    assert sent["interests"] == "desks, pens"
    assert sent["message"] == "One lamp for {{nobody}}, please."
    assert not sent["subscribe"]


def test_what_playwright_itself_recorded_is_replayed(practice: PracticeSite, replay: Replay) -> None:
    """The file was written by Playwright 1.65 on the practice site; only the address was changed."""
    text = (
        (Path(__file__).parent / "recordings" / "codegen.jsonl")
        .read_text()
        .replace("http://shop.invalid", practice.url)
    )
    imported = read(text)
    assert imported.complete, messages(imported)
    assert "the click that the key before it set off" in messages(imported)
    outcome = replay(imported.recipe)
    assert outcome.ok, (outcome.error, dump_recipe(imported.recipe)["steps"])
    assert practice.state.messages[0].fields["preferred"] == "phone"
    assert [sent.email for sent in practice.state.newsletter] == ["x@example.test"]
    assert outcome.data["download"]["name"] == "price-list.csv"


def test_rows_frames_pages_dialogs_and_files(practice: PracticeSite, replay: Replay) -> None:
    frame = {"framePath": ['iframe[title="Newsletter subscription"]']}
    inside = [by("frame-locator", 'iframe[title="Newsletter subscription"]'), by("label", "Email")]
    popup = {"pageGuid": "page@2", "pageAlias": "page1"}
    ticket = next(iter(practice.state.tickets.values()))
    text = lines(
        action("openPage", url=f"{practice.url}/newsletter"),
        action("fill", chain(*inside), text="a@example.test"),
        action("click", None, selector='internal:role=button[name="Subscribe"i]', **frame),
        action("navigate", url=f"{practice.url}/tickets"),
        action(
            "click",
            chain(role("row", f"#{ticket.id} {ticket.subject}"), role("link", "Close")),
            clickCount=1,
        ),
        action("navigate", url=f"{practice.url}/dialogs"),
        action("click", role("button", "Empty basket"), signals=[{"name": "dialog", "dialogAlias": "1"}]),
        action("assertText", None, selector="#outcome", text="Cancelled", substring=False),
        action("navigate", url=f"{practice.url}/popup"),
        action("click", role("link", "Open the Oak Writing Desk"), signals=[{"name": "popup", "popupAlias": "page1"}]),
        action("dblclick", role("heading", "Oak Writing Desk"), clickCount=2, **popup),
        action("press", by("label", "Quantity"), key="ArrowUp", modifiers=0, **popup),
        action("press", by("label", "Quantity"), key="Enter", modifiers=0, **popup),
        action("navigate", url=f"{practice.url}/downloads"),
        action("click", role("link", "Price list"), signals=[{"name": "download", "downloadAlias": ""}]),
        action("navigate", url=f"{practice.url}/upload"),
        action("setInputFiles", role("button", "File *"), files=["plan.txt"]),
        action("click", role("button", "Upload")),
    )
    imported = read(text)
    assert imported.complete, messages(imported)
    outcome = replay(imported.recipe, file="data:text/plain;name=plan.txt,hello")
    assert outcome.ok, (outcome.error, dump_recipe(imported.recipe)["steps"])
    assert practice.state.newsletter[0].email == "a@example.test"
    assert ticket.status == "closed" or practice.state.tickets[ticket.id].status == "closed"
    assert outcome.data["download"]["name"] == "price-list.csv"
    assert practice.state.files[0].filename == "plan.txt"
    assert "so it is dismissed" in messages(imported)


def test_newer_files_name_pages_by_id_only(practice: PracticeSite) -> None:
    entries = [
        {"name": "openPage", "url": "https://a.example/", "signals": [], "pageGuid": "page@a"},
        {"name": "click", "selector": "#go", "signals": [{"name": "popup", "popupPageGuid": "page@b"}],
         "pageGuid": "page@a", "button": "left", "modifiers": 10, "clickCount": 1,
         "locator": by("default", "#go")},
        {"name": "click", "selector": "#there", "signals": [], "pageGuid": "page@b", "locator": by("default", "#there"),
         "button": "right", "position": {"x": 3, "y": 4}},
        {"name": "click", "selector": "#back", "signals": [], "pageGuid": "page@a", "locator": by("default", "#back")},
    ]  # fmt: skip
    assert dump_recipe(read(entries).recipe)["steps"] == [
        {"op": "goto", "url": "https://a.example/"},
        {
            "op": "click",
            "target": {"css": "#go"},
            "modifiers": ["ControlOrMeta", "Shift"],
            "expect": {"page_opened": True},
        },
        {"op": "click", "target": {"css": "#there"}, "button": "right", "offset": {"x": 3, "y": 4}},
        {"op": "switch_page", "to": "main"},
        {"op": "click", "target": {"css": "#back"}},
    ]


@pytest.mark.parametrize(
    ("selector", "target"),
    [
        ('internal:role=button[name="Say \\"hi\\""s]', {"role": "button", "name": 'Say "hi"'}),
        ('internal:testid=[data-testid="go"s]', {"locators": [{"test_id": "go"}]}),
        ('internal:attr=[placeholder="Find >> it"i]', {"locators": [{"placeholder": "Find >> it", "exact": False}]}),
        ('internal:text="Go"s', {"text": "Go"}),
        ('internal:label="Name"i >> nth=1', {"locators": [{"label": "Name", "exact": False}], "nth": 1}),
        (
            'internal:role=listitem >> internal:has-text="Lamp"i >> internal:role=button[name="Add"s]',
            {"role": "button", "name": "Add", "within": {"role": "listitem", "text": "Lamp"}},
        ),
        (
            '#frame >> internal:control=enter-frame >> internal:role=button[name="Pay"s]',
            {"role": "button", "name": "Pay", "frames": [{"name": "frame"}]},
        ),
        ("xpath=//a[@id='x']", {"css": 'a[id="x"]'}),
    ],
)
def test_selectors_are_read_where_the_structure_is_missing(selector: str, target: dict[str, Any]) -> None:
    imported = read(lines(action("openPage", url="https://a.example/"), action("click", None, selector=selector)))
    assert imported.complete, messages(imported)
    assert dump_recipe(imported.recipe)["steps"][1]["target"] == target


@pytest.mark.parametrize(
    "entry",
    [
        action("click", role("button", "x", attrs=[{"name": "pressed", "value": True}])),
        action("click", chain(role("listitem"), by("last", ""))),
        action("click", by("or", "x")),
        action("click", None, selector="internal:role=button[name=/x/i]"),
        action("click", None, selector='internal:has="internal:text=1"'),
        action("click", by("default", "#mui-12")),
        action("click", by("default", "div:nth-child(2) > a")),
        action("click", role("button", "x"), pageAlias="page7"),
        action("tap", role("button", "x")),
        action("openPage", url="https://b.example/", pageAlias="page2"),
    ],
)
def test_what_acts_and_cannot_be_said_makes_it_incomplete(entry: dict[str, Any]) -> None:
    imported = read(lines(action("openPage", url="https://a.example/"), entry))
    assert not imported.complete
    assert "line 3" in messages(imported)


def test_a_password_is_a_parameter_and_forgotten() -> None:
    text = lines(
        action("openPage", url="https://a.example/"),
        action("fill", role("textbox", "Password"), text="s3cret-word"),
        action("fill", role("textbox", "Repeat the password"), text="s3cret-word"),
        action("fill", role("textbox", "User name"), text="ada"),
        action("assertText", by("default", "#x"), text="not s3cret-word", substring=True),
    )
    imported = read(text, parametrize=True)
    assert "s3cret-word" not in repr(imported)
    assert list(imported.recipe.parameters["properties"]) == ["password", "user_name"]
    assert imported.examples == {"user_name": "ada"}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (3, ""),
        ("", ""),
        ("{", "line 1"),
        ('{"browserName": "chromium"}\n{"name": "click", "name": "x"}', "name"),
        ([3], "line 1"),
        ([{"name": 3}], "line 1.name"),
        ([{"name": "navigate", "url": None}], "line 1.url"),
        ([{"name": "click", "selector": 3}], "line 1.selector"),
        ([{"name": "click", "locator": 3}], "line 1.locator"),
        ([{"name": "click", "locator": by("label", "a"), "modifiers": "x"}], "line 1.modifiers"),
        ([{"name": "click", "locator": by("label", "a"), "signals": 3}], "line 1.signals"),
        ([{"name": "select", "locator": by("label", "a"), "options": [3]}], "line 1.options"),
        ([{"name": "click", "selector": "a", "framePath": [3]}], "line 1.framePath"),
        ("{}\n" * 6000, ""),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(data: Any, path: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read(data)
    assert refused.value.path == path or path in str(refused.value)


def test_a_locator_without_end_is_refused() -> None:
    deep: dict[str, Any] = by("label", "x")
    for _ in range(200):
        deep = {**by("label", "x"), "next": deep}
    with pytest.raises(DocumentError, match="more than 20 parts"):
        read(lines(action("click", deep)))
