from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("recipes_app", "0012_what_a_model_said")]

    operations = [
        migrations.AddField(
            model_name="mapping",
            name="model",
            field=models.CharField(blank=True, max_length=120),
        ),
    ]
