"""Conditions about one element that need more than its target: what it says, and in which state it is."""

from __future__ import annotations

from typing import Any

from recipes_app.engine.finding.strength import css_strength

Json = dict[str, Any]
WORDING = ("role", "label", "placeholder", "alt", "title", "text")
AROUND = ("within", "frames", "page")


def says(target: Json, text: str, *, part: bool = False, any_frame: bool = False) -> tuple[bool, Json]:
    """Whether it is precise, and the condition that the element says this text.

    Two descriptions of different families must agree on one node, so a text can be asked of an element known by
    anything but words: of the element itself, or of one inside it.
    """
    words: Json = {"text": text} | ({"exact": False} if part else {})
    known = one_without_words(target)
    if known is None or any_frame:
        # Only the short form is looked for in every frame.
        there = {"kind": "element_exists", "target": target}
        return is_named(target, text), {"all": [there, {"kind": "page_text_contains", "value": text}]}
    around = kept(target, AROUND)
    itself = {"kind": "element_exists", "target": {"locators": [known, words], **around}}
    frames = kept(target, AROUND[1:])
    inside = {"kind": "element_exists", "target": {"locators": [words], "within": {"locators": [known]}, **frames}}
    return True, {"any": [itself, inside]}


def kept(target: Json, keys: tuple[str, ...]) -> Json:
    return {key: target[key] for key in keys if key in target}


def is_named(target: Json, text: str) -> bool:
    """Already found by this very text."""
    return target.get("name") == text or any(entry.get("name") == text for entry in target.get("locators", ()))


def one_without_words(target: Json) -> Json | None:
    for entry in [*target.get("locators", ()), *([{"css": target["css"]}] if "css" in target else [])]:
        if "nth" not in target and not any(kind in entry for kind in WORDING):
            return dict(entry)
    return None


def marked(target: Json, css: str) -> Json | None:
    """The same element, but only while it also fits this css; None where two descriptions of one family would meet."""
    around = kept(target, AROUND)
    known = one_without_words(target)
    if known and "css" in known and css_strength(known["css"]) == "identity":
        return {"css": ", ".join(f"{known['css']}{part.strip()}" for part in css.split(", ")), **around}
    entries = [entry for entry in target.get("locators", ()) if "css" not in entry and "xpath" not in entry]
    if target.get("role") and target.get("name"):
        entries.append({"role": target["role"], "name": target["name"]})
    return {"locators": [entries[0], {"css": css}], **around} if entries and "nth" not in target else None
