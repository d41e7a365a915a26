"""Users, teams, invitations, tokens and the audit log."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from recipes_app.admin.base import Base, ByService, KeptAdmin, KeptInline, PersonBase, as_json, person
from recipes_app.models import ApiToken, AuditEntry, Invitation, Membership, Role, Team, User
from recipes_app.services import audit, people, tokens
from recipes_app.services.errors import ServiceError


class MembershipsOfUser(KeptInline):
    model = Membership


@admin.register(User)
class PersonAdmin(PersonBase):
    inlines = (MembershipsOfUser,)
    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login")


class Members(KeptInline):
    model = Membership


@admin.register(Team)
class TeamAdmin(Base):
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (Members,)


@admin.register(Membership)
class MembershipAdmin(ByService):
    """The last owner of a team stays its owner here too; so there is no action that removes many at once."""

    list_display = ("user", "team", "role", "created_at")
    list_filter = ("role", "team")
    search_fields = ("user__username", "user__email", "team__name")
    autocomplete_fields = ("user", "team")
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Membership | None = None) -> tuple[str, ...]:
        return ("user", "team") if obj else ()

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        if change:
            stored = Membership.objects.select_related("team", "user").get(pk=obj.pk)
            people.change_role(membership=stored, role=Role(obj.role), by=person(request))
            return
        obj.save()
        audit.record(obj.team, person(request), "member.added", f"user {obj.user}", role=obj.role)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Removing goes by the team's page, where the last owner is kept."""
        return False


@admin.register(Invitation)
class InvitationAdmin(KeptAdmin):
    list_display = ("team", "role", "email", "invited_by", "created_at", "expires_at", "accepted_by")
    list_filter = ("role", "team")
    search_fields = ("email", "team__name", "invited_by__username")
    exclude = ("secret_hash",)


@admin.register(ApiToken)
class ApiTokenAdmin(KeptAdmin):
    list_display = ("name", "prefix", "team", "owner", "scopes", "last_used_at", "revoked_at")
    list_filter = ("team", ("revoked_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "prefix", "owner__username")
    exclude = ("secret_hash",)
    actions = ("revoke",)

    @admin.action(description="Revoke the selected tokens", permissions=["view"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        for token in queryset.select_related("team", "owner"):
            try:
                tokens.revoke(token=token, by=person(request))
            except ServiceError as error:
                self.message_user(request, f"{token}: {error}", messages.ERROR)
            else:
                self.message_user(request, f"{token} is revoked.", messages.SUCCESS)


@admin.register(AuditEntry)
class AuditEntryAdmin(KeptAdmin):
    list_display = ("at", "team", "actor", "action", "subject")
    list_filter = ("action", "team", "at")
    search_fields = ("subject", "action", "actor__username")
    date_hierarchy = "at"
    fields = ("at", "team", "actor", "action", "subject", "what")
    readonly_fields = fields

    @admin.display(description="detail")
    def what(self, entry: AuditEntry) -> SafeString | str:
        return as_json(entry.detail)
