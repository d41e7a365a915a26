"""Chores that other applications add to the upkeep loop: seconds between two, and what to do. None may take long."""

from collections.abc import Callable

MORE: list[tuple[float, Callable[[], int]]] = []
