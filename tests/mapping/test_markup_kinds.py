"""Kinds of markup and of sites' behaviour that real applications have, each on a page written for it."""

from collections.abc import Callable
from typing import Any

import pytest

from recipes_app.engine.document import Recipe, parse_recipe
from recipes_app.engine.events import Event
from recipes_app.engine.runner import Outcome, run
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.rules import propose
from recipes_app.mapping.record import Recorded, record
from recipes_app.mapping.unique import UNIQUE, made_new
from recipes_app.mapping.verify import Verdict, verify
from tests.browser.site import LittleSite
from tests.mapping.conftest import OpenSession

SAYS_WHICH = "<script>document.querySelector('p').append(location.search)</script>"
Proposals = Callable[..., dict[str, Draft]]
Recording = Callable[[Draft], tuple[Recorded, Verdict]]


def quiet(_event: Event) -> None:
    return


@pytest.fixture
def proposals(little: LittleSite, survey_of: Callable[..., Survey]) -> Proposals:
    def run(pages: dict[str, str]) -> dict[str, Draft]:
        little.pages |= pages
        return {draft.name: draft for draft in propose(survey_of(little.url + "/"))}

    return run


@pytest.fixture
def try_out(little: LittleSite, at_desk: Callable[..., Any]) -> Recording:
    def run(draft: Draft) -> tuple[Recorded, Verdict]:
        def work(open_session: OpenSession) -> tuple[Recorded, Verdict]:
            with open_session() as session:
                made = record(draft, draft.examples, session, quiet)
            others = draft.others if dict(made.arguments) != dict(draft.others) else draft.examples
            others = {**others, **made.others}
            verdict = verify(
                made.recipe, arguments=made.arguments, others=others, open_session=open_session, emit=quiet
            )
            return made, verdict

        tried: tuple[Recorded, Verdict] = at_desk(work, url=little.url)
        return tried

    return run


def columns_of(draft: Draft, key: str) -> set[str]:
    assert draft.returns is not None
    return set(draft.returns["properties"][key]["items"]["properties"])


SIGN_UP = """<main><h1>Join us</h1><form method="post" action="/join">
    <label>Login name <input name="login" maxlength="14"></label><label>E-mail <input type="email" name="mail"></label>
    <label>Password <input type="password" name="p1"></label><label>City <input name="city"></label>
    <button>Register</button></form></main>"""


def test_the_names_of_a_new_account_are_marked_and_nothing_else(proposals: Proposals) -> None:
    draft = proposals({"/": SIGN_UP})["create_account"]
    marked = {name for name, schema in draft.parameters["properties"].items() if schema.get(UNIQUE)}
    assert marked == {"login_name", "e_mail"}


def test_marked_values_are_new_each_time_and_still_valid() -> None:
    mail, short = {"type": "string", "format": "email", UNIQUE: True}, {"type": "string", "maxLength": 14, UNIQUE: True}
    letters = {"type": "string", "pattern": "^[a-z]+$", UNIQUE: True}
    schema = {"properties": {"mail": mail, "short": short, "letters": letters, "city": {"type": "string"}}}
    given = {"mail": "anna.example@example.com", "short": "anna_example", "letters": "anna", "city": "Berlin"}
    first = made_new(schema, given, stamp="t5k2q9")
    assert first["mail"] == "anna.example.t5k2q9@example.com"
    assert first["city"] == "Berlin"
    assert first["short"] != given["short"]
    assert len(first["short"]) <= 14
    assert first["letters"].isalpha()
    again = made_new(schema, first, stamp="t5k2r0")
    assert again["mail"] == "anna.example.t5k2r0@example.com"
    assert all(first[name] != again[name] for name in ("mail", "short", "letters"))
    assert made_new(schema, given)["mail"] != given["mail"]


NOTICE = """<main><h1>Letters</h1><div id="said"></div><form onsubmit="%s"><label>Topic <input name="topic"></label>
    <button>Order letters</button></form></main>
    <script>function tell(kind, text) { const told = document.createElement("div"); told.className = "alert " + kind;
    told.innerHTML = `<a href="#" class="close">×</a> ${text}`; document.querySelector("#said").append(told); }
    const opened = Date.now();</script>"""


def test_a_button_that_closes_a_notice_is_no_part_of_the_message(proposals: Proposals, try_out: Recording) -> None:
    sends = "tell('alert-done', 'Your letters will come.'); tell('alert-total', 'You get 1 letter.'); return false"
    made, verdict = try_out(proposals({"/": NOTICE % sends})["order_letters"])
    assert verdict.passed, verdict.checks
    assert made.result.data == {"message": "Your letters will come."}
    expect = made.recipe.steps[-2].expect
    assert expect is not None
    assert expect.condition is not None
    assert "×" not in str(expect.condition.value)


def test_a_form_that_refuses_haste_is_sent_again_after_a_pause(proposals: Proposals, try_out: Recording) -> None:
    sends = """if (Date.now() - opened < 5000) tell('alert-error', 'Responding to form too quickly.');
        else tell('alert-done', 'Your letters will come.'); return false"""
    made, verdict = try_out(proposals({"/": NOTICE % sends})["order_letters"])
    assert verdict.passed, verdict.checks
    assert "wait" in [step.op for step in made.recipe.steps]
    assert made.submitted == 2


SEARCH = '<form action="/find"><input type="search" name="q" aria-label="Search"><button>Search</button></form>'
SITE = {"/": f"<header>{SEARCH}</header><main><h1>Rocks</h1><ul><li><h3>Granite grey</h3></li><li><h3>Marble grey</h3>"
             "</li><li><h3>Basalt black</h3></li><li><h3>Slate black</h3></li></ul></main>"}  # fmt: skip


def test_one_hit_in_a_list_of_linked_terms_is_a_list(proposals: Proposals, try_out: Recording) -> None:
    hit = '<dl class="hits"><div><dt><a href="/granite">Granite</a></dt><dd>A rock.</dd></div></dl>'
    made, _verdict = try_out(
        proposals({**SITE, "/find": f"<main><h1>Search</h1><p>Found:</p>{hit}</main>"})["search_site"]
    )
    assert [row["name"] for row in made.result.data["results"]] == ["Granite"]


def test_a_page_of_results_without_a_list_is_not_taken_for_the_thing_found(
    proposals: Proposals, try_out: Recording
) -> None:
    draft = proposals({**SITE, "/find": "<main><h1>Search</h1><h2>Hits</h2><p>Granite is <b>grey</b></p></main>"})
    with pytest.raises(RecordingFailed, match="too little was found"):
        try_out(draft["search_site"])


def test_a_search_that_finds_nothing_is_recorded_with_its_other_values(
    proposals: Proposals, try_out: Recording
) -> None:
    draft = proposals(SITE)["search_site"]
    first = draft.examples["query"]
    found = f"""<main><h1>Search</h1><div id="out"></div></main><script>
        const q = new URLSearchParams(location.search).get("q");
        const rows = ["one", "two", "three"].map((n) => `<li><h3>${{q}} stone ${{n}}</h3><p>a heavy thing</p></li>`);
        out.innerHTML = q === "{first}" ? "<p>No results</p>" : `<ul class="hits">${{rows.join("")}}</ul>`;</script>"""
    proposals({"/find": found})
    made, verdict = try_out(draft)
    assert made.arguments == draft.others
    assert verdict.passed, verdict.checks


def test_an_index_of_links_is_a_list_and_its_pages_are_a_tool(proposals: Proposals, try_out: Recording) -> None:
    links = "".join(f'<li><a href="/read?id=note{n}" class="link7">note{n}</a></li>' for n in range(1, 25))
    note = f"<main><h1>Note</h1><p>This note is about a subject of some length.</p></main>{SAYS_WHICH}"
    menu = '<nav><ul><li><a href="/">Home</a></li><li><a href="/read?id=note1">First</a></li></ul></nav>'
    found = proposals({"/": f'{menu}<main><h1>All</h1><ul role="tree">{links}</ul></main>', "/read": note})
    made, verdict = try_out(found["list_pages"])
    assert verdict.passed, verdict.checks
    assert made.result.data["pages"][1] == {"name": "note2", "url": made.result.url + "read?id=note2"}
    assert found["show_page"].start_url.endswith("/read?id={{page}}")
    assert found["show_page"].examples["page"] == "note1"


ISSUE = """<h1>Issue {n}</h1><table><tr><th>Title</th><td colspan="3">Leak {n}</td></tr>
    <tr><th>Priority</th><td>urgent</td><th>Keywords</th><td></td></tr></table>"""


def test_a_number_behind_a_word_in_an_address_is_a_parameter(proposals: Proposals, try_out: Recording) -> None:
    rows = "".join(f'<tr><td>{n}</td><td><a href="/issue{n}">Leak {n}</a></td></tr>' for n in range(1, 9))
    jump = '<form action="/"><label>Number <input name="number"></label><button>Show issue</button></form>'
    table = f'<table class="list"><tr><th>ID</th><th>Title</th></tr>{rows}</table><a href="/">Home</a>'
    pages = {f"/issue{n}": ISSUE.format(n=n) for n in range(1, 9)}
    found = proposals({"/": f"<h1>Issues</h1>{jump}{table}", **pages})
    show = found["show_issue"]
    assert show.kind == "detail"
    assert show.start_url.endswith("/issue{{issue}}")
    assert not [name for name in found if name.startswith("show_issue_")]
    made, verdict = try_out(show)
    assert verdict.passed, verdict.checks
    assert {key: made.result.data[key] for key in ("title", "priority")} == {"title": "Leak 1", "priority": "urgent"}


def test_the_cell_before_a_field_says_what_it_is_for(proposals: Proposals) -> None:
    found = proposals({"/": """<main><h1>Join</h1><form method="post" action="/p"><table>
        <tr><th>Full name:</th><td><input name="x1"></td></tr>
        <tr><th>E-mail address</th><td><input name="address"></td></tr>
        <tr><td>Send news</td><td><input type="checkbox" name="n"></td></tr></table>
        <button>Send request</button></form></main>"""})  # fmt: skip
    (draft,) = found.values()
    assert list(draft.parameters["properties"]) == ["full_name", "e_mail_address", "send_news"]
    assert draft.examples["e_mail_address"] == "anna.example@example.com"


def test_a_paragraph_is_called_by_the_heading_of_its_section(proposals: Proposals, try_out: Recording) -> None:
    def page(name: str) -> str:
        return f"""<main><h1>{name}</h1><div id="about"><h2>Description</h2></div><p>The {name} is a fine tree.</p>
            <h2>Where it grows</h2><section><p>The {name} grows in the north.</p></section>
            <h2>Size of the tree</h2><table><tr><th>Height</th><td>9 m</td></tr>
            <tr><th>Width</th><td>3 m</td></tr></table>
            </main>"""

    names = ("ash", "birch", "cedar", "elm")
    cards = "".join(f'<li><h3><a href="/trees/{name}">{name.title()}</a></h3><p>A tree</p></li>' for name in names)
    found = proposals({"/": f"<main><h1>Trees</h1><ul>{cards}</ul></main>", **{f"/trees/{n}": page(n) for n in names}})
    assert columns_of(found["show_tree"], "tree") == {"name", "description", "where_it_grows"}
    made, verdict = try_out(found["show_tree"])
    assert verdict.passed, verdict.checks
    assert made.result.data["tree"][0]["description"] == "The ash is a fine tree."
    assert made.result.data["size_tree"][0] == {"term": "Height", "value": "9 m"}


def deaf(url: str) -> Recipe:
    gone = {"target": {"css": "#gone"}, "optional": True, "timeout_ms": 200}
    text = {"type": ["string", "null"]}
    returns = {"type": "object", "properties": {"heading": text, "price": text}}
    steps = [
        {"op": "goto", "url": url},
        {"op": "extract", "target": {"role": "heading", "name": "Lamp"}, "key": "heading"},
        {"op": "extract", "key": "price", **gone},
    ]
    return parse_recipe({"name": "show", "side_effect": "read", "returns": returns, "steps": steps})


def test_a_tool_that_never_brings_what_it_promises_is_not_verified(
    little: LittleSite, at_desk: Callable[..., Any]
) -> None:
    little.pages["/"] = "<h1>Lamp</h1>"

    def work(open_session: OpenSession) -> Verdict:
        recipe = deaf(little.url + "/")
        return verify(recipe, arguments={}, others={}, open_session=open_session, emit=quiet)

    verdict = at_desk(work, url=little.url)
    assert [check.detail for check in verdict.checks if not check.ok] == ["there was no price"]


def test_columns_without_a_name_are_called_by_what_they_look_like(proposals: Proposals) -> None:
    shops = (("Mitte", "+49 30 5550101"), ("Altona", "+49 40 5550102"), ("Linden", "+49 511 5550103"))
    cards = "".join(
        f"<li><h3>{name}</h3><p>Street {n}, {name}</p><p>{phone}</p><p>{name.lower()}@shop.test</p></li>"
        for n, (name, phone) in enumerate(shops)
    )
    found = proposals({"/": f"<main><h1>Shops</h1><ul>{cards}</ul></main>"})
    assert columns_of(found["list_shops"], "shops") == {"name", "text", "phone", "email"}


def test_a_page_that_says_in_words_that_nothing_is_there_is_refused(
    proposals: Proposals, try_out: Recording, little: LittleSite, at_desk: Callable[..., Any]
) -> None:
    links = "".join(f'<li><a href="/read?id=note{n}">note{n}</a></li>' for n in range(1, 25))
    note = """<main><h1>One of the notes</h1><p>This note is about a subject of some length.</p></main><script>
        const title = document.querySelector("h1");
        document.querySelector("p").append(location.search);
        if (!/id=note\\d+$/.test(location.search)) title.textContent = "This note was never written";
        </script>"""
    found = proposals({"/": f"<main><h1>All</h1><ul>{links}</ul></main>", "/read": note})
    made, verdict = try_out(found["show_page"])
    assert verdict.passed, verdict.checks

    def call(page: str) -> Outcome:
        def work(open_session: OpenSession) -> Outcome:
            with open_session() as session:
                return run(made.recipe, {"page": page}, session, emit=quiet)

        outcome: Outcome = at_desk(work, url=little.url)
        return outcome

    assert call("note7").ok
    assert not call("note-nobody-wrote").ok


NUMBERED = """<main><h1>Topics</h1><ul class="rows"></ul><nav class="pagination" aria-label="Pages"></nav></main>
    <script>
    const page = Number(new URLSearchParams(location.search).get("page") || 1);
    const row = (n) => `<li><h3><a href="/topic/${n}">Topic ${n}</a></h3><p>Asked on day ${n} of the year</p></li>`;
    document.querySelector(".rows").innerHTML = [1, 2, 3].map((n) => row((page - 1) * 3 + n)).join("");
    const link = (n, text) => `<a href="/?page=${n}">${text}</a>`;
    const icon = (name) => `<i class="icon-${name}">&nbsp;</i>`;
    document.querySelector("nav").innerHTML = [
        page > 1 ? link(page - 1, icon("chevron-left")) : "", ...[1, 2, 3, 4, 5].map((n) => link(n, n)),
        page < 5 ? link(page + 1, icon("chevron-right")) : ""].join("");
    </script>"""


def test_a_pager_of_icons_is_followed_page_by_page(
    proposals: Proposals, try_out: Recording, little: LittleSite, at_desk: Callable[..., Any]
) -> None:
    """Where the previous page comes to stand before the numbers, the place of the next one is another page's."""
    found = proposals({"/": NUMBERED})
    made, verdict = try_out(found["list_topics"])
    assert verdict.passed, verdict.checks

    def work(open_session: OpenSession) -> Outcome:
        with open_session() as session:
            return run(made.recipe, {"pages": 9}, session, emit=quiet)

    data = at_desk(work, url=little.url).data
    assert [row["name"] for row in data["topics"]] == [f"Topic {n}" for n in range(1, 16)]
    assert data["complete"] is True


SEARCHED = """<main><h1>Parts</h1><label>Search <input type="search" id="q"></label>
    <table id="parts"><thead><tr><th>Part</th><th>Made of</th></tr></thead><tbody></tbody></table></main><script>
    const parts = [["Hinge", "brass"], ["Knob", "oak"], ["Bracket", "steel"], ["Screw", "brass"]];
    const show = (words) => {
        const found = parts.filter((part) => part.join(" ").toLowerCase().includes(words.toLowerCase()));
        const rows = found.map((part) => `<tr><td>${part[0]}</td><td>${part[1]}</td></tr>`).join("");
        document.querySelector("tbody").innerHTML = rows || "<tr><td colspan=2>No data available</td></tr>";
    };
    show("");
    document.querySelector("#q").addEventListener("input", (event) => show(event.target.value));
    </script>"""


def test_a_search_that_answers_while_one_types_and_a_row_that_only_says_that_there_is_nothing(
    proposals: Proposals, try_out: Recording, little: LittleSite, at_desk: Callable[..., Any]
) -> None:
    made, verdict = try_out(proposals({"/": SEARCHED})["search_parts"])
    assert verdict.passed, verdict.checks

    def found(words: str) -> list[dict[str, str]]:
        def work(open_session: OpenSession) -> Outcome:
            with open_session() as session:
                return run(made.recipe, {"query": words}, session, emit=quiet)

        rows: list[dict[str, str]] = at_desk(work, url=little.url).data["parts"]
        return rows

    assert found("oak") == [{"part": "Knob", "made_of": "oak"}]
    assert found("marble") == []


def test_pages_that_all_say_the_same_are_no_tool(proposals: Proposals) -> None:
    entry = '<li><h3><a href="/thing/{0}">Thing {0}</a></h3><p>Number {0} of many things</p></li>'
    same = "<main><h1>Welcome</h1><p>Please choose what to do next in this place.</p></main>"
    links = "".join(entry.format(n) for n in range(1, 5))
    things = {f"/thing/{n}": same for n in range(1, 5)}
    found = proposals({"/": f"<main><h1>Things</h1><ul>{links}</ul></main>", **things})
    assert "list_things" in found
    assert "show_thing" not in found


def test_a_number_and_a_title_in_an_address_are_one_kind_of_page(proposals: Proposals, try_out: Recording) -> None:
    links = "".join(
        f'<li><h3><a href="/topic/{n}/about-{n}-things">About {n} things</a></h3><p>Asked on day {n}</p></li>'
        for n in range(1, 6)
    )
    topic = "<main><h1>About {0} things</h1><p>There are {0} things to say about this.</p></main>"
    pages = {f"/topic/{n}/about-{n}-things": topic.format(n) for n in range(1, 6)}
    found = proposals({"/": f"<main><h1>Topics</h1><ul>{links}</ul></main>", **pages})
    assert found["show_topic"].start_url.endswith("/topic/{{topic}}/{{topic_title}}")
    made, verdict = try_out(found["show_topic"])
    assert verdict.passed, verdict.checks
    assert made.result.data["topic"][0]["name"].startswith("About")
