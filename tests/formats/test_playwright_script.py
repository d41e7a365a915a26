"""The exported script really runs, by itself, and does what the replay does."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import VOCABULARY, Recipe, parse_recipe
from recipes_app.formats.playwright_py import write
from recipes_app.formats.playwright_steps import NESTED, WRITERS
from tests.formats.conftest import Replay, RunScript

SEARCH: dict[str, Any] = {
    "name": "find_products",
    "description": "Find products by words.",
    "parameters": {
        "type": "object",
        "properties": {
            "q": {"type": "string", "description": "100 % of the words"},
            "category": {"type": "string"},
            "in_stock": {"type": "boolean"},
        },
        "required": ["q"],
    },
    "steps": [
        {"op": "goto", "url": "/products?from={{q}}"},
        {"op": "type", "target": {"role": "searchbox", "name": "Search products"}, "text": "{{q}}"},
        {"op": "select", "target": {"css": "#category"}, "value": "{{category}}"},
        {"op": "check", "target": {"locators": [{"label": "In stock only"}]}, "value": "{{in_stock}}"},
        {"op": "click", "target": {"role": "button", "name": "Find"}, "expect": {"url": "*q=*"}},
        {
            "op": "extract_list",
            "items": {"css": ".products > li"},
            "fields": {
                "name": {"css": "h3"},
                "price": {"css": ".price", "type": "money"},
                "link": {"css": "h3 a", "type": "url"},
                "details": {"role": "link", "name": "Details", "attr": "href"},
            },
            "key": "products",
        },
    ],
}


def recipe(*steps: dict[str, Any], **more: Any) -> Recipe:
    properties = more.pop("properties", {})
    data = {"name": "flow", "parameters": {"type": "object", "properties": properties}, "steps": list(steps)}
    return parse_recipe(data | more)


def test_a_search_reads_what_the_replay_reads(practice: PracticeSite, replay: Replay, run_script: RunScript) -> None:
    document = parse_recipe(SEARCH)
    ran = run_script(document, "--q", "lamp", "--in_stock", "true")
    replayed = replay(document, q="lamp", in_stock=True)
    assert ran.status == 0, ran.out + ran.err
    assert replayed.data["products"]
    assert ran.result["data"] == replayed.data
    assert ran.result["ok"] is True
    narrower = run_script(document, "--q", "lamp", "--category", "Chairs").result
    assert narrower["data"] == {"products": []}


def test_arguments_are_checked_and_help_is_given(run_script: RunScript) -> None:
    document = parse_recipe(SEARCH)
    assert "--q" in run_script(document, "--help").out
    assert run_script(document).status == 2
    assert "in_stock" in run_script(document, "--q", "x", "--in_stock", "maybe").err


def test_a_form_is_sent_with_a_file_and_a_secret_stays_hidden(
    practice: PracticeSite, run_script: RunScript, tmp_path: Path
) -> None:
    (tmp_path / "plan.pdf").write_bytes(b"%PDF-1.4 plan")
    send = recipe(
        {"op": "goto", "url": "/upload"},
        {"op": "upload", "target": {"css": "#file"}, "files": "{{plan}}"},
        {"op": "type", "target": {"role": "textbox", "name": "Description"}, "text": "{{password}}", "keys": True},
        {"op": "click", "target": {"role": "button", "name": "Upload"}},
        {"op": "verify", "kind": "page_text_contains", "value": "Stored plan.pdf"},
        {"op": "extract", "target": {"css": "[role=status]"}, "key": "said"},
        properties={
            "plan": {"type": ["string", "object"], "format": "x-file"},
            "password": {"type": "string", "format": "password"},
        },
    )
    ran = run_script(send, "--plan", "plan.pdf", ARG_PASSWORD="hunter2 'x'")
    assert ran.status == 0, ran.out + ran.err
    stored = practice.state.files[0]
    assert (stored.filename, stored.size, stored.description) == ("plan.pdf", 13, "hunter2 'x'")
    assert "hunter2" not in ran.out


def test_frames_pages_dialogs_downloads_and_pictures(practice: PracticeSite, run_script: RunScript) -> None:
    frame = [{"title": "Newsletter subscription"}]
    flow = recipe(
        {"op": "goto", "url": "/newsletter"},
        {"op": "type", "target": {"locators": [{"label": "Email"}], "frames": frame}, "text": "a@example.test"},
        {"op": "choose", "target": {"role": "combobox", "name": "How often"}, "value": "Monthly"},
        {"op": "click", "target": {"role": "button", "name": "Subscribe", "frames": frame}},
        {"op": "verify", "kind": "page_text_contains", "value": "Subscribed a@example.test"},
        {"op": "goto", "url": "/dialogs"},
        {
            "op": "click",
            "target": {"role": "button", "name": "Say hello"},
            "expect": {"dialog": {"type": "prompt", "answer": "accept", "text": "{{who}}"}},
        },
        {"op": "extract", "target": {"css": "#outcome"}, "key": "hello"},
        {"op": "click", "target": {"role": "button", "name": "Empty basket"}},
        {"op": "extract", "target": {"css": "#outcome"}, "key": "emptied"},
        {"op": "goto", "url": "/popup"},
        {
            "op": "click",
            "target": {"css": "a[target=_blank]", "role": "link"},
            "optional": True,
        },
        {"op": "press", "target": {"role": "link", "name": "Open the Oak Writing Desk in a new window"},
         "key": "Enter", "expect": {"page_opened": True}},
        {"op": "extract", "target": {"css": "h1"}, "key": "title"},
        {"op": "switch_page", "to": "main"},
        {"op": "verify", "kind": "url_contains", "value": "/popup"},
        {"op": "goto", "url": "/downloads"},
        {"op": "download", "target": {"role": "link", "name": "Price list (CSV)"}, "key": "prices"},
        {"op": "download", "url": "/downloads/leaflet.pdf", "key": "leaflet"},
        {"op": "screenshot", "label": "end/../of it"},
        properties={"who": {"type": "string"}},
    )  # fmt: skip
    ran = run_script(flow, "--who", "Ada")
    assert ran.status == 0, ran.out + ran.err
    data = ran.result["data"]
    assert (data["hello"], data["emptied"], data["title"]) == ("Hello, Ada", "Cancelled", "Oak Writing Desk")
    assert practice.state.newsletter[0].frequency == "monthly"
    assert any("Empty the basket?" in warning for warning in ran.result["warnings"])
    assert data["prices"]["name"] == "price-list.csv"
    assert (ran.folder / "price-list.csv").stat().st_size == data["prices"]["size"]
    assert data["leaflet"]["media_type"] == "application/pdf"
    assert len(list(ran.folder.glob("*.png"))) == 1


def test_rows_branches_and_tables(practice: PracticeSite, replay: Replay, run_script: RunScript) -> None:
    flow = recipe(
        {"op": "goto", "url": "/tickets"},
        {"op": "extract_table", "target": {"css": "#tickets"}, "columns": {"id": {"header": "ID"},
         "created": {"header": "Created", "type": "date"}}, "key": "tickets"},
        {
            "op": "if_verify",
            "check": {"kind": "page_text_contains", "value": "No tickets"},
            "then": [{"op": "extract", "target": {"css": "h2"}, "key": "never"}],
            "else": [
                {
                    "op": "click",
                    "target": {"role": "button", "name": "Delete", "within": {"role": "row", "text": "{{ticket}}"}},
                    "expect": {"dialog": {"answer": "accept"}},
                }
            ],
        },
        {"op": "verify", "all": [{"kind": "page_text_contains", "value": "deleted"},
         {"not": {"kind": "element_exists", "target": {"css": "#ticket-0"}}}]},
        {"op": "js_extract", "expr": "(args) => args.ticket + document.title", "key": "title"},
        properties={"ticket": {"type": "string"}},
    )  # fmt: skip
    ticket = f"#{next(iter(practice.state.tickets))}"
    replayed = replay(flow, ticket=ticket)
    assert replayed.ok, replayed.error
    practice.reset()
    ran = run_script(flow, "--ticket", ticket)
    assert ran.status == 0, ran.out + ran.err
    assert ran.result["data"] == replayed.data
    assert int(ticket[1:]) not in practice.state.tickets


def test_a_loop_over_pages_reads_every_row(practice: PracticeSite, replay: Replay, run_script: RunScript) -> None:
    if "repeat" not in VOCABULARY:
        pytest.skip("this vocabulary has no loops")
    listed = {"op": "extract_list", "items": {"css": ".products > li"}, "fields": {"name": {"css": "h3"}}, "key": "p"}
    flow = recipe(
        {"op": "goto", "url": "/products"},
        {
            "op": "repeat",
            "while": {"kind": "element_exists", "target": {"role": "link", "name": "Next page"}},
            "steps": [listed, {"op": "click", "target": {"role": "link", "name": "Next page"}}],
            "into": "products",
        },
        {
            "op": "for_each",
            "items": "{{pages}}",
            "steps": [
                {"op": "goto", "url": "/products?page={{_item}}"},
                {"op": "extract", "target": {"css": "[aria-current=page][href*=products\\?]"}, "key": "number"},
            ],
            "into": "visited",
        },
        properties={"pages": {"type": "array", "items": {"type": "integer"}}},
    )
    ran = run_script(flow, "--pages", "[2, 3]")
    assert ran.status == 0, ran.out + ran.err
    assert len(ran.result["data"]["products"]) == len(practice.state.products)
    assert ran.result["data"]["complete"] is True
    assert ran.result["data"]["visited"] == [{"number": "2"}, {"number": "3"}]


def test_a_failure_is_one_clear_line_and_optional_steps_are_warnings(run_script: RunScript) -> None:
    flow = recipe(
        {"op": "goto", "url": "/tickets"},
        {"op": "click", "target": {"role": "button", "name": "Nowhere"}, "optional": True, "timeout_ms": 200},
        {"op": "click", "target": {"role": "button", "name": "Delete"}, "timeout_ms": 500},
    )
    ran = run_script(flow)
    assert (ran.status, ran.result["ok"]) == (1, False)
    assert ran.result["error"].startswith("steps[2]: ")
    assert "elements fit" in ran.result["error"]
    assert ran.result["warnings"][0].startswith("steps[1]: ")
    assert ran.err == ""


def test_what_cannot_be_said_is_listed_and_stops_the_script(run_script: RunScript) -> None:
    if "call" not in VOCABULARY:
        pytest.skip("this vocabulary has nothing that plain Playwright cannot do")
    flow = recipe({"op": "goto", "url": "/"}, {"op": "call", "tool": "other", "args": {}})
    assert "#     steps[1]: call" in write(flow)
    ran = run_script(flow)
    assert ran.status == 1
    assert "call cannot be said in plain Playwright" in ran.result["error"]


def test_every_op_is_written_or_known_not_to_be() -> None:
    assert set(VOCABULARY) - set(WRITERS) - set(NESTED) <= {"call"}


EVIL = (
    '"""\nraise SystemExit(99)\n"""',
    "'); raise SystemExit(99) #",
    "\\'); raise SystemExit(99)\\\n",
    "\u2028raise SystemExit(99)\r\nraise SystemExit(99)",
    "{0} {{q}} %s ${x} \x01 \x7f",
    "f{raise}\x0c\x85",
)


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_of_a_recipe_becomes_code(evil: str, tmp_path: Path) -> None:
    harmless = recipe_of("{{q}}" if "{{q}}" in evil else "x")
    assert shape(write(recipe_of(evil))) == shape(write(harmless))
    script = write(recipe_of(evil))
    file = tmp_path / "evil.py"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([sys.executable, str(file), "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def recipe_of(words: str) -> Recipe:
    """The same text in every place a recipe has for one."""
    target = {"locators": [{"role": "button", "name": words}], "within": {"css": words, "text": words}}
    either = [{"kind": "page_text_contains", "value": words}, {"kind": "element_exists", "target": target}]
    frames = [{"name": words, "title": words}]
    return recipe(
        {"op": "goto", "url": f"/{words}"},
        {"op": "type", "target": {"role": "textbox", "name": words, "frames": frames}, "text": words},
        {"op": "verify", "any": either},
        {"op": "click", "target": target, "expect": {"dialog": {"answer": "accept", "message": words, "text": words}}},
        {"op": "extract_list", "items": {"css": words}, "fields": {"a": {"css": words}}, "key": "k"},
        {"op": "js_extract", "expr": words, "key": "j"},
        {"op": "press", "key": words, "note": words},
        properties={"q": {"type": "string", "description": words}},
        description=words,
    )  # fmt: skip


def shape(script: str) -> list[str]:
    """The kinds of all syntax nodes, calls of `run.text` seen through: a text must only ever change a literal."""
    tree = ast.parse(script)
    names = ("text", "value")
    kept = []
    for node in ast.walk(tree):
        is_fill = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names
        if not is_fill:
            kept.append(type(node).__name__)
    return [kind for kind in kept if kind not in {"Constant", "Attribute", "Name", "Load"}]


def test_a_script_is_clean_python(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text(write(parse_recipe(SEARCH)), encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E9,F63,F7,F82,F811", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
