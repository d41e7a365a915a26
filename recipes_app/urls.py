"""Addresses of this application's pages."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("recipes_app.urls_accounts")),
]
