"""The last resort: a script that reads what the rules cannot, written by a model and kept only if it does no more.

It runs while nothing that could change the site leaves the browser; a verification then watches what it sends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recipes_app.browser.api import Error
from recipes_app.browser.session import BrowserSession
from recipes_app.engine.document import Step
from recipes_app.llm.base import Answer, Asks, Message, Request
from recipes_app.llm.errors import ModelError
from recipes_app.llm.fencing import fence
from recipes_app.mapping.bind import MIN_PART, values_of
from recipes_app.mapping.propose.draft import Draft
from recipes_app.mapping.results import Reading

PAGE_CHARACTERS = 6000
MAX_SCRIPT = 2000
FORM = re.compile(r"^\s*(\(\s*(args)?\s*\)|args)\s*=>", re.DOTALL)
# What reads needs none of these.
FORBIDDEN = re.compile(
    r"\b(fetch|XMLHttpRequest|sendBeacon|WebSocket|EventSource|eval|Function|import|cookie|localStorage|sessionStorage"
    r"|indexedDB|assign|replaceState|pushState|open|submit|requestSubmit|click|dispatchEvent|setTimeout"
    r"|setInterval|write|constructor|serviceWorker|postMessage|Image|createElement|append\w*)\b"
    r"|\b(?:location|innerHTML|outerHTML|href|src|value)\s*=(?!=)"
)
RULES = """Write a JavaScript arrow function (args) => … that reads what the tool returns off the page shown.
It returns a list of flat objects, or one flat object. It only reads: querySelector, textContent, getAttribute.
No value of this one call may stand in it. args holds the parameters. Prefer ids, roles and classes to positions."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"expr": {"type": "string"}},
    "required": ["expr"],
    "additionalProperties": False,
}
OUTLINE = """limit => {
  const copy = (document.querySelector("main,[role=main]") || document.body).cloneNode(true);
  for (const e of copy.querySelectorAll("script,style,svg,noscript,template,iframe")) e.remove();
  for (const e of copy.querySelectorAll("*")) for (const { name } of [...e.attributes])
    if (!["id", "class", "role", "href", "aria-label"].includes(name)) e.removeAttribute(name);
  return copy.outerHTML.replace(/\\s+/g, " ").slice(0, limit);
}"""


@dataclass(frozen=True, slots=True)
class Scripting:
    model: Asks
    draft: Draft
    arguments: Mapping[str, Any]

    def __call__(self, session: BrowserSession, key: str) -> Reading | None:
        """None where the model has no script that will do."""
        try:
            answer = self.model.ask(self._request(session), check=self._check)
        except ModelError:
            return None
        expr = str((answer.data or {}).get("expr", ""))
        data = self._run(session, expr)
        schema = schema_of(data)
        return Reading(Step("js_extract", {"expr": expr, "key": key}), key, schema) if schema else None

    def _request(self, session: BrowserSession) -> Request:
        page = fence(str(session.page.evaluate(OUTLINE, PAGE_CHARACTERS)), "the page's HTML")
        names = ", ".join((self.draft.parameters.get("properties") or {}).keys()) or "none"
        text = f"Tool {self.draft.name}: {self.draft.description}\nargs: {names}\n{page}"
        return Request((RULES,), (Message("user", text),), answer_schema=SCHEMA, max_tokens=900, purpose="script")

    def _check(self, answer: Answer, /) -> None:
        problem = problem_of(str((answer.data or {}).get("expr", "")), self.arguments)
        if problem:
            raise ValueError(problem)

    def _run(self, session: BrowserSession, expr: str) -> Any:
        """Tried once by itself: the step that follows reads it for the recipe."""
        try:
            return session.page.evaluate(f"args => ({expr})(args)", dict(self.arguments))
        except Error as error:
            session.raise_if_lost(error)
            return None


def problem_of(expr: str, arguments: Mapping[str, Any]) -> str | None:
    if not FORM.match(expr) or len(expr) > MAX_SCRIPT:
        return f"expr must be an arrow function (args) => … of at most {MAX_SCRIPT} characters."
    found = FORBIDDEN.search(expr)
    if found:
        return f"The script only reads; it may not have “{found.group(0)}” in it."
    literal = next((value for value in values_of(arguments) if len(value) >= MIN_PART and value in expr), None)
    return f"The value “{literal}” of this one call stands in the script; use args." if literal else None


def schema_of(data: Any) -> dict[str, Any] | None:
    """Of a list of flat objects, or of one; None for anything else, and where nothing was read."""
    if isinstance(data, list):
        if not data or not all(_is_flat(row) for row in data):
            return None
        return {"type": "array", "items": {"type": "object"}}
    return {"type": "object"} if _is_flat(data) else None


def _is_flat(row: Any) -> bool:
    if not isinstance(row, dict) or not any(value not in (None, "") for value in row.values()):
        return False
    return all(value is None or isinstance(value, str | int | float | bool) for value in row.values())
