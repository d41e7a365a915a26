"""Parts of pages that follow what happens, words for states and values, and what a recording did in its parts."""

from typing import Any

import pytest
from django.urls import reverse

from recipes_app.engine.events import About, Did, Progress
from recipes_app.models import ApiToken, Job
from recipes_app.models.job import JobStatus
from recipes_app.services import runs
from recipes_app.templatetags.agentify import breakable, checks_said, short_link, step_words
from recipes_app.views.results import money
from recipes_app.views.words import returns_in_words, say_steps, type_in_words
from tests.web.conftest import SignIn
from tests.web.scene import SEARCH, STEPS, Scene, make_call, make_mapping, make_recording, propose

HTMX = {"HX-Request": "true"}


def test_a_result_brings_the_last_calls_and_the_rail_along(scene: Scene, signed_in: SignIn) -> None:
    call = make_call(scene, JobStatus.DONE, {"ok": True, "data": {}})
    make_call(scene, JobStatus.RUNNING)
    url = reverse("call_live", args=[call.job.public_id])
    page = signed_in(scene.operator).get(url, headers=HTMX).content.decode()
    assert 'id="last-calls" aria-labelledby="last" hx-swap-oob="true"' in page
    assert 'id="badge-jobs" hx-swap-oob="true" title="1 job running or waiting"' in page
    assert "hx-swap-oob" not in signed_in(scene.operator).get(call_page(call.job)).content.decode()


def call_page(job: Job) -> str:
    return reverse("call_detail", args=[job.public_id])


def test_a_recording_that_ends_turns_the_pills_of_its_proposal(scene: Scene, signed_in: SignIn) -> None:
    recording = make_recording(scene, JobStatus.DONE)
    page = signed_in(scene.viewer).get(reverse("recording_live", args=[recording.pk]), headers=HTMX).content.decode()
    assert f'id="state-{scene.search.pk}" hx-swap-oob="true"' in page
    assert f'id="detail-state-{scene.search.pk}" hx-swap-oob="true"' in page


def test_each_number_of_the_rail_says_what_it_counts(scene: Scene, signed_in: SignIn) -> None:
    page = signed_in(scene.viewer).get("/sites/").content.decode()
    assert 'title="3 proposals to decide"' in page
    assert 'id="badge-jobs" hidden' in page


def test_what_an_older_mapping_left_undecided_is_superseded(scene: Scene, signed_in: SignIn) -> None:
    newer, _ = make_mapping(scene.site, scene.owner)
    propose(newer, "search_again", "read", SEARCH, {"q": "x"}, STEPS)
    client, old = signed_in(scene.editor), reverse("board", args=[scene.mapping.pk])
    page = client.get(old).content.decode()
    assert "This board is superseded" in page
    assert reverse("board", args=[newer.pk]) in page
    assert "To decide" not in page
    assert "Approve all safe" not in page
    assert "1 proposal for" in client.get("/").content.decode()
    assert "3 superseded" in client.get(reverse("site_detail", args=[scene.site.pk])).content.decode()
    assert "1 proposal to decide" in client.get("/sites/").content.decode()


def test_a_recording_is_told_in_its_parts_with_what_was_skipped(scene: Scene, signed_in: SignIn) -> None:
    recording = make_recording(scene, JobStatus.QUEUED)
    recording.version = scene.recipe.live_version
    recording.save()
    claim = runs.claim(recording.job_id, "w")
    assert claim
    for event in (
        Progress("record", 0, 2, "x"),
        About("steps[0]", "goto", "Open /", may_write=False),
        Did("steps[0]", "goto", 12),
        Progress("record", 2, 2, "x"),
        Progress("verify", 0, None, "replays with the recorded values"),
        Did("steps[1]", "type", 0, status="skipped", detail="its argument was not given"),
    ):
        claim.record(event)
    claim.finish(JobStatus.DONE)
    parts = signed_in(scene.viewer).get(reverse("recording_detail", args=[recording.pk])).context["parts"]
    told = [(part.title, [(step.state, step.sentence) for step in part.steps]) for part in parts]
    skipped = ("skipped", "Type {{q}} into the Search search field")
    assert told == [("Recording", [("did", "Open /")]), ("Replay 1: with the recorded values", [skipped])]


@pytest.mark.parametrize("status", [JobStatus.QUEUED, JobStatus.RUNNING])
def test_a_job_that_runs_does_not_wait_for_a_worker(scene: Scene, signed_in: SignIn, status: JobStatus) -> None:
    page = signed_in(scene.operator).get(call_page(make_call(scene, status).job)).content.decode()
    assert ("Waiting for a worker" in page) == (status == JobStatus.QUEUED)


def test_only_what_is_cancelled_is_said_to_be(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.operator)
    for status, said in ((JobStatus.RUNNING, False), (JobStatus.QUEUED, True)):
        job = make_call(scene, status).job
        given = {"next": call_page(job)}
        page = client.post(reverse("job_cancel", args=[job.public_id]), given, follow=True).content.decode()
        assert ("is cancelled." in page) == said
        assert "is being stopped" not in page


def test_a_token_reads_and_calls_and_is_tried_with_a_call_that_names_its_scope(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.operator), reverse("token_new", args=[scene.team.slug])
    assert client.get(url).context["form"]["scopes"].value() == ["read", "call"]
    page = client.post(url, {"name": "script", "scopes": ["read", "call"]}).content.decode()
    assert "tools/find_products/calls" in page
    assert "the scope <code>call</code>" in page
    assert "export AGENTIFY_TOKEN=agt_" in page
    page = client.post(url, {"name": "looker", "scopes": ["read"]}).content.decode()
    assert "the scope <code>read</code>" in page
    viewer = signed_in(scene.viewer)
    assert viewer.get(url).context["form"]["scopes"].value() == ["read"]
    viewer.post(url, {"name": "mine", "scopes": ["read"]})
    assert ApiToken.objects.get(name="mine").scopes == ["read"]


def test_values_of_a_result_are_written_for_people(scene: Scene, signed_in: SignIn) -> None:
    row = {"price": {"amount": "1234.90", "currency": "EUR"}, "left": True, "sold": False, "note": None}
    url = "https://shop.example.org/catalogue/lighting/lamps/oak-desk-lamp-with-clamp"
    call = make_call(scene, JobStatus.DONE, {"ok": True, "data": {"products": [{**row, "url": url}]}})
    page = signed_in(scene.viewer).get(call_page(call.job)).content.decode()
    assert "<td>€\u00a01,234.90</td><td>yes</td><td>no</td>" in page.replace("\n</td>", "</td>")
    assert f'title="{url}">shop.example.o…/oak-desk-lamp-with-clamp</a>' in page
    assert 'class="scroll result"' in page


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"amount": "24.9", "currency": "EUR"}, "€\u00a024.9"),
        ({"amount": "5", "currency": "SEK"}, "SEK\u00a05"),
        ({"amount": "7.00", "currency": None}, "7.00"),
        ({"amount": "", "currency": "EUR"}, "€"),
    ],
)
def test_money(value: dict[str, Any], said: str) -> None:
    assert money(value) == said


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", "format": "x-file"}, "a file"),
        ({"type": ["string", "object"], "format": "x-file"}, "a file"),
        ({"type": "array", "items": {"type": "string", "format": "x-file"}}, "one or more files"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, "one or more of"),
        ({"type": "array", "items": {"type": "string"}}, "list of texts"),
        ({"type": "string", "format": "date-time"}, "date and time"),
        ({"type": "boolean"}, "yes or no"),
        ({"type": ["string", "null"]}, "text or nothing"),
    ],
)
def test_types_in_words(schema: dict[str, Any], said: str) -> None:
    assert type_in_words(schema) == said


def test_other_words() -> None:
    assert "decided while recording" in returns_in_words(None, recorded=False)
    assert returns_in_words(None) == "Nothing is read."
    assert step_words("steps[6]: it was set") == "Step 7: it was set"
    assert breakable("search_<products>") == "search_<wbr>&lt;products&gt;"
    assert short_link("https://a.example/x") == "a.example/x"


def test_a_check_made_twice_says_after_which_replay() -> None:
    names = ["replays with the recorded values", "the page shows no error", "replays with other values"]
    checks = [{"name": name, "ok": True} for name in [*names, "the page shows no error"]]
    said = [check["name"] for check in checks_said({"checks": checks})]
    assert said[1::2] == [
        "the page shows no error, with the recorded values",
        "the page shows no error, with other values",
    ]


def test_a_field_known_by_its_place_only_is_called_by_its_parameter() -> None:
    parameters = {"properties": {"q": {"type": "string", "description": "Search products (by words)"}, "n": {}}}
    steps = [
        {"op": "type", "target": {"css": "#q"}, "text": "{{q}}"},
        {"op": "select", "target": {"css": "#n"}, "option": "{{n}}"},
        {"op": "click", "target": {"css": "#go"}},
    ]
    said = [step.sentence for step in say_steps(steps, parameters=parameters)]
    assert said[0] == "Type {{q}} into the Search products field"
    assert "#n" not in said[1]
    assert "#go" in said[2]
