"""A stationery shop with a help desk to practise on: it has real forms, real state and nothing to break."""

from examples.practice.server import PracticeSite, start

__all__ = ["PracticeSite", "start"]
