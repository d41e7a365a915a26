"""The bell, the search box, webhooks and two approvers, as people use them."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from recipes_app.models import HealthCheck, Notice, Proposal, Role, User, Webhook, WebhookDelivery
from recipes_app.services import notices, webhooks
from recipes_app.views import searching
from tests.people import make_team, make_user
from tests.web.conftest import SignIn
from tests.web.scene import Scene, propose


def tell(scene: Scene, person: User, path: str = "/tools/", mark: str = "tool:1") -> Notice:
    news = notices.News(event="tool.failing", text="find_products fails.", path=path, mark=mark)
    [notice] = notices.tell(team=scene.team, people=[person], news=news)
    return notice


def page(client: Client, name: str, *args: Any, **query: str) -> str:
    return client.get(reverse(name, args=args), query).content.decode()


def test_the_bell_counts_lists_and_leads_to_the_next_step(scene: Scene, signed_in: SignIn) -> None:
    notice, client = tell(scene, scene.editor, reverse("tool_detail", args=[scene.recipe.pk])), signed_in(scene.editor)
    assert "What needs you" in page(client, "home")
    assert '1<span class="unseen"> unread' in page(client, "home")
    assert "find_products fails." in page(client, "notice_list")
    answer = client.post(reverse("notice_open", args=[notice.pk]))
    assert answer.headers["Location"] == notice.path
    assert "Nothing needs you" in page(client, "notice_list")
    assert "find_products fails." in page(client, "notice_list", show="all")
    assert client.post(reverse("notice_open", args=[notice.pk])).status_code == 302  # twice is fine


def test_a_notice_is_its_persons_own(scene: Scene, signed_in: SignIn) -> None:
    notice = tell(scene, scene.editor)
    for other in (scene.owner, scene.viewer, scene.stranger):
        client = signed_in(other)
        assert "find_products fails." not in page(client, "notice_list")
        assert client.post(reverse("notice_open", args=[notice.pk])).status_code == 404
        client.post(reverse("notice_read_all"))
    notice.refresh_from_db()
    assert notice.read_at is None
    signed_in(scene.editor).post(reverse("notice_read_all"))
    notice.refresh_from_db()
    assert notice.read_at


def test_the_search_box_finds_sites_tools_and_jobs_of_the_team_only(scene: Scene, signed_in: SignIn) -> None:
    found = page(signed_in(scene.viewer), "search", q="shop")
    assert reverse("site_detail", args=[scene.site.pk]) in found
    assert reverse("mapping_detail", args=[scene.mapping.pk]) in found
    assert reverse("tool_detail", args=[scene.recipe.pk]) in page(signed_in(scene.viewer), "search", q="FIND prod")
    assert "Nothing is called that" in page(signed_in(scene.stranger), "search", q="shop")
    assert "Type a part of a name" in page(signed_in(scene.viewer), "search")
    assert signed_in(scene.viewer).get(reverse("search"), {"q": "%_x" * 90}).status_code == 200


def test_a_job_that_is_not_among_the_newest_is_found_by_the_whole_of_its_id(
    scene: Scene, signed_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "NEWEST", 0)
    job, client = scene.mapping.job, signed_in(scene.viewer)
    link = reverse("mapping_detail", args=[scene.mapping.pk])
    assert link not in page(client, "search", q=job.title)
    assert link in page(client, "search", q=job.public_id)
    monkeypatch.setattr(searching, "NEWEST", 100)
    assert page(client, "search", q=job.public_id).count(f'href="{link}"') == 1


def test_the_menu_follows_a_link_into_another_team(scene: Scene, signed_in: SignIn) -> None:
    other = make_team("Amber")
    other.memberships.create(user=scene.editor, role=Role.VIEWER)
    client = signed_in(scene.editor)
    assert '<span class="unseen">Team: </span>Amber' in page(client, "home")
    for name, key in (("tool_detail", scene.recipe.pk), ("board", scene.mapping.pk), ("site_detail", scene.site.pk)):
        client.post(reverse("team_switch"), {"team": "amber"})
        assert '<span class="unseen">Team: </span>Blue' in page(client, name, key)
    assert '<span class="unseen">Team: </span>Blue' in page(client, "home")
    stranger = signed_in(scene.stranger)
    assert stranger.get(reverse("tool_detail", args=[scene.recipe.pk])).status_code == 404
    assert '<span class="unseen">Team: </span>Green' in page(stranger, "home")


def test_an_owner_adds_a_webhook_and_sees_its_key_once(scene: Scene, signed_in: SignIn) -> None:
    client, url = signed_in(scene.owner), reverse("webhook_list", args=[scene.team.slug])
    given = {"url": "https://hooks.example.org/in", "events": ["tool.failing"]}
    first = client.post(url, given).content.decode()
    hook = Webhook.objects.get()
    assert str(hook.sealed["secret"]) in first
    assert hook.events == ["tool.failing"]
    for again in (client.get(url), client.get(reverse("webhook_detail", args=[hook.pk]))):
        assert "https://hooks.example.org/in" in again.content.decode()
        assert str(hook.sealed["secret"]) not in again.content.decode()


def test_a_wrong_address_says_why_and_keeps_what_was_typed(scene: Scene, signed_in: SignIn) -> None:
    url = reverse("webhook_list", args=[scene.team.slug])
    answer = signed_in(scene.owner).post(url, {"url": "http://10.0.0.1/in"})
    assert answer.status_code == 422
    assert "private" in answer.content.decode()
    assert "http://10.0.0.1/in" in answer.content.decode()


def test_a_webhook_is_tested_switched_replayed_and_removed(scene: Scene, signed_in: SignIn) -> None:
    hook, _ = webhooks.add(team=scene.team, by=scene.owner, url="https://hooks.example.org/in")
    client, do = signed_in(scene.owner), reverse("webhook_do", args=[hook.pk])
    assert "A test message is on its way" in client.post(do, {"action": "ping"}, follow=True).content.decode()
    delivery = WebhookDelivery.objects.get()
    again = reverse("delivery_again", args=[delivery.pk])
    assert "being sent already" in client.post(again, follow=True).content.decode()
    WebhookDelivery.objects.update(status="given_up", attempts=11, problem="no answer: timed out")
    assert "no answer: timed out" in page(client, "webhook_detail", hook.pk)
    assert "sent again" in client.post(again, follow=True).content.decode()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("waiting", 0)
    assert "switched off" in client.post(do, {"action": "off"}, follow=True).content.decode()
    assert "is off" in client.post(do, {"action": "ping"}, follow=True).content.decode()
    client.post(do, {"action": "remove"})
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("who", ["editor", "viewer", "stranger"])
def test_webhooks_are_the_owners(scene: Scene, signed_in: SignIn, who: str) -> None:
    hook, _ = webhooks.add(team=scene.team, by=scene.owner, url="https://hooks.example.org/in")
    delivery = webhooks.ping(webhook=hook, by=scene.owner)
    client, refused = signed_in(getattr(scene, who)), 404 if who == "stranger" else 403
    assert client.get(reverse("webhook_list", args=[scene.team.slug])).status_code == refused
    assert client.get(reverse("webhook_detail", args=[hook.pk])).status_code == refused
    assert client.post(reverse("webhook_do", args=[hook.pk]), {"action": "remove"}).status_code == refused
    assert client.post(reverse("delivery_again", args=[delivery.pk])).status_code == refused
    assert "Webhooks</a>" not in page(client, "home")
    assert client.post(reverse("two_approvers", args=[scene.team.slug]), {"two_approvers": "1"}).status_code == refused
    scene.team.refresh_from_db()
    assert not scene.team.two_approvers


def test_two_editors_approve_what_is_destructive(scene: Scene, signed_in: SignIn) -> None:
    owner, editor = signed_in(scene.owner), signed_in(scene.editor)
    told = owner.post(reverse("two_approvers", args=[scene.team.slug]), {"two_approvers": "1"}, follow=True)
    assert "takes two editors" in told.content.decode()
    decide = reverse("proposal_decide", args=[scene.mapping.pk])
    given = {"action": "approve", "proposal": scene.delete.pk, "sure": "1"}
    assert "another editor decides as well" in editor.post(decide, given, follow=True).content.decode()
    mine = page(editor, "board", scene.mapping.pk, p=str(scene.delete.pk))
    assert "Second approver" in mine
    assert 'id="approve"' not in mine
    assert "You approved delete_ticket first" in editor.post(decide, given, follow=True).content.decode()
    theirs = page(owner, "board", scene.mapping.pk, p=str(scene.delete.pk))
    assert "Approve as the second" in theirs
    assert '1<span class="unseen"> unread' in theirs
    assert "recording starts at once" in owner.post(decide, given, follow=True).content.decode()
    assert Proposal.objects.get(pk=scene.delete.pk).seconded_by == scene.owner


def test_proposals_are_merged_copied_split_and_taken_back_on_the_board(scene: Scene, signed_in: SignIn) -> None:
    client = signed_in(scene.editor)
    twin = propose(scene.mapping, "search_again", "read", scene.search.parameters, {"q": "x"}, scene.search.steps)
    merged = client.post(reverse("proposal_merge", args=[twin.pk]), {"into": scene.search.pk}, follow=True)
    assert "is merged into search_products" in merged.content.decode()
    board = page(client, "board", scene.mapping.pk, p=str(twin.pk))
    assert "Merged into" in board
    assert (
        "waits for a decision again"
        in client.post(reverse("proposal_take_back", args=[twin.pk]), follow=True).content.decode()
    )
    copied = client.post(reverse("proposal_copy", args=[twin.pk]), follow=True).content.decode()
    assert "This is a copy of search_again" in copied
    assert 'value="search_again_2"' in copied
    split = client.post(reverse("proposal_split", args=[twin.pk]), {"parameter": "category"}, follow=True)
    assert "is split into search_again_desks, search_again_chairs" in split.content.decode()
    again = client.post(reverse("proposal_split", args=[twin.pk]), {"parameter": "category"}, follow=True)
    assert "split one that waits" in again.content.decode()


@pytest.mark.parametrize("name", ["proposal_merge", "proposal_copy", "proposal_split", "proposal_take_back"])
def test_who_is_no_editor_changes_no_proposal(scene: Scene, signed_in: SignIn, name: str) -> None:
    for who, status in ((scene.operator, 403), (scene.stranger, 404)):
        assert signed_in(who).post(reverse(name, args=[scene.search.pk])).status_code == status
    assert Proposal.objects.count() == 3


def test_recording_again_asks_for_a_hint(scene: Scene, signed_in: SignIn) -> None:
    Proposal.objects.filter(pk=scene.search.pk).update(status="failed")
    client = signed_in(scene.editor)
    assert "What should be different this time?" in page(client, "board", scene.mapping.pk, p=str(scene.search.pk))
    client.post(reverse("proposal_record_again", args=[scene.search.pk]), {"hint": "use the second form"})
    scene.search.refresh_from_db()
    assert (scene.search.status, scene.search.hint) == ("approved", "use the second form")


def test_the_board_shows_what_differs_from_what_is_published_and_what_is_gone(scene: Scene, signed_in: SignIn) -> None:
    parameters = json.loads(json.dumps(scene.search.parameters))
    parameters["properties"]["colour"] = {"type": "string"}
    parameters["properties"]["limit"]["type"] = "number"
    changed = propose(scene.mapping, "find_products", "read", parameters, {"q": "x"}, scene.search.steps)
    Proposal.objects.filter(pk=changed.pk).update(change="changed")
    scene.mapping.gone = ["find_products"]
    scene.mapping.save()
    board = page(signed_in(scene.viewer), "board", scene.mapping.pk, p=str(changed.pk))
    assert "Differs from the published" in board
    assert '<span class="unseen">added: </span>colour: string, optional' in board
    assert '<span class="unseen">changed: </span>limit: integer, optional → number, optional' in board
    assert "Published, and not found this time" in board
    assert "its page was not looked at this time" in board


def test_what_was_left_out_is_said_for_each_page_and_in_total(scene: Scene, signed_in: SignIn) -> None:
    scene.mapping.pages.update(why_not=[{"what": "a newsletter form", "why": "it is on every page"}] * 2)
    client = signed_in(scene.viewer)
    assert "2 left out, with why" in page(client, "board", scene.mapping.pk)
    mapping = page(client, "mapping_detail", scene.mapping.pk)
    assert "2 things looked at and not proposed" in mapping
    assert "It is on every page" in mapping


def test_health_is_shown_in_words_for_a_tool_and_for_its_site(scene: Scene, signed_in: SignIn) -> None:
    version = scene.recipe.live_version
    assert version
    for state, kind in (("ok", ""), ("failing", "missing"), ("unknown", "site_down")):
        HealthCheck.objects.create(recipe=scene.recipe, version=version, state=state, kind=kind, detail="Step 2: no.")
    client = signed_in(scene.viewer)
    for shown in (page(client, "tool_detail", scene.recipe.pk), page(client, "site_detail", scene.site.pk)):
        assert "Site not reached" in shown
        assert "before that: failing" in shown
        assert "1 of the last 3 checks worked" in shown
        assert all(f": {words}</span>" in shown for words in ("works", "failing", "site not reached"))


def test_messages_sent_backstage_are_no_jobs_of_the_page(scene: Scene, signed_in: SignIn) -> None:
    make_user("mail", scene.team, Role.OWNER)
    webhooks.ping(
        webhook=webhooks.add(team=scene.team, by=scene.owner, url="https://a.example.org/")[0], by=scene.owner
    )
    assert webhooks.open_due() == 1
    assert webhooks.open_due() == 0
    client = signed_in(scene.owner)
    assert all("Send messages" not in page(client, name) for name in ("job_list", "home"))
