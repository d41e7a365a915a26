"""One mapping of a site: the survey it made and the proposals that came of it."""

from __future__ import annotations

from django.db import models

from recipes_app.models.job import Job, JobPicture
from recipes_app.models.site import Site


class Method(models.TextChoices):
    RULES = "rules", "Rules"
    OPENAI = "openai", "OpenAI"
    ANTHROPIC = "anthropic", "Anthropic"


class Mapping(models.Model):
    job = models.OneToOneField(Job, models.CASCADE, related_name="mapping")
    site = models.ForeignKey(Site, models.CASCADE, related_name="mappings")
    method = models.CharField(max_length=10, choices=Method, default=Method.RULES)
    model = models.CharField(max_length=120, blank=True)  # empty: the installation's for that method
    start_url = models.URLField(max_length=500)
    max_pages = models.PositiveIntegerField(default=10)
    max_depth = models.PositiveIntegerField(default=2)
    skipped = models.JSONField(default=list)  # [{"url", "why"}]
    refused_hosts = models.JSONField(default=list)  # hosts pages asked for that the site's policy refused
    budget_tokens = models.PositiveIntegerField(null=True, blank=True)  # of a model; null: the installation's default
    # {"failure", "notes", "added", "set_aside"}: what a model said of the rules' proposals; empty where none was asked
    model_said = models.JSONField(default=dict, blank=True)
    gone = models.JSONField(default=list, blank=True)  # names of published tools that this mapping did not find again

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"mapping of {self.site}"


class SurveyPage(models.Model):
    mapping = models.ForeignKey(Mapping, models.CASCADE, related_name="pages")
    url = models.URLField(max_length=2000)
    title = models.CharField(max_length=300, blank=True)
    depth = models.PositiveIntegerField(default=0)
    status = models.PositiveIntegerField(default=200)
    shape = models.CharField(max_length=200, blank=True)
    counts = models.JSONField(default=dict)  # {"forms", "lists", "tables", "links", "elements"}
    picture = models.ForeignKey(JobPicture, models.SET_NULL, null=True, blank=True, related_name="+")
    why_not = models.JSONField(default=list, blank=True)  # [{"what", "why"}]: what was looked at and not proposed

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url
