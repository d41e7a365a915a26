"""The loop, whole: a scripted model, a real browser, pages of the test's own."""

from collections.abc import Callable
from typing import Any

import pytest

from evidence_app.agent.collector import Before
from evidence_app.agent.events import Captured, Decided
from evidence_app.agent.interrupted import Pending
from evidence_app.agent.settings import AgentSettings
from recipes_app.llm.base import Answer
from tests.browser.site import LittleSite
from tests.evidence.collecting import Collected, Pictures
from tests.pilot.flying import move

From = Callable[..., Collected]
PERSON = """<title>Ann Lee</title><h1>Ann Lee</h1><dl><dt>Title</dt><dd>Senior Engineer</dd>
<dt>Started</dt><dd>3 May 2021</dd><dt>Reports</dt><dd>1,204</dd></dl><a href=/manager>Manager</a>"""
PAGES = {"/": PERSON, "/manager": "<h1>Bo Chen</h1><p>Director</p>"}
SPEC: dict[str, Any] = {
    "output_schema": {"name": "string", "title": "string", "started": "date", "reports": "integer"},
    "required_fields": ["name", "title"],
    "required_artifacts": ["person page"],
}
FACTS = {"name": "Ann Lee", "title": "Senior Engineer", "started": "3 May 2021", "reports": 1204}
SHOT = move("screenshot", label="person page")


def test_a_complete_sample_is_done_with_every_field_shown_on_its_picture(collect_from: From) -> None:
    got = collect_from(PAGES, SPEC, SHOT, move("done", extracted=FACTS))
    assert got.outcome.status == "done", got.outcome.reasons
    assert got.outcome.extracted == {**FACTS, "started": "2021-05-03"}
    assert got.told.actions == [("screenshot", True), ("done", True)]
    seen = {each.path: each for each in got.outcome.fields}
    assert {each.grounding for each in seen.values()} == {"text"}
    assert {each.capture for each in seen.values()} == {"c1"}
    assert seen["name"].box is not None
    assert seen["reports"].type == "int"


def test_done_without_what_is_required_is_turned_away_and_leaves_nothing_behind(collect_from: From) -> None:
    got = collect_from(
        PAGES,
        SPEC,
        move("done", extracted={"name": "Somebody Else", "title": ""}),
        SHOT,
        move("done", extracted={"name": "Ann Lee", "title": "Senior Engineer"}),
    )
    assert got.told.actions == [("done", False), ("screenshot", True), ("done", True)]
    assert "required field title is missing" in got.told.said[0]
    assert "'person page' was not captured" in got.told.said[0]
    assert got.outcome.extracted == {"name": "Ann Lee", "title": "Senior Engineer"}
    assert "Somebody Else" not in got.prompts[-1].partition("Saved so far")[2].partition("\n\n")[0]


def test_a_value_that_stands_on_no_page_is_flagged(collect_from: From) -> None:
    got = collect_from(PAGES, SPEC, SHOT, move("done", extracted={**FACTS, "title": "Chief Executive"}))
    assert got.outcome.status == "needs_review"
    assert [reason.code for reason in got.outcome.reasons] == ["not_grounded"]
    assert {each.path: each.grounding for each in got.outcome.fields}["title"] == "not_found"


def test_values_that_no_picture_shows_yet_are_captured_where_they_stand(collect_from: From) -> None:
    got = collect_from(
        PAGES,
        {"output_schema": {"name": "string", "boss": "string"}, "required_fields": ["name", "boss"]},
        move("save_progress", extracted={"name": "Ann Lee"}),
        move("click", on="Manager"),
        move("done", extracted={"boss": "Bo Chen"}),
    )
    assert got.outcome.status == "done", got.outcome.reasons
    assert [capture.label for capture in got.told.captures] == ["seen at step 1", "seen at step 3"]
    places = {each.path: each.url.rpartition("/")[2] for each in got.outcome.fields}
    assert places == {"name": "", "boss": "manager"}


def test_fail_keeps_what_was_saved_and_its_reason(collect_from: From) -> None:
    got = collect_from(
        PAGES, SPEC, move("save_progress", extracted={"name": "Ann Lee"}), move("fail", note="no access")
    )
    assert got.outcome.status == "failed"
    assert got.outcome.reasons[0].text == "no access"
    assert got.outcome.extracted == {"name": "Ann Lee"}


def test_at_the_last_step_only_done_and_fail_are_offered_and_the_rest_is_named(collect_from: From) -> None:
    got = collect_from(PAGES, {**SPEC, "max_steps": 2}, SHOT, move("done", extracted={"name": "Ann Lee"}))
    assert [tool.name for tool in got.requests[1].tools] == ["done", "fail"]
    assert got.outcome.status == "needs_review"
    assert [reason.code for reason in got.outcome.reasons] == ["missing_field"]


def test_too_few_items_at_the_last_step_is_partial_success(collect_from: From) -> None:
    spec = {"output_schema": {"rows": "list[string]"}, "expected_items": 3, "max_steps": 1}
    got = collect_from({"/": "<p>a</p><p>b</p>"}, spec, move("done", extracted={"rows": ["a", "b"]}))
    assert got.outcome.status == "partial_success"


def test_a_judgment_has_to_be_complete_and_an_inconclusive_one_goes_to_a_person(collect_from: From) -> None:
    spec = {**SPEC, "judgment_required": True, "judgment_question": "Is she senior?"}
    judgment = {
        "answer": "inconclusive",
        "confidence": 0.4,
        "reasoning": "The title is vague.",
        "references": ["title"],
    }
    got = collect_from(
        PAGES,
        spec,
        SHOT,
        move("done", extracted=FACTS, judgment={**judgment, "references": []}),
        move("done", extracted=FACTS, judgment=judgment),
    )
    assert got.told.actions[1] == ("done", False)
    assert got.outcome.status == "needs_review"
    assert got.outcome.judgment == judgment


def test_milestones_are_marked_and_asked_for(collect_from: From) -> None:
    spec = {**SPEC, "milestones": ["opened"]}
    got = collect_from(
        PAGES,
        spec,
        SHOT,
        move("done", extracted=FACTS),
        move("save_progress", extracted={}, milestones=["opened"]),
        move("done", extracted=FACTS),
    )
    assert [ok for _, ok in got.told.actions] == [True, False, True, True]
    assert got.outcome.status == "done"


def test_a_capture_that_loses_something_goes_to_a_person_where_the_result_rests_on_it(collect_from: From) -> None:
    pictures = Pictures(flaws=("the picture shows 800 of the page's 5000 px",))
    got = collect_from(PAGES, SPEC, SHOT, move("done", extracted=FACTS), capture=pictures)
    assert got.outcome.status == "needs_review"
    assert got.outcome.reasons[-1].code == "capture_flawed"


def test_what_is_only_to_be_known_of_a_capture_sends_nothing_to_a_person(collect_from: From) -> None:
    pictures = Pictures(remarks=("its fonts were not there after 2 s",))
    got = collect_from(PAGES, SPEC, SHOT, move("done", extracted=FACTS), capture=pictures)
    assert got.outcome.status == "done"


def test_a_download_is_kept_as_it_came(collect_from: From, little: LittleSite) -> None:
    little.pages["/report.csv"] = (
        200,
        {"Content-Type": "text/csv", "Content-Disposition": "attachment"},
        b"a,b\n1,2\n",
    )
    spec = {"required_artifacts": ["report"]}
    got = collect_from(
        {"/": "<a href=/report.csv>Report</a>"},
        spec,
        move("download", on="Report", label="report"),
        move("done", extracted={}),
    )
    assert got.outcome.status == "done", got.outcome.reasons
    file = got.told.captures[0].files[0]
    assert (file.kind, file.name, file.media_type) == ("download", "report.csv", "text/csv")


def test_forty_steps_that_bring_nothing_escalate_and_end(collect_from: From) -> None:
    got = collect_from(PAGES, {**SPEC, "max_steps": 40}, *[move("hover", on="Manager")] * 40)
    offered = [len(request.tools) for request in got.requests if request.purpose == "agent"]
    notes = ["Try another way", "Change the plan now", "Nothing else is offered"]
    first = [next(at for at, prompt in enumerate(got.prompts) if note in prompt) for note in notes]
    assert first == sorted(set(first))
    assert offered[first[2]] == 2
    assert got.outcome.status == "failed"
    assert got.outcome.reasons[0].code == "stopped"
    assert len(got.prompts) < 20


def test_thoughts_are_told_with_each_decision(collect_from: From) -> None:
    settings = AgentSettings(reflection="full")
    thought = {"evaluation_previous_step": "opened", "memory_update": "Ann", "next_goal": "keep a picture"}
    got = collect_from(
        PAGES,
        SPEC,
        move("screenshot", label="person page", **thought),
        move("done", extracted=FACTS, **thought),
        settings=settings,
    )
    assert dict(got.told.of(Decided)[0].thought) == {
        "evaluation": "opened",
        "memory_update": "Ann",
        "next_goal": "keep a picture",
    }


@pytest.mark.parametrize("pages", [{"/": "x" * 200_000}, {"/": "<p>word " * 30_000}])
def test_no_question_is_longer_than_its_budget(collect_from: From, pages: dict[str, str]) -> None:
    settings = AgentSettings(window=1)
    moves = [move("press", key="End"), move("done", extracted={})]
    got = collect_from(pages, {"goal": "g" * 3000, "max_steps": 2}, *moves, settings=settings)
    assert all(len(prompt) <= settings.prompt_characters for prompt in got.prompts)


class TestResuming:
    def test_an_interrupted_sample_goes_on_from_its_last_step(self, collect_from: From) -> None:
        first = collect_from(
            PAGES,
            SPEC,
            move("save_progress", extracted={"name": "Ann Lee"}),
            move("click", on="Manager"),
            move("fail", note="x"),
        )
        kept = first.told.checkpoints[1]
        got = collect_from(
            PAGES,
            {**SPEC, "required_artifacts": []},
            move("done", extracted={"title": "Director"}),
            before=Before(kept),
        )
        assert "You were interrupted after step 2" in got.prompts[0]
        assert "Bo Chen" in got.prompts[0]
        assert got.outcome.extracted == {"name": "Ann Lee", "title": "Director"}
        assert got.outcome.steps == 3
        assert {each.path: each.grounding for each in got.outcome.fields} == {"name": "text", "title": "text"}

    def test_what_was_decided_is_done_without_being_asked_again(self, collect_from: From) -> None:
        first = collect_from(PAGES, SPEC, SHOT, move("fail", note="x"))
        decided = first.told.of(Decided)[1]
        pending = Pending("screenshot", {"label": "again"}, decided.mark)
        got = collect_from(
            PAGES, SPEC, move("done", extracted=FACTS), before=Before(first.told.checkpoints[0], pending)
        )
        assert got.told.actions == [("screenshot", True), ("done", True)]
        assert len(got.prompts) == 1

    def test_what_may_have_changed_something_is_told_and_not_done_again(self, collect_from: From) -> None:
        first = collect_from(PAGES, SPEC, SHOT, move("fail", note="x"))
        pending = Pending("click", {"element": 1}, first.told.of(Decided)[1].mark, unknown=True)
        got = collect_from(
            PAGES, SPEC, move("done", extracted=FACTS), before=Before(first.told.checkpoints[0], pending)
        )
        assert "Whether your last call was carried out is not known (click(element=1))" in got.prompts[0]
        assert got.told.actions == [("done", True)]


def test_summaries_come_every_ten_steps_and_are_told(collect_from: From) -> None:
    moves = [move("click", on="Manager"), move("back")] * 6
    got = collect_from({**PAGES}, {**SPEC, "max_steps": 12}, *moves)
    assert sum(request.purpose == "summary" for request in got.requests) == 1
    assert "FOUND: x" in got.prompts[10]


def test_a_task_that_ran_out_of_steps_keeps_what_it_has(collect_from: From) -> None:
    moves = [
        move("save_progress", extracted={"name": "Ann Lee"}),
        move("click", on="Manager"),
        move("back"),
        move("back"),
    ]
    got = collect_from(
        PAGES, {**SPEC, "max_steps": 4}, *moves, others={"consolidation": Answer(data={"note": "title lacks"})}
    )
    assert got.outcome.status == "partial_success"
    assert got.outcome.extracted == {"name": "Ann Lee"}
    assert "title lacks" in got.outcome.notes


def test_a_budget_ends_it_cleanly_with_what_there_is(collect_from: From) -> None:
    got = collect_from(PAGES, SPEC, move("save_progress", extracted={"name": "Ann Lee"}), *[SHOT] * 9, tokens=4000)
    assert got.outcome.status == "partial_success"
    assert got.outcome.extracted == {"name": "Ann Lee"}


def test_each_picture_is_told_before_the_next_step(collect_from: From) -> None:
    got = collect_from(PAGES, SPEC, SHOT, move("done", extracted=FACTS))
    assert got.told.of(Captured)[0].needs_ack


def test_before_a_page_is_asked_for_the_site_is_left_alone_for_a_while(collect_from: From) -> None:
    """The first address, a link, a button, an address; not for a picture, nor a link that stays on its page."""
    asked: list[str] = []
    home = "<h1>Home</h1><a href=#top>Top</a><a href=/manager>Manager</a>"
    boss = "<h1>Bo</h1><form action=/sent><button>Send</button></form>"
    collect_from(
        {"/": home, "/manager": boss, "/sent?": "<h1>Sent</h1>"},
        {},
        move("click", on="Top"),
        move("screenshot", label="home"),
        move("click", on="Manager"),
        move("click", on="Send"),
        move("fail", note="enough"),
        pause=lambda url: asked.append(url.partition("//")[2].partition("/")[2]) if url else None,
    )
    assert asked == ["", "manager", "manager"]
