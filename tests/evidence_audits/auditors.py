"""Auditors who read only what a prompt says. None of them knows what is true of the practice site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from recipes_app.llm.base import Answer, Request, ToolCall
from tests.evidence_audits.prompts import Prompt

Move = tuple[str, dict[str, Any]]
Reads = Callable[[Prompt], Move]
OTHER_WORDS: Mapping[str, Any] = {
    "task_type": "reading", "action_sequence": ["screenshot", "done"], "tips": [], "avoid": [], "note": "as saved",
}  # fmt: skip


@dataclass
class Auditor:
    """Answers a provider's requests by what `reads` makes of each; keeps what was asked."""

    reads: Reads
    prompts: list[Prompt] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    def __call__(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.purpose != "agent":
            return _other(request)
        prompt = Prompt("\n".join(request.system), request.messages[0].text)
        self.prompts.append(prompt)
        name, given = self.reads(prompt)
        return Answer(calls=(ToolCall(f"c{len(self.prompts)}", name, given),), stop="tools")


def _other(request: Request) -> Answer:
    if request.answer_schema:
        wanted = request.answer_schema["properties"]
        return Answer(data={name: OTHER_WORDS[name] for name in wanted if name in OTHER_WORDS})
    return Answer(text="FOUND: what was saved\nGAPS: none\nNEXT: go on")


def picture_first(prompt: Prompt, label: str) -> Move | None:
    return None if label in prompt.kept else ("screenshot", {"label": label})


# --- the four audits


def review_commit(prompt: Prompt) -> Move:
    picture = picture_first(prompt, "commit_page")
    if picture:
        return picture
    author = prompt.fact("Author")
    approvals = [line.removeprefix("Approved by ") for line in prompt.words if line.startswith("Approved by ")]
    others = [name for name in approvals if name != author]
    judgment = {
        "answer": "yes" if others else "no",
        "confidence": 0.95,
        "reasoning": f"{author} wrote it; approved by {', '.join(approvals) or 'nobody'}.",
        "references": ["commit_page", "reviewers"],
        "approved_by": others[0] if others else None,
    }
    facts = {"sha": prompt.fact("Commit"), "date": prompt.fact("Date"), "checks": prompt.fact("Checks")}
    return "done", {"extracted": {**facts, "author": author, "reviewers": approvals}, "judgment": judgment}


def list_issues(prompt: Prompt) -> Move:
    """A picture of each page of the list, its rows saved, then the next page."""
    page = prompt.page_number
    picture = picture_first(prompt, f"page_{page}")
    if picture:
        return picture
    rows = issue_rows(prompt)
    next_page = prompt.find("link", "Next page")
    if next_page is None:
        return "done", {"extracted": {"issues": rows}}
    if not prompt.is_saved:
        return "save_progress", {"extracted": {"issues": rows}}
    return "click", {"element": next_page.number}


def issue_rows(prompt: Prompt) -> list[dict[str, str]]:
    """The words of a row stand one below the other: key, title, kind, status, assignee."""
    cells = [cell.strip() for line in prompt.words for cell in line.split("|")]
    starts = [at for at, cell in enumerate(cells) if cell.startswith("INK-")]
    return [
        {"id": cells[at], "title": cells[at + 1], "kind": cells[at + 2], "assignee": cells[at + 4]} for at in starts
    ]


def look_up_person(prompt: Prompt) -> Move:
    picture = picture_first(prompt, "person_page")
    if picture:
        return picture
    facts = {name.lower(): prompt.fact(name) for name in ("Title", "Team", "Manager")}
    name = prompt.words[prompt.words.index("Employee") - 1]
    days = {"last_day": prompt.fact("Last day"), "account_disabled": prompt.fact("Account disabled")}
    if days["account_disabled"] == "Not yet":
        days["account_disabled"] = None
    return "done", {"extracted": {"name": name, "email": prompt.fact("E-mail"), **facts, **days}}


def request_access(prompt: Prompt) -> Move:
    if "/office/access/new" in prompt.url:
        return fill_in(prompt)
    if "sent" not in prompt.milestones:
        state = {"request": prompt.fact("Request"), "state": prompt.fact("State")}
        return "save_progress", {"extracted": state, "milestones": ["sent"]}
    picture = picture_first(prompt, "confirmation")
    if picture:
        return picture
    if "receipt" not in prompt.kept:
        return "download", {"element": prompt.number("link", "Download the receipt"), "label": "receipt"}
    return "done", {"extracted": {"request": prompt.fact("Request"), "state": prompt.fact("State")}}


def fill_in(prompt: Prompt) -> Move:
    wanted = {"Employee number": str(prompt.sample["sample_id"]), "Until": "2026-06-30", "Reason": "quarterly review"}
    for field_ in prompt.elements:
        if field_.name in wanted and field_.value != wanted[field_.name]:
            return "type", {"element": field_.number, "text": wanted[field_.name]}
        if field_.name == "System" and field_.value != "Ledger":
            return "select_option", {"element": field_.number, "value": "Ledger"}
        if field_.name == "The manager agrees" and "(checked" not in field_.rest:
            return "check", {"element": field_.number, "value": True}
    return "click", {"element": prompt.number("button", "Send request")}


# --- a long one: every page of two lists, one form sent in between, every page of a third


def walk_the_office(prompt: Prompt) -> Move:
    path = prompt.path
    if path.startswith("/office/access/"):
        return ask_for_access(prompt)
    name, rows, then = LISTS[path]
    picture = picture_first(prompt, f"{name}_{prompt.page_number}")
    if picture:
        return picture
    if not prompt.is_saved:
        return "save_progress", {"extracted": {name: rows(prompt)}}
    next_page = prompt.find("link", "Next page")
    if next_page:
        return "click", {"element": next_page.number}
    return ("goto", {"url": prompt.address(then)}) if then else ("done", {"extracted": {}})


def ask_for_access(prompt: Prompt) -> Move:
    if prompt.path == "/office/access/new":
        move = fill_in(prompt)
        return picture_first(prompt, "form") or move if move[0] == "click" else move
    if "sent" in prompt.milestones:
        return "goto", {"url": prompt.address("/office/code")}
    return "save_progress", {"extracted": {"request": prompt.fact("Request")}, "milestones": ["sent"]}


def people_rows(prompt: Prompt) -> list[dict[str, str]]:
    links = [each for each in prompt.elements if each.rest.strip().startswith("/office/people/")]
    return [{"id": each.rest.strip().rpartition("/")[2], "name": each.name} for each in links]


def commit_rows(prompt: Prompt) -> list[dict[str, str]]:
    rows = [[cell.strip() for cell in line.split("|")] for line in prompt.words if line.count("|") == 3]
    return [{"id": row[0], "message": row[1], "author": row[2]} for row in rows if row[0] != "Commit"]


LISTS: dict[str, tuple[str, Callable[[Prompt], list[dict[str, str]]], str]] = {
    "/office/issues": ("issues", issue_rows, "/office/people"),
    "/office/people": ("people", people_rows, "/office/access/new"),
    "/office/code": ("commits", commit_rows, ""),
}
