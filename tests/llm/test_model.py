"""What stands between an application and a model: masking, fences, budgets, one repair, the fallback."""

from dataclasses import replace
from typing import Any

import pytest

from recipes_app.llm.base import Answer, Message, Request, ToolCall, ToolDef, Usage, Used
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import BadAnswer, BudgetSpent, NotConfigured, Refused, Rejected, Unavailable
from recipes_app.llm.fencing import RULE, fence
from recipes_app.llm.model import Manners, Model
from recipes_app.llm.prices import Price
from recipes_app.llm.retry import Retries
from recipes_app.llm.scripted import Scripted, ScriptEnded
from tests.llm.questions import CALL, OBJECT, SEARCH, TEXT, asking

GOOD = Answer(calls=(ToolCall("1", "search", {"q": "lamp", "limit": 3}),), stop="tools")
NAMES = Answer(data={"names": [], "complete": True})
SAID = Answer(text="Hello.")
AT_ONCE = Retries(tries=1)
DOLLAR = {"scripted": Price(1.0, 1.0, 1.0, 1.0)}


def model(provider: Scripted, **more: Any) -> Model:
    return Model(provider, **{"budget": Budget(), **more})


def search(arguments: dict[str, Any]) -> Answer:
    return Answer(calls=(ToolCall("1", "search", arguments),), stop="tools")


def said_to(provider: Scripted) -> str:
    return "\n".join(message.text for message in provider.requests[-1].messages)


def good_answer(request: Request) -> Answer:
    if request.answer_schema is not None:
        return NAMES
    if request.choice == "open":
        return Answer(calls=(ToolCall("1", "open", {"id": 1}),))
    return GOOD if request.choice == "any" else SAID


BAD: list[tuple[Request, Answer, str]] = [
    (CALL, search({"q": 1, "limit": 3}), "search.q: 1 is not of type 'string'"),
    (CALL, search({"q": "a"}), "'limit' is a required property"),
    (CALL, search({"q": "a", "limit": 1, "page": 2}), "'page' was unexpected"),
    (CALL, Answer(calls=(ToolCall("1", "pay", {}),)), "There is no tool 'pay'. The tools are: search, open."),
    (CALL, Answer(calls=(ToolCall("1", "search", {}, "no JSON"),)), "search: no JSON"),
    (CALL, Answer(calls=GOOD.calls * 2), "Make exactly one call."),
    (CALL, SAID, "Call a tool: search, open."),
    (replace(CALL, choice="open"), GOOD, "Call the tool open."),
    (replace(CALL, choice="open"), SAID, "Call the tool open."),
    (replace(CALL, choice="none"), GOOD, "Call no tool: answer in words."),
    (CALL, replace(GOOD, stop="length"), "cut off"),
    (TEXT, Answer(text="  "), "Your answer was empty."),
    (OBJECT, Answer(text="[]", fault="This was a list."), "This was a list."),
    (OBJECT, SAID, "Answer with one JSON object"),
    (OBJECT, Answer(data={"names": "x", "complete": True}), "answer.names: 'x' is not of type 'array'"),
    (OBJECT, Answer(data={"names": [1], "complete": True}), "answer.names[0]: 1 is not of type 'string'"),
]


@pytest.mark.parametrize(("request_", "bad", "why"), BAD, ids=[why for _, _, why in BAD])
def test_what_will_not_do_is_said_and_asked_once_more(request_: Request, bad: Answer, why: str) -> None:
    good = good_answer(request_)
    provider = Scripted([bad, good])
    assert model(provider).ask(request_).stop == good.stop
    assert why in said_to(provider)
    with pytest.raises(BadAnswer) as caught:
        model(Scripted([bad, bad])).ask(request_)
    assert why in str(caught.value)


def test_an_answer_that_was_cut_gets_twice_the_room() -> None:
    provider = Scripted([replace(SAID, stop="length"), SAID])
    model(provider).ask(replace(TEXT, max_tokens=500))
    assert [request.max_tokens for request in provider.requests] == [500, 1000]


def test_the_caller_checks_too() -> None:
    def check(answer: Answer) -> None:
        if answer.text != "Good day.":
            raise ValueError("Say: Good day.")

    provider = Scripted([SAID, Answer(text="Good day.")])
    assert model(provider).ask(TEXT, check=check).text == "Good day."
    assert said_to(provider).endswith("That will not do:\n- Say: Good day.\nAnswer again.")
    with pytest.raises(BadAnswer, match="Say: Good day"):
        model(Scripted([SAID, SAID])).ask(TEXT, check=check)


def test_a_refusal_is_not_repaired() -> None:
    provider = Scripted([Answer(text="No.", stop="refusal")])
    with pytest.raises(Refused, match="declined to answer"):
        model(provider).ask(TEXT)


def test_every_request_is_counted_also_one_that_was_no_good() -> None:
    used: list[Used] = []
    asks = model(Scripted([search({}), GOOD]), on_use=used.append, manners=Manners(prices=DOLLAR))
    asks.ask(CALL)
    assert [(each.purpose, each.provider, each.model, each.usage.requests) for each in used] == [
        ("find", "scripted", "scripted", 1)
    ] * 2
    assert asks.spent == used[0].usage.plus(used[1].usage)
    assert asks.spent.cost_micros == asks.spent.tokens > 0


def test_the_fast_model_is_asked_and_counted_by_its_name() -> None:
    used: list[Used] = []
    model(Scripted([SAID]), on_use=used.append).ask(replace(TEXT, fast=True))
    assert used[0].model == "scripted-fast"
    assert used[0].usage.cost_micros is None


def test_a_question_that_does_not_fit_the_budget_is_not_asked() -> None:
    provider = Scripted([SAID])
    asks = model(provider, budget=Budget(tokens=600))
    asks.ask(replace(TEXT, max_tokens=100))
    with pytest.raises(BudgetSpent, match="of 600"):
        asks.ask(asking(TEXT, "x" * 4000))
    assert len(provider.requests) == 1


def test_the_answer_is_limited_to_what_is_left() -> None:
    provider = Scripted([SAID, SAID])
    asks = model(provider, budget=Budget(tokens=1000))
    asks.ask(replace(TEXT, max_tokens=4000))
    assert 900 < provider.requests[0].max_tokens < 1000


def test_an_answer_over_the_budget_is_given_and_nothing_is_asked_after_it() -> None:
    dear = Answer(text="Hello.", usage=Usage(requests=1, input_tokens=900, output_tokens=900))
    asks = model(Scripted([dear]), budget=Budget(tokens=1500))
    assert asks.ask(TEXT).text == "Hello."
    with pytest.raises(BudgetSpent, match="1,800 tokens of 1,500"):
        asks.ask(TEXT)


def test_money_is_a_budget_too() -> None:
    dear = Answer(text="Hello.", usage=Usage(requests=1, input_tokens=1000, output_tokens=9000))
    asks = model(Scripted([dear, SAID]), budget=Budget(micros=10_100), manners=Manners(prices=DOLLAR))
    asks.ask(TEXT)
    with pytest.raises(BudgetSpent, match=r"\$0.0100 of \$0.01"):
        asks.ask(TEXT)


def test_money_cannot_be_limited_where_no_price_is_known() -> None:
    provider = Scripted([SAID])
    with pytest.raises(NotConfigured, match="MODEL_PRICES"):
        model(provider, budget=Budget(micros=10_000)).ask(TEXT)
    assert provider.requests == []


def test_a_request_longer_than_the_window_is_not_sent() -> None:
    provider = Scripted([SAID])
    with pytest.raises(Rejected, match="too long for scripted"):
        model(provider, manners=Manners(window=2000)).ask(asking(TEXT, "x" * 8000))
    assert provider.requests == []


def test_the_fallback_is_asked_where_the_first_cannot_be_reached() -> None:
    first, second = Scripted([Unavailable("away")]), Scripted([SAID], model="other")
    used: list[Used] = []
    asks = model(first, fallback=second, on_use=used.append, manners=Manners(retries=AT_ONCE))
    assert asks.ask(TEXT).model == "other"
    assert [each.model for each in used] == ["other"]


def test_without_a_fallback_it_is_an_error() -> None:
    with pytest.raises(Unavailable, match="away"):
        model(Scripted([Unavailable("away")]), manners=Manners(retries=AT_ONCE)).ask(TEXT)


def test_secrets_leave_in_no_spelling() -> None:
    secret = 'p"ss wörd/1&'
    spelled = [
        secret,
        "p%22ss+w%C3%B6rd%2F1%26",
        "p%22ss%20w%c3%b6rd/1%26",
        'p\\"ss w\\u00f6rd/1&',
        "p&quot;ss wörd/1&amp;",
    ]
    text = " | ".join(spelled)
    tool = ToolDef("search", text, {"type": "object", "properties": {"q": {"type": "string", "enum": [secret]}}})
    call = ToolCall("1", "search", {"q": secret, "deep": [{secret: secret}]})
    request = Request(
        (text,),
        (Message("user", text), Message("assistant", calls=(call,)), Message("tool", text, call_id="1")),
        (tool,),
        answer_schema={"const": secret},
    )
    provider = Scripted([SAID, NAMES])
    with pytest.raises(BadAnswer):
        model(Scripted([SAID, SAID]), secrets=[secret]).ask(request)
    model(provider, secrets=[secret]).ask(replace(request, answer_schema=None))
    sent = repr(provider.requests)
    assert [form for form in spelled if form in sent or repr(form)[1:-1] in sent] == []
    assert sent.count("••••••") >= 5 * 4


def test_a_secret_of_a_check_does_not_leave_with_the_second_question() -> None:
    def check(answer: Answer) -> None:
        if answer.text == "Hello.":
            raise ValueError("The field held hunter2.")

    provider = Scripted([SAID, Answer(text="Yes.")])
    model(provider, secrets=["hunter2"]).ask(TEXT, check=check)
    assert "hunter2" not in repr(provider.requests)
    assert "The field held ••••••." in said_to(provider)


def test_a_short_secret_is_a_word() -> None:
    provider = Scripted([SAID])
    model(provider, secrets=["7"]).ask(asking(TEXT, "Press 7, not 17 or 7a."))
    assert said_to(provider) == "Press ••••••, not 17 or 7a."


def test_where_a_page_is_quoted_the_fence_is_explained_first() -> None:
    provider = Scripted([SAID, SAID])
    asks = model(provider)
    asks.ask(asking(TEXT, fence("A page.", "Home")))
    asks.ask(TEXT)
    assert provider.requests[0].system == (RULE, *TEXT.system)
    assert provider.requests[0].cached == TEXT.cached + 1
    assert provider.requests[1].system == TEXT.system


def test_a_script_that_runs_dry_says_so() -> None:
    asks = model(Scripted([SAID]))
    asks.ask(TEXT)
    with pytest.raises(ScriptEnded, match="all 1 answers are given; asked for 'talk'"):
        asks.ask(TEXT)


def test_a_script_may_be_a_function() -> None:
    provider = Scripted(lambda request: GOOD if SEARCH in request.tools else SAID)
    assert model(provider).ask(TEXT).text == "Hello."
    assert model(provider).ask(CALL).calls == GOOD.calls
