"""Imports every module that registers something."""

from recipes_app.admin import people, queues, recipes, sites, work

__all__ = ["people", "queues", "recipes", "sites", "work"]
