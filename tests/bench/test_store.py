"""The measurement of the store, over three megabytes."""

from bench import store
from bench.frame import Options


def test_what_is_streamed_is_stored_by_another_process_and_verified_here() -> None:
    said: list[str] = []
    result = store.run(Options(rounds=1, samples=3, tell=said.append))
    assert "'size': 3145728" in said[0]
    assert result.value
    assert 10 < result.value < store.MOST_MIB
    assert result.detail["megabytes"] == 3
    assert result.detail["verified against hashlib"] > 0
