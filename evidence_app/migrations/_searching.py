"""What makes samples of hundreds of thousands found by the beginning of their id."""

from __future__ import annotations

from typing import Any

from django.db import migrations

ONE = "CREATE INDEX IF NOT EXISTS samples_by_id ON evidence_app_sample (sample_id)"
BEGINNING = (
    "CREATE INDEX IF NOT EXISTS samples_by_beginning ON evidence_app_sample (UPPER(sample_id::text) text_pattern_ops)"
)


def by_sample_id() -> migrations.RunPython:
    def run(_apps: Any, schema_editor: Any) -> None:
        schema_editor.execute(ONE)
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(BEGINNING)

    return migrations.RunPython(run, migrations.RunPython.noop)
