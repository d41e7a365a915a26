"""Commands run in this process."""

from tests.commands.conftest import agentify, folder

__all__ = ["agentify", "folder"]
