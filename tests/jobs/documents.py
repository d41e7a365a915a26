"""Recipes for the practice site."""

from typing import Any

STATUS = {"role": "status"}
EMAIL = {"role": "textbox", "name": "Email"}


def search_products(url: str, **more: Any) -> dict[str, Any]:
    return {
        "name": "search_products",
        "parameters": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
        "side_effect": "read",
        "steps": [
            {"op": "goto", "url": f"{url}/products?q={{{{q}}}}"},
            {"op": "extract", "target": {"role": "heading", "name": "Products"}, "key": "heading"},
        ],
        **more,
    }


def stuck(url: str) -> dict[str, Any]:
    """Opens the shop, and never gets any further."""
    script = "() => { while (true) {} }"
    return search_products(
        url,
        name="get_stuck",
        parameters={"type": "object", "properties": {}},
        steps=[
            {"op": "goto", "url": f"{url}/"},
            {"op": "js_extract", "expr": script, "key": "never", "timeout_ms": 60000},
        ],
    )


def subscribe(url: str, *, then_stuck: bool = False, **more: Any) -> dict[str, Any]:
    """Subscribes to the newsletter; `then_stuck`: and waits for something that never comes."""
    submit: dict[str, Any] = {"op": "click", "target": {"role": "button", "name": "Subscribe"}}
    if then_stuck:
        submit |= {"timeout_ms": 60000, "expect": {"kind": "page_text_contains", "value": "Never said"}}
    return {
        "name": "subscribe",
        "parameters": {
            "type": "object",
            "properties": {"email": {"type": "string", "format": "email"}},
            "required": ["email"],
        },
        "side_effect": "write",
        "steps": [
            {"op": "goto", "url": f"{url}/newsletter/frame"},
            {"op": "type", "target": EMAIL, "text": "{{email}}"},
            submit,
            {"op": "extract", "target": STATUS, "key": "said"},
        ],
        **more,
    }
