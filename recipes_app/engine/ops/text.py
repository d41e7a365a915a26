"""Ops of the keyboard: type, press, press_enter."""

from __future__ import annotations

from recipes_app.browser.looking import Wish
from recipes_app.engine.act import Act
from recipes_app.engine.fields import field_of, put
from recipes_app.engine.finding.outcome import Found
from recipes_app.engine.substitution import as_words, placeholders


def type_text(act: Act) -> None:
    found = act.find(wish=Wish(("field",)))
    remember_secret(act, found)
    field = field_of(act, found)
    put(act, field, as_words(act.get("text", "")), keys=bool(act.get("keys")))
    # A page that answers while one types may have put another field in its place: it was sent by typing.
    if act.get("press_enter") and field.node.count():
        act.left = None
        field.node.press("Enter", timeout=act.left_ms, no_wait_after=True)


def remember_secret(act: Act, found: Found) -> None:
    """Fields that hold a secret are blacked out in every picture taken later."""
    names = placeholders(act.original.fields.get("text"))
    if any(act.scene.arguments.get(name) in act.scene.secrets for name in names):
        act.scene.secret_fields.append(found.locator)


def press(act: Act) -> None:
    press_key(act, str(act.get("key")))


def press_enter(act: Act) -> None:
    press_key(act, "Enter")


def press_key(act: Act, key: str) -> None:
    if act.target is None:
        act.send()
        act.session.page.keyboard.press(key)
        return
    found = act.find()
    act.send()
    found.locator.press(key, timeout=act.left_ms, no_wait_after=True)
