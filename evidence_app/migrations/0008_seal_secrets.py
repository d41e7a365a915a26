"""Secrets that samples and schedules held in clear are sealed where they stand."""

from typing import Any

from django.db import migrations

from evidence_app.services.confidential import seal

BATCH = 500


def seal_rows(apps: Any, _editor: Any) -> None:
    samples = apps.get_model("evidence_app", "Sample").objects
    for row in samples.exclude(extra={}).only("extra").order_by("pk").iterator(chunk_size=BATCH):
        sealed = seal(row.extra)
        if sealed != row.extra:
            samples.filter(pk=row.pk).update(extra=sealed)
    schedules = apps.get_model("evidence_app", "Schedule").objects
    for row in schedules.only("samples").order_by("pk").iterator(chunk_size=BATCH):
        rows = [seal(sample) for sample in row.samples]
        if rows != row.samples:
            schedules.filter(pk=row.pk).update(samples=rows)


class Migration(migrations.Migration):
    dependencies = [("evidence_app", "0007_retention")]

    # What is sealed is opened by the older program as little as by anybody: going back leaves it so.
    operations = [migrations.RunPython(seal_rows, migrations.RunPython.noop)]
