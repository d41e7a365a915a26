"""What the admin's modules share: rows nobody may change, services that refuse, JSON for people."""

import json
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString

from recipes_app.models import User
from recipes_app.services.errors import ServiceError

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    Inline = admin.TabularInline[Any, Any]
    PersonBase = UserAdmin[User]
else:
    Base, Inline, PersonBase = admin.ModelAdmin, admin.TabularInline, UserAdmin


class Kept:
    """No add, change or delete. Rows above are not deletable either while rows like these hang below them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


# {} and [] are values, not the lack of one.
FIELDS: dict[type[Any], dict[str, Any]] = {
    models.URLField: {"assume_scheme": "https"},
    models.JSONField: {"required": False},
}


class KeptAdmin(Kept, Base):
    formfield_overrides = FIELDS


class KeptInline(Kept, Inline):
    formfield_overrides = FIELDS
    extra = 0
    show_change_link = True


class ByService(Base):
    """Saves through a service: what it refuses is said, and nothing is saved."""

    formfield_overrides = FIELDS

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except ServiceError as error:
            self.message_user(request, str(error), messages.ERROR)
            return HttpResponseRedirect(request.path)


def person(request: HttpRequest) -> User:
    """Who is at work in the admin; its views let nobody else in."""
    if not isinstance(request.user, User):
        raise TypeError("the admin was reached without signing in")
    return request.user


def as_json(value: Any) -> SafeString | str:
    if value in (None, {}, []):
        return "none"
    return format_html("<pre>{}</pre>", json.dumps(value, indent=2, ensure_ascii=False))
