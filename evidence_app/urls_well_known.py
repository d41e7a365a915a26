"""Addresses for strangers, under /.well-known/."""

from django.urls import URLPattern, path

from evidence_app.views import integrity, packs

urlpatterns: list[URLPattern] = [
    path("agentify-ledger.json", integrity.well_known, name="ledger_keys"),
    path("agentify-verify.py", packs.verify_program, name="verify_program"),
]
