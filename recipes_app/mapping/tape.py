"""What a person did, folded into the steps a recipe would have: one `type` for many keys, no click that only focuses.

An entry is plain JSON: {"id", "op", "fields", "target", "page", "url", "node", "value", "expect", "sent", "opens",
"problem"}. `value` is what is offered as a parameter (offered.py); `sent` the requests that could change the site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from recipes_app.browser.listening import Heard
from recipes_app.mapping.offered import offer, offer_row

Json = dict[str, Any]
# A page that comes so soon after a deed came of it.
CAME_OF_IT_MS = 5000
FILLING = {
    "type": "type",
    "select": "select",
    "radio": "choose",
    "check": "check",
    "date": "set_date",
    "files": "upload",
}
ACTING = frozenset({"click", "double_click", "press", "press_enter", "drag", "download"})
NEW_PAGES = frozenset({"goto", "back", "reload"})


@dataclass(slots=True)
class Tape:
    entries: list[Json] = field(default_factory=list)
    opened: set[int] = field(default_factory=set)
    expected_arrivals: int = 0
    last_deed_at: float = 0.0

    def add(self, heard: Heard) -> bool:
        """Whether anything has changed."""
        handle = HANDLERS.get(heard.kind)
        if handle is None:
            return False
        at = float(heard.more.get("at") or 0)
        changed = handle(self, heard)
        if at and heard.kind != "arrive":
            self.last_deed_at = at
        return changed

    def note_sent(self, request: str) -> bool:
        if not self.entries or request in self.entries[-1]["sent"]:
            return False
        self.entries[-1]["sent"].append(request)
        return True

    def values(self) -> Json:
        return {entry["value"]["name"]: entry["value"]["given"] for entry in self.entries if entry["value"]}

    # --- folding

    def arrive(self, heard: Heard) -> bool:
        how = heard.more.get("how")
        if self.expected_arrivals or heard.page in self.opened:
            self.expected_arrivals = max(0, self.expected_arrivals - 1)
            self.opened.discard(heard.page)
            return False
        if how in {"back_forward", "reload"}:
            return self._put(heard, "back" if how == "back_forward" else "reload")
        soon = float(heard.more.get("at") or 0) - self.last_deed_at < CAME_OF_IT_MS
        if self.entries and (heard.more.get("referred") or soon):
            return False
        return self.go(heard)

    def go(self, heard: Heard) -> bool:
        """An address entered; one that was left again without doing anything there is forgotten."""
        url = str(heard.more.get("to") or heard.url)
        if heard.kind == "goto":
            self.expected_arrivals += 1
        if self.entries and self.entries[-1]["op"] == "goto" and self.entries[-1]["page"] == heard.page:
            self.entries.pop()
        return self._put(heard, "goto", url=url)

    def back(self, heard: Heard) -> bool:
        self.expected_arrivals += 1
        last = self.entries[-1] if self.entries else None
        if heard.kind == "back" and last and last["op"] == "click" and not last["sent"] and not last["opens"]:
            self.entries.pop()
            return True
        return self._put(heard, heard.kind)

    def fill(self, heard: Heard) -> bool:
        given = heard.more.get("value")
        known = self._earlier(heard.node)
        if known is None and not given and heard.kind in {"type", "date"}:
            return False
        if known is None:
            return self._put(heard, FILLING[heard.kind], kind=heard.kind, given=given)
        offered = offer(heard.kind, heard.facts, given, ())
        changed = bool(known["value"]["given"] != offered["given"])
        known["value"] |= {"given": offered["given"], "schema": offered["schema"]}
        return changed

    def enter(self, heard: Heard) -> bool:
        last = self.entries[-1] if self.entries else None
        if last and last["op"] == "type" and last["node"] == heard.node:
            last["fields"]["press_enter"] = True
            return True
        return self._put(heard, "press_enter")

    def click(self, heard: Heard) -> bool:
        if heard.owner is not None:
            return self._choose(heard)
        return self._put(heard, "click")

    def double(self, heard: Heard) -> bool:
        while self.entries and self.entries[-1]["op"] == "click" and self.entries[-1]["node"] == heard.node:
            self.entries.pop()
        return self._put(heard, "double_click")

    def key(self, heard: Heard) -> bool:
        return self._put(heard, "press", key=str(heard.more.get("key")))

    def drag(self, heard: Heard) -> bool:
        to = dict(heard.to) if heard.to else heard.more.get("by")
        return bool(to) and self._put(heard, "drag", to=to)

    def page_opened(self, heard: Heard) -> bool:
        self.opened.add(heard.page)
        if not self.entries or heard.page == 0:
            return False
        self.entries[-1]["opens"].append(heard.page)
        return True

    def download(self, _heard: Heard) -> bool:
        last = self.entries[-1] if self.entries else None
        if last is None or last["op"] != "click":
            return False
        last["op"], last["fields"] = "download", {"key": "file"}
        return True

    def dialog(self, heard: Heard) -> bool:
        if not self.entries:
            return False
        told = {name: heard.more[name] for name in ("type", "message", "answer", "text") if heard.more.get(name)}
        self.entries[-1]["dialog"] = told
        return True

    def _choose(self, heard: Heard) -> bool:
        """A choice out of a list: what opened the list, and what was typed to find it, is part of choosing."""
        owner = f"{heard.more.get('doc', '')}:{heard.more.get('owner', 0)}"
        while (
            self.entries and self.entries[-1]["node"] == owner and self.entries[-1]["op"] in {"type", "click", "press"}
        ):
            self.entries.pop()
        words = str(heard.facts.get("words", ""))
        label = _name_in(heard.owner or {})
        facts = {"label": label, "words": words, "offered": heard.facts.get("offered") or []}
        self._put(heard, "choose", kind="choose", given=words, facts=facts)
        self.entries[-1] |= {"node": owner, "target": dict(heard.owner or {}), "problem": ""}
        return True

    def _earlier(self, node: str) -> Json | None:
        """The entry that filled this field before, unless something was done since that may have taken it."""
        for entry in reversed(self.entries):
            if entry["node"] == node and entry["value"] and entry["op"] in FILLING.values():
                return entry
            if entry["sent"]:
                return None
        return None

    def _put(
        self, heard: Heard, op: str, *, kind: str = "", given: Any = None, facts: Any = None, **fields: Any
    ) -> bool:
        taken = set(self.values())
        value = offer(kind, facts or heard.facts, given, taken) if kind else None
        row = _row_words(heard.target)
        if value is None and row and op in ACTING:
            value = offer_row(row, heard.facts, taken)
        self.entries.append(
            {
                "id": max((entry["id"] for entry in self.entries), default=0) + 1,
                "op": op,
                "fields": dict(fields),
                "target": dict(heard.target) if heard.target else None,
                "page": heard.page,
                "url": heard.url,
                "node": heard.node,
                "value": value,
                "expect": None,
                "dialog": None,
                "sent": [],
                "opens": [],
                "words": str(heard.facts.get("words", ""))[:120],
                "posts": bool(heard.facts.get("posts")),
                "problem": heard.problem,
            }
        )
        return True


def _row_words(target: Mapping[str, Any] | None) -> str:
    within = (target or {}).get("within") or {}
    return str(within.get("text") or "") if within.get("role") or within.get("css") else ""


def _name_in(target: Mapping[str, Any]) -> str:
    return str((target.get("fingerprint") or {}).get("name") or "")


HANDLERS: dict[str, Callable[[Tape, Heard], bool]] = {
    "arrive": Tape.arrive,
    "goto": Tape.go,
    "back": Tape.back,
    "reload": Tape.back,
    **dict.fromkeys(FILLING, Tape.fill),
    "enter": Tape.enter,
    "click": Tape.click,
    "double": Tape.double,
    "key": Tape.key,
    "drag": Tape.drag,
    "opened": Tape.page_opened,
    "download": Tape.download,
    "dialog": Tape.dialog,
}
