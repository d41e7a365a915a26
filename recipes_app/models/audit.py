"""Who did what, when."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.team import Team


class AuditEntry(models.Model):
    """One decision of a person. Written by services, changed by nobody."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="audit_entries", null=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=60)  # e.g. "proposal.approved"
    subject = models.CharField(max_length=120)  # e.g. "proposal 12 search_products"
    detail = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.subject}"
