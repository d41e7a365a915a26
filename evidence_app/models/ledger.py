"""The ledger's rows. Added to and never changed: triggers in the database refuse what this code does not do."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from evidence_app.models.run import Run


class Entry(models.Model):
    """One line of the ledger, numbered without gaps. `body` is the text that was hashed (RFC 8785), `leaf` its hash.

    A body holds a commitment only; what it is about stands in its opening.
    """

    seq = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=60)  # "run.requested", "capture.kept"
    at = models.DateTimeField()
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="entries")
    body = models.TextField()
    leaf = models.CharField(max_length=64)  # leaf hash of RFC 6962, in hex

    class Meta:
        ordering = ["seq"]
        verbose_name_plural = "entries"
        indexes = [models.Index(fields=["kind", "seq"], name="entries_of_a_kind")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Opening(models.Model):
    """What an entry commits to, by the SHA-256 of salt and facts. Both are blank once they were removed."""

    entry = models.OneToOneField(Entry, models.PROTECT, primary_key=True, related_name="opening")
    salt = models.CharField(max_length=64, blank=True)  # 32 random bytes, in hex
    facts = models.TextField(blank=True)  # RFC 8785
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["entry"]

    def __str__(self) -> str:
        return f"opening of {self.entry_id}"


class Node(models.Model):
    """The hash over the complete subtree of 2^level entries that begins at entry index * 2^level; of level 1 and up."""

    level = models.PositiveSmallIntegerField()
    index = models.BigIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["level", "index"]
        constraints = [models.UniqueConstraint(fields=["level", "index"], name="one_node_per_place")]

    def __str__(self) -> str:
        return f"node {self.level}/{self.index}"


class LedgerKey(models.Model):
    """A public key that heads were signed with, as others exchange it: name+id+key."""

    fingerprint = models.CharField(max_length=64, primary_key=True)
    verifier = models.CharField(max_length=400)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return self.fingerprint


class TreeHead(models.Model):
    """A signed state of the ledger. `note` is the signed text, `fingerprint` that of the key that signed it."""

    size = models.BigIntegerField()
    root = models.CharField(max_length=64)
    note = models.TextField()
    fingerprint = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["size"], name="heads_by_size")]

    def __str__(self) -> str:
        return f"head of {self.size}"


class HeadCopy(models.Model):
    """A head laid down in a place outside: `ok_at` once it lies there, until then why not."""

    head = models.ForeignKey(TreeHead, models.PROTECT, related_name="copies")
    place = models.CharField(max_length=300)
    ok_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "head copies"
        constraints = [models.UniqueConstraint(fields=["head", "place"], name="one_copy_per_place")]

    def __str__(self) -> str:
        return f"{self.head} in {self.place}"


class Timestamp(models.Model):
    """What a time stamping authority (RFC 3161) says of a head; `token` as it came."""

    head = models.ForeignKey(TreeHead, models.PROTECT, related_name="timestamps")
    authority = models.CharField(max_length=300)
    token = models.BinaryField(null=True, blank=True)
    ok_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["head", "authority"], name="one_timestamp_per_authority")]

    def __str__(self) -> str:
        return f"{self.head} by {self.authority}"
