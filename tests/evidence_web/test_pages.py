"""The pages of evidence for a member, a stranger, and a team-mate without the role; in wrong states, and twice."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from evidence_app.models import Run, TaskSpec
from evidence_app.services import plans
from recipes_app.models import Membership, Role, User
from tests.evidence_web.conftest import SPEC, Room
from tests.people import make_team, make_user

SignIn = Callable[[User], Client]


def read_pages(room: Room, run: Run) -> list[str]:
    sample = run.samples.get()
    return [
        reverse("spec_detail", args=[room.task.pk]),
        reverse("spec_export", args=[room.task.pk]),
        reverse("run_detail", args=[run.public_id]),
        reverse("run_live", args=[run.public_id]),
        reverse("run_table", args=[run.public_id]),
        reverse("run_summary", args=[run.public_id]),
        reverse("run_folder", args=[run.public_id]),
        reverse("sample_detail", args=[sample.pk]),
        reverse("sample_live", args=[sample.pk]),
        reverse("evidence_job", args=[sample.attempts.get().job.public_id]),
    ]


def test_members_read_every_page_and_strangers_find_none(room: Room, signed_in: SignIn) -> None:
    pages = read_pages(room, room.request())
    assert {url: signed_in(room.viewer).get(url, follow=True).status_code for url in pages} == dict.fromkeys(pages, 200)
    assert {url: signed_in(room.stranger).get(url).status_code for url in pages} == dict.fromkeys(pages, 404)
    assert {Client().get(url).status_code for url in pages} == {302}


def test_lists_show_the_own_team_only(room: Room, signed_in: SignIn) -> None:
    room.request(title="Secret review")
    for name in ("evidence_home", "spec_list", "schedule_list"):
        page = signed_in(room.stranger).get(reverse(name))
        assert page.status_code == 200
        assert "Secret review" not in page.content.decode()
        assert "Names and titles" not in page.content.decode()
    assert "Secret review" in signed_in(room.viewer).get(reverse("evidence_home")).content.decode()


def test_the_first_page_asks_for_a_sentence_and_says_whether_a_model_is_there(
    room: Room, signed_in: SignIn, settings: pytest.FixtureRequest
) -> None:
    page = signed_in(room.operator).get(reverse("evidence_home")).content.decode()
    assert "Collect your first evidence" in page
    assert "Planning asks" in page
    setattr(settings, "OPENAI_API_KEY", "")  # noqa: B010
    page = signed_in(room.operator).get(reverse("evidence_home")).content.decode()
    assert "No model is set up" in page
    assert "Plan this" not in signed_in(room.viewer).get(reverse("evidence_home")).content.decode()


@pytest.mark.parametrize(
    ("name", "who", "status"),
    [
        ("spec_edit", "viewer", 403), ("spec_edit", "operator", 403), ("spec_edit", "editor", 200),
        ("spec_edit", "stranger", 404), ("run_start", "viewer", 403), ("run_start", "operator", 200),
        ("run_start", "stranger", 404),
    ],
)  # fmt: skip
def test_editors_write_and_operators_run(room: Room, signed_in: SignIn, name: str, who: str, status: int) -> None:
    assert signed_in(getattr(room, who)).get(reverse(name, args=[room.task.pk])).status_code == status


@pytest.mark.parametrize(
    ("name", "who", "status"),
    [
        ("spec_new", "operator", 403), ("spec_import", "operator", 403), ("spec_new", "editor", 200),
        ("plan_start", "viewer", 403), ("schedule_new", "viewer", 403), ("schedule_new", "operator", 200),
    ],
)  # fmt: skip
def test_pages_of_a_team_ask_for_the_role(room: Room, signed_in: SignIn, name: str, who: str, status: int) -> None:
    assert signed_in(getattr(room, who)).get(reverse(name)).status_code == status


def test_a_form_saves_a_new_version_and_keeps_what_it_does_not_show(room: Room, signed_in: SignIn) -> None:
    client = signed_in(room.editor)
    url = reverse("spec_edit", args=[room.task.pk])
    form = client.get(url).context["form"]
    given = {bound.name: bound.value() if bound.value() is not None else "" for bound in form}
    given = {name: form[name].field.prepare_value(value) if hasattr(form[name].field, "prepare_value") else value
             for name, value in given.items()}  # fmt: skip
    answer = client.post(url, {**given, "as": "form", "goal": "Another goal.", "max_steps": "40"})
    assert answer.status_code == 302
    newest = room.task.versions.first()
    assert newest
    assert (newest.number, newest.author) == (2, room.editor)
    assert newest.document == {**room.version.document, "goal": "Another goal.", "max_steps": 40}
    assert "Another goal." in client.get(reverse("spec_detail", args=[room.task.pk])).content.decode()


def test_json_that_is_refused_names_the_path_and_keeps_what_was_typed(room: Room, signed_in: SignIn) -> None:
    client, url = signed_in(room.editor), reverse("spec_edit", args=[room.task.pk])
    wrong = json.dumps({**SPEC, "required_fields": ["nam"]})
    page = client.post(f"{url}?as=json", {"document": wrong, "as": "json"})
    assert page.status_code == 422
    assert "required_fields[0]" in page.content.decode()
    assert "&quot;nam&quot;" in page.content.decode()
    assert room.task.versions.count() == 1


def test_while_one_types_the_problem_stands_at_its_field(room: Room, signed_in: SignIn) -> None:
    given = {"as": "form", "task_id": "x y", "goal": "Go", "output_schema": "name: string", "required_fields": "nam"}
    page = signed_in(room.editor).post(reverse("spec_check"), given).content.decode()
    assert 'id="problem-task_id"' in page
    assert "letters, digits" in page
    assert TaskSpec.objects.count() == 1
    good = signed_in(room.editor).post(reverse("spec_check"), {**given, "task_id": "xy", "required_fields": "name"})
    assert "can be run" in good.content.decode()
    assert signed_in(room.viewer).post(reverse("spec_check"), given).status_code == 403


def test_a_file_is_imported_and_saved_again_unchanged(room: Room, signed_in: SignIn) -> None:
    client = signed_in(room.editor)
    file = SimpleUploadedFile("task.json", json.dumps({**SPEC, "task_id": "other"}).encode())
    assert client.post(reverse("spec_import"), {"file": file}).status_code == 302
    row = TaskSpec.objects.get(task_id="other")
    saved = client.get(reverse("spec_export", args=[row.pk]))
    assert saved["Content-Disposition"] == 'attachment; filename="other.json"'
    assert json.loads(saved.content) == row.versions.get().document
    bad = client.post(reverse("spec_import"), {"text": '{"task_id": "x", "goal": "y", "colour": 1}'})
    assert (bad.status_code, "colour" in bad.content.decode()) == (422, True)


def test_archiving_twice_is_said_and_an_archived_task_is_not_run(room: Room, signed_in: SignIn) -> None:
    client, url = signed_in(room.editor), reverse("spec_archive", args=[room.task.pk])
    assert signed_in(room.operator).post(url).status_code == 403
    assert "is archived" in client.post(url, follow=True).content.decode()
    assert "archived already" in client.post(url, follow=True).content.decode()
    assert "is archived" in client.get(reverse("run_start", args=[room.task.pk]), follow=True).content.decode()


CSV = "sample_id,url\nann,http://127.0.0.1:1/ann\nbo,http://127.0.0.1:1/bo\n"


def test_a_run_is_started_from_pasted_rows_and_knows_where_they_came_from(room: Room, signed_in: SignIn) -> None:
    client, url = signed_in(room.operator), reverse("run_start", args=[room.task.pk])
    given = {"text": CSV, "control": "CC6.2", "period": "2026-Q3", "retries": "1"}
    looked = client.post(url, {**given, "look": "1"}).content.decode()
    assert "2 samples" in looked
    assert "tokens" in looked
    assert not Run.objects.exists()
    assert client.post(url, given).status_code == 302
    run = Run.objects.get()
    assert (run.status, run.control, run.period, run.retries, run.samples.count()) == (
        "queued",
        "CC6.2",
        "2026-Q3",
        1,
        2,
    )
    assert (run.population["source"], run.population["rows"], len(run.population["sha256"])) == ("pasted", 2, 64)


def test_every_wrong_row_is_named_and_nothing_typed_is_lost(room: Room, signed_in: SignIn) -> None:
    rows = "sample_id,url\n007,http://127.0.0.1:1/a\n7,http://127.0.0.1:1/b\n,http://127.0.0.1:1/c\nd,ftp://x\n"
    file = SimpleUploadedFile("people.csv", rows.encode())
    page = signed_in(room.operator).post(
        reverse("run_start", args=[room.task.pk]), {"file": file, "retries": "2", "control": "CC6.2"}
    )
    text = page.content.decode()
    assert page.status_code == 422
    for number in ("row 3", "row 4", "row 5"):
        assert number in text
    assert "7,http://127.0.0.1:1/b" in text  # what the file held stands in the form, to be put right
    assert 'value="CC6.2"' in text
    assert not Run.objects.exists()


def test_samples_named_twice_or_not_at_all_are_asked_for_again(room: Room, signed_in: SignIn) -> None:
    client, url = signed_in(room.operator), reverse("run_start", args=[room.task.pk])
    assert "Name the samples" in client.post(url, {"retries": "2"}).content.decode()
    both = client.post(url, {"retries": "2", "text": CSV, "url": "http://127.0.0.1:1/a"}).content.decode()
    assert "one way only" in both


def test_a_discovery_is_asked_for_by_its_start_page(room: Room, signed_in: SignIn) -> None:
    given = {"start_url": "http://127.0.0.1:1/people", "retries": "2"}
    answer = signed_in(room.operator).post(reverse("run_start", args=[room.task.pk]), given)
    run = Run.objects.get(discovery__isnull=False)
    assert answer["Location"] == reverse("run_detail", args=[run.public_id])
    page = signed_in(room.viewer).get(answer["Location"]).content.decode()
    assert "Finding the samples" in page
    assert reverse("run_detail", args=[run.discovery.public_id if run.discovery else ""]) in page


def test_a_sentence_is_planned_and_the_page_follows_it(room: Room, signed_in: SignIn) -> None:
    client = signed_in(room.operator)
    answer = client.post(reverse("plan_start"), {"sentence": "Take down the names at http://127.0.0.1:1/"})
    run = Run.objects.get()
    assert (run.status, answer["Location"]) == ("planning", reverse("run_detail", args=[run.public_id]))
    page = client.get(answer["Location"])
    mark = page.context["mark"]
    assert client.get(f"{reverse('run_live', args=[run.public_id])}?as=planning&seen={mark}").status_code == 204
    Run.objects.filter(pk=run.pk).update(status="draft", version=room.version)
    moved = client.get(f"{reverse('run_live', args=[run.public_id])}?as=planning")
    assert moved["HX-Redirect"] == reverse("run_detail", args=[run.public_id])


def draft(room: Room) -> Run:
    return room.request("ann", "bo", draft=True)


def test_a_draft_is_looked_over_changed_and_confirmed_once(room: Room, signed_in: SignIn) -> None:
    run, client = draft(room), signed_in(room.operator)
    page = client.get(reverse("run_detail", args=[run.public_id])).content.decode()
    assert "Confirm and collect 2 samples" in page
    assert "Take down name and title." in page
    assert (
        "Confirm and collect"
        not in signed_in(room.viewer).get(reverse("run_detail", args=[run.public_id])).content.decode()
    )
    url = reverse("draft_samples", args=[run.public_id])
    rows = {"column": ["sample_id", "url"], "cell0": ["ann", "", "cy"], "cell1": ["http://127.0.0.1:1/ann", "", ""]}
    assert signed_in(room.viewer).post(url, rows).status_code == 403
    assert client.post(url, rows).status_code == 302
    assert list(run.samples.values_list("sample_id", flat=True)) == ["ann", "cy"]
    confirm = reverse("run_confirm", args=[run.public_id])
    assert signed_in(room.stranger).post(confirm).status_code == 404
    client.post(confirm)
    run.refresh_from_db()
    assert run.status == "queued"
    assert "not waiting to be confirmed" in client.post(confirm, follow=True).content.decode()
    assert "its samples stand" in client.get(url, follow=True).content.decode()


def test_rows_of_a_draft_that_are_wrong_are_named_and_kept(room: Room, signed_in: SignIn) -> None:
    run = draft(room)
    rows = {"column": ["sample_id", "url"], "cell0": ["ann", "ann"], "cell1": ["", "nowhere"]}
    page = signed_in(room.operator).post(reverse("draft_samples", args=[run.public_id]), rows)
    assert page.status_code == 422
    assert "row 2" in page.content.decode()
    assert 'value="nowhere"' in page.content.decode()
    assert run.samples.count() == 2


def test_a_draft_is_discarded_by_who_may_and_then_is_gone_from_the_rail(room: Room, signed_in: SignIn) -> None:
    run = draft(room)
    url = reverse("run_discard", args=[run.public_id])
    home = reverse("evidence_home")
    assert "1 draft to confirm" in signed_in(room.viewer).get(home).content.decode()
    assert "An operator" in signed_in(room.viewer).post(url, follow=True).content.decode()
    signed_in(room.operator).post(url)
    run.refresh_from_db()
    assert run.status == "cancelled"
    assert "1 draft to confirm" not in signed_in(room.viewer).get(home).content.decode()
    assert "discarded before anything ran" in signed_in(room.viewer).get(
        reverse("run_detail", args=[run.public_id])
    ).content.decode()  # fmt: skip


def test_an_editor_changes_the_task_of_a_draft(room: Room, signed_in: SignIn) -> None:
    run = draft(room)
    url = f"{reverse('spec_edit', args=[room.task.pk])}?as=json&run={run.public_id}"
    answer = signed_in(room.editor).post(url, {"document": json.dumps({**SPEC, "max_steps": 7}), "as": "json"})
    assert answer["Location"] == reverse("run_detail", args=[run.public_id])
    run.refresh_from_db()
    assert run.version
    assert (run.version.number, run.version.document["max_steps"]) == (2, 7)


def test_a_run_is_cancelled_and_taken_up_again(room: Room, signed_in: SignIn) -> None:
    run, client = room.request("ann", "bo"), signed_in(room.operator)
    cancel, resume = (reverse(name, args=[run.public_id]) for name in ("run_cancel", "run_resume"))
    assert signed_in(room.stranger).post(cancel).status_code == 404
    assert "An operator" in signed_in(room.viewer).post(cancel, follow=True).content.decode()
    client.post(cancel)
    page = client.get(reverse("run_detail", args=[run.public_id])).content.decode()
    assert "Try again 2 that are not done" in page
    assert "not under way" in client.post(cancel, follow=True).content.decode()
    assert "2 samples tried again" in client.post(resume, follow=True).content.decode()
    assert "still under way" in client.post(resume, follow=True).content.decode()


def test_a_plan_that_failed_leads_on(room: Room, signed_in: SignIn) -> None:
    run = plans.request_plan(team=room.team, by=room.operator, sentence="Names, please")
    Run.objects.filter(pk=run.pk).update(status="failed", error={"error": "The service is away.", "kind": "x"})
    page = signed_in(room.operator).get(reverse("run_detail", args=[run.public_id])).content.decode()
    assert "The service is away." in page
    again = signed_in(room.operator).get(f"{reverse('plan_start')}?again={run.public_id}").content.decode()
    assert "Names, please" in again


def test_thousands_of_samples_are_shown_in_pages_by_few_queries(
    room: Room, signed_in: SignIn, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    run = room.request(*(f"p{number}" for number in range(120)))
    url = reverse("run_detail", args=[run.public_id])
    client = signed_in(room.viewer)
    with django_assert_max_num_queries(32):  # type: ignore[attr-defined]
        page = client.get(url).content.decode()
    assert page.count('<li id="sample-') == 50
    assert "Samples 1 to 50 of 120" in page
    assert client.get(f"{url}?page=3").content.decode().count('<li id="sample-') == 20
    assert "No sample is in this state" in client.get(f"{url}?status=done").content.decode()


def test_a_link_into_another_team_takes_the_menu_along(room: Room, signed_in: SignIn) -> None:
    run, second = room.request(), make_team("Green")
    Membership.objects.create(team=second, user=room.viewer, role=Role.VIEWER)
    client = signed_in(room.viewer)
    client.post(reverse("team_switch"), {"team": second.slug})
    page = client.get(reverse("run_detail", args=[run.public_id])).content.decode()
    assert '<span class="unseen">Team: </span>Blue' in page


def test_jobs_of_samples_lead_to_their_sample(room: Room, signed_in: SignIn) -> None:
    run = room.request()
    job = run.samples.get().attempts.get().job
    assert reverse("evidence_job", args=[job.public_id]) in signed_in(room.viewer).get("/jobs/?each=1").content.decode()
    answer = signed_in(room.viewer).get(reverse("evidence_job", args=[job.public_id]))
    assert answer["Location"] == reverse("sample_detail", args=[run.samples.get().pk])


ROWS = ("taskspec", "taskspecversion", "run", "sample", "attempt", "actionentry", "artifact", "field", "schedule")


@pytest.mark.parametrize("name", ROWS)
def test_the_admin_shows_evidence_and_changes_none(room: Room, signed_in: SignIn, name: str) -> None:
    run = room.request()
    keys = {"taskspec": room.task.pk, "taskspecversion": room.version.pk, "run": run.pk, "sample": run.samples.get().pk}
    keys["attempt"] = run.samples.get().attempts.get().pk
    client = signed_in(make_user("root", is_staff=True, is_superuser=True))
    assert client.get(reverse(f"admin:evidence_app_{name}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:evidence_app_{name}_add")).status_code == 403
    if name in keys:
        assert client.get(reverse(f"admin:evidence_app_{name}_change", args=[keys[name]])).status_code == 200
        assert client.post(reverse(f"admin:evidence_app_{name}_delete", args=[keys[name]])).status_code == 403
