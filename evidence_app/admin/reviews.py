"""The review room in the admin: read, and changed by nobody."""

from __future__ import annotations

from django.contrib import admin

from evidence_app.models import Assignment, BreakGlass, Comment, Conclusion, Exhibit, Review, RunBarred, Shown
from recipes_app.admin.base import KeptAdmin


@admin.register(Exhibit)
class ExhibitAdmin(KeptAdmin):
    list_display = ("sample", "run", "state", "assignee", "doubts", "opened_at", "decided_at", "mismatch_at")
    list_filter = ("state", "team")
    list_select_related = ("sample", "run", "assignee")
    search_fields = ("sample__sample_id", "run__title", "run__public_id")
    show_full_result_count = False


@admin.register(Review)
class ReviewAdmin(KeptAdmin):
    list_display = ("sample", "decision", "level", "reviewer", "reason_code", "at", "undone_by", "undone_at")
    list_filter = ("decision", "level", "sample__run__team")
    list_select_related = ("sample", "reviewer", "undone_by")
    search_fields = ("sample__sample_id", "reviewer__username", "words")
    date_hierarchy = "at"


@admin.register(Conclusion)
class ConclusionAdmin(KeptAdmin):
    list_display = ("sample", "answer", "reviewer", "judgment_was_hidden", "at")
    list_filter = ("answer", "sample__run__team")
    list_select_related = ("sample", "reviewer")
    search_fields = ("sample__sample_id", "reviewer__username", "words")


@admin.register(RunBarred)
class RunBarredAdmin(KeptAdmin):
    list_display = ("run", "user", "why", "at")
    list_filter = ("why", "run__team")
    list_select_related = ("run", "user")
    search_fields = ("run__title", "run__public_id", "user__username")


@admin.register(BreakGlass)
class BreakGlassAdmin(KeptAdmin):
    list_display = ("run", "user", "by", "words", "at")
    list_filter = ("run__team",)
    list_select_related = ("run", "user", "by")


@admin.register(Assignment)
class AssignmentAdmin(KeptAdmin):
    list_display = ("sample", "to", "by", "at")
    list_select_related = ("sample", "to", "by")


@admin.register(Comment)
class CommentAdmin(KeptAdmin):
    list_display = ("sample", "by", "text", "at")
    list_select_related = ("sample", "by")


@admin.register(Shown)
class ShownAdmin(KeptAdmin):
    """Who was sent which file, and how."""

    list_display = ("artifact", "user", "how", "sha256", "at")
    list_filter = ("how",)
    list_select_related = ("artifact", "user")
    search_fields = ("user__username", "artifact__name", "sha256", "artifact__attempt__sample__sample_id")
    date_hierarchy = "at"
