"""Packs: files that an outsider can check, each with its line in the ledger."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from evidence_app.models.ledger import Entry, TreeHead
from evidence_app.models.run import Run
from recipes_app.models import Job
from recipes_app.models.job import new_public_id


class Scope(models.TextChoices):
    ALL = "all", "All samples"
    SIGNED = "signed", "Signed samples only"


class Pack(models.Model):
    """`entry` is its newest line in the ledger, `head` the signed state that holds it; the bytes lie in the store."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    run = models.ForeignKey(Run, models.PROTECT, related_name="packs")
    job = models.OneToOneField(Job, models.SET_NULL, null=True, blank=True, related_name="pack")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    scope = models.CharField(max_length=6, choices=Scope, default=Scope.ALL)
    withholds = models.BooleanField(default=False)  # originals stay behind where a redacted copy was made
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="packs")
    head = models.ForeignKey(TreeHead, models.PROTECT, null=True, blank=True, related_name="packs")
    samples = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True, db_index=True)  # of the whole file
    size = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    built_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)  # with the evidence of its run

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"pack of {self.run}"

    @property
    def is_there(self) -> bool:
        return self.built_at is not None and self.removed_at is None

    @property
    def file_name(self) -> str:
        return f"{self.run.folder}_{self.public_id[:6]}.zip"
