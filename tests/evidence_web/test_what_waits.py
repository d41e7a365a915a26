"""What waits for a person is where people look, and what a program made stands apart."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from evidence_app.models import TaskSpec
from evidence_app.services import plans, runs, specs
from evidence_app.spec.samples import from_items
from recipes_app.models import Role, User
from tests.evidence_web.conftest import PLAIN, Room
from tests.people import make_team, make_user

SignIn = Callable[[User], Client]


def test_the_start_page_names_the_drafts_that_wait(room: Room, signed_in: SignIn) -> None:
    room.request("ann", draft=True)
    page = signed_in(room.operator).get(reverse("home")).content.decode()
    assert "1 draft to confirm" in page.partition('id="waits"')[2]


def test_a_draft_with_a_secret_says_what_its_dots_mean(room: Room, signed_in: SignIn) -> None:
    rows = [{"sample_id": "ann", "url": "http://127.0.0.1:1/ann", "pin": "4711"}]
    run = runs.request_run(version=room.version, samples=from_items(rows), by=room.operator, draft=True)
    page = signed_in(room.operator).get(reverse("draft_samples", args=[run.public_id])).content.decode()
    assert "Dots stand for a secret that is kept sealed." in page
    plain = room.request("ann", draft=True)
    page = signed_in(room.operator).get(reverse("draft_samples", args=[plain.public_id])).content.decode()
    assert "Dots stand" not in page


def test_tasks_that_find_samples_stand_apart(room: Room, signed_in: SignIn) -> None:
    plans.request_discovery(version=room.version, start_url="http://127.0.0.1:1/list", by=room.operator)
    specs.save(team=room.team, by=room.editor, data={**PLAIN, "task_id": "my_discovery"})
    assert TaskSpec.objects.filter(task_id="people_discovery").exists()
    page = signed_in(room.viewer).get(reverse("spec_list")).content.decode()
    assert "people_discovery" not in page
    assert "my_discovery" in page
    assert "1 made to find samples" in page
    assert "people_discovery" in signed_in(room.viewer).get(reverse("spec_list"), {"discoveries": "1"}).content.decode()


def test_without_a_task_there_is_nothing_to_schedule_and_the_next_step_is_said(db: None, signed_in: SignIn) -> None:
    nina = make_user("nina", make_team("Green"), Role.OPERATOR)
    page = signed_in(nina).get(reverse("schedule_new"), follow=True)
    assert page.redirect_chain == [(reverse("schedule_list"), 302)]
    assert "There is no task to schedule yet" in page.content.decode()
