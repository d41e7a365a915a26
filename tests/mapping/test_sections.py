"""Results in two sections, and a site that wants to be asked less often."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from recipes_app.engine.runner import run
from recipes_app.mapping.haste import MOST_MS, USUAL_MS, pause_after
from tests.browser.site import LittleSite
from tests.mapping.conftest import OpenSession
from tests.mapping.test_markup_kinds import Proposals, Recording, proposals, quiet, try_out

__all__ = ["proposals", "try_out"]

PAGES = {"oak": "Oak and its uses", "larch": "Larch is a tree", "garden": "An oak bench and a larch fence",
         "workshop": "Where oak is sawn", "yard": "The oak yard", "fence": "Of larch and other wood"}  # fmt: skip
SEARCH = """<title>Wiki</title><main><h1>Wiki</h1><form action="/found" role="search">
    <input name="q" aria-label="Search"><button>Search</button></form>
    <h2>Pages</h2><ul class=pages>{}</ul></main>"""
START = SEARCH.format("".join(f'<li><a href="/page/{name}">{name}</a></li>' for name in PAGES))
FOUND = """<title>Found</title><main><h1>Search</h1><div id=out></div></main><script>
const pages = PAGES, asked = new URLSearchParams(location.search).get('q').toLowerCase();
const names = Object.keys(pages).filter(n => n.includes(asked));
const texts = Object.keys(pages).filter(n => pages[n].toLowerCase().includes(asked));
const link = n => `<a href="/page/${n}">${n}</a>`;
const list = (kind, rows) =>
  `<ul class=${kind} style='height:0;overflow:visible'>${rows.map(row => `<li>${row}</li>`).join('')}</ul>`;
document.getElementById('out').innerHTML =
  (names.length ? '<h2>Matching names</h2>' + list('names', names.map(link)) : '') + '<h2>In the text</h2>' +
  (texts.length ? list('hits', texts.map(n => `<h3>${link(n)}</h3><p>${pages[n]}</p>`)) : '<p>Nothing was found.</p>');
</script>""".replace("PAGES", str(PAGES))


def test_results_of_a_second_section_are_read_too(
    proposals: Proposals, little: LittleSite, try_out: Recording, at_desk: Callable[..., Any]
) -> None:
    found = proposals({"/": START, "/found": FOUND}).values()
    draft = next(draft for draft in found if draft.kind == "search")
    made, verdict = try_out(replace(draft, examples={"query": "oak"}, others={"query": "larch"}))
    assert verdict.passed, verdict.checks

    def call(open_session: OpenSession) -> dict[str, Any]:
        with open_session() as session:
            done = run(made.recipe, {"query": "workshop"}, session, emit=quiet)
            assert done.ok, done.error
            return done.data

    data = at_desk(call, url=little.url)
    assert [row["name"] for row in data["matching_names"]] == ["workshop"]
    assert [rows for key, rows in data.items() if key != "matching_names"] == [[]]


@pytest.mark.parametrize(
    ("said", "ms"),
    [
        ("Too many submissions, wait 10s.", 11_000),
        ("Too many requests. Try again in 1 minute", MOST_MS),
        ("You were too quick", USUAL_MS),
        ("10 seconds of silence", 0),
    ],
)
def test_how_long_a_site_asks_to_wait(said: str, ms: int) -> None:
    assert pause_after([said]) == ms
