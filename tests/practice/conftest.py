from collections.abc import Iterator

import pytest

from examples.practice import PracticeSite, start
from tests.practice.client import Visitor


@pytest.fixture(scope="session")
def running_shop() -> Iterator[PracticeSite]:
    with start(port=0) as site:
        yield site


@pytest.fixture
def shop(running_shop: PracticeSite) -> PracticeSite:
    running_shop.reset()
    return running_shop


@pytest.fixture
def visitor(shop: PracticeSite) -> Iterator[Visitor]:
    with Visitor(shop.url) as somebody:
        yield somebody
