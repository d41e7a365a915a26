"""What may happen to a page between two visits: pure changes of the practice site's page trees.

Each keeps the page usable for a person: the same forms send the same fields to the same addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote
from zlib import crc32

from examples.practice.html import Element, Node, h, rewrite
from examples.practice.redesign import ID_LISTS, decoy_of, is_field
from examples.practice.synonyms import SYNONYMS

Change = Callable[[Element], Element]

NAMING_TAGS = frozenset({"label", "button", "legend", "a"})
NAMING_ATTRS = ("aria-label", "placeholder")
FOREIGN = str.maketrans("aceinorsuyzACEINORSUYZ", "áçéíñóřšúýžÁÇÉÍÑÓŘŠÚÝŽ")
LATE_MS = 1200
PASSING_MS = 900
COVER = "position:fixed;inset:0;z-index:9999;background:#fffd"


@dataclass(frozen=True, slots=True)
class Mutation:
    """`covers`: what has to be pressed lies under something. `rewords`: texts that prove a step may read otherwise.

    `latency_ms` is added to every request of the browser.
    """

    name: str
    help: str
    change: Change
    covers: bool = False
    rewords: bool = False
    latency_ms: int = 0


# --- names that only programs read


def renamed(word: str) -> str:
    return f"m{crc32(word.encode()):08x}"


def rename_in(document: Element, names: Iterable[str]) -> Element:
    chosen = frozenset(names)

    def change(element: Element) -> Element:
        attrs = {
            name: " ".join(map(renamed, value.split())) if name in chosen else value
            for name, value in element.attrs.items()
        }
        href = attrs.get("href", "")
        if "id" in chosen and href.startswith("#"):
            attrs["href"] = f"#{renamed(href[1:])}"
        return element.with_attrs(attrs)

    return rewrite(document, change)


def rename_ids(document: Element) -> Element:
    return rename_in(document, (name for name in ID_LISTS if name != "class"))


def rename_classes(document: Element) -> Element:
    return rename_in(document, ("class",))


# --- where things stand


def reverse_siblings(document: Element) -> Element:
    def change(element: Element) -> Element:
        if element.tag in {"ul", "tbody"}:
            return element.with_children(reversed(element.children))
        fields = reversed([node for node in element.children if is_field(node)])
        return element.with_children(next(fields) if is_field(node) else node for node in element.children)

    return rewrite(document, change)


def wrap_twice(document: Element) -> Element:
    def change(element: Element) -> Element:
        wrapped = element.tag in {"form", "button", "table", "section"} or is_field(element)
        return h.div(h.div(element)) if wrapped else element

    return rewrite(document, change)


def move_to_region(document: Element) -> Element:
    """What was right in the main part stands in a named section of it."""

    def change(element: Element) -> Element:
        return element.with_children([h.section(element.children, aria_label="Content")])

    return in_main(document, change)


def change_tags(document: Element) -> Element:
    other = {"section": "div", "h2": "h3", "h3": "h4", "article": "div", "p": "div", "fieldset": "fieldset"}

    def change(element: Element) -> Element:
        return Element(other.get(element.tag, element.tag), element.attrs, element.children)

    return rewrite(document, change)


# --- what people read


def reword(document: Element, word: Callable[[str], str], tags: frozenset[str] = NAMING_TAGS) -> Element:
    def change(element: Element) -> Element:
        attrs = {name: word(value) if name in NAMING_ATTRS else value for name, value in element.attrs.items()}
        if element.tag not in tags:
            return element.with_attrs(attrs)
        children = [word(child) if isinstance(child, str) else child for child in element.children]
        return element.with_attrs(attrs).with_children(children)

    return rewrite(document, change)


def is_ours(text: str) -> bool:
    """A word of the shop itself, not of its goods."""
    return text.strip().removesuffix("*").strip() in SYNONYMS


def upper_case(document: Element) -> Element:
    return reword(document, lambda text: text.upper() if is_ours(text) else text)


def other_language(document: Element) -> Element:
    """Words nobody has recorded, of the same length, for controls and for what the shop says."""
    controls = reword(document, lambda text: text.translate(FOREIGN) if is_ours(text) else text)

    def change(element: Element) -> Element:
        said = element.attrs.get("role") == "status"
        return element.with_children(
            child.translate(FOREIGN) if said and isinstance(child, str) else child for child in element.children
        )

    return rewrite(controls, change)


def rotate_labels(document: Element) -> Element:
    """Each field of a form has the name of the one before."""

    def change(form: Element) -> Element:
        labels = [part for part in form.descendants() if part.tag == "label" and part.attrs.get("for")]
        if form.tag != "form" or len(labels) < 2:
            return form
        turned = iter([labels[-1], *labels[:-1]])

        def relabel(element: Element) -> Element:
            is_label = element.tag == "label" and bool(element.attrs.get("for"))
            return element.with_children(next(turned).children) if is_label else element

        return rewrite(form, relabel)

    return rewrite(document, change)


# --- others of the same name


def decoys(document: Element, place: Callable[[Element], list[Node]]) -> Element:
    """`place` says what stands instead of a form, or of a button outside a form."""

    def expand(nodes: Iterable[Node]) -> Iterator[Node]:
        for node in nodes:
            if isinstance(node, str) or "data-cookie-banner" in node.attrs:
                yield node
            elif node.tag in {"form", "button"}:
                yield from place(node)
            else:
                yield node.with_children(expand(node.children))

    return document.with_children(expand(document.children))


def decoy_after(document: Element) -> Element:
    return decoys(document, lambda node: [node, decoy_of(node)])


def hidden_twin(document: Element) -> Element:
    """The form for small screens, which this screen does not show."""
    return decoys(document, lambda node: [hidden(decoy_of(node)), node])


def hidden(element: Element) -> Element:
    return element.with_attrs({**element.attrs, "hidden": "", "style": "display:none"})


def similar_buttons(document: Element) -> Element:
    """Beside each button that sends a form, two more whose names begin or end like it."""

    def expand(nodes: Iterable[Node]) -> Iterator[Node]:
        for node in nodes:
            if isinstance(node, str) or "data-cookie-banner" in node.attrs:
                yield node
            elif node.tag == "button" and node.attrs.get("type", "submit") == "submit":
                yield other_button(f"{node.text} as draft")
                yield node
                yield other_button(f"Do not {node.text.lower()}")
            else:
                yield node.with_children(expand(node.children))

    return document.with_children(expand(document.children))


def other_button(name: str) -> Element:
    address = f"/decoy?name={quote(name)}"
    return h.button(name, type="submit", formaction=address, formmethod="post", formnovalidate=True, data_decoy=True)


def stolen_ids(document: Element) -> Element:
    """What had an id has another; a field nobody recorded has got it."""

    def expand(nodes: Iterable[Node]) -> Iterator[Node]:
        for node in nodes:
            if isinstance(node, str):
                yield node
                continue
            if node.tag in {"input", "select", "textarea"} and node.attrs.get("id"):
                yield h.input(id=node.attrs["id"], type="text", aria_label="Discount code", data_decoy=True)
                yield node.with_attrs({**node.attrs, "id": renamed(node.attrs["id"])})
            elif node.tag == "label" and node.attrs.get("for"):
                yield node.with_attrs({**node.attrs, "for": renamed(node.attrs["for"])})
            else:
                yield node.with_children(expand(node.children))

    return document.with_children(expand(document.children))


# --- what lies over it, and when it comes


def at_end_of_body(document: Element, *added: Element) -> Element:
    def change(element: Element) -> Element:
        return element.with_children([*element.children, *added]) if element.tag == "body" else element

    return rewrite(document, change)


def in_main(document: Element, change: Change) -> Element:
    return rewrite(document, lambda element: change(element) if element.tag == "main" else element)


def overlay(document: Element) -> Element:
    return at_end_of_body(document, h.div(h.p("Ten per cent off, today only"), style=COVER))


def passing_overlay(document: Element) -> Element:
    goes = later("document.getElementById('passing').remove()", PASSING_MS)
    return at_end_of_body(document, h.div("Just a moment", id="passing", style=COVER), goes)


def consent_banner(document: Element) -> Element:
    button = h.button("Reject all", type="button", onclick="this.closest('[role=dialog]').remove()")
    banner = h.div(h.h2("Cookies"), h.p("We use cookies."), button, role="dialog", aria_label="Cookies", style=COVER)
    marked = banner.with_attrs({**banner.attrs, "data-cookie-banner": ""})
    return at_end_of_body(document, marked)


def late_content(document: Element) -> Element:
    def hide(main: Element) -> Element:
        return main.with_attrs({**main.attrs, "style": "visibility:hidden"})

    comes = later("document.querySelector('main').style.visibility = ''", LATE_MS)
    return at_end_of_body(in_main(document, hide), comes)


def later(statement: str, ms: int) -> Element:
    """A script; its text must have no character that is escaped in HTML."""
    return h.script(f"setTimeout(function () {{ {statement} }}, {ms})")


def same(document: Element) -> Element:
    return document


def all_at_once(document: Element) -> Element:
    for change in (rename_ids, rename_classes, reverse_siblings, move_to_region, wrap_twice):
        document = change(document)
    return document


MUTATIONS = (
    Mutation("ids", "every id renamed", rename_ids),
    Mutation("classes", "every class renamed", rename_classes),
    Mutation("order", "fields, list items and rows in reverse order", reverse_siblings),
    Mutation("wrappers", "two more boxes around every form, field, table and button", wrap_twice),
    Mutation("region", "the content moved into a section with a name", move_to_region),
    Mutation("tags", "headings, sections, articles and paragraphs are other tags", change_tags),
    Mutation("everything", "ids, classes, order, wrappers and place changed at once", all_at_once),
    Mutation("case", "controls named in capitals", upper_case),
    Mutation("language", "controls and messages in other words", other_language, rewords=True),
    Mutation("labels", "each field named like the one before it", rotate_labels),
    Mutation("decoy-after", "after every form and button another of the same name", decoy_after),
    Mutation("hidden-twin", "before every form a hidden one of the same names", hidden_twin),
    Mutation("similar", "beside every button two of nearly its name", similar_buttons),
    Mutation("stolen-ids", "every field's id belongs to a new field", stolen_ids),
    Mutation("overlay", "an overlay that nothing closes", overlay, covers=True),
    Mutation("passing-overlay", "an overlay that goes after 0.9 s", passing_overlay),
    Mutation("banner", "a cookie banner over everything", consent_banner),
    Mutation("late", "the content shown after 1.2 s", late_content),
    Mutation("latency", "every request takes 0.8 s longer", same, latency_ms=800),
)
REDESIGNS = (
    Mutation("redesign-1", "all ids and classes renamed", same),
    Mutation("redesign-2", "order changed and wrappers added", same),
    Mutation("redesign-3", "a decoy of the same name before every form and button", same),
    Mutation("redesign-4", "labels and buttons renamed", same, rewords=True),
)
UNCHANGED = Mutation("unchanged", "the pages as they were recorded", same)
VARIANTS = (UNCHANGED, *REDESIGNS, *MUTATIONS)
