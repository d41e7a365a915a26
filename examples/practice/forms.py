"""Form fields with a label, a hint, the value that was sent before and the error beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from examples.practice.html import Element, h
from examples.practice.web import Values

Choices = Sequence[tuple[str, str]]


def choices(*texts: str) -> Choices:
    """The same word as value and label: "Phone" is `("phone", "Phone")`."""
    return [(text.lower(), text) for text in texts]


@dataclass(frozen=True)
class Form:
    """Builds fields filled with `values`; ids are the names behind `prefix`."""

    prefix: str = ""
    values: Values = field(default_factory=Values)
    errors: dict[str, str] = field(default_factory=dict)

    def input(self, name: str, label: str, kind: str = "text", hint: str = "", **attrs: Any) -> Element:
        value = {} if kind == "file" else {"value": self.values.get(name, str(attrs.pop("value", ""))) or None}
        control = h.input(type=kind, **self._common(name), **value, **attrs)
        return self._block(name, label, control, hint)

    def textarea(self, name: str, label: str, hint: str = "", **attrs: Any) -> Element:
        control = h.textarea(self.values.get(name), **self._common(name), **attrs)
        return self._block(name, label, control, hint, "wide")

    def select(self, name: str, label: str, options: Choices, **attrs: Any) -> Element:
        chosen = self.values.all(name)
        items = [h.option(text, value=value, selected=value in chosen) for value, text in options]
        return self._block(name, label, h.select(items, **self._common(name), **attrs))

    def radios(self, name: str, legend: str, options: Choices, default: str = "") -> Element:
        chosen = self.values.get(name, default)
        return h.fieldset(
            h.legend(legend),
            [self._radio(name, value, text, value == chosen) for value, text in options],
            self._error(name),
            class_="field",
        )

    def checkbox(self, name: str, label: str, **attrs: Any) -> Element:
        box = h.input(
            type="checkbox",
            value="yes",
            checked=bool(self.values.get(name)),
            **self._common(name),
            **attrs,
        )
        return h.div(h.label(box, f" {label}", for_=self._id(name), class_="choice"), self._error(name), class_="field")

    def _radio(self, name: str, value: str, text: str, checked: bool) -> Element:
        id_ = f"{self._id(name)}-{value}"
        button = h.input(type="radio", id=id_, name=name, value=value, checked=checked)
        return h.label(button, f" {text}", for_=id_, class_="choice")

    def _id(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def _common(self, name: str) -> dict[str, Any]:
        invalid = name in self.errors
        return {
            "id": self._id(name),
            "name": name,
            "aria_invalid": "true" if invalid else None,
            "aria_describedby": f"{self._id(name)}-error" if invalid else None,
        }

    def _block(self, name: str, label: str, control: Element, hint: str = "", extra: str = "") -> Element:
        return h.div(
            h.label(label, for_=self._id(name)),
            control,
            h.p(hint, class_="hint") if hint else None,
            self._error(name),
            class_=f"field {extra}".strip(),
        )

    def _error(self, name: str) -> Element | None:
        message = self.errors.get(name)
        return h.p(message, class_="error", id=f"{self._id(name)}-error") if message else None


def hidden(name: str, value: str) -> Element:
    return h.input(type="hidden", name=name, value=value)


def submit(text: str, class_: str | None = None) -> Element:
    return h.button(text, type="submit", class_=class_)
