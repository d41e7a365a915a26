"""The admin site itself."""

from django.contrib import admin

from recipes_app.forms.accounts import AdminSignInForm


class AgentifyAdminSite(admin.AdminSite):
    site_header = "Agentify"
    site_title = "Agentify admin"
    index_title = "Administration"
    login_form = AdminSignInForm
