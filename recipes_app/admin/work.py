"""Jobs, their steps and pictures, calls and healings: what was done, changed by nobody."""

from django.contrib import admin
from django.utils.safestring import SafeString

from recipes_app.admin.base import KeptAdmin, KeptInline, as_json
from recipes_app.models import (
    Call,
    Healing,
    HealthCheck,
    Job,
    JobFile,
    JobPicture,
    JobStep,
    Notice,
    Session,
    Webhook,
    WebhookDelivery,
)


class Steps(KeptInline):
    model = JobStep
    fields = ("seq", "attempt", "path", "op", "sentence", "state", "may_write", "ms", "matched", "detail", "at")


class Pictures(KeptInline):
    model = JobPicture
    fields = ("label", "file", "sha256", "at")


class Files(KeptInline):
    model = JobFile
    fields = ("name", "key", "media_type", "size", "sha256", "url", "at")


@admin.register(Job)
class JobAdmin(KeptAdmin):
    list_display = ("title", "kind", "status", "team", "requested_by", "created_at", "finished_at", "worker", "attempt")
    list_filter = ("status", "kind", "queue", "team", "created_at")
    list_select_related = ("team", "requested_by")
    search_fields = ("title", "public_id", "requested_by__username")
    date_hierarchy = "created_at"
    inlines = (Steps, Pictures, Files)


@admin.register(Session)
class SessionAdmin(KeptAdmin):
    """What a browser begins with is shown to nobody."""

    exclude = ("state",)
    list_display = ("name", "site", "account_label", "status", "mode", "version", "saved_at", "last_used_at")
    list_filter = ("status", "mode")
    list_select_related = ("site",)
    search_fields = ("name", "site__name", "account_label")


@admin.register(JobStep)
class JobStepAdmin(KeptAdmin):
    list_display = ("job", "seq", "attempt", "op", "sentence", "state", "may_write", "ms", "at")
    list_filter = ("state", "op", "may_write")
    list_select_related = ("job",)
    search_fields = ("sentence", "job__public_id")


@admin.register(JobPicture)
class JobPictureAdmin(KeptAdmin):
    list_display = ("label", "job", "width", "height", "sha256", "at")
    list_select_related = ("job",)
    search_fields = ("label", "sha256", "job__public_id")


@admin.register(JobFile)
class JobFileAdmin(KeptAdmin):
    list_display = ("name", "job", "media_type", "size", "sha256", "at")
    list_select_related = ("job",)
    search_fields = ("name", "sha256", "job__public_id")


@admin.register(Call)
class CallAdmin(KeptAdmin):
    list_display = ("recipe", "version", "via", "status", "requested_by", "asked_at")
    list_filter = ("job__status", "via", "job__team")
    list_select_related = ("recipe", "version__recipe", "job__requested_by")
    search_fields = ("recipe__name", "job__public_id", "idempotency_key")
    fields = ("job", "recipe", "version", "given", "via", "token", "idempotency_key", "outcome")
    readonly_fields = fields

    @admin.display(ordering="job__status")
    def status(self, call: Call) -> str:
        return call.job.get_status_display()

    @admin.display(ordering="job__requested_by")
    def requested_by(self, call: Call) -> str:
        return str(call.job.requested_by)

    @admin.display(ordering="job__created_at")
    def asked_at(self, call: Call) -> str:
        return f"{call.job.created_at:%Y-%m-%d %H:%M:%S}"

    @admin.display(description="arguments")
    def given(self, call: Call) -> SafeString | str:
        return as_json(call.arguments)

    @admin.display(description="result")
    def outcome(self, call: Call) -> SafeString | str:
        return as_json(call.result)


@admin.register(Healing)
class HealingAdmin(KeptAdmin):
    list_display = ("__str__", "status", "found", "score", "runner_up_score", "decided_by", "decided_at", "healed")
    list_filter = ("status", "version__recipe__site__team")
    list_select_related = ("version__recipe", "decided_by", "healed__recipe")
    search_fields = ("version__recipe__name", "found")


@admin.register(HealthCheck)
class HealthCheckAdmin(KeptAdmin):
    list_display = ("recipe", "version", "state", "kind", "detail", "ms", "at")
    list_filter = ("state", "recipe__site__team")
    list_select_related = ("recipe", "version__recipe")
    search_fields = ("recipe__name", "detail")
    date_hierarchy = "at"


@admin.register(Notice)
class NoticeAdmin(KeptAdmin):
    list_display = ("text", "event", "user", "team", "created_at", "read_at", "wants_mail")
    list_filter = ("event", "team")
    list_select_related = ("user", "team")
    search_fields = ("text", "user__username")


@admin.register(Webhook)
class WebhookAdmin(KeptAdmin):
    """The key that signs is shown nowhere."""

    list_display = ("url", "team", "is_active", "off_because", "created_by", "created_at")
    list_filter = ("is_active", "team")
    list_select_related = ("team", "created_by")
    search_fields = ("url",)
    fields = ("team", "url", "events", "is_active", "off_because", "created_by", "created_at")
    readonly_fields = fields


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(KeptAdmin):
    list_display = ("public_id", "event", "webhook", "status", "attempts", "response_status", "created_at", "next_at")
    list_filter = ("status", "event", "webhook__team")
    list_select_related = ("webhook",)
    search_fields = ("public_id", "webhook__url")
