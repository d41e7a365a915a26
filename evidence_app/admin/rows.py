"""Evidence in the admin: read, searched, and changed by nobody. New versions of a task are saved by its service."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evidence_app.admin import ledger, packs, reviews, trust
from evidence_app.models import (
    ActionEntry,
    Artifact,
    Attempt,
    Field,
    Run,
    RunMemory,
    Sample,
    Schedule,
    TaskSpec,
    TaskSpecVersion,
)
from evidence_app.services import confidential
from recipes_app.admin.base import KeptAdmin, KeptInline, as_json

__all__ = ["ledger", "packs", "reviews", "trust"]  # register more


class Versions(KeptInline):
    model = TaskSpecVersion
    fields = ("number", "origin", "author", "digest", "created_at")
    readonly_fields = fields


@admin.register(TaskSpec)
class TaskSpecAdmin(KeptAdmin):
    list_display = ("task_id", "title", "team", "created_at", "archived_at", "edit")
    list_filter = ("team", "archived_at")
    list_select_related = ("team",)
    search_fields = ("task_id", "title")
    readonly_fields = ("edit",)
    inlines = (Versions,)

    @admin.display(description="edited in the pages")
    def edit(self, spec: TaskSpec) -> SafeString:
        return format_html('<a href="{}">edit</a>', reverse("spec_edit", args=[spec.pk]))


@admin.register(TaskSpecVersion)
class TaskSpecVersionAdmin(KeptAdmin):
    list_display = ("__str__", "origin", "author", "digest", "created_at")
    list_filter = ("origin", "spec__team")
    list_select_related = ("spec", "author")
    search_fields = ("spec__task_id", "digest")
    fields = ("spec", "number", "origin", "author", "digest", "said", "created_at")
    readonly_fields = fields

    @admin.display(description="document")
    def said(self, version: TaskSpecVersion) -> SafeString | str:
        return as_json(version.document)


@admin.register(Run)
class RunAdmin(KeptAdmin):
    list_display = ("title", "status", "team", "version", "control", "period", "requested_by", "via", "created_at")
    list_filter = ("status", "via", "team", "created_at")
    list_select_related = ("team", "version__spec", "requested_by")
    search_fields = ("title", "public_id", "folder", "control", "period")
    date_hierarchy = "created_at"


@admin.register(Sample)
class SampleAdmin(KeptAdmin):
    list_display = ("sample_id", "run", "number", "status", "url")
    list_filter = ("status", "run__team")
    list_select_related = ("run",)
    search_fields = ("sample_id", "run__title", "run__public_id")
    exclude = ("extra",)
    readonly_fields = ("columns",)

    @admin.display
    def columns(self, sample: Sample) -> SafeString | str:
        return as_json(confidential.masked(sample.extra))


class Fields(KeptInline):
    model = Field
    fields = ("path", "value", "type", "problem", "grounding", "artifact", "box")


class Artifacts(KeptInline):
    model = Artifact
    fields = ("name", "kind", "sha256", "size", "taken_at")


@admin.register(Attempt)
class AttemptAdmin(KeptAdmin):
    """The agent's own progress is for resuming; it is shown nowhere."""

    list_display = ("__str__", "status", "cause", "step", "started_at", "finished_at")
    list_filter = ("status", "cause", "sample__run__team")
    list_select_related = ("sample",)
    search_fields = ("sample__sample_id", "job__public_id")
    exclude = ("checkpoint",)
    inlines = (Fields, Artifacts)


@admin.register(ActionEntry)
class ActionEntryAdmin(KeptAdmin):
    list_display = ("attempt", "seq", "action", "state", "result", "ms", "at")
    list_filter = ("state", "action")
    list_select_related = ("attempt__sample",)
    search_fields = ("attempt__sample__sample_id", "action", "result")


@admin.register(Artifact)
class ArtifactAdmin(KeptAdmin):
    list_display = ("name", "kind", "attempt", "size", "sha256", "taken_at", "removed_at", "open")
    list_filter = ("kind", "attempt__sample__run__team")
    list_select_related = ("attempt__sample",)
    search_fields = ("name", "label", "sha256", "attempt__sample__sample_id")
    date_hierarchy = "taken_at"

    @admin.display(description="bytes")
    def open(self, row: Artifact) -> SafeString | str:
        return "removed" if row.removed_at else format_html('<a href="{}">open</a>', reverse("artifact", args=[row.pk]))


@admin.register(Field)
class FieldAdmin(KeptAdmin):
    list_display = ("path", "attempt", "type", "grounding", "problem")
    list_filter = ("grounding", "attempt__sample__run__team")
    list_select_related = ("attempt__sample",)
    search_fields = ("path", "attempt__sample__sample_id")


@admin.register(RunMemory)
class RunMemoryAdmin(KeptAdmin):
    list_display = ("run", "domain", "kind", "task_type", "at")
    list_filter = ("kind", "run__team")
    list_select_related = ("run",)


@admin.register(Schedule)
class ScheduleAdmin(KeptAdmin):
    """Made and stopped in the pages."""

    list_display = ("spec", "cron", "time_zone", "team", "owner", "is_active", "next_at", "last_at")
    list_filter = ("is_active", "team")
    list_select_related = ("spec", "team", "owner")
    search_fields = ("spec__task_id", "owner__username")
    exclude = ("samples",)
    readonly_fields = ("rows",)

    @admin.display(description="samples")
    def rows(self, schedule: Schedule) -> SafeString | str:
        return as_json([confidential.masked(row) for row in schedule.samples])

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).order_by("-is_active", "next_at")
