"""The site after a redesign: the same pages, rewritten as a web agency might.

1: all ids and classes renamed; 2: order changed and wrappers added;
3: a decoy of the same name before every form and button; 4: labels and buttons renamed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from urllib.parse import quote
from zlib import crc32

from examples.practice.html import Element, Node, h, rewrite
from examples.practice.synonyms import SYNONYMS

ID_LISTS = ("id", "class", "for", "list", "form", "aria-controls", "aria-labelledby", "aria-describedby")
NAMED_TAGS = frozenset({"label", "button", "legend"})
NAMING_ATTRS = ("aria-label", "placeholder")
DECOY_DROPS = re.compile(r"data-.*|aria-.*|role|list|required|autocomplete|checked")


def redesign(design: str, document: Element) -> Element:
    change = DESIGNS.get(design)
    return change(document) if change else document


def rename(name: str) -> str:
    return f"x{crc32(name.encode()):08x}"


def rename_stylesheet(css: str) -> str:
    return re.sub(r"\.([a-z][\w-]*)", lambda found: f".{rename(found[1])}", css)


def rename_everything(document: Element) -> Element:
    return rewrite(document, _rename_attrs)


def _rename_attrs(element: Element) -> Element:
    attrs = {name: _renamed_value(name, value) for name, value in element.attrs.items()}
    return element.with_attrs(attrs)


def _renamed_value(name: str, value: str) -> str:
    if name in ID_LISTS:
        return " ".join(map(rename, value.split()))
    if name == "href" and value.startswith("#"):
        return f"#{rename(value[1:])}"
    return value


def reorder_everything(document: Element) -> Element:
    return rewrite(document, lambda element: _wrap(_reorder(element)))


def _reorder(element: Element) -> Element:
    if element.tag == "ul":
        return element.with_children(reversed(element.children))
    if element.tag == "main":
        return element.with_children(_reversed_where(_holds_section, element.children))
    return element.with_children(_reversed_where(is_field, element.children))


def _reversed_where(chosen: Callable[[Node], bool], nodes: Iterable[Node]) -> list[Node]:
    """The chosen nodes in reverse order, all others where they were."""
    nodes = list(nodes)
    turned = reversed([node for node in nodes if chosen(node)])
    return [next(turned) if chosen(node) else node for node in nodes]


def is_field(node: Node) -> bool:
    return isinstance(node, Element) and "field" in node.classes


def _holds_section(node: Node) -> bool:
    return isinstance(node, Element) and (node.tag == "section" or _is_wrapper_of(node, "section"))


def _is_wrapper_of(node: Element, tag: str) -> bool:
    return "wrapper" in node.classes and any(inner.tag == tag for inner in node.descendants())


def _wrap(element: Element) -> Element:
    if element.tag not in {"form", "section", "table"}:
        return element
    return h.div(h.div(element, class_="wrapper-inner"), class_="wrapper")


def add_decoys(document: Element) -> Element:
    return document.with_children(_with_decoys(document.children))


def _with_decoys(nodes: Iterable[Node]) -> list[Node]:
    return [node for original in nodes for node in _decoy_and(original)]


def _decoy_and(node: Node) -> list[Node]:
    if isinstance(node, str) or "data-cookie-banner" in node.attrs:
        return [node]
    if node.tag in {"form", "button"}:
        return [decoy_of(node), node]
    return [node.with_children(_with_decoys(node.children))]


def decoy_of(node: Element) -> Element:
    """A form that looks like `node` and only counts how often somebody fell for it."""
    parts = [node, *node.descendants()]
    buttons = [part for part in parts if part.tag == "button"]
    name = buttons[0].text if buttons else ""
    return h.form(
        [_disguise(part) for part in parts if is_field(part)],
        [h.button(button.text, type="submit", class_=button.attrs.get("class")) for button in buttons],
        method="post",
        action=f"/decoy?name={quote(name)}",
        class_="partner",
        aria_label="Partner offer",
    )


def _disguise(field: Element) -> Element:
    return rewrite(field, _disguise_element)


def _disguise_element(element: Element) -> Element:
    attrs = {name: value for name, value in element.attrs.items() if not DECOY_DROPS.fullmatch(name)}
    attrs |= {name: f"partner-{attrs[name]}" for name in ("id", "for", "name") if name in attrs}
    return element.with_attrs(attrs).with_children(filter(_may_be_copied, element.children))


def _may_be_copied(node: Node) -> bool:
    return isinstance(node, str) or (node.tag not in {"datalist", "ul"} and "error" not in node.classes)


def rename_labels(document: Element) -> Element:
    return rewrite(document, _rename_label)


def _rename_label(element: Element) -> Element:
    attrs = dict(element.attrs)
    attrs |= {name: synonym(attrs[name]) for name in NAMING_ATTRS if name in attrs}
    if element.tag not in NAMED_TAGS and element.tag != "a":
        return element.with_attrs(attrs)
    children = [synonym(child) if isinstance(child, str) else child for child in element.children]
    return element.with_attrs(attrs).with_children(children)


def synonym(text: str) -> str:
    """Another word for a label; spaces around it and the asterisk of a required field stay."""
    label = text.strip().removesuffix("*").strip()
    return text.replace(label, SYNONYMS[label]) if label in SYNONYMS else text


# A bench adds its own.
DESIGNS: dict[str, Callable[[Element], Element]] = {
    "1": rename_everything,
    "2": reorder_everything,
    "3": add_decoys,
    "4": rename_labels,
}
