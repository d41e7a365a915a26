"""Reading settings from the environment; one that makes no sense is named."""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


class NamedEnv(environ.Env):  # type: ignore[misc] # django-environ is not typed
    def get_value(self, var: str, *how: Any, **more: Any) -> Any:
        try:
            return super().get_value(var, *how, **more)
        except (ValueError, TypeError) as error:
            raise ImproperlyConfigured(f"the setting {var} makes no sense: {error}") from error

    def one_of(self, var: str, *among: str, default: str) -> str:
        value = str(self.str(var, default=default))
        if value not in among:
            raise ImproperlyConfigured(f"the setting {var} makes no sense: {value!r} is none of {', '.join(among)}")
        return value

    def db_url(self, var: str = "DATABASE_URL", *how: Any, **more: Any) -> dict[str, Any]:
        try:
            found: dict[str, Any] = super().db_url(var, *how, **more)
        except ValueError as error:
            raise ImproperlyConfigured(f"the setting {var} makes no sense: {error}") from error
        if not found.get("ENGINE"):
            raise ImproperlyConfigured(f"the setting {var} names no database, such as postgres://user@host/name")
        return found
