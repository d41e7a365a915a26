"""What a survey knows of a page, as frozen dataclasses. The in-page script writes them, the rules read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar, cast

Built = TypeVar("Built")


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the page's picture, in CSS pixels from its top left corner."""

    x: float
    y: float
    width: float
    height: float


NOWHERE = Box(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class FrameFacts:
    """One iframe on the way from the page to what was seen, outermost first."""

    name: str
    title: str
    src: str


@dataclass(frozen=True, slots=True)
class Context:
    label: str = ""
    caption: str = ""
    heading: str = ""
    landmark: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str
    selected: bool = False
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class FieldFacts:
    type: str
    tag: str
    role: str
    name: str
    label: str
    group: str
    attribute_name: str
    element_id: str
    test_id: str
    placeholder: str
    title: str
    autocomplete: str
    required: bool
    disabled: bool
    read_only: bool
    checked: bool
    multiple: bool
    accept: str
    minimum: str
    maximum: str
    step: str
    pattern: str
    min_length: int | None
    max_length: int | None
    options: tuple[Choice, ...]
    default: str
    value: str
    help: str
    popup: bool
    box: Box
    identity: str
    place: str
    beside: str = ""


@dataclass(frozen=True, slots=True)
class ButtonFacts:
    name: str
    role: str
    tag: str
    type: str
    attribute_name: str
    test_id: str
    disabled: bool
    action: str
    method: str
    confirm: bool
    css_class: str
    box: Box
    identity: str
    place: str
    turns_page: bool = False
    opens: bool = False
    expands: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Fields that an entry of a form's menu shows; `back` shows the menu again, where the panel stands in its place."""

    opener: ButtonFacts
    fields: tuple[FieldFacts, ...]
    back: ButtonFacts | None


@dataclass(frozen=True, slots=True)
class PagerFacts:
    """What shows the next part of a list: `grows` where it stays on the page and the list gets longer.

    Without a button it is scrolling that does; then `items` is the selector of the rows, `scroller` that of what is
    scrolled ("" for the page).
    """

    button: ButtonFacts | None
    grows: bool
    items: str = ""
    scroller: str = ""


@dataclass(frozen=True, slots=True)
class FormFacts:
    method: str
    action: str
    is_form: bool
    role: str
    element_id: str
    css_class: str
    encoding: str
    confirm: bool
    in_row: bool
    text: str
    fields: tuple[FieldFacts, ...]
    fields_total: int
    hidden: tuple[str, ...]
    buttons: tuple[ButtonFacts, ...]
    chrome: bool
    sibling_forms: int
    box: Box
    context: Context
    identity: str
    place: str
    sends_itself: bool = False
    frames: tuple[FrameFacts, ...] = ()
    opener: ButtonFacts | None = None
    earlier: tuple[FormFacts, ...] = ()
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemField:
    """One thing each item of a list has: where it is in the item, and what it said in the first items."""

    css: str
    attr: str
    values: tuple[str | None, ...]
    before: str
    itemprop: str
    label: str
    css_class: str
    tag: str
    heading: bool
    link: bool


@dataclass(frozen=True, slots=True)
class RowAction:
    """`menu`: it opens a menu; `opener` is the name of the button in the row whose menu this is an entry of."""

    name: str
    role: str
    tag: str
    count: int
    css_class: str
    href: str
    method: str
    confirm: bool
    menu: bool = False
    opener: str = ""


@dataclass(frozen=True, slots=True)
class ListFacts:
    items_css: str
    step: str
    container_css: str
    total: int
    fields: tuple[ItemField, ...]
    actions: tuple[RowAction, ...]
    texts: tuple[str, ...]
    text_size: int
    tag: str
    role: str
    item_role: str
    chrome: bool
    chrome_words: bool
    controls: int
    box: Box
    context: Context
    inside: tuple[str, ...] = ()
    frames: tuple[FrameFacts, ...] = ()
    opener: ButtonFacts | None = None
    scroller: str = ""


@dataclass(frozen=True, slots=True)
class TableFacts:
    css: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    links: tuple[str, ...]
    actions: tuple[RowAction, ...]
    chrome: bool
    controls: int
    box: Box
    context: Context
    frames: tuple[FrameFacts, ...] = ()
    opener: ButtonFacts | None = None
    scroller: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    term: str
    value: str


@dataclass(frozen=True, slots=True)
class DefinitionFacts:
    css: str
    pairs: tuple[Pair, ...]
    items_css: str
    term_css: str
    value_css: str
    linked: bool
    chrome: bool
    box: Box
    context: Context
    frames: tuple[FrameFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkFacts:
    url: str
    text: str
    landmark: str
    chrome: bool
    place: str
    download: bool
    data_method: str
    confirm: bool
    visible: bool
    rel: str


@dataclass(frozen=True, slots=True)
class PageSurvey:
    """`menu`: entries of menus that are open. `sends`: what left that could change something, by opening it alone."""

    url: str
    final_url: str
    title: str
    heading: str
    lang: str
    depth: int
    status: int
    shape: str
    text: str
    text_size: int
    forms: tuple[FormFacts, ...]
    lists: tuple[ListFacts, ...]
    tables: tuple[TableFacts, ...]
    definitions: tuple[DefinitionFacts, ...]
    content: ListFacts | None
    links: tuple[LinkFacts, ...]
    links_total: int
    elements_total: int
    elements_seen: int
    picture: bytes
    picture_size: tuple[int, int]
    problems: tuple[str, ...] = ()
    refused_hosts: tuple[str, ...] = ()
    pager: PagerFacts | None = None
    openers: tuple[ButtonFacts, ...] = ()
    menu: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    why_not: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A page that was not surveyed, and why, in words."""

    url: str
    why: str


@dataclass(frozen=True, slots=True)
class Survey:
    start_url: str
    pages: tuple[PageSurvey, ...]
    skipped: tuple[Skipped, ...]


def _pick(cls: type[Built], data: Mapping[str, Any], **built: Any) -> Built:
    known = {field.name for field in fields(cast(Any, cls))}
    plain = {key: value for key, value in data.items() if key in known and key not in built}
    return cls(**plain, **built)


def _field(data: Mapping[str, Any]) -> FieldFacts:
    options = tuple(_pick(Choice, option) for option in data["options"])
    return _pick(FieldFacts, data, options=options, box=Box(**data["box"]))


def _button(data: Mapping[str, Any]) -> ButtonFacts:
    return _pick(ButtonFacts, data, box=Box(**data["box"]))


def button_from(data: Mapping[str, Any]) -> ButtonFacts:
    return _button(data)


def pager_from(data: Mapping[str, Any] | None) -> PagerFacts | None:
    return PagerFacts(_button(data["button"]), bool(data["grows"])) if data else None


def form_from(data: Mapping[str, Any], frames: tuple[FrameFacts, ...]) -> FormFacts:
    return _pick(
        FormFacts,
        data,
        fields=tuple(_field(field) for field in data["fields"]),
        buttons=tuple(_button(button) for button in data["buttons"]),
        hidden=tuple(data["hidden"]),
        box=Box(**data["box"]),
        context=Context(**data["context"]),
        frames=frames,
    )


def list_from(data: Mapping[str, Any], frames: tuple[FrameFacts, ...]) -> ListFacts:
    return _pick(
        ListFacts,
        data,
        fields=tuple(_pick(ItemField, field, values=tuple(field["values"])) for field in data["fields"]),
        actions=tuple(_pick(RowAction, action) for action in data["actions"]),
        texts=tuple(data["texts"]),
        inside=tuple(data["inside"]),
        box=Box(**data["box"]),
        context=Context(**data["context"]),
        frames=frames,
    )


def table_from(data: Mapping[str, Any], frames: tuple[FrameFacts, ...]) -> TableFacts:
    return _pick(
        TableFacts,
        data,
        headers=tuple(data["headers"]),
        rows=tuple(tuple(row) for row in data["rows"]),
        links=tuple(data["links"]),
        actions=tuple(_pick(RowAction, action) for action in data["actions"]),
        box=Box(**data["box"]),
        context=Context(**data["context"]),
        frames=frames,
    )


def definition_from(data: Mapping[str, Any], frames: tuple[FrameFacts, ...]) -> DefinitionFacts:
    return _pick(
        DefinitionFacts,
        data,
        pairs=tuple(Pair(**pair) for pair in data["pairs"]),
        box=Box(**data["box"]),
        context=Context(**data["context"]),
        frames=frames,
    )


def link_from(data: Mapping[str, Any]) -> LinkFacts:
    return _pick(LinkFacts, data)
