"""A small element builder: pages are trees first and text last, so that a redesign can rewrite them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Union

VOID_TAGS = frozenset({"br", "hr", "img", "input", "link", "meta", "col", "source"})

Node = Union["Element", str]


@dataclass(frozen=True)
class Element:
    tag: str
    attrs: dict[str, str]
    children: tuple[Node, ...] = ()

    @property
    def classes(self) -> list[str]:
        return self.attrs.get("class", "").split()

    @property
    def text(self) -> str:
        parts = (child if isinstance(child, str) else child.text for child in self.children)
        return "".join(parts).strip()

    def with_attrs(self, attrs: dict[str, str]) -> Element:
        return replace(self, attrs=attrs)

    def with_children(self, children: Iterable[Node]) -> Element:
        return replace(self, children=tuple(children))

    def descendants(self) -> Iterator[Element]:
        """Every element below this one, in document order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.descendants()


class Tags:
    """`h.a("Home", href="/", class_="brand")` is `<a href="/" class="brand">Home</a>`.

    Attributes that are True are written without a value; those that are None or False are left out.
    """

    def __getattr__(self, tag: str) -> Callable[..., Element]:
        def build(*children: Any, **attrs: Any) -> Element:
            return Element(tag, _clean_attrs(attrs), tuple(_flatten(children)))

        return build


h = Tags()


def _clean_attrs(attrs: dict[str, Any]) -> dict[str, str]:
    kept = {name: value for name, value in attrs.items() if value is not None and value is not False}
    return {_attr_name(name): "" if value is True else str(value) for name, value in kept.items()}


def _attr_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _flatten(children: Iterable[Any]) -> Iterator[Node]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Element | str):
            yield child
        elif isinstance(child, Iterable):
            yield from _flatten(child)
        else:
            yield str(child)


def rewrite(node: Element, change: Callable[[Element], Element]) -> Element:
    """The tree with `change` applied to every element, the innermost first."""
    children = [child if isinstance(child, str) else rewrite(child, change) for child in node.children]
    return change(node.with_children(children))


def render(node: Node) -> str:
    if isinstance(node, str):
        return escape(node, quote=False)
    opening = f"<{node.tag}{_render_attrs(node.attrs)}>"
    if node.tag in VOID_TAGS:
        return opening
    # A parser drops the first line break inside a textarea, so one is spent on purpose.
    padding = "\n" if node.tag == "textarea" else ""
    return f"{opening}{padding}{''.join(map(render, node.children))}</{node.tag}>"


def render_document(root: Element) -> bytes:
    return f"<!doctype html>\n{render(root)}\n".encode()


def _render_attrs(attrs: dict[str, str]) -> str:
    return "".join(f" {name}" if value == "" else f' {name}="{escape(value)}"' for name, value in attrs.items())
