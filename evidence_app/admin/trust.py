"""What left the house, what was held, deleted and restored; in the admin to be read."""

from __future__ import annotations

from django.contrib import admin

from evidence_app.models import HeadCopy, Hold, Removal, Restoration, Timestamp
from evidence_app.store.outside import said
from recipes_app.admin.base import KeptAdmin


@admin.register(Hold)
class HoldAdmin(KeptAdmin):
    """Placed and lifted in the pages."""

    list_display = ("__str__", "team", "placed_by", "placed_at", "lifted_by", "lifted_at")
    list_filter = ("team", "lifted_at")
    list_select_related = ("team", "run", "spec", "placed_by", "lifted_by")
    search_fields = ("words", "run__title", "spec__task_id")


@admin.register(Removal)
class RemovalAdmin(KeptAdmin):
    """Asked for and decided in the pages."""

    list_display = ("run", "status", "asked_by", "asked_at", "decided_by", "decided_at", "files", "done_at", "error")
    list_filter = ("status", "run__team")
    list_select_related = ("run", "asked_by", "decided_by")
    search_fields = ("run__title", "run__public_id", "words")


@admin.register(Restoration)
class RestorationAdmin(KeptAdmin):
    """Declared by `declare-restore`."""

    list_display = ("__str__", "status", "lost_size", "size", "asked_by", "asked_at", "decided_by", "decided_at")
    list_select_related = ("asked_by", "decided_by")


@admin.register(HeadCopy)
class HeadCopyAdmin(KeptAdmin):
    list_display = ("head", "shown", "ok_at", "tries", "tried_at", "error")
    list_select_related = ("head",)
    fields = ("head", "shown", "ok_at", "tries", "tried_at", "error")
    readonly_fields = fields

    @admin.display(description="place")
    def shown(self, row: HeadCopy) -> str:
        return said(row.place)


@admin.register(Timestamp)
class TimestampAdmin(KeptAdmin):
    list_display = ("head", "shown", "ok_at", "tries", "tried_at", "error")
    list_select_related = ("head",)
    fields = ("head", "shown", "ok_at", "tries", "tried_at", "error")
    readonly_fields = fields

    @admin.display(description="authority")
    def shown(self, row: Timestamp) -> str:
        return said(row.authority)
