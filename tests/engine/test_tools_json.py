"""Registry files: the example runs, hostile ones are refused with the place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recipes_app.engine.document import DocumentError
from recipes_app.engine.runner import run
from recipes_app.formats.tools_json import MAX_BYTES, read_tools_json, write_tools_json
from tests.engine.conftest import LocalSite, Reply

EXAMPLE = Path(__file__).parents[2] / "examples" / "hackernews.tools.json"
ROW = (
    "<tr class=athing id={0}><td><span class=rank>{0}.</span></td><td class=title><span class=titleline>"
    "<a href=/item{0}>Story {0}</a></span></td></tr><tr><td class=subtext>{1}</td></tr>"
)
BELOW = "<span class=score>{0} points</span> by <a class=hnuser>ann</a> <a>3 hours ago</a> <a>{0}&nbsp;comments</a>"


def test_the_example_of_the_first_agentify_runs_unchanged(site: LocalSite, browse: Callable[..., Any]) -> None:
    rows = "".join(
        ROW.format(number, BELOW.format(number * 10) if number != 2 else "1 hour ago") for number in (1, 2, 3)
    )
    site.pages["/news"] = Reply(f"<table>{rows}</table>")
    registry = read_tools_json(EXAMPLE.read_text().replace("https://news.ycombinator.com", site.url))
    tool = registry.tool("get_top_stories")
    assert tool is not None
    assert (registry.format, tool.side_effect) == (1, "read")

    def replay(session: Any) -> Any:
        return run(tool, {"n": 2}, session, emit=lambda _event: None)

    outcome = browse(replay, url=site.url)
    assert outcome.data["result"] == [
        {"rank": 1, "title": "Story 1", "url": f"{site.url}/item1", "points": 10, "author": "ann", "comments": 10},
        {"rank": 2, "title": "Story 2", "url": f"{site.url}/item2", "points": 0, "author": None, "comments": 0},
    ]


def test_a_file_written_and_read_again_is_the_same() -> None:
    registry = read_tools_json(EXAMPLE.read_bytes())
    assert read_tools_json(write_tools_json(registry)) == registry


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: no valid JSON: Expecting value"),
        ('{"site": "a",\n "tools": [}', "line 2: no valid JSON: Expecting value"),
        ("[" * 100_000, "nested too deeply to be read"),
        ('{"a":' * 100_000, "nested too deeply to be read"),
        ('{"site": "a", "site": "b"}', "site: is given twice in one object"),
        ('{"format": NaN}', "no valid JSON: NaN is no number"),
        ('{"format": 1e999}', "format: is no number that JSON can hold"),
        ('{"format": [2]}', "format: must be 2 (or left out: a file of the first Agentify), not [2]"),
        (b"\xff\xfe", "the file is not UTF-8 text"),
        ("x" * (MAX_BYTES + 1), "the file is larger than 8 MB"),
        ("[]", "must be an object, not a list"),
    ],
)
def test_what_is_no_registry_file_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(DocumentError) as refused:
        read_tools_json(text)
    assert str(refused.value) == message


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(DocumentError, match="no valid JSON"):
        read_tools_json('{"format": ' + "9" * 5000 + "}")


def test_a_wide_and_wrong_file_is_refused_at_its_first_wrong_field() -> None:
    step = {"op": "click", "target": {"role": "button", "name": "x"}}
    tools = [{"name": f"t{number}", "steps": [step] * 900} for number in range(20)]
    tools[19]["steps"] = [*[step] * 899, {"op": "click", "target": {"role": 7}}]
    text = json.dumps({"format": 2, "site": "a", "base_url": "https://a.test", "tools": tools})
    with pytest.raises(DocumentError) as refused:
        read_tools_json(text)
    assert str(refused.value) == "tools[19].steps[899].target.role: must be a text, not a number"
