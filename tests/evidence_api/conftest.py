"""A team with tasks and runs, and programs of its people."""

from tests.evidence_web.conftest import evidence_root, room

__all__ = ["evidence_root", "room"]
