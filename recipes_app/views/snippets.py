"""The same call as a program would make it."""

import json
import shlex
from typing import Any

from django.conf import settings

from recipes_app.engine.parameters import secret_names
from recipes_app.models import Recipe


def snippets(recipe: Recipe, schema: dict[str, Any], arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """[(title, text)]; secrets stand as words to be replaced."""
    hidden = secret_names(schema)
    given = {name: f"<{name}>" if name in hidden else value for name, value in arguments.items()}
    path = call_path(recipe)
    return [
        ("curl", curl(path, given)),
        ("Python", python(path, given)),
        ("Command line", command(recipe, given)),
    ]


def call_path(recipe: Recipe) -> str:
    return f"/api/v1/sites/{recipe.site.slug}/tools/{recipe.name}/calls"


def curl(path: str, arguments: dict[str, Any]) -> str:
    body = shlex.quote(json.dumps({"arguments": arguments}, ensure_ascii=False))
    return (
        f"curl {settings.PUBLIC_URL}{path} \\\n"
        '  -H "Authorization: Bearer $AGENTIFY_TOKEN" \\\n'
        '  -H "Content-Type: application/json" -H "Prefer: wait=60" \\\n'
        f"  -d {body}"
    )


def python(path: str, arguments: dict[str, Any]) -> str:
    return (
        "import json, os, urllib.request\n\n"
        "request = urllib.request.Request(\n"
        f'    "{settings.PUBLIC_URL}{path}",\n'
        f"    data=json.dumps({{'arguments': {arguments!r}}}).encode(),\n"
        '    headers={"Authorization": f"Bearer {os.environ[\'AGENTIFY_TOKEN\']}",\n'
        '             "Content-Type": "application/json", "Prefer": "wait=60"},\n'
        ")\n"
        "print(json.load(urllib.request.urlopen(request)))"
    )


def command(recipe: Recipe, arguments: dict[str, Any]) -> str:
    text = shlex.quote(json.dumps(arguments, ensure_ascii=False))
    return f"./agentify call --site {recipe.site.slug} --tool {recipe.name} --args {text}"
