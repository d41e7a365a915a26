"""`./agentify install-skill`: Claude Code or Codex learns to use this installation."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from recipes_app.management.command import AgentifyCommand
from recipes_app.management.files import write_text
from recipes_app.management.plain import Refused

FOLDERS = {"claude": "~/.claude/skills", "codex": "~/.agents/skills"}
NAME = "agentify"
SKILL = "SKILL.md"


class Command(AgentifyCommand):
    help = "Put the skill where Claude Code or Codex looks for skills: its text, and a link to this installation."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--tool", required=True, choices=list(FOLDERS), help="who is to learn it")
        parser.add_argument("--into", default="", metavar="DIR", help="another folder of skills than the usual one")

    def run(self, options: dict[str, Any]) -> int:
        folder = Path(options["into"] or FOLDERS[options["tool"]]).expanduser() / NAME
        program = settings.BASE_DIR / NAME
        if folder.is_symlink() or (folder.exists() and not is_ours(folder)):
            raise Refused(f"{folder} is there already and is not of install-skill: move it away first.")
        write_text(folder / SKILL, (settings.BASE_DIR / SKILL).read_text(encoding="utf-8"))
        link(folder / NAME, program)
        self.say(f"installed in {folder}; {options['tool']} finds it when it is started next.")
        return 0


def is_ours(folder: Path) -> bool:
    """What this command makes, and nothing else."""
    if not folder.is_dir():
        return False
    inside = {path.name for path in folder.iterdir()}
    return inside <= {SKILL, NAME} and (NAME not in inside or (folder / NAME).is_symlink())


def link(place: Path, program: Path) -> None:
    """Swapped in whole: an agent may be using the one that is there."""
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        draft.symlink_to(program)
        draft.replace(place)
    except OSError as error:
        raise Refused(f"{place} could not be made: {error.strerror or error}") from error
