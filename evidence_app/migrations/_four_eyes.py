"""Four eyes in the database: who is barred from a run signs nothing of it, whoever asks, by whatever way.

SQLite refuses to rebuild a table that the trigger of another names. A migration that alters evidence_app_sample or
evidence_app_attempt there begins with `lifted()` and ends with `kept()`.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.utils import timezone

from evidence_app.migrations import _guards

SIGNED = ("evidence_app_review", "evidence_app_conclusion")
NAMES = ("four_eyes", "no_list", "other_attempt", "other_hand")
OF_THE_RUN = "JOIN evidence_app_sample s ON s.run_id = x.run_id WHERE s.id = NEW.sample_id"
BARRED = f"EXISTS (SELECT 1 FROM evidence_app_runbarred x {OF_THE_RUN} AND x.user_id = NEW.reviewer_id)"  # noqa: S608
BROKEN = f"EXISTS (SELECT 1 FROM evidence_app_breakglass x {OF_THE_RUN} AND x.user_id = NEW.reviewer_id)"  # noqa: S608
LISTED = f"EXISTS (SELECT 1 FROM evidence_app_runbarred x {OF_THE_RUN})"  # noqa: S608
ITS_OWN = "EXISTS (SELECT 1 FROM evidence_app_attempt a WHERE a.id = NEW.attempt_id AND a.sample_id = NEW.sample_id)"
SAME_HAND = (
    "NEW.level = 2 AND EXISTS (SELECT 1 FROM evidence_app_review r WHERE r.attempt_id = NEW.attempt_id "
    "AND r.level = 1 AND r.undone_at IS NULL AND r.reviewer_id = NEW.reviewer_id)"
)

KEPT = (
    "id", "sample_id", "attempt_id", "reviewer_id", "level", "decision", "reason_code", "words", "seen", "hashed_here",
    "at",
)  # fmt: skip
ONLY_UNDONE = " AND ".join(
    ["OLD.undone_at IS NULL", "NEW.undone_at IS NOT NULL", *(f"NEW.{name} = OLD.{name}" for name in KEPT)]
)


def kept() -> list[migrations.RunPython]:
    """The triggers that refuse."""
    made = []
    for table in SIGNED:
        made += [
            _guards.refused_insert(table, "four_eyes", f"{BARRED} AND NOT {BROKEN}", "four eyes: barred from this run"),
            _guards.refused_insert(table, "no_list", f"NOT {LISTED}", "four eyes: this run bars nobody"),
            _guards.refused_insert(table, "other_attempt", f"NOT {ITS_OWN}", "the attempt is of another sample"),
        ]
    return [*made, _guards.refused_insert(SIGNED[0], "other_hand", SAME_HAND, "four eyes: both signatures by one hand")]


def lifted() -> migrations.RunPython:
    """Without them until `kept()`, in the same migration."""

    def run(_apps: Any, schema_editor: Any) -> None:
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            for table in SIGNED:
                for name in NAMES:
                    on = f' ON "{table}"' if connection.vendor == "postgresql" else ""
                    cursor.execute(f'DROP TRIGGER IF EXISTS "guard_{table}_{name}"{on}')

    return migrations.RunPython(run, migrations.RunPython.noop)


def bar_those_of_before(apps: Any, schema_editor: Any) -> None:
    """Runs made before there was such a list get theirs, from what is known of them."""
    model = {name: apps.get_model("evidence_app", name) for name in ("Run", "RunBarred")}
    versions = apps.get_model("recipes_app", "RecipeVersion")
    for run in model["Run"].objects.select_related("version", "schedule", "token").iterator(chunk_size=500):
        people = {(run.requested_by_id, "ran")}
        people |= {(run.version.author_id, "task")} if run.version else set()
        people |= {(run.schedule.owner_id, "scheduled")} if run.schedule else set()
        people |= {(run.token.owner_id, "token")} if run.token else set()
        if run.site_id:
            live = versions.objects.filter(recipe__site=run.site_id, recipe__live_version__isnull=False)
            people |= {(author, "tool") for author in live.values_list("author", flat=True)}
        model["RunBarred"].objects.bulk_create(
            [model["RunBarred"](run=run, user_id=user, why=why) for user, why in sorted(people)]
        )
    _settled(schema_editor)


def put_up_those_of_before(apps: Any, schema_editor: Any) -> None:
    """What was collected before there was a queue stands in it."""
    attempts, exhibit = apps.get_model("evidence_app", "Attempt"), apps.get_model("evidence_app", "Exhibit")
    ended = attempts.objects.filter(
        status__in=("done", "partial_success", "needs_review"), sample__run__discovers_for=None
    )
    newest: dict[int, Any] = {}
    for row in ended.select_related("sample__run").defer("checkpoint").order_by("number").iterator(chunk_size=500):
        newest[row.sample_id] = exhibit(
            sample=row.sample,
            attempt=row,
            team_id=row.sample.run.team_id,
            run_id=row.sample.run_id,
            opened_at=row.finished_at or timezone.now(),
        )
    exhibit.objects.bulk_create(newest.values(), batch_size=500)
    _settled(schema_editor)


def _settled(schema_editor: Any) -> None:
    """PostgreSQL alters no table while a check of one of its rows is put off to the end."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
