"""More ways to have had a hand in a run, and what a browser hashed: only words, no table is altered."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evidence_app", "0009_queue_in_order")]

    operations = [
        migrations.AlterField(
            model_name="runbarred",
            name="why",
            field=models.CharField(
                max_length=10,
                choices=[
                    ("ran", "asked for the run"),
                    ("started", "confirmed the run, or took it up again"),
                    ("shaped", "changed what the run collects"),
                    ("stopped", "stopped the run"),
                    ("scheduled", "owns its schedule"),
                    ("token", "owns the token it was asked for with"),
                    ("task", "wrote the task"),
                    ("tool", "wrote a tool the run may use"),
                ],
            ),
        ),
        migrations.AlterField(
            model_name="shown",
            name="how",
            field=models.CharField(
                max_length=5,
                choices=[
                    ("sent", "Sent to be looked at"),
                    ("seen", "Shown at full size"),
                    ("hash", "Hashed in their browser"),
                    ("saved", "Downloaded"),
                ],
            ),
        ),
    ]
