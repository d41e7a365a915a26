from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("recipes_app", "0010_kinds_of_evidence_jobs"),
    ]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="wants_mail",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="webhook",
            name="off_because",
            field=models.CharField(blank=True, max_length=300),
        ),
    ]
