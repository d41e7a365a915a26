"""Breadth: how many of 80 tasks of MiniWoB++ one recipe each does right, on five seeds."""

from bench.miniwob.measuring import run

__all__ = ["run"]
