"""Django's view of this application."""

from importlib import import_module

from django.apps import AppConfig


class EvidenceConfig(AppConfig):
    name = "evidence_app"
    verbose_name = "Evidence"

    def ready(self) -> None:
        # Its services need the models, which are there only now.
        import_module("evidence_app.hooks").register()
