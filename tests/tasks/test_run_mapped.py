"""`run-mapped` on the practice shop, in a real browser; every prompt is read."""

import pytest

from examples.practice.server import PracticeSite
from recipes_app import model_wiring
from recipes_app.llm.base import Answer, ToolCall
from recipes_app.llm.scripted import Scripted
from recipes_app.models import Call, Role, Site
from tests.commands.conftest import Agentify
from tests.jobs.documents import search_products, subscribe
from tests.people import make_published, make_site, make_team, make_user

SEARCH = ToolCall("a", "search_products", {"q": "lamp"})
SUBSCRIBE = ToolCall("b", "subscribe", {"email": "ann@example.test"})
PAGE_ONLY = ("<html", "<div", "class=", "aria", "Newsletter", "textbox")


@pytest.fixture
def shop(transactional_db: None, practice: PracticeSite) -> Site:
    owner = make_user("olga", make_team("Blue"), Role.OWNER)
    site = make_site(owner.memberships.get().team, owner, base_url=practice.url)
    for document in (search_products(practice.url), subscribe(practice.url)):
        make_published(site, document, owner)
    return site


def script(monkeypatch: pytest.MonkeyPatch, *calls: tuple[ToolCall, ...], success: bool = True) -> Scripted:
    end = ToolCall("d", "done", {"success": success, "summary": "There are lamps."})
    provider = Scripted([Answer(calls=each, stop="tools") for each in (*calls, (end,))])
    monkeypatch.setattr(model_wiring, "provider_for", lambda *_args, **_more: provider)
    return provider


@pytest.mark.slow
def test_tools_are_really_called_and_no_prompt_holds_a_page(
    agentify: Agentify, shop: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = script(monkeypatch, (SEARCH, SUBSCRIBE))
    ended = agentify("run_mapped", "--site", "shop", "--task", "Are there lamps?", "--json", typed="y\n")
    assert ended.status == 0, ended.err
    assert (ended.data["success"], ended.data["summary"]) == (True, "There are lamps.")
    assert ended.data["calls"][0]["data"] == {"heading": "Products"}
    assert [each["error"] for each in ended.data["calls"]] == [None, None]
    assert ended.data["model"]["requests"] == 2
    assert ended.data["model"]["input_tokens"] > 100
    assert "Call it? [y/N]" in ended.err
    assert "the task succeeded" in ended.lines[-1]
    assert sorted(Call.objects.values_list("via", "job__status")) == [("task", "done"), ("task", "done")]
    for request in provider.requests:
        for message in request.messages:
            assert not [word for word in PAGE_ONLY if word in message.text.replace("<page-text", "")]


@pytest.mark.django_db
def test_without_anybody_to_ask_nothing_is_changed_and_the_exit_status_tells_the_truth(
    agentify: Agentify, shop: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(monkeypatch, (SUBSCRIBE,), success=False)
    ended = agentify("run_mapped", "--site", "shop", "--task", "Subscribe me.")
    assert (ended.status, ended.out) == (1, "There are lamps.\n")
    assert "--yes allows such calls beforehand" in ended.err
    assert "the task did not succeed" in ended.lines[-1]
    assert not Call.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--site", "nope", "--task", "x"), "there is no site nope"),
        (("--site", "shop", "--task", "x", "--max-calls", "0"), "--max-calls must be 1 or more"),
        (("--site", "shop", "--task", "x", "--session", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_tried_is_said_before_a_model_is_asked(
    agentify: Agentify, shop: Site, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    provider = script(monkeypatch, (SEARCH,))
    ended = agentify("run_mapped", *words)
    assert ended.status == 2
    assert said in ended.err
    assert provider.requests == []
