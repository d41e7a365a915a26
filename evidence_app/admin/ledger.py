"""The ledger in the admin: read, and changed by nobody."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString

from evidence_app.models import Entry, LedgerKey, TreeHead
from recipes_app.admin.base import KeptAdmin, as_json


@admin.register(Entry)
class EntryAdmin(KeptAdmin):
    list_display = ("seq", "kind", "at", "run", "leaf")
    list_filter = ("kind",)
    list_select_related = ("run",)
    search_fields = ("=seq", "kind", "run__public_id", "run__title")
    readonly_fields = ("tells",)
    show_full_result_count = False
    ordering = ("-seq",)

    @admin.display
    def tells(self, entry: Entry) -> SafeString | str:
        return entry.opening.facts if entry.opening.removed_at is None else as_json(None)


@admin.register(TreeHead)
class TreeHeadAdmin(KeptAdmin):
    list_display = ("size", "root", "fingerprint", "at")
    date_hierarchy = "at"
    ordering = ("-size",)


@admin.register(LedgerKey)
class LedgerKeyAdmin(KeptAdmin):
    list_display = ("fingerprint", "verifier", "at")
