"""Where each application's pages live."""

from django.apps import apps
from django.contrib import admin
from django.urls import include, path

from agentify_site import health

urlpatterns = [
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("", include("recipes_app.urls")),
]
# Commands that need the rows only load no evidence and no admin, yet tell the addresses of pages.
if apps.is_installed("evidence_app"):
    urlpatterns.append(path("evidence/", include("evidence_app.urls")))
    urlpatterns.append(path(".well-known/", include("evidence_app.urls_well_known")))
if apps.is_installed("django.contrib.admin"):
    urlpatterns.insert(0, path("admin/", admin.site.urls))
