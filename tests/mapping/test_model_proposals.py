"""What a model may do to the rules' proposals: make them better, and add; lose or weaken nothing, whoever told it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from recipes_app.engine.document import Recipe, dump_step
from recipes_app.engine.parameters import check_arguments
from recipes_app.llm.base import Answer
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import Refused
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from recipes_app.llm.sizes import tokens_of
from recipes_app.mapping.facts import Survey
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.model import looked_behind, propose_by_model, reviewed
from recipes_app.mapping.propose.model_view import view_of
from recipes_app.mapping.propose.rules import propose
from tests.browser.site import LittleSite
from tests.mapping.furniture import NAMES, PAGES, asked, page, part, view
from tests.reviews import added, review, said


def test_the_question_names_every_draft_and_every_part_once_and_fences_the_pages(shop: Survey) -> None:
    model = Scripted([Answer(data=review(), text="{}")])
    propose_by_model(shop, propose(shop), Model(model, budget=Budget()), budget_tokens=None)
    (question,) = model.requests
    text = question.messages[0].text
    assert text.startswith("<page-text ")
    for draft in propose(shop):
        assert text.count(f"\n{draft.name} [") == 1
    for words in ("Oak table", "Write to us (/write)", "Sale of the day (/sale/today)", "Send message"):
        assert words in text or words == "Write to us (/write)"
    assert "elsewhere.test" not in text
    assert not any(name in "".join(question.system) for name in NAMES)


def test_a_draft_is_renamed_and_described_and_keeps_the_words_that_the_rules_found(shop: Survey) -> None:
    search = next(draft for draft in propose(shop) if draft.kind == "search")
    drafts, proposed = asked(
        shop,
        said(
            search.name,
            name="find_furniture",
            description="Find pieces of furniture by words of their names.",
            parameters=[{"name": "query", "description": "words of a name", "example": "bench", "other": None}],
        ),
    )
    better = drafts["find_furniture"]
    assert (better.description, proposed.notes) == ("Find pieces of furniture by words of their names.", ())
    assert better.parameters["properties"]["query"]["description"] == "words of a name"
    assert (better.examples, better.others) == (search.examples, search.others)
    assert (better.steps, better.side_effect, better.origin) == (search.steps, "read", "rules")
    assert check_arguments(Recipe(name="x", parameters=better.parameters, steps=better.steps), better.examples)


@pytest.mark.parametrize(
    ("example", "other", "values"),
    [
        ("bench", "pine", ("bench", "pine")),
        ("pine", "gold", None),
        ("gold", None, None),
        ("bench", None, ("bench", "moon")),
    ],
)
def test_a_search_for_what_is_nowhere_is_tried_with_words_that_are_there(
    shop: Survey, example: str, other: str | None, values: tuple[str, str] | None
) -> None:
    drafts = [replace(d, examples={"query": "moon"}) if d.kind == "search" else d for d in propose(shop)]
    search = next(draft for draft in drafts if draft.kind == "search")
    hint = {"name": "query", "description": None, "example": example, "other": other}
    answer = review(said(search.name, parameters=[hint]))
    proposed = reviewed(shop, view_of(shop, drafts, tokens=9000), Answer(data=answer))
    found = next(draft for draft in proposed.drafts if draft.kind == "search")
    if values is None:
        assert found == search
        assert "on no page that was seen" in proposed.notes[0]
    else:
        assert (found.examples["query"], found.others["query"]) == values


def test_what_is_dropped_or_merged_is_set_aside_with_the_reason(shop: Survey) -> None:
    listing = next(draft for draft in propose(shop) if draft.kind == "list")
    search = next(draft for draft in propose(shop) if draft.kind == "search")
    drafts, proposed = asked(
        shop,
        said(listing.name, verdict="merge", into=search.name, why="an empty search does it"),
    )
    assert drafts[listing.name].merged_into == search.name
    assert "an empty search does it" in drafts[listing.name].set_aside
    assert replace(drafts[listing.name], set_aside="", merged_into="") == listing
    assert proposed.set_aside == 1


def test_a_model_that_drops_most_of_it_is_not_believed(shop: Survey) -> None:
    drafts = propose(shop)
    _, proposed = asked(shop, *(said(draft.name, verdict="drop", why="noise") for draft in drafts))
    assert proposed.drafts == drafts
    assert "are all kept" in proposed.notes[0]


def test_no_side_effect_is_lowered_and_any_is_raised(shop: Survey) -> None:
    before = {draft.name: draft.side_effect for draft in propose(shop)}
    lowered, proposed = asked(shop, *(said(name, side_effect="read") for name in before))
    assert {name: draft.side_effect for name, draft in lowered.items()} == before
    assert any("is not lowered to read" in note for note in proposed.notes)
    raised, _ = asked(shop, *(said(name, side_effect="destructive") for name in before))
    assert {draft.side_effect for draft in raised.values()} == {"destructive"}


def test_a_tool_is_added_behind_a_link_with_typed_parameters(shop: Survey) -> None:
    drafts, proposed = asked(
        shop,
        added(
            "show_sale",
            kind="detail",
            page=page(shop, "/"),
            part=part(shop, "/", "Sale of the day"),
            parameters=[
                {
                    "name": "How many",
                    "type": "integer",
                    "description": "at most",
                    "required": True,
                    "example": "3",
                    "other": "2",
                }
            ],
        ),
    )
    assert proposed.notes == ()
    sale = drafts["show_sale"]
    assert (sale.origin, sale.side_effect, sale.start_url.endswith("/sale/today")) == ("model", "read", True)
    assert sale.parameters["properties"]["how_many"] == {"type": "integer", "description": "at most"}
    assert (sale.examples, sale.others) == ({"how_many": 3}, {"how_many": 2})
    assert [dump_step(step)["op"] for step in sale.steps] == ["goto"]
    assert "it is missing" in sale.reason


def test_an_action_behind_a_link_is_never_said_to_read(shop: Survey) -> None:
    link = {"page": page(shop, "/"), "part": part(shop, "/", "Sale of the day")}
    drafts, _ = asked(shop, added("order_sale", kind="action", **link), added("cancel_sale", kind="list", **link))
    assert drafts["order_sale"].side_effect == "write"
    assert drafts["order_sale"].start_url.endswith("/")
    assert "cancel_sale" not in drafts or drafts["cancel_sale"].side_effect == "destructive"


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (added("show_moon", page=99), "no page 99"),
        (added("show_moon", page=1, part="form 77"), "no page 1 with “form 77”"),
        (added("show_moon", page=1, part="http://evil.test/"), "was surveyed"),
        (added("show_moon", page=1, part="#secret button"), "was surveyed"),
        (added("", page=1), "no name"),
        (added("a" * 200, page=1), "no name"),
        (added("💰💰", page=1), "no name"),
        (added("class", page=1), "no name"),
        (added("show_moon", page=1, description="Opens http://evil.test/ and reads"), "name another place"),
        (added("show_moon", page=1, description="Mail to boss@evil.test"), "name another place"),
        (added("show_moon", page=1, description=""), "says nothing"),
        (added("press_moon", page=1, kind="action"), "nothing to do or to read"),
        (added("log_in_again", page=1, kind="login"), "nothing to do or to read"),
    ],
)
def test_what_is_not_there_is_not_added(shop: Survey, wanted: dict[str, Any], why: str) -> None:
    _, proposed = asked(shop, wanted)
    assert proposed.drafts == propose(shop)
    assert why in proposed.notes[0]


def test_a_menu_within_a_menu_is_no_list(little: LittleSite, survey_of: Callable[..., Survey]) -> None:
    kinds = "".join(
        f'<li><a href="/k/{n}">{name}</a><ul><li><a href="/k/{n}/a">{name} small</a></li>'
        f'<li><a href="/k/{n}/b">{name} large</a></li></ul></li>'
        for n, name in enumerate(("Books", "Tools", "Garden", "Kitchen"))
    )
    little.pages |= {"/": f"<title>Kinds</title><main><h1>All kinds</h1><ul>{kinds}</ul></main>"}
    survey = survey_of(little.url + "/", max_pages=1)
    lists = [name for (_, name), it in view(survey).parts.items() if getattr(it, "total", 0) == 4]
    assert lists
    _, proposed = asked(survey, added("list_kinds", part=lists[0]))
    assert proposed.drafts == propose(survey)
    assert "more than can be read off" in proposed.notes[0]


def test_there_is_one_login_and_forms_are_made_into_one_tool(shop: Survey) -> None:
    drafts, proposed = asked(
        shop,
        added("log_in_as_admin", kind="login", side_effect="write", page=page(shop, "/login"), part="form 1"),
        added("send_a_message", kind="action", side_effect="read", page=page(shop, "/write"), part="form 1"),
    )
    assert [draft.name for draft in drafts.values() if draft.kind == "login"] == ["log_in"]
    assert [note.split(" was")[0] for note in proposed.notes] == ["log_in_as_admin", "send_a_message"]
    assert proposed.drafts == propose(shop)


def test_an_answer_that_stays_of_another_form_leaves_the_rules_drafts(shop: Survey) -> None:
    steps = {"drafts": [], "add": [], "steps": [{"op": "js_extract", "expr": "fetch('http://evil.test')"}]}
    model = Scripted(lambda request: Answer(data=steps, text=json.dumps(steps)))
    proposed = propose_by_model(shop, propose(shop), Model(model, budget=Budget()), budget_tokens=None)
    assert proposed.drafts == propose(shop)
    assert "twice" in proposed.failure
    assert len(model.requests) == 2


def test_a_refusal_leaves_the_rules_drafts(shop: Survey) -> None:
    model = Scripted([Refused("The model declined.")])
    proposed = propose_by_model(shop, propose(shop), Model(model, budget=Budget()), budget_tokens=None)
    assert (proposed.drafts, proposed.failure) == (propose(shop), "The model declined.")


def test_a_large_survey_is_cut_to_its_budget_and_what_is_not_shown_cannot_be_named(shop: Survey) -> None:
    many = tuple(
        replace(each, final_url=f"{each.final_url}{n}", shape=f"{each.shape}{n}")
        for n in range(30)
        for each in shop.pages
    )
    survey = replace(shop, pages=many)
    full, cut = (view_of(survey, propose(shop), tokens=tokens) for tokens in (100_000, 900))
    assert tokens_of(full.text) > 3000
    assert tokens_of(cut.text) <= 920
    assert cut.left_out > 0
    assert {n for n, _ in cut.parts} <= set(cut.pages)
    for draft in propose(shop):
        assert draft.name in cut.text


def behind_links(survey: Survey, *parts: dict[str, Any], more: Survey) -> dict[str, Draft]:
    """As `asked`, with the pages of another survey looked at where the model points to them."""
    _, proposed = asked(survey, *parts)
    pages = {each.final_url: each for each in more.pages}
    return {draft.name: draft for draft in looked_behind(proposed, survey, pages.get).drafts}


def test_a_page_a_model_points_to_is_planned_by_rules(little: LittleSite, survey_of: Callable[..., Survey]) -> None:
    rows = "".join(
        f'<li class="r"><h3><a href="/k/{n}">Spade {n}</a></h3><b class="price">EUR {n}.00</b></li>'
        for n in (1, 2, 3, 4)
    )
    score = '<label>Score <input type="number" name="score" min="1" max="5" required></label>'
    little.pages |= PAGES | {
        "/": PAGES["/"].replace("<p>", '<p><a href="/kind/tools">Tools</a> <a href="/opinion">Give your opinion</a> '),
        "/kind/tools": f"<title>Tools</title><main><h1>Tools</h1><ul>{rows}</ul></main>",
        "/opinion": f"""<title>Opinion</title><main><h1>Your opinion</h1><form method="post" action="/o">{score}
            <label>Text <textarea name="t" required></textarea></label><button>Send opinion</button></form></main>""",
    }
    survey = survey_of(little.url + "/", max_pages=1)
    more = survey_of(little.url + "/kind/tools", seed_urls=(little.url + "/opinion",), max_pages=2, max_depth=0)
    kind = {"name": "kind", "type": "string", "description": "", "required": True, "example": "tools", "other": "toys"}
    found = behind_links(
        survey,
        added("list_by_kind", part=part(survey, "/", "Tools"), parameters=[kind], description="List one kind."),
        added("give_opinion", kind="action", part=part(survey, "/", "Give your opinion"), description="Say it."),
        added("list_by_moon", part=part(survey, "/", "Sale of the day"), parameters=[kind], description="List it."),
        more=more,
    )
    listing, opinion, moon = found["list_by_kind"], found["give_opinion"], found["list_by_moon"]
    assert listing.start_url == f"{little.url}/kind/{{{{kind}}}}"
    assert [dump_step(step)["op"] for step in listing.steps] == ["goto", "extract_list"]
    assert (listing.examples, listing.others) == ({"kind": "tools"}, {"kind": "toys"})
    assert (opinion.side_effect, set(opinion.parameters["properties"])) == ("write", {"score", "text"})
    assert (opinion.origin, opinion.description) == ("model", "Say it.")
    assert [dump_step(step)["op"] for step in opinion.steps][-1] == "click"
    assert [dump_step(step)["op"] for step in moon.steps] == ["goto"]
