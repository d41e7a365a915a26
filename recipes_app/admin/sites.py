"""Sites, mappings and proposals."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString

from recipes_app.admin.base import ByService, KeptAdmin, KeptInline, as_json, person
from recipes_app.models import Mapping, Proposal, Recording, Site, SurveyPage
from recipes_app.services import proposals, sites


@admin.register(Site)
class SiteAdmin(ByService):
    list_display = ("name", "slug", "team", "base_url", "is_demo", "created_by", "created_at")
    list_filter = ("team", "is_demo")
    search_fields = ("name", "slug", "base_url")
    fields = (
        "team", "slug", "name", "base_url", "time_zone", "locale", "viewport_width", "viewport_height",
        "allowed_hosts", "private_hosts", "canary_hours", "canary_at", "is_demo", "created_by", "created_at",
    )  # fmt: skip
    readonly_fields = ("canary_at", "created_by", "created_at", "is_demo")

    def get_readonly_fields(self, request: HttpRequest, obj: Site | None = None) -> tuple[str, ...]:
        return (*self.readonly_fields, "team", "slug") if obj else self.readonly_fields

    def save_model(self, request: HttpRequest, obj: Site, form: Any, change: bool) -> None:
        given = dict(form.cleaned_data)
        if change:
            stored = Site.objects.select_related("team").get(pk=obj.pk)
            changed = {name: given[name] for name in form.changed_data}
            sites.update_site(site=stored, by=person(request), **changed)
            return
        obj.pk = sites.create_site(by=person(request), **given).pk


class Pages(KeptInline):
    model = SurveyPage
    fields = ("url", "title", "depth", "status", "shape")


@admin.register(Mapping)
class MappingAdmin(KeptAdmin):
    list_display = ("site", "method", "start_url", "max_pages", "job")
    list_filter = ("method", "job__status", "site__team")
    list_select_related = ("site", "job")
    search_fields = ("site__name", "start_url")
    inlines = (Pages,)


@admin.register(SurveyPage)
class SurveyPageAdmin(KeptAdmin):
    list_display = ("url", "title", "depth", "status", "mapping")
    list_filter = ("status",)
    search_fields = ("url", "title")


@admin.register(Proposal)
class ProposalAdmin(ByService):
    list_display = ("name", "site", "kind", "side_effect", "status", "decided_by", "decided_at")
    list_filter = ("status", "kind", "side_effect", "site__team")
    list_select_related = ("site", "decided_by")
    search_fields = ("name", "description", "site__name")
    fields = (
        "name", "description", "side_effect", "parameters", "examples", "others", "dry_run",
        "site", "mapping", "kind", "start_url", "plan", "submits", "reason", "status", "decided_by", "decided_at",
    )  # fmt: skip
    readonly_fields = tuple(name for name in fields if name not in proposals.CHANGEABLE)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Proposal, form: Any, change: bool) -> None:
        stored = Proposal.objects.select_related("site__team").get(pk=obj.pk)
        changed = {name: form.cleaned_data[name] for name in form.changed_data}
        proposals.edit(proposal=stored, by=person(request), **changed)

    @admin.display(description="steps")
    def plan(self, proposal: Proposal) -> SafeString | str:
        return as_json(proposal.steps)


@admin.register(Recording)
class RecordingAdmin(KeptAdmin):
    list_display = ("__str__", "proposal", "version", "job")
    list_filter = ("job__status", "job__team")
    list_select_related = ("proposal", "version__recipe", "job")
    search_fields = ("proposal__name", "version__recipe__name")
