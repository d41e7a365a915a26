"""Small recipes for tests of services."""

from typing import Any


def search(name: str = "search_products", **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": "Search the shop.",
        "parameters": {
            "type": "object",
            "properties": {"q": {"type": "string"}, "pages": {"type": "integer", "minimum": 1, "default": 1}},
            "required": ["q"],
        },
        "side_effect": "read",
        "steps": [
            {"op": "goto", "url": "https://shop.example.test/"},
            {"op": "type", "target": {"role": "searchbox", "name": "Search"}, "text": "{{q}}", "press_enter": True},
        ],
        **more,
    }


def sign_up(name: str = "sign_up") -> dict[str, Any]:
    """A write tool with a secret parameter."""
    return {
        "name": name,
        "parameters": {
            "type": "object",
            "properties": {"email": {"type": "string"}, "password": {"type": "string", "format": "password"}},
            "required": ["email", "password"],
        },
        "side_effect": "write",
        "steps": [
            {"op": "goto", "url": "https://shop.example.test/sign-up"},
            {"op": "type", "target": {"role": "textbox", "name": "Password"}, "text": "{{password}}"},
            {"op": "click", "target": {"role": "button", "name": "Sign up"}},
        ],
    }
