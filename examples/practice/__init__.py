"""A stationery shop with a help desk to practise on: it has real forms, real state and nothing to break."""

from examples.practice.server import Site, start

__all__ = ["Site", "start"]
