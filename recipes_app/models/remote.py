"""A browser on the server that a person drives from the page: to record a tool by hand, or to sign in."""

from __future__ import annotations

from django.db import models

from recipes_app.models.job import Job
from recipes_app.models.proposal import Proposal
from recipes_app.models.sealed import SealedJSONField
from recipes_app.models.site import Site


class RemotePurpose(models.TextChoices):
    RECORD = "record", "Record a tool"
    SIGN_IN = "sign_in", "Sign in"


class RemoteBrowser(models.Model):
    """Frames and input pass through Redis; what was recorded stands here, step by step, so that nothing is lost.

    `sealed` holds {"steps": [step of a recipe with its target …], "values": [{"path", "value", "name"} …]}: what was
    typed may be a password. `proposal` is what the recording became.
    """

    job = models.OneToOneField(Job, models.CASCADE, related_name="remote_browser")
    site = models.ForeignKey(Site, models.CASCADE, related_name="remote_browsers")
    purpose = models.CharField(max_length=10, choices=RemotePurpose, default=RemotePurpose.RECORD)
    start_url = models.URLField(max_length=2000)
    sealed = SealedJSONField(default=dict, blank=True)
    current_url = models.CharField(max_length=2000, blank=True)
    proposal = models.ForeignKey(Proposal, models.SET_NULL, null=True, blank=True, related_name="remote_browsers")

    class Meta:
        ordering = ["-pk"]

    def may_be_seen_by(self, user_pk: int | None) -> bool:
        """Of its team: where somebody signs in, only they look at the page and act on it."""
        return self.purpose != RemotePurpose.SIGN_IN or self.job.requested_by_id == user_pk

    def __str__(self) -> str:
        return f"remote browser on {self.site}"
