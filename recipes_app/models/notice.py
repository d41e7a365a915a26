"""What needs a person: the bell of the page."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from recipes_app.models.team import Team


class Notice(models.Model):
    """One line for one person, with the page that holds its next step. `mark` keeps one thing from being said twice."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="notices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    event = models.CharField(max_length=60)
    text = models.CharField(max_length=300)
    path = models.CharField(max_length=300)
    mark = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    read_at = models.DateTimeField(null=True, blank=True)
    wants_mail = models.BooleanField(default=False)  # still to be sent to the person's address

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["user", "read_at"], name="notices_of_a_person")]

    def __str__(self) -> str:
        return self.text
