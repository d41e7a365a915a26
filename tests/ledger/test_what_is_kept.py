"""What evidence names cannot be removed, and says why; the rest goes as before."""

import pytest
from django.core.management import call_command
from django.db.models import ProtectedError
from django.urls import reverse

from evidence_app.models import Entry, Run
from recipes_app.models import Site, Team, User
from recipes_app.services import removal
from recipes_app.services.errors import WrongState
from tests.evidence_web.conftest import Room
from tests.people import make_site
from tests.web.conftest import SignIn


def test_a_site_that_evidence_was_collected_from_stays(room: Room, collected: Run, signed_in: SignIn) -> None:
    site = collected.site
    assert site is not None
    with pytest.raises(WrongState, match="1 run names it, and their history is never removed"):
        removal.remove_site(site=site)
    page = signed_in(room.owner).post(reverse("site_remove", args=[site.pk]), {"slug": site.slug})
    assert (page.status_code, Site.objects.filter(pk=site.pk).exists()) == (422, True)
    other = make_site(room.team, room.owner, slug="other")
    removal.remove_site(site=other)
    assert not Site.objects.filter(pk=other.pk).exists()


def test_runs_samples_and_people_with_evidence_are_protected(collected: Run) -> None:
    for row in (collected, collected.samples.first(), collected.requested_by, collected.team):
        with pytest.raises(ProtectedError):
            row.delete()


def test_a_demo_team_that_collected_evidence_is_kept_whole(
    room: Room, collected: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    User.objects.update(email="x@demo.invalid")
    Site.objects.update(is_demo=True)
    call_command("reset", "--yes")
    assert "but for 1 team that collected evidence" in capsys.readouterr().out
    assert Team.objects.filter(pk=room.team.pk).exists()
    assert Entry.objects.filter(run=collected).count() > 4
