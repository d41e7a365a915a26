"""Conditions, what a step expects, and rules for native dialogs."""

from __future__ import annotations

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.reader import Context, Reader, as_choice, as_list, as_text
from recipes_app.engine.parsing.targets import read_target
from recipes_app.engine.shapes import (
    CONDITION_KINDS,
    GROUP_KINDS,
    Condition,
    DialogRule,
    Expect,
    Target,
)
from recipes_app.engine.vocabulary import DIALOG_TYPES

VALUE_KINDS = ("page_text_contains", "url_contains", "url_matches", "value_is")
TARGET_KINDS = ("element_exists", "element_absent", "value_is")
CONDITION_KEYS = ("kind", "value", "case_insensitive", "target", "timeout_ms", *GROUP_KINDS)
EXPECT_KEYS = ("appears", "disappears", "url", "page_opened", "download", "dialog")
TIMEOUT_MAX_MS = 600_000


def read_condition(value: object, path: str, context: Context, depth: int = 0) -> Condition:
    reader = Reader.of(value, path, context, depth)
    condition = take_condition(reader)
    reader.finish()
    return condition


def take_condition(reader: Reader) -> Condition:
    """Reads a condition's keys off a reader that may hold others too (a verify step, an expect)."""
    groups = [key for key in GROUP_KINDS if reader.has(key)]
    if len(groups) > 1 or (groups and reader.has("kind")):
        raise DocumentError(reader.path, "a condition is either one kind, or one of all, any, not")
    return take_group(reader, groups[0]) if groups else take_leaf(reader)


def take_group(reader: Reader, kind: str) -> Condition:
    value, path = reader.take(kind), reader.at(kind)
    parts: tuple[Condition, ...]
    if kind == "not":
        parts = (read_condition(value, path, reader.context, reader.depth + 1),)
    else:
        parts = tuple(
            read_condition(entry, f"{path}[{index}]", reader.context, reader.depth + 1)
            for index, entry in enumerate(as_list(value, path))
        )
        if not parts:
            raise DocumentError(path, "must hold at least one condition")
    return Condition(kind, parts=parts, timeout_ms=read_timeout(reader))


def take_leaf(reader: Reader) -> Condition:
    reader.also_known(GROUP_KINDS)
    kind = as_choice(reader.take("kind", required=True), reader.at("kind"), CONDITION_KINDS)
    value: str | None = None
    if kind in VALUE_KINDS:
        value = as_text(reader.take("value", required=True), reader.at("value"), empty=kind == "value_is")
    elif reader.context.format == 1:
        reader.take("value")
    fold = reader.boolean("case_insensitive") if kind in VALUE_KINDS or reader.context.format == 1 else False
    target: Target | None = None
    if kind in TARGET_KINDS:
        raw = reader.take("target", required=True)
        target = read_target(raw, reader.at("target"), reader.context, reader.depth + 1)
    elif reader.context.format == 1:
        reader.take("target")
    return Condition(kind, value=value, case_insensitive=fold, target=target, timeout_ms=read_timeout(reader))


def read_timeout(reader: Reader) -> int | None:
    timeout = reader.integer("timeout_ms")
    if timeout is not None and timeout > TIMEOUT_MAX_MS:
        raise DocumentError(reader.at("timeout_ms"), f"must be at most {TIMEOUT_MAX_MS}")
    return timeout


def read_expect(value: object, path: str, context: Context, depth: int) -> Expect:
    reader = Reader.of(value, path, context, depth)
    reader.also_known((*EXPECT_KEYS, *CONDITION_KEYS))
    has_condition = any(reader.has(key) for key in CONDITION_KEYS)
    expect = Expect(
        condition=take_condition(reader) if has_condition else None,
        appears=take_target(reader, "appears"),
        disappears=take_target(reader, "disappears"),
        url=reader.text("url"),
        page_opened=reader.boolean("page_opened"),
        download=reader.boolean("download"),
        dialog=take_dialog(reader),
    )
    reader.finish()
    if expect == Expect():
        raise DocumentError(path, "expects nothing: leave it out")
    return expect


def take_target(reader: Reader, key: str) -> Target | None:
    value = reader.take(key)
    return None if value is None else read_target(value, reader.at(key), reader.context, reader.depth + 1)


def take_dialog(parent: Reader) -> DialogRule | None:
    value = parent.take("dialog")
    if value is None:
        return None
    reader = Reader.of(value, parent.at("dialog"), parent.context, parent.depth + 1)
    rule = DialogRule(
        type=reader.read("type", lambda item, path: as_choice(item, path, DIALOG_TYPES)),
        message=reader.text("message", empty=True),
        answer=as_choice(reader.take("answer", required=True), reader.at("answer"), ("accept", "dismiss")),
        text=reader.text("text", empty=True),
    )
    reader.finish()
    return rule
