"""Targets in short, long and mixed form."""

from __future__ import annotations

import re

from recipes_app.engine.errors import DocumentError
from recipes_app.engine.parsing.reader import (
    Context,
    Reader,
    as_integer,
    as_list,
    as_object,
    as_text,
    is_placeholder,
    join,
)
from recipes_app.engine.shapes import LOCATOR_KINDS, Fingerprint, FrameRef, Locator, Target

PAGE = re.compile(r"main|opened_by:[\w.\[\]]{1,120}")
MAX_LOCATORS = 20


def read_target(value: object, path: str, context: Context, depth: int = 0) -> Target:
    reader = Reader.of(value, path, context, depth)
    old = context.format == 1
    within = reader.take("within")
    nth = reader.take("nth")
    target = Target(
        role=reader.text("role", empty=old) or None,
        name=reader.text("name", empty=old) or None,
        css=reader.text("css", empty=old) or None,
        text=reader.text("text", empty=old) or None,
        locators=read_locators(reader),
        within=None if within is None else read_target(within, reader.at("within"), context, depth + 1),
        frames=read_frames(reader),
        page=reader.read("page", read_page),
        nth=None if nth is None or is_placeholder(nth) else as_integer(nth, reader.at("nth")),
        nth_argument=as_text(nth, reader.at("nth")) if is_placeholder(nth) else None,
        fingerprint=read_fingerprint(reader),
    )
    reader.finish()
    if not (target.role or target.name or target.css or target.text or target.locators):
        raise DocumentError(path, "names nothing: give role, name, css, text or locators")
    return target


def read_page(value: object, path: str) -> str:
    text = as_text(value, path)
    if not PAGE.fullmatch(text):
        raise DocumentError(path, "must be main or opened_by:<step>")
    return text


def read_locators(reader: Reader) -> tuple[Locator, ...]:
    value = reader.take("locators")
    if value is None:
        return ()
    path = reader.at("locators")
    entries = as_list(value, path)
    if not entries or len(entries) > MAX_LOCATORS:
        raise DocumentError(path, f"must hold between 1 and {MAX_LOCATORS} locators")
    return tuple(
        read_locator(entry, f"{path}[{index}]", reader.context, reader.depth + 1) for index, entry in enumerate(entries)
    )


def read_locator(value: object, path: str, context: Context, depth: int) -> Locator:
    reader = Reader.of(value, path, context, depth)
    reader.also_known(LOCATOR_KINDS)
    kinds = [kind for kind in LOCATOR_KINDS if reader.has(kind)]
    if kinds != kinds[:1] or not kinds:
        if not kinds:
            reader.finish()
        raise DocumentError(path, f"must hold exactly one of {', '.join(LOCATOR_KINDS)}")
    kind = kinds[0]
    name = reader.text("name") if kind == "role" else None
    exact = reader.take("exact") if kind not in {"css", "xpath", "test_id"} else None
    if exact is not None and not isinstance(exact, bool):
        raise DocumentError(reader.at("exact"), "must be true or false")
    locator = Locator(kind, reader.needed_text(kind), name, exact is not False)
    reader.finish()
    return locator


def read_frames(reader: Reader) -> tuple[FrameRef, ...]:
    value = reader.take("frames")
    if value is None:
        return ()
    path = reader.at("frames")
    return tuple(read_frame(entry, f"{path}[{index}]", reader) for index, entry in enumerate(as_list(value, path)))


def read_frame(value: object, path: str, parent: Reader) -> FrameRef:
    reader = Reader.of(value, path, parent.context, parent.depth + 1)
    frame = FrameRef(reader.text("name"), reader.text("title"), reader.text("src"))
    reader.finish()
    if frame == FrameRef():
        raise DocumentError(path, "names no frame: give name, title or src")
    return frame


def read_fingerprint(parent: Reader) -> Fingerprint | None:
    value = parent.take("fingerprint")
    if value is None:
        return None
    reader = Reader.of(value, parent.at("fingerprint"), parent.context, parent.depth + 1)
    fingerprint = Fingerprint(
        tag=reader.text("tag"),
        role=reader.text("role"),
        name=reader.text("name", empty=True),
        attributes=reader.read("attributes", read_attributes) or {},
        landmark=reader.text("landmark"),
        near=reader.text("near"),
        peers=reader.integer("peers"),
        frame=reader.text("frame"),
    )
    reader.finish()
    return fingerprint


def read_attributes(value: object, path: str) -> dict[str, str]:
    return {key: as_text(item, join(path, key[:80]), empty=True) for key, item in as_object(value, path).items()}
