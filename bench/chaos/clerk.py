"""Answers the agent's questions by what each prompt says, and by nothing else: who was interrupted looks first."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
ELEMENT = re.compile(r'^(\d+) (\w+) "((?:[^"\\]|\\.)*)"(.*)$')
VALUE = re.compile(r'= "((?:[^"\\]|\\.)*)"')
UNTIL = "2026-06-30"
OTHER_WORDS: Json = {"task_type": "form", "action_sequence": ["fill in", "send"], "tips": [], "avoid": [], "note": ""}


@dataclass(frozen=True)
class Element:
    number: int
    role: str
    name: str
    rest: str

    @property
    def value(self) -> str:
        found = VALUE.search(self.rest)
        return found[1] if found else ""


class Question:
    """One prompt of the agent, read."""

    def __init__(self, text: str) -> None:
        self.before, _, self.page = text.partition("The page now:\n")
        self.sample: Json = json.loads(self._after("Sample: "))
        self.url = next(line for line in self.page.splitlines() if line.startswith("http"))
        self.elements = [Element(int(n), r, name, rest) for n, r, name, rest in self._elements()]

    @property
    def was_interrupted(self) -> bool:
        return "Note: You were interrupted" in self.before

    @property
    def kept(self) -> list[str]:
        return self._after("Kept pictures and files: ").split(", ")

    @property
    def is_marked_sent(self) -> bool:
        return "sent" in self._after("Milestones reached: ").split(", ")

    def number(self, role: str, name: str) -> int:
        return next(each.number for each in self.elements if (each.role, each.name) == (role, name))

    def fact(self, title: str) -> str:
        """What stands after this title, on the same line or the next."""
        lines = [line.strip() for line in self.page.splitlines() if line.strip()]
        for at, line in enumerate(lines):
            if line.startswith(f"{title}: "):
                return line.removeprefix(f"{title}: ")
            if line == title:
                return lines[at + 1]
        raise LookupError(f"no {title} in:\n{self.page}")

    def own_request(self) -> str:
        """The number in the row of the list that has this sample's reason; empty where there is none."""
        cells = [cell.strip() for line in self.page.splitlines() for cell in line.split("|")]
        number = ""
        for cell in cells:
            number = cell if re.fullmatch(r"AR-\d+", cell) else number
            if cell == self.sample["reason"]:
                return number
        return ""

    def _elements(self) -> list[tuple[str, ...]]:
        return [found.groups() for line in self.page.splitlines() if (found := ELEMENT.match(line))]

    def _after(self, start: str) -> str:
        lines = self.before.splitlines()
        return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def answer(request: Json) -> Json:
    """To a plain request as tests/llm_desk/reading.py describes it."""
    names = {tool["name"] for tool in request["tools"]}
    if "done" not in names:
        return _other(request)
    name, given = move(Question(request["messages"][0]["text"]))
    return {"tool": name, "arguments": {**given, "next_goal": "as the task says"}}


def move(question: Question) -> tuple[str, Json]:
    path = question.url.partition("/office/access")[2]
    root = question.url.partition("/office/access")[0] + "/office/access"
    if path.startswith("/new"):
        if question.was_interrupted:
            return "goto", {"url": f"{root}?person={question.sample['employee']}"}
        return fill_in(question)
    if path.startswith("?") or not path:
        number = question.own_request()
        link = root + (f"/{number.removeprefix('AR-')}" if number else "/new")
        return "goto", {"url": link}
    return take_down(question)


def fill_in(question: Question) -> tuple[str, Json]:
    wanted = {"Employee number": question.sample["employee"], "Until": UNTIL, "Reason": question.sample["reason"]}
    for each in question.elements:
        if each.name in wanted and each.value != wanted[each.name]:
            return "type", {"element": each.number, "text": wanted[each.name]}
        if each.name == "System" and each.value.lower() != "ledger":
            return "select_option", {"element": each.number, "value": "Ledger"}
        if each.name == "The manager agrees" and "checked" not in each.rest:
            return "click", {"element": each.number}
    return "click", {"element": question.number("button", "Send request")}


def take_down(question: Question) -> tuple[str, Json]:
    facts = {"request": question.fact("Request"), "state": question.fact("State")}
    if not question.is_marked_sent:
        return "save_progress", {"extracted": facts, "milestones": ["sent"]}
    if "confirmation" not in question.kept:
        return "screenshot", {"label": "confirmation"}
    if "receipt" not in question.kept:
        return "download", {"element": question.number("link", "Download the receipt"), "label": "receipt"}
    return "done", {"extracted": facts}


def _other(request: Json) -> Json:
    schema = request["response_format"].get("schema")
    if request["tool_choice"]["name"] == "answer":
        schema = next(tool["schema"] for tool in request["tools"] if tool["name"] == "answer")
    if not schema:
        return {"text": "FOUND: what was saved\nGAPS: none\nNEXT: go on"}
    data = {name: OTHER_WORDS[name] for name in schema["properties"] if name in OTHER_WORDS}
    if request["tool_choice"]["name"] == "answer":
        return {"tool": "answer", "arguments": data}
    return {"json": data}
