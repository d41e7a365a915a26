"""The pages of retention, of the ledger and of redacted copies in Chromium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from evidence_app.models import Artifact, HeadCopy, Restoration, Timestamp
from evidence_app.services import derived, holds, retention
from recipes_app.browser.api import Page
from tests.evidence_trust.test_outside import make_head
from tests.evidence_trust.vault import Vault, keep_picture, make_vault
from tests.evidence_web.conftest import Room
from tests.web.test_in_browser import looked_over

Visit = Callable[..., Any]
LONG = "x" * 120


@pytest.fixture
def vault(live_room: Room, settings: Settings, tmp_path: Path) -> Vault:
    """Something in every state."""
    settings.LEDGER_COPIES = [tmp_path.as_uri(), "https://audit.example.org/heads"]
    settings.TIMESTAMP_AUTHORITIES = ["https://tsa.example.org/tsr"]
    vault = make_vault(live_room)
    held, waiting, gone = (
        make_vault(live_room, task_id=name, title=f"{name} {LONG}") for name in ("held", "asked", "gone")
    )
    holds.place(team=live_room.team, by=vault.reviewer, words=f"case 12/26 {LONG}", run=held.run)
    retention.ask(run=waiting.run, by=live_room.editor, words=LONG)
    retention.approve(removal=retention.ask(run=gone.run, by=live_room.editor), by=vault.reviewer)
    head = make_head()
    HeadCopy.objects.create(head=head, place=tmp_path.as_uri(), ok_at=timezone.now(), tries=1)
    HeadCopy.objects.create(
        head=head, place="https://audit.example.org/heads", tries=4, tried_at=timezone.now(), error=f"no answer: {LONG}"
    )
    Timestamp.objects.create(
        head=head, authority="https://tsa.example.org/tsr", tries=1, tried_at=timezone.now(), error="refused"
    )
    Restoration.objects.create(
        lost_size=12, lost_root="a" * 64, lost_note="note", size=7, root="b" * 64, words=LONG, asked_by=live_room.owner
    )
    derived.redact(row=vault.picture, boxes=[(0, 0, 9, 9)], by=vault.reviewer)
    return vault


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_every_page_fits_and_every_control_has_a_name(vault: Vault, visit: Visit, width: int, scheme: Any) -> None:
    paths = [reverse("retention"), reverse("heads"), reverse("file_redact", args=[vault.picture.pk])]

    def look(page: Page, url: str) -> list[str]:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        return looked_over(page, url, paths)

    assert visit("rita", look) == []


def test_what_is_drawn_over_is_black_in_the_copy(vault: Vault, visit: Visit) -> None:
    picture = keep_picture(vault.attempt, "02_wide.png", size=(1000, 400))
    path = reverse("file_redact", args=[picture.pk])

    def draw(page: Page, url: str) -> str:
        page.goto(url + path)
        frame = page.locator("#viewer svg").bounding_box()
        assert frame
        scale = frame["width"] / 1000
        page.mouse.move(frame["x"] + 100 * scale, frame["y"] + 50 * scale)
        page.mouse.down()
        page.mouse.move(frame["x"] + 300 * scale, frame["y"] + 90 * scale, steps=4)
        page.mouse.up()
        drawn = page.get_by_label("Places").input_value()
        page.get_by_role("button", name="Make the copy").click()
        page.get_by_text("02_wide.redacted.png was made").wait_for()
        return str(drawn)

    left, top, width, height = (int(number) for number in visit("otto", draw).split(","))
    assert abs(left - 100) < 4
    assert abs(top - 50) < 4
    assert abs(width - 200) < 6
    assert abs(height - 40) < 6
    assert Artifact.objects.get(name="02_wide.redacted.png").transform["boxes"] == [[left, top, width, height]]
