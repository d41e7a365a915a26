"""What every page's left rail and head need."""

from typing import Any

from django.http import HttpRequest


def rail(request: HttpRequest) -> dict[str, Any]:
    return {}
