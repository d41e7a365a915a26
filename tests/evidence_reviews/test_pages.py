"""The pages of the review room: for a reviewer, a member, a stranger; narrowed, in bulk, and who was shown what."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence_app.models import (
    Artifact,
    Attempt,
    Comment,
    Conclusion,
    Exhibit,
    HeadCopy,
    Review,
    Sample,
    Shown,
    TreeHead,
)
from evidence_app.services import entries
from recipes_app.models import AuditEntry, Site, User
from recipes_app.models.job import JobStatus
from tests.evidence_reviews.conftest import WORDS, Bench, approve, bring, damage, end, founded, look
from tests.people import make_user

SignIn = Callable[[User], Client]


def url(name: str, sample: Sample) -> str:
    return reverse(name, args=[sample.pk])


def text_of(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def verdict(user: User, sample: Sample, decision: str = "approve", **more: Any) -> dict[str, Any]:
    seen = [f"{key}:{sha}" for key, sha in look(user, sample).items()]
    return {"decision": decision, "seen": seen, "words": WORDS, **more}


def test_strangers_find_nothing_and_members_look_without_signing(bench: Bench, signed_in: SignIn) -> None:
    run = bench.run()
    sample = run.samples.get()
    review = approve(bench.rita, sample)
    pages = [url("review_exhibit", sample), url("review_compared", sample)]
    posts = [url(f"review_{name}", sample) for name in ("decide", "conclude", "comment", "assign", "seen")]
    posts += [reverse("review_undo", args=[review.pk]), reverse("break_glass", args=[run.public_id])]
    stranger = signed_in(bench.room.stranger)
    found = {stranger.get(each).status_code for each in pages}
    found |= {stranger.post(each, {"artifact": 1}, "application/json").status_code for each in posts}
    assert found == {404}
    assert "ann" not in text_of(stranger, reverse("review_queue"))
    page = text_of(signed_in(bench.room.operator), pages[0])
    assert "You cannot sign this: reviewers and owners of Blue do." in page
    assert "olga, rita, ron can." in page
    assert 'id="approve"' not in page


def test_a_reviewer_of_a_team_without_websites_begins_with_what_waits(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    Site.objects.update(is_demo=True)
    page = text_of(signed_in(bench.rita), reverse("home"))
    assert reverse("review_queue") in page.partition("Waits for a person")[2].partition("</section>")[0]
    approve(bench.rita, sample)
    assert "Map your first website" in text_of(signed_in(bench.rita), reverse("home"))


def test_a_reviewer_who_had_a_hand_in_it_is_told_which(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    bench.room.operator.memberships.update(role="owner")
    page = text_of(signed_in(bench.room.operator), url("review_exhibit", sample))
    assert "You cannot sign this: you asked for the run." in page
    assert "Break the glass" in page
    given = {"words": "Everybody else is on leave today."}
    signed_in(bench.room.operator).post(reverse("break_glass", args=[sample.run.public_id]), given)
    page = text_of(signed_in(bench.room.operator), url("review_exhibit", sample))
    assert "the rule of four eyes is broken for you in this run" in page


def test_a_reviewer_approves_in_the_page_and_goes_on(bench: Bench, signed_in: SignIn) -> None:
    run = bench.run("ann", "bo")
    ann, bo = run.samples.all()
    client = signed_in(bench.rita)
    page = text_of(client, url("review_exhibit", ann))
    for words in ("NOT on the page", "shown once you have given your own conclusion", "sample 1 of 2", "900 of 900 px"):
        assert words in page
    for words in ("She stands on the list", "Surely still employed"):
        assert words not in page
        assert words not in text_of(client, url("sample_detail", ann))
    given = verdict(bench.rita, ann, answer="exception", answer_words="Left in May.", hashed_here="1")
    answer = client.post(url("review_decide", ann), given)
    review = Review.objects.get()
    assert answer["Location"] == f"{url('review_exhibit', bo)}?&last={review.pk}"
    assert (review.hashed_here, Conclusion.objects.get().words) == (True, "Left in May.")
    page = text_of(client, url("review_exhibit", ann))
    assert "She stands on the list" in page
    assert "before the agent's judgment was seen" in page.replace("&#x27;", "'")
    assert "Taken back" in client.post(reverse("review_undo", args=[review.pk]), follow=True).content.decode()
    client.post(url("review_decide", bo), verdict(bench.rita, bo))
    answer = client.post(f"{url('review_decide', ann)}?run={run.public_id}", verdict(bench.rita, ann), follow=True)
    assert "That was the last here" in answer.content.decode()


def test_what_is_refused_says_why_and_stays(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    client = signed_in(bench.rita)
    for given, said in (
        ({"decision": "approve"}, "newer capture"), ({"decision": "praise"}, "praise"),
        (verdict(bench.rita, sample, "reject"), "Choose a reason"),
        (verdict(bench.rita, sample, answer="not_applicable"), "why it does not apply"),
    ):  # fmt: skip
        assert said in client.post(url("review_decide", sample), given, follow=True).content.decode()
    for name, given in (("comment", {"text": " "}), ("conclude", {"answer": ""}), ("assign", {"to": "otto"})):
        page = client.post(url(f"review_{name}", sample), given, follow=True).content.decode()
        assert 'class="notice bad"' in page
    assert not Review.objects.exists()
    assert not Conclusion.objects.exists()
    assert not Comment.objects.exists()


def test_a_damaged_file_is_said_on_the_page(bench: Bench, signed_in: SignIn, evidence_root: Path) -> None:
    sample = bench.run().samples.get()
    damage(Artifact.objects.get(kind="screenshot"), evidence_root)
    page = text_of(signed_in(bench.rita), url("review_exhibit", sample))
    assert "This is not what was captured. Nothing can be signed." in page
    assert "does not match" in page
    overview = text_of(signed_in(bench.rita), reverse("review_overview"))
    assert "a file is not what was captured" in overview


def test_the_queue_is_narrowed_by_everything_it_names(bench: Bench, signed_in: SignIn) -> None:
    first = bench.run("ann", "bo", control="AC-2", period="2026-Q2")
    second = bench.run("cy", control="CC6.2", period="2026-Q3")
    Exhibit.objects.filter(run=first).update(opened_at=timezone.now() - timedelta(days=4))
    approve(bench.rita, first.samples.get(sample_id="ann"))
    Exhibit.objects.filter(sample__sample_id="bo").update(assignee=bench.rita)
    client = signed_in(bench.rita)

    def listed(query: str) -> set[str]:
        page = client.get(f"{reverse('review_queue')}?{query}")
        return {row.exhibit.sample.sample_id for row in page.context["rows"]}

    assert listed("") == {"bo", "cy"}
    assert listed("state=all") == {"ann", "bo", "cy"}
    assert listed("state=approved") == {"ann"}
    for query in ("control=AC-2", "period=2026-Q2", "days=3", "assignee=me", f"run={first.public_id}", "q=B"):
        assert listed(query) == {"bo"}, query
    assert listed("assignee=nobody") == {"cy"}
    assert listed(f"task={bench.room.task.pk}&run={second.public_id}") == {"cy"}
    assert listed("days=x&state=y&run=nothing&page=99") == {"bo", "cy"}


def test_many_are_approved_that_were_seen_and_the_rest_is_named(bench: Bench, signed_in: SignIn) -> None:
    run = bench.run("ann", "bo", "cy", "dee")
    ann, bo, _cy, dee = run.samples.all()
    for sample in (ann, bo):
        look(bench.rita, sample)
    look(bench.rita, dee)
    founded(ann, bo)
    client = signed_in(bench.rita)
    rows = client.get(reverse("review_queue")).context["rows"]
    assert [row.may_be_ticked for row in rows] == [True, True, False, False]
    keys = [each.pk for each in Exhibit.objects.all()]
    odd = ["9" * 30, "x", "-1"]
    page = client.post(reverse("review_bulk"), {"exhibit": [*keys, *odd]}, follow=True).content.decode()
    assert "2 approved" in page
    assert "cy: 1 value is not on the page: open it." in page
    assert "dee: 1 value is not on the page: open it." in page
    assert set(Review.objects.values_list("sample__sample_id", flat=True)) == {"ann", "bo"}


def test_who_is_sent_a_file_is_written_down(bench: Bench, signed_in: SignIn) -> None:
    run = bench.run()
    sample = run.samples.get()
    shot, statement = (Artifact.objects.get(kind=kind) for kind in ("screenshot", "statement"))
    client = signed_in(bench.room.viewer)
    for row in (shot, statement):
        answer = client.get(reverse("artifact", args=[row.pk]))
        assert b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        assert "Cookie" in answer["Vary"]
        again = client.get(reverse("artifact", args=[row.pk]), headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304
    assert set(Shown.objects.values_list("user__username", "artifact", "how", "sha256")) == {
        ("vic", shot.pk, "sent", shot.sha256), ("vic", statement.pk, "saved", statement.sha256),
    }  # fmt: skip
    other = signed_in(bench.ron).get(reverse("artifact", args=[shot.pk]), headers={"If-None-Match": f'"{shot.sha256}"'})
    assert b"".join(other.streaming_content)  # type: ignore[attr-defined]
    seen = url("review_seen", sample)
    for told, status in (
        ({"artifact": shot.pk, "sha256": shot.sha256}, 200), ({"artifact": shot.pk, "sha256": "f" * 64}, 409),
        ({"artifact": "x"}, 400), ({"artifact": 99999, "sha256": ""}, 404),
    ):  # fmt: skip
        assert client.post(seen, json.dumps(told), "application/json").status_code == status
    assert Shown.objects.filter(how="seen").count() == 1
    assert b"".join(client.get(reverse("run_folder", args=[run.public_id])).streaming_content)  # type: ignore[attr-defined]
    assert AuditEntry.objects.filter(action="run.downloaded", actor=bench.room.viewer).count() == 1
    assert "vic: shown at full size" in text_of(signed_in(bench.rita), url("review_exhibit", sample))


def test_beside_the_last_signed_one_of_the_same_control(bench: Bench, signed_in: SignIn) -> None:
    old = bench.run("ann", control="AC-2", period="2026-Q2").samples.get()
    client = signed_in(bench.rita)
    sample = bench.room.request("ann", control="AC-2", period="2026-Q3").samples.get()
    bring(sample.attempts.get(), words="ann has left")
    sample.attempts.get().fields.filter(path="manager").update(value="Max")
    assert "Beside the last signed" not in text_of(client, url("review_exhibit", sample))
    approve(bench.ron, old)
    assert "Beside the last signed one, 2026-Q2" in text_of(client, url("review_exhibit", sample))
    page = text_of(client, url("review_compared", sample))
    for words in ("1 value differs", "Zoe", "Max", "1 part differs", 'class="outline"'):
        assert words in page


def test_an_outsider_reads_where_in_the_ledger_it_stands(bench: Bench, signed_in: SignIn) -> None:
    sample = bench.run().samples.get()
    client, row = signed_in(bench.rita), Artifact.objects.get(kind="statement")
    assert "The ledger has no entry of this capture." in text_of(client, url("review_exhibit", sample))
    entry = entries.capture_kept(row.attempt, row.seq)
    page = text_of(client, url("review_exhibit", sample))
    assert f"It is entry {entry.seq} of the ledger, which waits to be signed." in page
    head = TreeHead.objects.create(size=entry.seq + 1, root="0" * 64, note="n", fingerprint="f" * 64)
    assert "no head over it left this place" in text_of(client, url("review_exhibit", sample))
    HeadCopy.objects.create(head=head, place="file:///mnt/audit", ok_at=timezone.now())
    page = text_of(client, url("review_exhibit", sample))
    assert f"under the head over {entry.seq + 1} that was signed on" in page
    assert "known to 1 place outside" in page


def test_how_the_room_stands(bench: Bench, signed_in: SignIn) -> None:
    run = bench.run("ann", "bo")
    approve(bench.rita, run.samples.get(sample_id="ann"))
    failed = bench.room.request("cy", retries=0)
    end(Attempt.objects.get(sample__run=failed).job, JobStatus.FAILED, error={"error": "Slow.", "kind": "timeout"})
    page = signed_in(bench.rita).get(reverse("review_overview"))
    found = page.context["standing"]
    assert [(each.person, each.count) for each in found.waiting] == [("", 1)]
    assert [(each.person, each.approved, each.turned_back) for each in found.done] == [("rita", 1, 0)]
    assert (found.failed, found.days[-1][1]) == ([("timeout", 1)], 1)
    run_page = text_of(signed_in(bench.rita), reverse("run_detail", args=[run.public_id]))
    assert "2 of 2 captured, 0 duplicated, 0 recaptured" in run_page
    assert "Review 1 that waits" in run_page


def test_a_queue_of_many_takes_few_queries(
    bench: Bench, signed_in: SignIn, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    bench.run(*(f"p{number}" for number in range(12)))
    client = signed_in(bench.rita)
    with django_assert_max_num_queries(30):
        client.get(reverse("review_queue"))
    sample = Sample.objects.first()
    assert sample
    with django_assert_max_num_queries(60):
        client.get(url("review_exhibit", sample))


ROWS = ("exhibit", "review", "conclusion", "runbarred", "breakglass", "assignment", "comment", "shown")


@pytest.mark.parametrize("name", ROWS)
def test_the_admin_shows_reviews_and_changes_none(bench: Bench, signed_in: SignIn, name: str) -> None:
    sample = bench.run().samples.get()
    review = approve(bench.rita, sample)
    client = signed_in(make_user("root", is_staff=True, is_superuser=True))
    assert client.get(reverse(f"admin:evidence_app_{name}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:evidence_app_{name}_add")).status_code == 403
    if name == "review":
        assert client.get(reverse("admin:evidence_app_review_change", args=[review.pk])).status_code == 200
        assert client.post(reverse("admin:evidence_app_review_delete", args=[review.pk])).status_code == 403
