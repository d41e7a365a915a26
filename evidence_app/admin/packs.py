"""Packs in the admin: read, and changed by nobody."""

from __future__ import annotations

from django.contrib import admin

from evidence_app.models import Pack
from recipes_app.admin.base import KeptAdmin


@admin.register(Pack)
class PackAdmin(KeptAdmin):
    list_display = (
        "public_id",
        "run",
        "scope",
        "withholds",
        "samples",
        "size",
        "requested_by",
        "built_at",
        "removed_at",
    )
    list_filter = ("scope", "withholds")
    list_select_related = ("run", "requested_by")
    search_fields = ("=public_id", "=sha256", "run__public_id", "run__title")
    date_hierarchy = "created_at"
