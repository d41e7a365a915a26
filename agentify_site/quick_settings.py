"""Settings of commands that need the rows and nothing else: no admin, no pages, no API."""

from agentify_site.settings import *  # noqa: F403

INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "recipes_app"]
MIDDLEWARE = []
TEMPLATES = []
