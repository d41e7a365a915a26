from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("recipes_app", "0011_notices_by_mail")]

    operations = [
        migrations.AddField(
            model_name="mapping",
            name="model_said",
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
