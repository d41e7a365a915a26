"""A page that lists the API's operations, from its own OpenAPI document and with no script of others."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase


class Listing(DocsBase):
    def render_page(self, request: HttpRequest, api: NinjaAPI, **_: Any) -> HttpResponse:
        schema = api.get_openapi_schema()
        return render(request, "api/docs.html", {"operations": list(operations(schema)), "title": api.title})


def operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path, by_method in schema["paths"].items():
        for method, operation in by_method.items():
            yield {
                "method": method.upper(),
                "path": path,
                "text": operation.get("description", ""),
                "headers": [each["name"] for each in operation.get("parameters", []) if each["in"] == "header"],
                "statuses": ", ".join(sorted(str(status) for status in operation["responses"])),
            }
