"""Addresses of the HTTP API."""

from django.urls import path, re_path

from recipes_app.api.router import api, nowhere

urlpatterns = [path("api/v1/", api.urls), re_path("^api/", nowhere)]
