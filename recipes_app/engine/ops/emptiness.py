"""Whether a list that shows no items is empty, or is not there any more."""

from __future__ import annotations

import re

from recipes_app.browser.api import Error, Frame
from recipes_app.engine.act import Act
from recipes_app.engine.finding.places import frames_of
from recipes_app.engine.naming import normalise
from recipes_app.engine.shapes import Target

NOTHING = re.compile(
    r"\bno (?:\w+ ){0,3}(?:results?|match(?:es)?|found|items?|entries|records|products|articles|rows|data|orders|yet)\b"
    r"|\bnothing\b|\bnone found\b|\bnot found\b|\bdid not match\b|\b(?:is|are|currently) empty\b"
    r"|(?<![\d.,])0 (?:results?|matches|items?|entries|records|products|articles|of 0)\b"
    r"|\bkein\w* (?:\w+ ){0,2}(?:ergebnis\w*|treffer|einträge|artikel|produkte|gefunden|vorhanden)|\bnichts gefunden\b"
    r"|\baucun\w* (?:\w+ ){0,2}(?:résultat\w*|élément\w*|article\w*|produit\w*)|\brien trouvé\b"
    r"|\bsin resultados\b|\bning[uú]n\w* (?:resultado|elemento|artículo|producto)"
    r"|\bnessun\w* (?:risultat|element|articol|prodott)"
    r"|\bnenhum\w* (?:resultado|item|produto)|\bgeen (?:\w+ )?(?:resultaten|items|producten)|\bbrak wyników\b"
    r"|\binga träffar\b|\bingen (?:resultater|treff)\b|ничего не найдено|sonuç bulunamad\u0131"
    r"|見つかりません|没有找到|未找到|결과가 없습니다",
    re.IGNORECASE,
)
# What a list stands in: the selector of its items without its last part.
LAST_PART = re.compile(r"^(?P<box>.*[^\s>])\s*(?:>|\s)\s*[^\s>,]+$")
SHOWN = "(found) => found.some((e) => e.checkVisibility({ visibilityProperty: true }))"
SAID_IN = "() => (document.querySelector('main, [role=main]') || document.body).innerText"
MOST = 20_000


def is_shown_empty(act: Act, items: Target) -> bool:
    """`returns` lets it be empty (minItems 0), or its box is there, or the page says in words that nothing is."""
    return may_be_empty(act) or has_box(act, items) or says_nothing(act, items)


def may_be_empty(act: Act) -> bool:
    promised = (act.scene.recipe.returns or {}).get("properties", {}).get(str(act.get("key")), {})
    return isinstance(promised, dict) and promised.get("minItems") == 0


def has_box(act: Act, items: Target) -> bool:
    box = LAST_PART.match(items.css or "")
    if box is None or "," in (items.css or ""):
        return False
    return any(shows(act, frame, box["box"]) for frame in frames_of(act.page, items))


def shows(act: Act, frame: Frame, css: str) -> bool:
    try:
        return bool(frame.locator(f"css={css}").evaluate_all(SHOWN))
    except Error as error:
        # A document that is being replaced shows nothing; the next look decides.
        act.session.raise_if_lost(error)
        return False


def says_nothing(act: Act, items: Target) -> bool:
    return any(NOTHING.search(normalise(said_in(act, frame))[:MOST]) for frame in frames_of(act.page, items))


def said_in(act: Act, frame: Frame) -> str:
    try:
        return str(frame.evaluate(SAID_IN))
    except Error as error:
        act.session.raise_if_lost(error)
        return ""
