"""Joining what was collected with what is new: rows by identity, nothing changed in place, nothing twice."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_app.agent.merge import merged

CASES: list[tuple[Any, Any, Any]] = [
    ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
    ({"a": {"x": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}),
    ({"a": "old"}, {"a": "new"}, {"a": "new"}),
    ({"a": "kept"}, {"a": None}, {"a": "kept"}),
    ({"a": [1]}, {"a": "text"}, {"a": "text"}),
    ([1, 2], [2, 3], [1, 2, 3]),
    ([0.1 + 0.2], [0.3], [0.1 + 0.2]),
    ([{"id": 1, "t": "a"}], [{"id": 1, "u": "b"}, {"id": 2}], [{"id": 1, "t": "a", "u": "b"}, {"id": 2}]),
    ([{"id": "1"}], [{"id": 1}], [{"id": "1"}, {"id": 1}]),
    ([{"url": "/a", "id": 1}], [{"url": "/b", "id": 1}], [{"url": "/a", "id": 1}, {"url": "/b", "id": 1}]),
    ([{"name": "Ann"}], [{"name": "Ann"}], [{"name": "Ann"}]),
    ([], [{"id": 1, "a": 1}, {"id": 1, "b": 2}], [{"id": 1, "a": 1, "b": 2}]),
]


@pytest.mark.parametrize(("old", "new", "joined"), CASES)
def test_joining(old: Any, new: Any, joined: Any) -> None:
    assert merged(old, new) == joined


SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "a", "rows"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(DATA, DATA)
def test_neither_side_is_changed(old: Any, new: Any) -> None:
    """What was rejected must not stay behind in what was collected."""
    before = copy.deepcopy((old, new))
    result = merged(old, new)
    if isinstance(result, dict):
        result["later"] = 1
    assert (old, new) == before


@given(st.dictionaries(st.text(max_size=3), DATA, max_size=3), st.dictionaries(st.text(max_size=3), DATA, max_size=3))
def test_no_member_is_lost_and_saving_twice_changes_nothing(old: dict[str, Any], new: dict[str, Any]) -> None:
    once = merged(old, new)
    assert set(once) == set(old) | set(new)
    assert merged(once, new) == once
