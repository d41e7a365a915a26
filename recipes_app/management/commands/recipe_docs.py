"""`manage.py recipe_docs [--check]`: writes the op reference in docs/recipes.md, or says that it is out of date."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from recipes_app.formats.recipe_docs import with_op_reference
from recipes_app.management.plain import PlainCommand


class Command(PlainCommand):
    help = "Writes the op reference in docs/recipes.md from the op table."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, fail if it is out of date")

    def handle(self, *_args: Any, **options: Any) -> None:
        path = Path(settings.BASE_DIR) / "docs" / "recipes.md"
        before = path.read_text(encoding="utf-8")
        after = with_op_reference(before)
        if options["check"] and after != before:
            raise CommandError("docs/recipes.md is out of date: run `./agentify recipe-docs`")
        if after != before:
            path.write_text(after, encoding="utf-8")
        self.stdout.write("docs/recipes.md is up to date")
