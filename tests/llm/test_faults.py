"""What services do when they are in trouble, through their real clients: one retry, one repair, or a clear error."""

import pytest

from recipes_app.llm.base import Request, Used
from recipes_app.llm.budget import Budget
from recipes_app.llm.errors import BadAnswer, ModelError, Refused, Unavailable
from recipes_app.llm.model import Manners, Model
from recipes_app.llm.retry import Retries
from tests.desks import QUICK, Desk, DeskFaults, Json
from tests.llm.questions import CALL, FOUND, NAMED, OBJECT, SERVICES

OF_THE_LINE = ("429=0.05", "500", "529", "reset", "cut", "slow=0.8")
OF_THE_ANSWER = ("truncated", "max_tokens", "wrong_type", "empty")
KINDS: dict[str, tuple[Request, Json]] = {"call": (CALL, FOUND), "object": (OBJECT, NAMED)}


def impatient(desk: Desk, service: str, used: list[Used], *, tries: int = 3) -> Model:
    """Waits half a second for an answer."""
    retries = Retries(tries=tries, first_s=0.01, longest_s=1, total_s=2)
    return Model(
        desk.provider(service, timeout_s=0.5),
        budget=Budget(tokens=50_000),
        on_use=used.append,
        manners=Manners(retries=retries),
    )


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [*OF_THE_LINE, *OF_THE_ANSWER])
def test_one_fault_is_made_good(desk_faults: DeskFaults, fault: str, kind: str, service: str) -> None:
    request, said = KINDS[kind]
    used: list[Used] = []
    desk = desk_faults(f"1:{fault}", lambda _request: said)
    answer = impatient(desk, service, used).ask(request)
    if kind == "call":
        assert [dict(call.arguments) for call in answer.calls] == [FOUND["arguments"]]
    else:
        assert answer.data == NAMED["json"]
    report = desk.report()
    assert report["requests"] == 2
    assert [each["applied"] for each in report["faults"]] == [True]
    assert len(used) == (1 if fault in OF_THE_LINE else 2)


@pytest.mark.parametrize("service", SERVICES)
def test_a_tool_that_is_not_there_is_said_and_made_good(desk_faults: DeskFaults, service: str) -> None:
    desk = desk_faults("1:unknown_tool", lambda _request: FOUND)
    answer = impatient(desk, service, []).ask(CALL)
    assert [call.name for call in answer.calls] == ["search"]
    last = desk.requests[1]["messages"][-1]
    assert "There is no tool 'search_v2'. The tools are: search, open." in last["text"]


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("fault", OF_THE_LINE)
def test_a_fault_of_the_line_that_stays_is_an_error(desk_faults: DeskFaults, fault: str, service: str) -> None:
    used: list[Used] = []
    desk = desk_faults(f"*:{fault}", lambda _request: FOUND)
    with pytest.raises(Unavailable):
        impatient(desk, service, used).ask(CALL)
    assert desk.report()["requests"] == 3
    assert used == []


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", OF_THE_ANSWER)
def test_an_answer_that_stays_bad_is_an_error(desk_faults: DeskFaults, fault: str, kind: str, service: str) -> None:
    request, said = KINDS[kind]
    used: list[Used] = []
    desk = desk_faults(f"*:{fault}", lambda _request: said)
    with pytest.raises(BadAnswer, match="twice"):
        impatient(desk, service, used).ask(request)
    assert desk.report()["requests"] == 2
    assert [each.usage.requests for each in used] == [1, 1]


@pytest.mark.parametrize("service", SERVICES)
def test_a_refusal_is_its_own_error_and_is_not_asked_again(desk_faults: DeskFaults, service: str) -> None:
    used: list[Used] = []
    desk = desk_faults("*:refusal", lambda _request: FOUND)
    with pytest.raises(Refused, match="can't help"):
        impatient(desk, service, used).ask(CALL)
    assert desk.report()["requests"] == 1
    assert len(used) == 1


@pytest.mark.parametrize("service", SERVICES)
def test_a_wait_that_is_asked_for_is_kept_unless_it_is_too_long(desk_faults: DeskFaults, service: str) -> None:
    desk = desk_faults("1:429=30,2:429=0.3", lambda _request: FOUND)
    with pytest.raises(Unavailable) as caught:
        impatient(desk, service, []).ask(CALL)
    assert (caught.value.status, caught.value.retry_after_s) == (429, 30)
    waited = Model(desk.provider(service), budget=Budget(), manners=Manners(retries=QUICK))
    assert waited.ask(CALL).calls
    entries = desk.report()["exchanges"]
    assert [entry["status"] for entry in entries] == [429, 429, 200]


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("schedule", ["*3:429=0.05,*4:cut,*5:reset,*7:wrong_type", "*2:529,*5:truncated,*9:slow=0.1"])
def test_nothing_is_lost_over_many_questions(desk_faults: DeskFaults, schedule: str, service: str) -> None:
    desk = desk_faults(schedule, lambda _request: FOUND)
    used: list[Used] = []
    model = impatient(desk, service, used, tries=5)
    outcomes = []
    for _ in range(12):
        try:
            outcomes.append(model.ask(CALL).calls[0].name)
        except ModelError as error:
            outcomes.append(error.kind)
    assert outcomes == ["search"] * 12
    answered = [entry for entry in desk.report()["exchanges"] if entry["status"] == 200 and entry.get("fault") != "cut"]
    assert model.spent.requests == len(used) == len(answered)
