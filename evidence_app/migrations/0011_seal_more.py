"""More names of columns say that they hold a secret: what stands in clear under them is sealed too."""

from importlib import import_module

from django.db import migrations

sealing = import_module("evidence_app.migrations.0008_seal_secrets")


class Migration(migrations.Migration):
    dependencies = [("evidence_app", "0010_more_hands")]

    operations = [migrations.RunPython(sealing.seal_rows, migrations.RunPython.noop)]
