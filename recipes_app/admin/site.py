"""The admin site itself."""

from django.contrib import admin


class AgentifyAdminSite(admin.AdminSite):
    site_header = "Agentify"
    site_title = "Agentify admin"
    index_title = "Administration"
