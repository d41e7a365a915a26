"""The admin as an application; apart from ours, so that commands without an admin do not load it."""

from django.contrib.admin import apps as admin_apps
from django.utils.module_loading import autodiscover_modules


class AgentifyAdminConfig(admin_apps.AdminConfig):
    """Registrations live in `admin/rows.py`, not in the package itself: importing the package to find the admin
    site's class must not register anything, or it would land on a second site that is thrown away."""

    default = False
    default_site = "recipes_app.admin.site.AgentifyAdminSite"

    def ready(self) -> None:
        super().ready()
        autodiscover_modules("admin.rows")
