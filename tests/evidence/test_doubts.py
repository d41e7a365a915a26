"""Whether what a capture does not show matters to the sample."""

from typing import Any

import pytest

from evidence_app.agent.completeness import Verdict
from evidence_app.agent.outcome import End, judge_end
from evidence_app.agent.progress import Progress, Sighting
from evidence_app.spec.parse import parse_spec

FOUND = {"name": "Ann Lee"}
CUT = ("the picture shows 800 of the page's 5000 px",)
PLAIN: dict[str, Any] = {"task_id": "t", "goal": "g", "output_schema": {"name": "string"}}


def ended(spec: dict[str, Any], progress: Progress) -> tuple[str, list[str]]:
    progress.extracted = FOUND
    status, reasons, _ = judge_end(parse_spec(spec), progress, End("done", "", Verdict(FOUND)))
    return status, [reason.code for reason in reasons]


def seen_on(capture: str) -> Progress:
    sighting = Sighting("text", "http://x.example/", 1, capture, (1, 2, 3, 4))
    return Progress(labels=["person page", "menu"], sightings={"ann lee": sighting})


@pytest.mark.parametrize(
    ("label", "capture", "more", "status"),
    [
        ("menu", "c2", {}, "done"),  # a picture that nobody asked for and no value is shown on
        ("menu", "c1", {}, "needs_review"),  # the value's own
        ("Person page", "c2", {"required_artifacts": ["person page"]}, "needs_review"),
        ("menu", "c2", {"judgment_required": True, "judgment_question": "Is it?"}, "needs_review"),
    ],
)
def test_what_is_lost_matters_where_the_result_rests_on_it(
    label: str, capture: str, more: dict[str, Any], status: str
) -> None:
    progress = seen_on("c1")
    progress.flawed(label, capture, CUT)
    assert ended({**PLAIN, **more}, progress) == (status, ["capture_flawed"] if status == "needs_review" else [])


def test_a_picture_taken_again_without_a_flaw_takes_the_place_of_the_one_before() -> None:
    progress = seen_on("c2")
    progress.flawed("person page", "c1", CUT)
    progress.flawed("person page", "c2", ())
    assert ended({**PLAIN, "required_artifacts": ["person page"]}, progress) == ("done", [])
