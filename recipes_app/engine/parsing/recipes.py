"""Recipes and registry files; the only entry points of this package."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.nesting import CALL, inner_steps
from recipes_app.engine.parameters import properties, secret_names
from recipes_app.engine.parsing.calls import check_calls
from recipes_app.engine.parsing.conditions import read_condition
from recipes_app.engine.parsing.fields import read_plain_json
from recipes_app.engine.parsing.reader import (
    Context,
    Reader,
    as_choice,
    as_list,
    as_object,
    as_text,
)
from recipes_app.engine.parsing.schemas import read_schema
from recipes_app.engine.parsing.steps import read_step, read_steps
from recipes_app.engine.parsing.targets import read_target
from recipes_app.engine.plain_json import check_plain
from recipes_app.engine.shapes import SIDE_EFFECTS, Condition, Recipe, Registry, Step, Target
from recipes_app.engine.vocabulary import VOCABULARY

T = TypeVar("T")

FORMATS = (1, 2)
TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
OLD_TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
SITE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
MAX_TOOLS = 500
MAX_URL = 490
AUTH_KEYS = ("type", "login_tool", "check", "storage_state")


def parse_registry(data: object) -> Registry:
    registry = within_the_stack(lambda: read_registry(checked(data)))
    for index, tool in enumerate(registry.tools):
        _refuse_secrets(tool, f"tools[{index}].parameters.properties")
    return registry


def _refuse_secrets(tool: Recipe, path: str) -> None:
    """A file is handed around: it says that there is a password, and never which."""
    for name in sorted(secret_names(tool.parameters)):
        content = properties(tool.parameters)[name]
        for key in ("default", "const", "examples", "example"):
            if content.get(key) not in (None, "", []):
                raise DocumentError(f"{path}.{name}.{key}", "a secret has no value in a file; it is given by each call")


def parse_recipe(data: object, *, format: int = 2, path: str = "") -> Recipe:  # noqa: A002 - the word of the file
    return within_the_stack(lambda: read_single(checked(data, path), path, format))


def parse_step(data: object, *, format: int = 2, path: str = "") -> Step:  # noqa: A002 - the word of the file
    return within_the_stack(lambda: read_step(checked(data, path), path, Context(format)))


def parse_target(data: object, *, format: int = 2, path: str = "") -> Target:  # noqa: A002 - the word of the file
    return within_the_stack(lambda: read_target(checked(data, path), path, Context(format)))


def parse_condition(data: object, *, format: int = 2, path: str = "") -> Condition:  # noqa: A002 - the word of the file
    return within_the_stack(lambda: read_condition(checked(data, path), path, Context(format)))


def checked(data: object, path: str = "") -> object:
    check_plain(data, path)
    return data


def within_the_stack(read: Callable[[], T]) -> T:
    try:
        return read()
    except RecursionError:
        raise DocumentError("", "nested too deeply to be read") from None


def read_registry(data: object) -> Registry:
    version = read_format(data)
    reader = Reader.of(data, "", Context(version))
    reader.take("format")
    tools = read_tools(reader)
    registry = Registry(
        site=read_site(reader),
        base_url=read_base_url(reader),
        tools=tools,
        mapped_at=reader.text("mapped_at", empty=True) or "",
        auth=read_auth(reader, tools),
        format=version,
    )
    reader.finish()
    return registry


def read_format(data: object) -> int:
    value = as_object(data, "").get("format", 1)
    if isinstance(value, bool) or value not in FORMATS:
        raise DocumentError("format", f"must be 2 (or left out: a file of the first Agentify), not {str(value)[:40]}")
    return int(value)


def read_tools(reader: Reader) -> tuple[Recipe, ...]:
    entries = as_list(reader.take("tools", required=True), "tools")
    if len(entries) > MAX_TOOLS:
        raise DocumentError("tools", f"{len(entries)} tools; at most {MAX_TOOLS} are allowed")
    tools: list[Recipe] = []
    for index, entry in enumerate(entries):
        tool = read_recipe(entry, f"tools[{index}]", reader.context.format)
        if any(tool.name == other.name for other in tools):
            raise DocumentError(f"tools[{index}].name", f"{tool.name} is the name of an earlier tool")
        tools.append(tool)
    check_calls(tools, "tools[{}]")
    return tuple(tools)


def read_site(reader: Reader) -> str:
    site = reader.needed_text("site")
    if not SITE_NAME.fullmatch(site):
        raise DocumentError("site", "must be letters, digits, - and _, at most 64, beginning with a letter or digit")
    return site


def read_base_url(reader: Reader) -> str:
    url = reader.needed_text("base_url")
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and not re.search(r"[\s\x00-\x20]", url)
    except ValueError:
        fits = False
    if not fits or len(url) > MAX_URL:
        raise DocumentError("base_url", "must be an http or https address")
    return url


def read_auth(parent: Reader, tools: tuple[Recipe, ...]) -> dict[str, Any] | None:
    value = parent.take("auth")
    if value is None or (parent.context.format == 1 and value == {}):
        return None
    reader = Reader.of(value, "auth", parent.context, 1)
    reader.also_known(AUTH_KEYS)
    reader.finish()
    auth = read_plain_json(reader.data, "auth")
    login_tool = auth.get("login_tool")
    if login_tool is not None and all(tool.name != login_tool for tool in tools):
        raise DocumentError("auth.login_tool", f"no tool is named {str(login_tool)[:80]}")
    if auth.get("check") or parent.context.format != 1:
        read_condition(reader.take("check", required=True), "auth.check", parent.context, 1)
    return dict(auth)


def read_single(data: object, path: str, version: int) -> Recipe:
    recipe = read_recipe(data, path, version)
    check_calls([recipe], path)
    return recipe


def read_recipe(data: object, path: str, version: int) -> Recipe:
    context = Context(version)
    reader = Reader.of(data, path, context)
    steps = read_steps(reader.take("steps", required=True), reader.at("steps"), context, 0)
    if not steps:
        raise DocumentError(reader.at("steps"), "must hold at least one step")
    recipe = Recipe(
        name=read_name(reader),
        description=reader.read("description", lambda item, at: as_text(item, at, empty=True)) or "",
        parameters=read_parameters(reader),
        returns=read_returns(reader),
        side_effect=reader.read("side_effect", lambda item, at: as_choice(item, at, SIDE_EFFECTS))
        or side_effect_of(steps),
        steps=steps,
        format=version,
    )
    reader.finish()
    return recipe


def read_name(reader: Reader) -> str:
    name = reader.needed_text("name")
    if not (OLD_TOOL_NAME if reader.context.format == 1 else TOOL_NAME).fullmatch(name):
        raise DocumentError(reader.at("name"), "must be snake_case: small letters, digits and _, at most 64")
    return name


def read_parameters(reader: Reader) -> dict[str, Any]:
    value = reader.take("parameters")
    if value is None:
        return {"type": "object", "properties": {}}
    return read_schema(value, reader.at("parameters"), must_be_object=True)


def read_returns(reader: Reader) -> dict[str, Any] | None:
    """In files of the first Agentify `returns` is decoration, and may be anything."""
    value = reader.take("returns")
    if value is None or (reader.context.format == 1 and not isinstance(value, dict)):
        return None
    return read_schema(value, reader.at("returns"), must_be_object=False)


def side_effect_of(steps: tuple[Step, ...]) -> str:
    """Where the file does not say: write as soon as a step might."""
    return "write" if any(may_write(step) for step in steps) else "read"


def may_write(step: Step) -> bool:
    """What another tool does is not written here, so a call might."""
    return VOCABULARY[step.op].writes or step.op == CALL or any(may_write(inner) for inner in inner_steps(step))
