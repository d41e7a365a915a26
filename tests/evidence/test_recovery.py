"""An agent that gets nowhere: each notice really comes, in order, once."""

import pytest

from evidence_app.agent.paging import PagingBonus, turns_page
from evidence_app.agent.recovery import BudgetMarks, Patience, RunState, Stagnation


class TestStagnation:
    def test_forty_identical_steps_reach_every_level_once(self) -> None:
        stuck = Stagnation()
        levels = [stuck.after_step(url="u", text="t", brought_data=False) for _ in range(41)]
        assert [(step, level) for step, level in enumerate(levels) if level] == [(3, 1), (5, 2), (8, 3)]
        assert stuck.must_finish

    def test_a_new_page_or_new_data_begins_again(self) -> None:
        stuck = Stagnation()
        for _ in range(5):
            stuck.after_step(url="u", text="t", brought_data=False)
        assert stuck.level == 1
        stuck.after_step(url="u", text="t", brought_data=True)
        assert (stuck.count, stuck.level, stuck.notice()) == (0, 0, "")

    def test_what_changes_far_down_the_page_counts(self) -> None:
        stuck = Stagnation()
        for step in range(10):
            stuck.after_step(url="u", text="x" * 3000 + str(step), brought_data=False)
        assert stuck.level == 0


class TestRunState:
    def test_the_fourth_identical_look_is_stopped(self) -> None:
        state = RunState()
        for _ in range(3):
            assert not state.repeats("scroll", "down", url="u")
            state.done("scroll", "down", url="u", ok=True)
        assert state.repeats("scroll", "down", url="u")
        assert not state.repeats("scroll", "down", url="v")
        assert state.dead_ends == ["scroll down at u"]

    def test_other_actions_between_are_no_repetition(self) -> None:
        state = RunState()
        for action in ("scroll", "click", "scroll", "click", "scroll"):
            state.done(action, "x", url="u", ok=True)
        assert not state.repeats("scroll", "x", url="u")

    def test_clicking_again_is_not_stopped(self) -> None:
        state = RunState()
        for _ in range(6):
            state.done("click", "Load more", url="u", ok=True)
        assert not state.repeats("click", "Load more", url="u")

    def test_an_element_that_failed_twice_is_blocked_and_three_failures_ask_for_the_list(self) -> None:
        state = RunState()
        state.done("click", "button Save", url="u", ok=False)
        state.done("click", "button Save", url="u", ok=False)
        assert state.blocked == ["button Save"]
        wanted_before = state.wants_list
        state.done("goto", "http://x", url="u", ok=False)
        assert (wanted_before, state.wants_list) == (False, True)
        assert state.failed_urls == ["http://x"]


def test_only_faults_of_the_network_in_a_row_break_the_circuit() -> None:
    patience = Patience(3)
    assert [patience.after_step(network_fault=fault) for fault in (True, True, False, True, True, True)] == [
        False,
        False,
        False,
        False,
        False,
        True,
    ]


def test_the_budget_is_announced_twice() -> None:
    marks = BudgetMarks()
    said = [marks.after_step(step / 20) for step in range(1, 21)]
    assert [(step + 1, text[:3]) for step, text in enumerate(said) if text] == [(15, "75%"), (18, "90%")]


class TestPaging:
    @pytest.mark.parametrize(
        "name", ["Next", "next page", "Next »", "Load more", "Show more results", "»", "Older posts"]
    )
    def test_names_that_turn_a_page(self, name: str) -> None:
        assert turns_page(name)

    @pytest.mark.parametrize(
        "name",
        ["Feedback", "Folder", "Holder name", "Forwarding rules", "Backup now", "Page 25", "Learn more", "Nextcloud"],
    )
    def test_names_that_only_look_like_it(self, name: str) -> None:
        assert not turns_page(name)

    def test_the_bonus_is_capped_and_needs_a_page_that_changed(self) -> None:
        bonus = PagingBonus(cap=7)
        assert bonus.after_click("Next", page_changed=False) == 0
        assert [bonus.after_click("Next", page_changed=True) for _ in range(4)] == [3, 3, 1, 0]
