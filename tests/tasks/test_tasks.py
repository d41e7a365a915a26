"""The loop of a task: what the model is shown, what is called, and how it ends; only the model is scripted."""

from collections.abc import Sequence
from typing import Any

from recipes_app.formats.published import PublishedTool
from recipes_app.llm.base import Answer, ToolCall
from recipes_app.llm.budget import Budget
from recipes_app.llm.model import Model
from recipes_app.llm.scripted import Scripted
from recipes_app.tasks.loop import NUDGE, OLD_RESULT_CHARS, RESULT_CHARS, Ended, Result, Task, Wanted
from recipes_app.tasks.toolbox import fill

Q = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
SEARCH = PublishedTool("shop", "search", "Search the shop.", "read", Q)
ORDER = PublishedTool("shop", "order", "Order it.", "write", Q)
LOGIN = PublishedTool("shop", "login", "Sign in.", "write", Q, hidden=frozenset({"q"}))


class Hands:
    """Answers by what was asked for; a list of texts for each batch that was made."""

    def __init__(self, *, allows: bool = True, data: Any = "found") -> None:
        self.batches: list[list[str]] = []
        self.asked: list[str] = []
        self._allows, self._data = allows, data

    def allows(self, wanted: Wanted) -> bool:
        self.asked.append(wanted.tool.name)
        return self._allows

    def make(self, wanted: Sequence[Wanted]) -> list[Result]:
        self.batches.append([f"{each.tool.name} {each.arguments['q']}" for each in wanted])
        return [self.result(each.arguments["q"]) for each in wanted]

    def result(self, q: str) -> Result:
        if q == "bad":
            return Result(failure={"error": "Nothing is called so.", "kind": "missing", "partial": {"n": 1}})
        return Result(data={"rows": self._data})


def wants(*calls: tuple[str, str]) -> Answer:
    return Answer(calls=tuple(ToolCall(f"c{n}", name, {"q": q}) for n, (name, q) in enumerate(calls)), stop="tools")


def done(summary: str = "It is so.", *, success: bool = True) -> Answer:
    return Answer(calls=(ToolCall("d", "done", {"success": success, "summary": summary}),), stop="tools")


def run(hands: Hands, *answers: Answer, max_calls: int = 20, budget: int | None = None) -> tuple[Ended, Scripted]:
    provider = Scripted(answers)
    task = Task("What does it cost?", fill([SEARCH, ORDER, LOGIN]), hands, max_calls)
    return task.run(Model(provider, budget=Budget(tokens=budget))), provider


def test_results_come_back_fenced_until_it_is_done_and_tokens_are_counted() -> None:
    provider = Scripted([wants(("search", "lamp")), done("12 euros")])
    model = Model(provider, budget=Budget())
    ended = Task("What does it cost?", fill([SEARCH, ORDER, LOGIN]), Hands(), 20).run(model)
    assert (ended.success, ended.summary, ended.failure, len(ended.made)) == (True, "12 euros", "", 1)
    first, second = provider.requests
    assert [message.text for message in first.messages] == ["What does it cost?"]
    assert [tool.name for tool in first.tools] == ["search", "order", "done"]  # nothing that asks for a secret
    assert (first.choice, first.parallel) == ("any", True)
    assert '{"data": {"rows": "found"}}' in second.messages[-1].text
    assert second.messages[-1].text.startswith("<page-text ")
    assert (model.spent.requests, model.spent.tokens > 100) == (2, True)


def test_reading_calls_are_made_together_and_those_that_write_one_by_one_once_allowed() -> None:
    hands = Hands()
    run(hands, wants(("search", "a"), ("search", "b"), ("order", "c"), ("order", "d"), ("search", "e")), done())
    assert hands.batches == [["search a", "search b"], ["order c"], ["order d"], ["search e"]]
    assert hands.asked == ["order", "order"]


def test_what_is_not_allowed_is_not_called_and_the_model_is_told() -> None:
    hands = Hands(allows=False)
    ended, provider = run(hands, wants(("order", "c")), done("Not allowed.", success=False))
    assert (hands.batches, ended.success) == ([], False)
    assert "did not allow" in provider.requests[1].messages[-1].text


def test_a_tool_that_failed_twice_in_a_row_is_named() -> None:
    bad = wants(("search", "bad"))
    _, provider = run(Hands(), bad, bad, wants(("search", "good")), bad, done(success=False))
    told = [request.messages[-1].text for request in provider.requests[1:]]
    assert [NUDGE in text for text in told] == [False, True, False, False]
    assert '"partial": {"n": 1}' in told[0]


def test_after_the_last_call_only_done_can_be_said() -> None:
    hands = Hands()
    ended, provider = run(hands, wants(("search", "a"), ("search", "b"), ("search", "c")), done(), max_calls=2)
    assert hands.batches == [["search a", "search b"]]
    last = provider.requests[1]
    assert last.choice == "done"
    assert [message.role for message in last.messages] == ["user", "assistant", "tool", "tool", "tool", "user"]
    assert "Not made" in last.messages[4].text
    assert ended.failure == "all 2 calls were used"


def test_results_are_bounded_and_older_ones_shorter_still() -> None:
    each = [wants(("search", str(number))) for number in range(6)]
    _, provider = run(Hands(data="x" * 50_000), *each, done())
    told = [len(message.text) for message in provider.requests[-1].messages if message.role == "tool"]
    assert all(size < OLD_RESULT_CHARS + 400 for size in told[:2])
    assert all(RESULT_CHARS < size < RESULT_CHARS + 400 for size in told[2:])


def test_a_budget_that_is_spent_ends_the_task_without_success() -> None:
    ended, provider = run(Hands(), *[wants(("search", "a"))] * 9, budget=2_000)
    assert not ended.success
    assert "budget" in ended.failure.lower()
    assert 0 < len(provider.requests) < 9


def test_a_tool_it_does_not_have_is_asked_about_once_more() -> None:
    wrong = Answer(calls=(ToolCall("c", "delete_everything", {}),), stop="tools")
    ended, provider = run(Hands(), wrong, done())
    assert (ended.success, len(provider.requests), len(ended.made)) == (True, 2, 0)


def test_tools_of_several_sites_say_their_site() -> None:
    other = PublishedTool("desk", "search", "Search tickets.", "read", Q)
    assert list(fill([SEARCH, other]).by_name) == ["shop__search", "desk__search"]
    assert list(fill([PublishedTool("s", "done", "", "read", Q)]).by_name) == ["t1_done"]
