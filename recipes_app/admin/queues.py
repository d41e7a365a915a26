"""django-rq's own pages, which can also empty queues: superusers only."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, reverse
from django_rq.admin import QueueAdmin
from django_rq.models import Dashboard

if TYPE_CHECKING:
    from recipes_app.admin.base import Base as QueueBase
else:
    QueueBase = QueueAdmin

View = Callable[..., HttpResponseBase]


def superusers_only(view: View) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path(), reverse("admin:login"))
        if not request.user.is_superuser:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


class SuperusersQueueAdmin(QueueBase):
    def get_urls(self) -> list[URLPattern]:
        urls: list[URLPattern] = super().get_urls()
        for url in urls:
            url.callback = superusers_only(url.callback)
        return urls

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)


if admin.site.is_registered(Dashboard):
    admin.site.unregister(Dashboard)
admin.site.register(Dashboard, SuperusersQueueAdmin)
