"""The table of operations: each entry of the vocabulary with the function that runs it.

A new op is one entry in recipes_app.engine.vocabulary and one function here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recipes_app.engine.act import Act
from recipes_app.engine.ops import (
    calling,
    checks,
    choices,
    dates,
    dragging,
    files,
    flow,
    lists,
    loops,
    navigation,
    pointer,
    reading,
    repeating,
    tables,
    text,
)
from recipes_app.engine.vocabulary import VOCABULARY, Field, OpSpec

Run = Callable[[Act], None]


@dataclass(frozen=True, slots=True)
class Op:
    spec: OpSpec
    run: Run

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.spec.fields

    @property
    def help(self) -> str:
        return self.spec.help

    @property
    def writes(self) -> bool:
        return self.spec.writes


RUNS: dict[str, Run] = {
    "goto": navigation.goto,
    "back": navigation.back,
    "reload": navigation.reload,
    "switch_page": navigation.switch_page,
    "dialog": navigation.dialog,
    "click": pointer.click,
    "double_click": pointer.double_click,
    "hover": pointer.hover,
    "scroll": pointer.scroll,
    "type": text.type_text,
    "press": text.press,
    "press_enter": text.press_enter,
    "set_date": dates.set_date,
    "select": choices.select,
    "choose": choices.choose,
    "check": checks.check,
    "upload": files.upload,
    "download": files.download,
    "extract": reading.extract,
    "js_extract": reading.js_extract,
    "screenshot": reading.screenshot,
    "extract_list": lists.extract_list,
    "extract_table": tables.extract_table,
    "wait": flow.wait,
    "wait_for": flow.wait_for,
    "verify": flow.verify,
    "if_verify": flow.if_verify,
    "for_each": loops.for_each,
    "repeat": repeating.repeat,
    "call": calling.call,
    "drag": dragging.drag,
}
OPS: dict[str, Op] = {name: Op(spec, RUNS[name]) for name, spec in VOCABULARY.items()}
