"""Django's view of this application."""

from django.apps import AppConfig


class EvidenceConfig(AppConfig):
    name = "evidence_app"
    verbose_name = "Evidence"
