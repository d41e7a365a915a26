"""What a run is about stays: its number, who asked for it, its task once it is confirmed, and when it ended."""

from django.db import migrations

from evidence_app.migrations import _guards

FIXED = ("id", "public_id", "team_id", "requested_by_id", "created_at")
SAME_TASK = "COALESCE(NEW.version_id, 0) = COALESCE(OLD.version_id, 0)"
IS_SHAPED = "OLD.status IN ('planning', 'draft')"
SAME_END = "OLD.finished_at IS NULL OR (NEW.finished_at IS NOT NULL AND NEW.finished_at = OLD.finished_at)"
GOES_ON = "NEW.finished_at IS NULL AND NEW.status = 'queued'"
ALLOWED = " AND ".join(
    [*(f"NEW.{name} = OLD.{name}" for name in FIXED), f"({SAME_TASK} OR {IS_SHAPED})", f"({SAME_END} OR ({GOES_ON}))"]
)


class Migration(migrations.Migration):
    dependencies = [("evidence_app", "0011_seal_more")]

    operations = [
        _guards.no_delete("evidence_app_run", [["id"], ["public_id"], ["folder"]]),
        _guards.changed_only_when("evidence_app_run", ALLOWED),
    ]
