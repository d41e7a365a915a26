"""An auditor at the desk: the same readers of prompts, asked through the services' real clients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.evidence_audits.auditors import OTHER_WORDS, Reads
from tests.evidence_audits.prompts import Prompt

# What is another one in each session: the practice site's port, the marks around what a page says.
MASKS = (r"127\.0\.0\.1:\d+", r"page-text [0-9a-f]{16}")
Json = dict[str, Any]


def at_the_desk(reads: Reads) -> Callable[[Json], Json]:
    def answer(request: Json) -> Json:
        names = {tool["name"] for tool in request["tools"]}
        if "done" not in names:
            return other(request)
        name, given = reads(prompt_of(request))
        return {"tool": name, "arguments": given}

    return answer


def prompt_of(request: Json) -> Prompt:
    said = [message["text"] for message in request["messages"] if message["role"] == "user"]
    return Prompt(request["system"], said[0])


def other(request: Json) -> Json:
    """Questions beside the task: what was learned, what is still missing."""
    schema = request["response_format"].get("schema")
    forced = [tool["schema"] for tool in request["tools"] if tool["name"] == "answer"]
    wanted = (schema or (forced[0] if forced else {})).get("properties", {})
    if wanted:
        return {"json": {name: OTHER_WORDS[name] for name in wanted if name in OTHER_WORDS}}
    return {"text": "FOUND: what was saved\nGAPS: none\nNEXT: go on"}
