"""Django's view of this application."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class RecipesConfig(AppConfig):
    name = "recipes_app"
    verbose_name = "Sites, tools and calls"


class AgentifyAdminConfig(admin_apps.AdminConfig):
    default = False
    default_site = "recipes_app.admin.site.AgentifyAdminSite"
