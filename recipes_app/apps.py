"""Django's view of this application."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class RecipesConfig(AppConfig):
    name = "recipes_app"
    verbose_name = "Sites, tools and calls"

    def ready(self) -> None:
        autodiscover_modules("checks", "model_checks")
