"""Proposed tools are recorded and verified on the practice site; what was really submitted is counted by the site."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.document import Recipe, Step, dump_recipe, parse_recipe
from recipes_app.engine.events import Event
from recipes_app.engine.runner import Outcome, run
from recipes_app.mapping.crawl import CrawlOptions, crawl
from recipes_app.mapping.errors import RecordingFailed
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.propose.rules import propose
from recipes_app.mapping.record import Recorded, record
from recipes_app.mapping.verify import Verdict, verify
from tests.mapping.conftest import OpenSession


def quiet(_event: Event) -> None:
    return


@pytest.fixture(scope="module")
def mapped() -> dict[str, tuple[Draft, ...]]:
    return {}


@pytest.fixture
def drafts(
    practice: PracticeSite, at_desk: Callable[..., Any], mapped: dict[str, tuple[Draft, ...]]
) -> dict[str, Draft]:
    """The proposals for the practice site, surveyed once for this file."""

    def work(open_session: OpenSession) -> tuple[Draft, ...]:
        with open_session() as session:
            return propose(crawl(session, practice.url, CrawlOptions(max_pages=25, politeness_s=0), quiet))

    if practice.url not in mapped:
        mapped[practice.url] = at_desk(work, url=practice.url)
    practice.reset()
    return {draft.name: draft for draft in mapped[practice.url]}


@pytest.fixture
def try_out(practice: PracticeSite, at_desk: Callable[..., Any]) -> Callable[..., tuple[Recorded, Verdict]]:
    """Record a draft, then verify it by the rule of its side effect."""

    def run(draft: Draft, *, dry_run: bool = False) -> tuple[Recorded, Verdict]:
        def work(open_session: OpenSession) -> tuple[Recorded, Verdict]:
            with open_session() as session:
                made = record(draft, draft.examples, session, quiet, dry_run=dry_run)
            dry = dry_run or draft.side_effect == "destructive"
            verdict = verify(
                made.recipe,
                arguments=draft.examples,
                others=draft.others,
                open_session=open_session,
                emit=quiet,
                mode="dry_run" if dry else "full",
                submit_path=made.submit_path,
            )
            return made, verdict

        tried: tuple[Recorded, Verdict] = at_desk(work, url=practice.url)
        return tried

    return run


def submissions(practice: PracticeSite) -> Counter[str]:
    return Counter(practice.state.submissions)


def test_the_practice_site_gets_the_tools_a_person_would_expect(drafts: dict[str, Draft]) -> None:
    expected = {
        "log_in": "write",
        "search_products": "read",
        "list_products": "read",
        "show_product": "read",
        "add_to_cart": "write",
        "send_contact_message": "write",
        "filter_tickets": "read",
        "list_tickets": "read",
        "show_ticket": "read",
        "open_ticket": "write",
        "delete_ticket": "destructive",
        "close_ticket": "destructive",
        "subscribe_newsletter": "write",
        "show_stores": "read",
        "list_faqs": "read",
        "reserve_offer": "write",
        "upload_file": "write",
        "create_account": "write",
    }
    assert expected.items() <= {name: draft.side_effect for name, draft in drafts.items()}.items()
    assert len(drafts) <= len(expected) + 2


def test_surveying_submits_nothing(drafts: dict[str, Draft], practice: PracticeSite) -> None:
    assert drafts
    assert submissions(practice) == {}


def test_a_search_returns_its_list_and_follows_its_parameters(
    drafts: dict[str, Draft], try_out: Callable[..., tuple[Recorded, Verdict]]
) -> None:
    made, verdict = try_out(drafts["search_products"])
    assert verdict.passed, verdict.checks
    assert [check.name for check in verdict.checks].count("something comes back") == 2
    assert verdict.checks[-1].name == "it follows its parameters"
    products = made.result.data["products"]
    assert {"name", "url", "price"} <= set(products[0])
    assert all("lamp" in product["name"].lower() for product in products[:2])
    assert made.recipe.steps[-2].expect is not None
    assert "{{query}}" in str(dump_recipe(made.recipe))
    assert parse_recipe(dump_recipe(made.recipe)) == made.recipe


def test_a_tool_that_writes_submits_once_to_record_and_once_to_verify(
    drafts: dict[str, Draft], try_out: Callable[..., tuple[Recorded, Verdict]], practice: PracticeSite
) -> None:
    for name, path in (
        ("open_ticket", "/tickets/new"),
        ("subscribe_newsletter", "/newsletter/frame"),
        ("reserve_offer", "/late/reserve"),
    ):
        made, verdict = try_out(drafts[name])
        assert verdict.passed, (name, verdict.checks)
        assert submissions(practice)[f"POST {path}"] == 2 == drafts[name].submits
        assert (made.submitted, verdict.submitted) == (1, 1)
        assert made.recipe.returns is not None
        written = str(dump_recipe(made.recipe)["steps"])
        assert not [value for value in drafts[name].examples.values() if len(str(value)) > 12 and value in written]
    assert sum(submissions(practice).values()) == 6


def test_a_long_form_is_filled_whole(
    drafts: dict[str, Draft], try_out: Callable[..., tuple[Recorded, Verdict]], practice: PracticeSite
) -> None:
    made, verdict = try_out(drafts["send_contact_message"])
    assert verdict.passed, verdict.checks
    assert "received" in made.result.data["message"]
    assert submissions(practice) == {"POST /contact": 2}


def test_a_destructive_tool_submits_once_and_is_verified_dry(
    drafts: dict[str, Draft], try_out: Callable[..., tuple[Recorded, Verdict]], practice: PracticeSite
) -> None:
    tickets = len(practice.state.tickets)
    made, verdict = try_out(drafts["delete_ticket"])
    assert verdict.passed, verdict.checks
    assert len(practice.state.tickets) == tickets - 1
    assert sum(submissions(practice).values()) == 1
    click = made.recipe.steps[-2]
    assert "{{ticket}}" in str(click.fields["target"])
    assert click.expect is not None
    assert click.expect.dialog is not None
    assert "*" in (click.expect.dialog.message or "")


def test_a_dry_run_knows_the_submitting_step_even_where_it_is_a_link(
    drafts: dict[str, Draft], at_desk: Callable[..., Any], practice: PracticeSite
) -> None:
    draft = drafts["close_ticket"]

    def work(open_session: OpenSession) -> Verdict:
        with open_session() as session:
            made = record(draft, draft.examples, session, quiet)
        return verify(
            made.recipe,
            arguments=draft.examples,
            others=draft.others,
            open_session=open_session,
            emit=quiet,
            mode="dry_run",
        )

    verdict = at_desk(work, url=practice.url)
    assert verdict.passed, verdict.checks
    assert sum(submissions(practice).values()) == 1


def test_a_dry_run_submits_nothing_at_all(
    drafts: dict[str, Draft], try_out: Callable[..., tuple[Recorded, Verdict]], practice: PracticeSite
) -> None:
    for name in ("delete_ticket", "open_ticket"):
        made, verdict = try_out(drafts[name], dry_run=True)
        assert verdict.passed, (name, verdict.checks)
        assert (made.submitted, verdict.submitted) == (0, 0)
        assert made.warnings
    assert submissions(practice) == {}


def test_a_dry_run_hears_what_the_page_asks_and_the_call_answers_it(
    drafts: dict[str, Draft], at_desk: Callable[..., Any], practice: PracticeSite
) -> None:
    draft = drafts["delete_ticket"]
    tickets = len(practice.state.tickets)

    def work(open_session: OpenSession) -> tuple[Recorded, Outcome]:
        with open_session() as session:
            made = record(draft, draft.examples, session, quiet, dry_run=True)
        assert len(practice.state.tickets) == tickets
        with open_session() as session:
            return made, run(made.recipe, draft.examples, session, emit=quiet)

    made, called = at_desk(work, url=practice.url)
    expect = made.recipe.steps[-1].expect
    assert expect is not None
    assert expect.dialog is not None
    assert (expect.dialog.type, expect.dialog.answer) == ("confirm", "accept")
    assert called.ok, called.error
    assert len(practice.state.tickets) == tickets - 1
    assert sum(submissions(practice).values()) == 1


def test_a_page_that_exists_once_per_item_is_read_by_its_parameter(
    drafts: dict[str, Draft], try_out: Callable[..., tuple[Recorded, Verdict]]
) -> None:
    made, verdict = try_out(drafts["show_ticket"])
    assert verdict.passed, verdict.checks
    assert made.result.data["status"]


def test_values_the_site_refuses_end_the_recording_in_its_own_words(
    drafts: dict[str, Draft], at_desk: Callable[..., Any], practice: PracticeSite
) -> None:
    draft = drafts["create_account"]
    values = {**draft.examples, "repeat_the_password": "something-else-1"}

    def work(open_session: OpenSession) -> str:
        with open_session() as session, pytest.raises(RecordingFailed) as failed:
            record(draft, values, session, quiet)
        return str(failed.value)

    words = at_desk(work, url=practice.url)
    assert "HTTP 400" in words or "password" in words.lower()


def judged(practice: PracticeSite, at_desk: Callable[..., Any], recipe: Recipe, **values: Any) -> Verdict:
    verdict: Verdict = at_desk(
        lambda open_session: verify(recipe, open_session=open_session, emit=quiet, **values), url=practice.url
    )
    return verdict


def list_recipe(practice: PracticeSite, path: str, css: str) -> Recipe:
    fields = {"name": {"css": "h3"}}
    steps = [
        {"op": "goto", "url": practice.url.rstrip("/") + path},
        {"op": "extract_list", "items": {"css": css}, "fields": fields, "key": "found"},
    ]
    parameters = {"type": "object", "properties": {"query": {"type": "string"}}}
    return parse_recipe({"name": "find", "parameters": parameters, "side_effect": "read", "steps": steps})


def test_a_recipe_that_ignores_its_parameters_fails(practice: PracticeSite, at_desk: Callable[..., Any]) -> None:
    deaf = list_recipe(practice, "/products?q=lamp", "ul.products > li")
    verdict = judged(practice, at_desk, deaf, arguments={"query": "lamp"}, others={"query": "zebra"})
    assert not verdict.passed
    assert [check.name for check in verdict.checks if not check.ok] == [
        "every parameter is used",
        "it follows its parameters",
    ]
    hearing = list_recipe(practice, "/products?q={{query}}", "ul.products > li")
    assert judged(practice, at_desk, hearing, arguments={"query": "lamp"}, others={"query": "desk"}).passed


def test_a_recipe_that_brings_back_nothing_fails_unless_that_is_declared(
    practice: PracticeSite, at_desk: Callable[..., Any]
) -> None:
    none = list_recipe(practice, "/products?q={{query}}", "ul.nothing > li")
    verdict = judged(practice, at_desk, none, arguments={"query": "lamp"}, others={})
    assert not verdict.passed


def test_steps_of_drafts_are_steps_of_recipes(drafts: dict[str, Draft]) -> None:
    for draft in drafts.values():
        assert all(isinstance(step, Step) for step in draft.steps)
        assert draft.reason
        assert draft.description.endswith(".")
