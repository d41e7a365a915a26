"""Lists that go on, forms that go on, windows that open late: more than one page shows at once."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.engine.document import dump_recipe
from recipes_app.engine.runner import Outcome, run
from recipes_app.mapping.errors import RecordingFailed
from tests.browser.site import LittleSite
from tests.mapping.conftest import OpenSession
from tests.mapping.test_markup_kinds import Proposals, Recording, proposals, quiet, try_out

__all__ = ["proposals", "try_out"]

Calls = Callable[..., Any]


@pytest.fixture
def called(little: LittleSite, at_desk: Callable[..., Any]) -> Calls:
    """`called(made, name=value)` is the data of a call."""

    def call(made: Any, **arguments: Any) -> Any:
        def work(open_session: OpenSession) -> Outcome:
            with open_session() as session:
                return run(made.recipe, arguments, session, emit=quiet)

        done: Outcome = at_desk(work, url=little.url)
        assert done.ok, done.error
        return done.data

    return call


STONES = """<main><h1>Stones</h1><form action="/"><label>Search <input name="q"></label><button>Search</button></form>
    <ul class="hits"></ul><nav aria-label="Pages"></nav></main><script>
    const asked = new URLSearchParams(location.search), q = asked.get("q") || "", page = Number(asked.get("page") || 1);
    const all = Array.from({length: 11}, (_, n) => `${n % 3 ? "Granite" : "Basalt"} block ${n + 1}`);
    const hits = all.filter((name) => name.toLowerCase().includes(q.toLowerCase()));
    const entry = (name) => `<li><h3><a href="/s/${name.match(/\\d+/)}">${name}</a></h3>
        <p>A ${name.length} kg stone</p></li>`;
    const next = `<a rel="next" href="/?q=${q}&page=${page + 1}">Next</a>`;
    document.querySelector(".hits").innerHTML = hits.slice(page * 3 - 3, page * 3).map(entry).join("");
    if (page * 3 < hits.length) document.querySelector("nav").innerHTML = next;
    </script>"""


def test_results_on_several_pages_are_read_page_by_page(
    proposals: Proposals, try_out: Recording, called: Calls
) -> None:
    made, verdict = try_out(proposals({"/": STONES})["search_stones"])
    assert verdict.passed, verdict.checks
    pages = made.recipe.parameters["properties"]["pages"]
    assert (pages["default"], made.recipe.parameters["required"]) == (1, ["query"])
    found = called(made, query="granite", pages=9)
    assert [row["name"] for row in found["stones"]] == [f"Granite block {n}" for n in (2, 3, 5, 6, 8, 9, 11)]
    assert found["complete"] is True
    assert [len(called(made, query="granite")["stones"]), called(made, query="granite")["complete"]] == [3, False]


GROWING = """<main><h1>Notes</h1><ul class="notes"></ul></main><style>li { height: 90px }</style><script>
    const list = document.querySelector(".notes");
    let shown = 0, busy = false;
    function load() {
        if (busy || shown >= 30) return;
        busy = true;
        setTimeout(() => {
            for (let n = 0; n < 10; n += 1) {
                shown += 1;
                const note = `<h3><a href="/n/${shown}">Note ${shown}</a></h3><p>Of day ${shown}</p>`;
                list.insertAdjacentHTML("beforeend", `<li>${note}</li>`);
            }
            busy = false;
        }, 80);
    }
    load();
    addEventListener("scroll", () => { if (innerHeight + scrollY > document.body.scrollHeight - 200) load(); });
    </script>"""


def test_a_list_that_loads_by_scrolling_is_read_to_its_end(
    proposals: Proposals, try_out: Recording, called: Calls
) -> None:
    made, verdict = try_out(proposals({"/": GROWING})["list_notes"])
    assert verdict.passed, verdict.checks
    notes = called(made, pages=30)
    assert [row["name"] for row in notes["notes"]] == [f"Note {n}" for n in range(1, 31)]
    assert notes["complete"] is True
    assert called(made)["complete"] is False


PART = """<main><h1>Grant</h1><h2>{heading}</h2><form method="post" action="{action}">{fields}
    <button>{button}</button></form></main>"""


def field(label: str, name: str) -> str:
    return f'<label>{label} <input name="{name}" required></label>'


def test_a_form_whose_parts_are_sent_one_by_one_is_one_tool(
    proposals: Proposals, try_out: Recording, little: LittleSite
) -> None:
    first = PART.format(heading="About you", action="/2", fields=field("Full name", "who"), button="Next")
    second = PART.format(heading="Plan", action="/3", fields=field("Project title", "what"), button="Continue")
    last = PART.format(heading="Check", action="/done", fields="", button="Send application")
    little.posted |= {
        "/2": second,
        "/3": last,
        "/done": '<main><h1>Grant</h1><p class="notice">We have got it.</p></main>',
    }
    (draft,) = proposals({"/": first}).values()
    assert draft.name.startswith("submit_")
    assert "whatever the parts after it ask for" in draft.description
    made, verdict = try_out(draft)
    assert verdict.passed, verdict.checks
    assert made.recipe.parameters["required"] == ["full_name", "project_title"]
    assert made.result.data == {"message": "We have got it."}
    assert (made.submitted, made.submit_path) == (1, "steps[5]")
    assert [each for each in little.requests if each.startswith("POST /done")] == ["POST /done 0"] * 2


def test_a_last_part_that_removes_something_is_not_sent_as_a_change(
    proposals: Proposals, try_out: Recording, little: LittleSite
) -> None:
    first = PART.format(heading="Leave", action="/2", fields=field("Reason", "why"), button="Next")
    little.posted["/2"] = PART.format(heading="Sure", action="/3", fields="", button="Delete my account")
    with pytest.raises(RecordingFailed, match="more than was approved"):
        try_out(next(iter(proposals({"/": first}).values())))
    assert not [each for each in little.requests if each.startswith("POST /3")]


def test_what_comes_back_in_a_window_that_opens_late_is_read_there(
    proposals: Proposals, try_out: Recording, little: LittleSite
) -> None:
    found = proposals({
        "/": """<main><h1>Quote</h1><form method="post"
            onsubmit="setTimeout(() => window.open('/told?' + this.q.value), 1500); return false">
            <label>Weight in kg <input name="q" required></label><button>Send request</button></form></main>""",
        "/told": "<main><h1>Your quote</h1><p class='notice'>We will write to you soon.</p></main>",
    })  # fmt: skip
    (draft,) = [draft for draft in found.values() if draft.kind == "action"]
    made, verdict = try_out(draft)
    assert verdict.passed, verdict.checks
    assert made.result.data == {"message": "We will write to you soon."}
    sent: Any = dump_recipe(made.recipe)["steps"][2]
    assert sent["expect"]["page_opened"] is True


SETTINGS = """<main><h1>Settings</h1><ul>
    <li><span id="a">Weekly letter</span> <button role="switch" aria-labelledby="a"></button></li>
    <li><span id="b">Wide view</span> <button role="switch" aria-labelledby="b"></button></li></ul></main>
    <style>[role=switch] { width: 40px; height: 20px }</style><script>
    for (const each of document.querySelectorAll("[role=switch]")) {
        const key = each.getAttribute("aria-labelledby");
        const show = (on) => each.setAttribute("aria-checked", String(on));
        show(key === "a" && document.cookie.includes("letter=1"));
        each.addEventListener("click", () => {
            const on = each.getAttribute("aria-checked") !== "true";
            if (key === "a") document.cookie = `letter=${on ? 1 : 0};path=/`;
            show(on);
        });
    }</script>"""


def test_a_switch_without_a_button_is_a_tool_if_the_site_keeps_it(proposals: Proposals, try_out: Recording) -> None:
    found = proposals({"/": SETTINGS})
    made, verdict = try_out(found["set_weekly_letter"])
    assert verdict.passed, verdict.checks
    assert made.recipe.parameters["required"] == ["weekly_letter"]
    assert [step.op for step in made.recipe.steps] == ["goto", "check", "reload", "verify"]
    with pytest.raises(RecordingFailed):
        try_out(found["set_wide_view"])


MENUS = """<main><h1>Files</h1><table><thead><tr><th>File<th>Size<th></thead><tbody></tbody></table>
    <p role="status"></p></main><script>
    const say = (text) => { document.querySelector("[role=status]").innerText = text; };
    const more = (name) => `<button aria-haspopup="menu" aria-label="More" data-name="${name}">⋮</button>`;
    document.querySelector("tbody").innerHTML = ["plan", "bill", "song"].map(
        (name, n) => `<tr><td>${name}.txt<td>${n} kB<td>${more(name)}</tr>`).join("");
    document.addEventListener("click", (event) => {
        document.querySelector("[role=menu]")?.remove();
        const name = event.target.dataset.name;
        if (event.target.matches("[aria-haspopup]")) document.body.insertAdjacentHTML("beforeend",
            `<div role="menu"><div role="menuitem" tabindex="0" data-name="${name}">Archive</div>
            <div role="menuitem" tabindex="0">Details</div></div>`);
        if (event.target.innerText === "Archive") say(`Archived for good: ${name}.txt`);
    });</script>"""


def test_what_a_menu_in_each_row_offers_is_a_tool(proposals: Proposals, try_out: Recording, called: Calls) -> None:
    found = proposals({"/": MENUS})
    made, verdict = try_out(found["archive_file"])
    assert verdict.passed, verdict.checks
    assert called(made, file="bill.txt")["message"] == "Archived for good: bill.txt"
    assert "details_file" not in found
