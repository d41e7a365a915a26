"""That a tool only reads is seen, not believed."""

from collections.abc import Callable
from typing import Any

import pytest

from examples.practice.server import PracticeSite
from recipes_app.engine.acting import SENDS_NOTHING
from recipes_app.engine.document import parse_recipe
from recipes_app.engine.events import About, Event, Sent
from recipes_app.mapping.verify import Verdict, verify
from tests.jobs.documents import subscribe
from tests.mapping.conftest import OpenSession

AtDesk = Callable[..., Any]


def judged(
    document: dict[str, Any], practice: PracticeSite, at_desk: AtDesk, **how: Any
) -> tuple[Verdict, list[Event]]:
    events: list[Event] = []
    arguments, others = how.pop("arguments"), how.pop("others")

    def work(open_session: OpenSession) -> Verdict:
        return verify(
            parse_recipe(document),
            arguments=arguments,
            others=others,
            open_session=open_session,
            emit=events.append,
            **how,
        )

    return at_desk(work, url=practice.url), events


def search(url: str) -> dict[str, Any]:
    """Types and clicks, and only reads."""
    return {
        "name": "search",
        "parameters": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
        "side_effect": "read",
        "steps": [
            {"op": "goto", "url": f"{url}/products"},
            {
                "op": "type",
                "target": {"role": "searchbox", "name": "Search products"},
                "text": "{{q}}",
                "press_enter": True,
            },
            {"op": "wait_for", "target": {"role": "heading", "name": "Products"}},
            {"op": "extract", "target": {"role": "heading", "name": "Products"}, "key": "heading"},
        ],
    }


@pytest.mark.parametrize("careful", [False, True])
def test_a_tool_that_says_it_reads_and_sends_fails_and_has_sent_once(
    practice: PracticeSite, at_desk: AtDesk, careful: bool
) -> None:
    document = subscribe(practice.url, side_effect="read")
    verdict, events = judged(
        document, practice, at_desk, arguments={"email": "a@b.test"}, others={"email": "c@d.test"}, careful=careful
    )
    check = next(check for check in verdict.checks if check.name == SENDS_NOTHING)
    assert not verdict.passed
    assert (check.ok, check.detail) == (False, f"POST {practice.url}/newsletter/frame")
    assert practice.state.submissions == {"POST /newsletter/frame": 1}
    assert Sent(f"POST {practice.url}/newsletter/frame") in events
    assert any(isinstance(event, About) and event.may_write for event in events) == careful


def test_a_tool_that_only_reads_is_seen_to_over_all_its_replays(practice: PracticeSite, at_desk: AtDesk) -> None:
    verdict, events = judged(search(practice.url), practice, at_desk, arguments={"q": "pen"}, others={"q": "desk"})
    assert verdict.passed, verdict.checks
    assert [check.ok for check in verdict.checks if check.name == SENDS_NOTHING] == [True]
    assert not any(isinstance(event, Sent) for event in events)


def test_a_dry_run_proves_nothing_about_what_is_sent(practice: PracticeSite, at_desk: AtDesk) -> None:
    document = subscribe(practice.url, side_effect="read")
    values = {"email": "a@b.test"}
    verdict, _ = judged(
        document, practice, at_desk, arguments=values, others=values, mode="dry_run", submit_path="steps[2]"
    )
    assert verdict.passed, verdict.checks
    assert SENDS_NOTHING not in {check.name for check in verdict.checks}
    assert practice.state.submissions == {}
