"""The few conditions that recordings write as JavaScript, read without running anything."""

from __future__ import annotations

import json
import re
from typing import Any

Json = dict[str, Any]
TEXT = r"(?P<quote>[\"'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"
QUERY = rf"document\.querySelector\(\s*{TEXT}\s*\)"
ADDRESS = r"(?:window\.|document\.)?location(?:\.href|\.pathname|\.toString\(\))?|document\.URL"
SAID = r"document\.(?:body|documentElement)\.(?:innerText|textContent|innerHTML)"
FINDS = r"\.(?:includes|indexOf|search)"
FOUND = r"\s*(?:(?:!==?|>)\s*-1|>=\s*0)"
IS_SOMETHING = r"\s*!==?\s*(?:null|undefined)"
IS_NOTHING = r"\s*===?\s*(?:null|undefined)"

# (pattern, what it means); a pattern must fit the whole expression.
PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), meaning)
    for pattern, meaning in (
        (rf"(?:!!)?{QUERY}(?:{IS_SOMETHING})?", "exists"),
        (rf"{QUERY}{IS_NOTHING}", "absent"),
        (rf"document\.querySelectorAll\(\s*{TEXT}\s*\)\.length\s*(?:>\s*0|>=\s*1)?", "exists"),
        (rf"document\.querySelectorAll\(\s*{TEXT}\s*\)\.length\s*===?\s*0", "absent"),
        (rf"document\.getElementById\(\s*{TEXT}\s*\)(?:{IS_SOMETHING})?", "id"),
        (rf"(?:{ADDRESS})\.(?:includes)\(\s*{TEXT}\s*\)", "url_contains"),
        (rf"(?:{ADDRESS}){FINDS}\(\s*{TEXT}\s*\){FOUND}", "url_contains"),
        (rf"{SAID}\.includes\(\s*{TEXT}\s*\)", "page_text_contains"),
        (rf"{SAID}{FINDS}\(\s*{TEXT}\s*\){FOUND}", "page_text_contains"),
    )
)
NEGATED = re.compile(r"!\s*\((?P<inner>.*)\)|!(?P<bare>(?!!).*)", re.DOTALL)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
MAX_EXPRESSION = 2000


def as_condition(expression: str, depth: int = 0) -> Json | None:
    """The condition in the words of a recipe; None where the expression is anything else."""
    plain = bare(expression)
    if len(plain) > MAX_EXPRESSION or depth > 3:
        return None
    for pattern, meaning in PATTERNS:
        if match := pattern.fullmatch(plain):
            return condition(meaning, ESCAPE.sub(r"\1", match["text"]))
    if match := NEGATED.fullmatch(plain):
        inner = as_condition(match["inner"] or match["bare"] or "", depth + 1)
        return None if inner is None else {"not": inner}
    return None


def bare(expression: str) -> str:
    plain = expression.strip()
    plain = re.sub(r"^return\s+", "", plain).rstrip("; \n\t")
    if plain.startswith("(") and plain.endswith(")") and ")" not in plain[1:-1].replace("()", ""):
        plain = plain[1:-1].strip()
    return plain


def condition(meaning: str, text: str) -> Json | None:
    if not text:
        return None
    if meaning in {"url_contains", "page_text_contains"}:
        return {"kind": meaning, "value": text}
    css = f"[id={json.dumps(text)}]" if meaning == "id" else text
    return {"kind": "element_absent" if meaning == "absent" else "element_exists", "target": {"css": css}}
